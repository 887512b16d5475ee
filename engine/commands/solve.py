"""`clew solve`: a built-in solver answers a pack through the desk."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from engine.commands.options import ANSWERS, PACK
from engine.commands.progress import progress
from engine.desk import COLLECT, RealDesk
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.models.baselines import BASELINES, baseline
from engine.models.runner import solve as run
from engine.store.clock import utc_now, uuid7


@click.command()
@PACK
@click.option("--model", required=True, help=f"One of: {', '.join(BASELINES)}.")
@ANSWERS
def solve(pack: str | None, model: str, answers: Path | None) -> None:
    """Let a solver answer every puzzle of a pack that it has not answered yet.

    It sees the public payload only; its answers are stored like a person's.

    \b
    Example: clew solve my-pack --model baseline:noisy-or-veto
    """
    solver = baseline(model)
    desk = RealDesk(pack=pack, solver=model, kind="model", answers=answers, policy=COLLECT)
    with closing(desk):
        desk.open()
        shelves = [shelf for shelf in desk.shelves() if shelf.family == FAMILY_NAME]
        left = sum(shelf.puzzles - shelf.answered for shelf in shelves)
        with progress(run(desk, solver, uuid7, utc_now), left, model) as receipts:
            done = sum(1 for _ in receipts)
    click.echo(f"{model}: {done} answered now, {sum(shelf.puzzles for shelf in shelves)} puzzles in all")
