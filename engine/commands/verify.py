"""`clew verify-pack`: is a pack what it says, and does its recipe make it again?"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import click

from engine import practice
from engine.commands.progress import progress
from engine.errors import UsageError, counted
from engine.hidden_systems.behavior import payload_text
from engine.hidden_systems.packing import Sown, rendering_row, sealed_row
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.surface.template import RENDERER
from engine.instruction_adherence import packing as writing
from engine.instruction_adherence.generate import WritingTask, generate_tasks
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.instruction_adherence.writing import writing_text
from engine.store.pack import PACK_SALT, Pack, PackEntry, puzzle_id
from engine.store.places import pack_path
from engine.store.sealed import Sealed, SealedPuzzle, commitment
from engine.store.sealed_tasks import SealedTask, task_commitment
from engine.store.verify import first_difference, verify_file
from engine.writing_recipes import writing_recipe


@click.command("verify-pack")
@click.argument("pack", metavar="DIR_OR_FILE")
@click.option("--sealed", type=click.Path(path_type=Path), help="Sealed file: regenerate from the seeds in it.")
@click.pass_context
def verify_pack(ctx: click.Context, pack: str, sealed: Path | None) -> None:
    """Check a pack's structure, digests and ids; the built-in pack is built again from its recipe and compared.

    \b
    Example: clew verify-pack puzzles.db
    """
    file = pack_path(pack)
    with Pack.open(file) as opened:
        puzzles = len(opened.puzzles())
        builtin = practice.made_by_recipe(opened)
    findings = [*verify_file(file), *(_recipe_findings(file) if builtin else [])]
    how = "built again from its recipe and equal" if builtin else "digests hold"
    if sealed is not None:
        found = _against(file, sealed)
        findings += found.findings
        how = "drawn again from their seeds and equal" if found.redrawn else f"{how}, sealed tasks can be met"
    for finding in findings:
        click.echo(finding)
    if findings:
        click.echo(f"{file}: {counted(len(findings), 'finding')}", err=True)
        ctx.exit(1)
    click.echo(f"{file}: {counted(puzzles, 'puzzle')}, {how}")


def _recipe_findings(file: Path) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "pack.db"
        practice.build(fresh, Path(folder) / "sealed.db")
        difference = first_difference(file, fresh)
    return [] if difference is None else [f"differs from its recipe: {difference}"]


class _Against(NamedTuple):
    """What a comparison with the sealed file found."""

    findings: list[str]
    redrawn: bool
    """Whether all puzzles could be drawn again."""


def _against(file: Path, sealed: Path) -> _Against:
    with Pack.open(file) as pack, Sealed.open(sealed) as secrets:
        records = {record.puzzle_id: record for record in secrets.records()}
        entries = pack.puzzles()
        if records.keys() != {entry.id for entry in entries if entry.family == FAMILY_NAME}:
            raise UsageError(f"{sealed} is not the sealed half of {file}; give the one made with it")
        tasks = {entry.id: secrets.task(entry.id) for entry in entries if entry.family == WRITING}
        drawn = _drawn_again(pack, secrets)
        findings = []
        with progress(entries, len(entries), "checking against the sealed file") as listed:
            for entry in listed:
                if entry.family == WRITING:
                    findings += _task_findings(entry, tasks[entry.id])
                    findings += _redrawn_findings(pack, entry, tasks[entry.id], drawn)
                else:
                    findings += _puzzle_findings(pack, entry, records[entry.id])
        if drawn is not None and (lost := len(drawn.keys() - {entry.id for entry in entries})):
            findings.append(f"{counted(lost, 'writing task')} of the recipe not in the pack")
    return _Against(findings, redrawn=not tasks or drawn is not None)


def _drawn_again(pack: Pack, secrets: Sealed) -> dict[str, WritingTask] | None:
    """Return the writing tasks of the recipe in the sealed file, by the ids that they have in this pack.

    None if the file has no such recipe, as that of the built-in pack, which is built again as a whole.

    Raises:
        UsageError: the tasks are of the split `test`, and this machine has not the private seed tasks they came from.
    """
    stored = writing.read_recipe(secrets.meta.get("recipe", ""))
    if stored is None:
        return None
    seed = int(stored.seed)
    recipes = [writing_recipe(stored.split, mode, seed, cell.cell()) for mode, cell in stored.cells.items()]
    if any(recipe.private_key != stored.private_key for recipe in recipes):
        raise UsageError(f"{secrets.path} holds tasks of other private seed tasks than this machine's; verify it there")
    drawn = chain.from_iterable(generate_tasks(recipe, stored.count) for recipe in recipes)
    with progress(drawn, stored.count * len(recipes), "drawing writing tasks again") as tasks:
        return {puzzle_id(writing_text(task.payload), pack.meta[PACK_SALT]): task for task in tasks}


def _redrawn_findings(
    pack: Pack, entry: PackEntry, sealed: SealedTask, drawn: Mapping[str, WritingTask] | None
) -> list[str]:
    """Return whether a writing task is what the recipe gives, on both sides of the wall."""
    if drawn is None:
        return []
    if entry.id not in drawn:
        return [f"puzzle {entry.id!r}: the payload is not what the recipe gives"]
    task, findings = drawn[entry.id], []
    if writing.sealed_task(entry.id, task, sealed.salt) != sealed:
        findings.append(f"puzzle {entry.id!r}: the sealed task is not what the recipe gives")
    if pack.renderings(entry.id) != (writing.rendering_row(entry.id, task.task_type, task.payload.turns[0]),):
        findings.append(f"puzzle {entry.id!r}: the text shown is not what the recipe gives")
    if (entry.kind, entry.complexity, entry.n_turns) != (task.payload.mode, task.constraints, len(task.turns)):
        findings.append(f"puzzle {entry.id!r}: its entry in the list is not what the recipe gives")
    return findings


def _task_findings(entry: PackEntry, task: SealedTask) -> list[str]:
    """Return whether a writing task is committed to, and whether its witness meets all that is checked."""
    findings = []
    if task_commitment(task) != entry.commit_sha:
        findings.append(f"puzzle {entry.id!r}: commit_sha is not that of the sealed task")
    for turn, row in zip(writing.sealed_turns(task), task.turns, strict=True):
        if not all(check.judge(Reading(row.witness)).passed for check in turn.scored):
            findings.append(f"puzzle {entry.id!r}: the witness of turn {row.turn} does not pass all checks")
    return findings


def _puzzle_findings(pack: Pack, entry: PackEntry, record: SealedPuzzle) -> list[str]:
    """Return public ids of what does not come out again: never a sealed value."""
    findings = []
    if commitment(record) != entry.commit_sha:
        findings.append(f"puzzle {entry.id!r}: commit_sha is not that of the sealed record")
    skeleton = generate_skeleton(entry.complexity, record.seed, record.idx)
    if payload_text(skeleton.payload) != pack.payload(entry.id):
        return [*findings, f"puzzle {entry.id!r}: the payload is not what its seed gives"]
    sown = Sown(skeleton=skeleton, seed=record.seed, index=record.idx)
    if sealed_row(entry.id, sown, record.salt) != record:
        findings.append(f"puzzle {entry.id!r}: the sealed record is not what its seed gives")
    for told in pack.renderings(entry.id):
        if told.renderer == RENDERER and rendering_row(entry.id, skeleton.payload, told.domain).body != told.body:
            findings.append(f"rendering {told.id!r}: the text is not what the template gives")
    return findings
