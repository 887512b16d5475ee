"""What a bundle holds about its practice items, and the feedback made of it after an answer is on disk.

Plain data: no sealed file, no generator. Practice items are public by construction and never items of the study.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from engine.canonical import read_json
from engine.errors import StoreError
from engine.hidden_systems.behavior import Label
from engine.instruction_adherence.standing import standing
from engine.public import Asked, Judged, Reveal

if TYPE_CHECKING:
    from engine.instruction_adherence.turn import Turn


class Prepared(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Feedback for one practice item; for an attention task, what it is checked for."""

    puzzle_id: str
    reveal: Reveal | None = None
    """For a hidden system, as whoever answered right is told."""
    turns: tuple[str, ...] = ()
    """For a writing task, what each turn is checked for, as canonical JSON."""


class Rehearsal:
    """The prepared feedback of all practice items of a study."""

    def __init__(self, prepared: tuple[Prepared, ...]) -> None:
        self._prepared: Mapping[str, Prepared] = {one.puzzle_id: one for one in prepared}

    def reveal(self, puzzle_id: str, given: Label) -> Reveal | None:
        """Return the feedback on a choice; None for items that are not practised."""
        found = self._prepared.get(puzzle_id)
        if found is None or found.reveal is None:
            return None
        return msgspec.structs.replace(found.reveal, correct=found.reveal.label == given)

    def asked(self, puzzle_id: str, turn: int) -> tuple[Asked, ...]:
        """Return the requirements of a turn (from 1) of a practised writing task; none for other items."""
        found = self._prepared.get(puzzle_id)
        if found is None or not found.turns:
            return ()
        return tuple(
            Asked(
                nth=place, label=check.label, family=check.constraint.family, text=check.requirement,
                since_turn=check.since_turn,
                state=standing(
                    expect=check.expect, scored=check.scored, since_turn=check.since_turn, turn=turn
                ),
            )
            for place, check in enumerate(_turn(found, turn).checks, start=1)
        )  # fmt: skip

    def judged(self, puzzle_id: str, turn: int, text: str) -> tuple[Judged, ...]:
        """Return the verdicts on a text for a turn (from 1); none for items that are not practised."""
        # The vocabularies of the checkers are loaded only when a practice text was sent.
        from engine.instruction_adherence.verdicts import judged_in

        found = self._prepared.get(puzzle_id)
        return judged_in(_turn(found, turn), text) if found is not None and found.turns else ()


def rehearsal_text(prepared: tuple[Prepared, ...]) -> str:
    """Return the stored form: JSON with probabilities as they are shown."""
    return msgspec.json.format(msgspec.json.encode(prepared), indent=1).decode()


def read_rehearsal(text: str, *, where: str) -> Rehearsal:
    """Read the stored form; `read_prepared` says what can go wrong."""
    return Rehearsal(read_prepared(text, where=where))


def read_prepared(text: str, *, where: str) -> tuple[Prepared, ...]:
    """Read the stored form as it is.

    Raises:
        StoreError: not what `rehearsal_text` writes.
    """
    try:
        return msgspec.json.decode(text, type=tuple[Prepared, ...])
    except msgspec.DecodeError as error:
        raise StoreError(f"{where}: not what clew wrote for a study: {error}") from error


def _turn(found: Prepared, nth: int) -> Turn:
    from engine.instruction_adherence.turn import turn_of

    where = f"practice {found.puzzle_id!r}"
    document = read_json(found.turns[nth - 1], where=where)
    if not isinstance(document, dict):
        raise StoreError(f"{where}: a turn is no object; pack the study again")
    return turn_of(document, where=where)
