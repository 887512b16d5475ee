"""Scores answers against sealed records: one scorer for people and models.

A person's label is stored; a model's is read from its raw text. What cannot be read is a status, never a wrong answer.
PRIVATE: the desk calls this after a commit, `clew score` and the audits on their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal

from engine.hidden_systems.behavior import Label
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.models.parsing import parse_label
from engine.store.answer_rows import AttemptRow
from engine.store.answers import Answers
from engine.store.pack import Pack
from engine.store.scores import ScoreRow
from engine.store.sealed import Sealed, SealedPuzzle

SCORER_VERSION = "hidden-systems/1"


def counted(attempts: Iterable[AttemptRow]) -> Iterator[AttemptRow]:
    """Yield the one attempt that counts for each solver and puzzle: of the first telling answered, the last revision.

    Revisions exist only until the next puzzle opens, and never after a reveal.
    """

    def place(attempt: AttemptRow) -> tuple[str, str]:
        return attempt.solver, attempt.puzzle_id

    for _, group in groupby(sorted(attempts, key=place), key=place):
        rows = sorted(group, key=lambda attempt: (attempt.answered_at, attempt.id))
        yield max(
            (row for row in rows if row.rendering_id == rows[0].rendering_id), key=lambda attempt: attempt.attempt_no
        )


def score(attempt: AttemptRow, raw: str | None, sealed: SealedPuzzle, complexity: int) -> ScoreRow:
    """Return the score of one attempt.

    Args:
        raw: a model's text, from which its label is read; None for a person.
    """
    label: Label | None = None
    if attempt.answer == "PRESENT" or attempt.answer == "ABSENT":
        label = attempt.answer
    elif raw is not None:
        label = parse_label(raw)
    status: Literal["scored", "skipped", "unparsable"] = (
        "skipped" if attempt.answer == "SKIP" else "unparsable" if label is None else "scored"
    )
    return ScoreRow(
        attempt=attempt.id,
        scorer_version=SCORER_VERSION,
        puzzle_id=attempt.puzzle_id,
        solver=attempt.solver,
        complexity=complexity,
        status=status,
        label=label,
        correct=None if label is None else 1 if label == sealed.gold else 0,
        present_probability=sealed.present_probability,
    )


def raw_text(answers: Answers, attempt: AttemptRow) -> str | None:
    """Return a model's raw text; None for an attempt without one."""
    if attempt.answer is not None:
        return None
    turns = answers.turns(attempt.session, attempt.puzzle_id, attempt.attempt_no)
    return next((turn.text for turn in turns if turn.role == "assistant"), None)


def score_pack(pack: Pack, sealed: Sealed, answers: Answers) -> Iterator[ScoreRow]:
    """Yield the score of every attempt that counts on a pack's puzzles."""
    complexity = {entry.id: entry.complexity for entry in pack.puzzles() if entry.family == FAMILY_NAME}
    for attempt in counted(answers.attempts(puzzle_ids=complexity.keys())):
        yield score(
            attempt, raw_text(answers, attempt), sealed.record(attempt.puzzle_id), complexity[attempt.puzzle_id]
        )
