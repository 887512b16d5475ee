"""`clew verify-pack`: is a pack what it says, and does its recipe make it again?"""

from __future__ import annotations

from pathlib import Path

import click

from engine import practice
from engine.commands.progress import progress
from engine.errors import counted
from engine.redrawing import Difference, Redrawing, recipe_difference
from engine.store.pack import Pack
from engine.store.places import pack_path
from engine.store.sealed import Sealed
from engine.store.verify import verify_file


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
        found, redrawn = _against(file, sealed)
        findings += [one.line for one in found]
        how = "drawn again from their seeds and equal" if redrawn else f"{how}, sealed tasks can be met"
    for finding in findings:
        click.echo(finding)
    if findings:
        click.echo(f"{file}: {counted(len(findings), 'finding')}", err=True)
        ctx.exit(1)
    click.echo(f"{file}: {counted(puzzles, 'puzzle')}, {how}")


def _recipe_findings(file: Path) -> list[str]:
    difference = recipe_difference(file)
    return [] if difference is None else [f"differs from its recipe: {difference}"]


def _against(file: Path, sealed: Path) -> tuple[list[Difference], bool]:
    """Return how a pack differs from what its sealed file draws, and whether all of it could be drawn."""
    with Pack.open(file) as pack, Sealed.open(sealed) as secrets:
        redrawing = Redrawing(pack, secrets)
        if (drawn := redrawing.to_draw()) is not None:
            with progress(drawn.tasks, drawn.total, "drawing writing tasks again") as tasks:
                redrawing.take(tasks)
        with progress(redrawing.entries, len(redrawing.entries), "checking against the sealed file") as listed:
            found = [one for entry in listed for one in redrawing.differences(entry)]
        return [*found, *redrawing.as_a_whole()], redrawing.complete
