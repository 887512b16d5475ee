"""`clew score`: score a pack's answers against its sealed file."""

from __future__ import annotations

from pathlib import Path

import click

from engine import practice
from engine.commands.options import ANSWERS, PACK, SCORES
from engine.scoring import score_pack
from engine.store.answers import Answers
from engine.store.pack import Pack
from engine.store.places import answers_path, pack_path, scores_path
from engine.store.scores import Scores
from engine.store.sealed import Sealed


@click.command()
@PACK
@ANSWERS
@SCORES
def score(pack: str | None, answers: Path | None, scores: Path | None) -> None:
    """Score every answer to a pack's puzzles; scores are derived and may be deleted.

    \b
    Example: clew score my-pack
    """
    path = pack_path(pack)
    with (
        Pack.open(path) as opened,
        Sealed.open(practice.sealed_half(opened)) as sealed,
        Answers.open(answers or answers_path(), create=False, read_only=True) as given,
        Scores.open(scores or scores_path()) as kept,
    ):
        rows = tuple(score_pack(opened, sealed, given))
        kept.put_scores(rows)
    scored = sum(row.status == "scored" for row in rows)
    click.echo(f"{path}: {len(rows)} answers, {scored} scored, {len(rows) - scored} skipped or unparsable")
