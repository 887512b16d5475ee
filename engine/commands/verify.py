"""`clew verify-pack`: is a pack what it says, and does its recipe make it again?"""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from engine import practice
from engine.commands.progress import progress
from engine.errors import UsageError
from engine.hidden_systems.behavior import payload_text
from engine.hidden_systems.packing import Sown, rendering_row, sealed_row
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.surface.template import RENDERER
from engine.instruction_adherence.packing import sealed_turns
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.store.pack import Pack, PackEntry
from engine.store.places import pack_path
from engine.store.sealed import Sealed, SealedPuzzle, commitment
from engine.store.sealed_tasks import SealedTask, task_commitment
from engine.store.verify import first_difference, verify_file


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
    if sealed is not None:
        findings += _seed_findings(file, sealed)
    for finding in findings:
        click.echo(finding)
    if findings:
        click.echo(f"{file}: {len(findings)} findings", err=True)
        ctx.exit(1)
    how = "built again from its recipe and equal" if builtin else "digests hold"
    click.echo(f"{file}: {puzzles} puzzles, {'drawn again from their seeds and equal' if sealed else how}")


def _recipe_findings(file: Path) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "pack.db"
        practice.build(fresh, Path(folder) / "sealed.db")
        difference = first_difference(file, fresh)
    return [] if difference is None else [f"differs from its recipe: {difference}"]


def _seed_findings(file: Path, sealed: Path) -> list[str]:
    with Pack.open(file) as pack, Sealed.open(sealed) as secrets:
        records = {record.puzzle_id: record for record in secrets.records()}
        entries = pack.puzzles()
        if records.keys() != {entry.id for entry in entries if entry.family == FAMILY_NAME}:
            raise UsageError(f"{sealed} is not the sealed half of {file}; give the one made with it")
        findings = []
        with progress(entries, len(entries), "checking against the sealed file") as listed:
            for entry in listed:
                if entry.family == WRITING:
                    findings += _task_findings(entry, secrets.task(entry.id))
                else:
                    findings += _puzzle_findings(pack, entry, records[entry.id])
    return findings


def _task_findings(entry: PackEntry, task: SealedTask) -> list[str]:
    """Return whether a writing task is committed to, and whether its witness meets all that is checked."""
    findings = []
    if task_commitment(task) != entry.commit_sha:
        findings.append(f"puzzle {entry.id!r}: commit_sha is not that of the sealed task")
    for turn, row in zip(sealed_turns(task), task.turns, strict=True):
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
