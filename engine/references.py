"""What stands beside every solver, scored like one: shortcuts for hidden systems, floors for writing tasks.

Their rows lie among the scores under attempts that nobody made: `shortcut-or-floor/puzzle`. PRIVATE: opens the sealed
file.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.hidden_systems.behavior import read_payload
from engine.instruction_adherence.packing import sealed_turns
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.instruction_adherence.writing import read_writing
from engine.models.baselines import BASELINES
from engine.models.parsing import Parsed
from engine.scoring import score_system, score_task
from engine.store.answer_rows import AttemptRow
from engine.store.pack import Pack, PackEntry
from engine.store.scores import MADE_BY_NOBODY, ScoreRow
from engine.store.sealed import Sealed

FLOORS = ("floor:empty", "floor:copied-prompt")
"""What writing nothing, and handing the brief back, is worth."""
REFERENCES = (*BASELINES, *FLOORS)


def reference_scores(pack: Pack, sealed: Sealed, entry: PackEntry) -> Iterator[ScoreRow]:
    """Yield the scores of every reference that applies to a puzzle."""
    if entry.family == WRITING:
        task = sealed.task(entry.id)
        turns, asked = sealed_turns(task), read_writing(pack.payload(entry.id), where=entry.id).turns
        for name, said in zip(FLOORS, ([""] * len(turns), list(asked)), strict=True):
            yield score_task(_attempt(name, entry), entry, turns, said, [None] * len(turns)).row
        return
    payload = read_payload(pack.payload(entry.id), where=f"puzzle {entry.id!r}")
    for name, solve in BASELINES.items():
        label = Parsed(status="read", label=solve(payload))
        yield score_system(_attempt(name, entry), entry, sealed.record(entry.id), label).row


def reference_attempt(name: str, puzzle: str) -> str:
    """Return the id under which a reference's score of a puzzle lies."""
    return f"{name}{MADE_BY_NOBODY}{puzzle}"


def _attempt(name: str, entry: PackEntry) -> AttemptRow:
    """Return an attempt that nobody made: its id says so."""
    return AttemptRow(
        id=reference_attempt(name, entry.id), session="", solver=name, puzzle_id=entry.id, puzzle_sha=entry.payload_sha,
        text_sha="", answer=None, confidence=None, shown_at="", answered_at="", response_ms=0,
    )  # fmt: skip
