"""`clew score`: score a pack's answers against its sealed file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import click

from engine import practice
from engine.commands.options import ANSWERS, PACK, SCORES
from engine.errors import counted
from engine.references import reference_scores
from engine.scoring import keep, score_pack
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
    """Score every answer to a pack's puzzles and writing tasks; scores are derived and may be deleted.

    Beside the answers stand the built-in shortcuts, and for writing tasks an empty text and the brief handed back.
    Models' texts are read anew by the parser of this version.

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
        scored = tuple(score_pack(opened, sealed, given))
        met = {one.row.puzzle_id for one in scored}
        answered = (entry for entry in opened.puzzles() if entry.id in met)
        keep(kept, scored, (row for entry in answered for row in reference_scores(opened, sealed, entry)))
    click.echo(f"{path}: {counted(len(scored), 'answer')}, {tally(one.row.status for one in scored)}")


def tally(statuses: Iterable[str]) -> str:
    """Return how many rows have each status, the scored ones first."""
    found = Counter(statuses)
    others = sorted(status for status in found if status != "scored")
    return ", ".join(f"{found[status]} {status}" for status in ("scored", *others))
