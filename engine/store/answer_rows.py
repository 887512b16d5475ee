"""The rows of `answers.db`: their types, what their fields may hold, their digests, and the repair of typed text.

Python checks come first and name field and value; the table checks of the schema are the second line. Nothing that a
person typed is a reason to lose a save: what SQLite cannot store is replaced, and an event says where it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engine.canonical import Json, canonical_text, digest
from engine.errors import UsageError
from engine.store.field_rules import (
    COUNT,
    FREE,
    ID,
    NAME,
    NTH,
    SHA,
    TIME,
    Rule,
    among,
    check_fields,
    number,
    or_none,
)
from engine.store.rows import column_names

SolverKind = Literal["human", "model"]
MAX_PLACES = 10_000
"""How many replaced characters of one text are listed."""
TEXT_REPAIRED = "text_repaired"
"""Kind of the event that says where U+FFFD stands for something that cannot be stored."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionRow:
    """One sitting of one solver; its policy is stored and never changes."""

    id: str
    solver: str
    started_at: str
    app_version: str
    pack_sha: str
    mode: Literal["practice", "collect"]
    aid: Literal["A0", "A1", "A2", "A3"]
    feedback: Literal["now", "end", "never"]
    label_order: str
    """The two labels in the order in which they are offered, joined by a comma."""
    site: str = ""
    manifest_sha: str = ""
    commit_root: str = ""
    resumed_from: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class AttemptRow:
    """One answer to one puzzle."""

    id: str
    """A UUID of version 7, made when the puzzle was shown: a retry is the same answer."""
    session: str
    solver: str
    puzzle_id: str
    puzzle_sha: str
    text_sha: str
    """Digest of the exact text that was shown."""
    answer: Literal["PRESENT", "ABSENT", "SKIP"] | None
    """None for writing tasks and for models, whose raw text is a turn."""
    confidence: int | None
    """0 to 100."""
    shown_at: str
    answered_at: str
    response_ms: int
    """Visible time by a monotonic clock."""
    rendering_id: str = ""
    attempt_no: int = 1
    assignment: str | None = None
    notes: str = ""
    row_sha: str = ""
    """Set by the store."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnRow:
    """One text of a dialogue; `(turn, role)` is unique within an attempt."""

    session: str
    puzzle_id: str
    turn: int
    """1 is the first."""
    role: str
    text: str
    at: str
    response_ms: int | None = None
    attempt_no: int = 1
    row_sha: str = ""
    """Set by the store."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EventRow:
    """One thing that happened in a session, such as a sort or a pause."""

    session: str
    t_ms: int
    """Monotonic, since the session began."""
    kind: str
    puzzle_id: str = ""
    data: str = ""
    n: int | None = None
    """Place in the session. None takes the next free one; a given one makes a repeated append the same event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftRow:
    """An unsent answer; the only row that is overwritten."""

    session: str
    puzzle_id: str
    body: str
    saved_at: str


Stored = SessionRow | AttemptRow | TurnRow | EventRow | DraftRow


_ROW: Mapping[str, Rule] = {
    "session": ID, "solver": ID, "puzzle_id": ID, "attempt_no": NTH, "row_sha": NAME,
}  # fmt: skip
RULES: Mapping[type[Stored], Mapping[str, Rule]] = {
    SessionRow: {
        **_ROW, "id": ID, "started_at": TIME, "app_version": NAME, "pack_sha": NAME, "site": NAME,
        "mode": among("practice", "collect"), "aid": among("A0", "A1", "A2", "A3"),
        "feedback": among("now", "end", "never"), "label_order": among("PRESENT,ABSENT", "ABSENT,PRESENT"),
        "manifest_sha": NAME, "commit_root": NAME, "resumed_from": or_none(ID),
    },
    AttemptRow: {
        **_ROW, "id": ID, "puzzle_sha": NAME, "text_sha": SHA, "rendering_id": NAME,
        "answer": or_none(among("PRESENT", "ABSENT", "SKIP")),
        "confidence": or_none(Rule(holds=number(0, 100), right="a whole number from 0 to 100")),
        "shown_at": TIME, "answered_at": TIME, "response_ms": COUNT, "assignment": or_none(ID), "notes": FREE,
    },
    TurnRow: {**_ROW, "turn": NTH, "role": ID, "text": FREE, "at": TIME, "response_ms": or_none(COUNT)},
    EventRow: {**_ROW, "t_ms": COUNT, "kind": ID, "puzzle_id": NAME, "data": FREE, "n": or_none(COUNT)},
    DraftRow: {**_ROW, "body": FREE, "saved_at": TIME},
}  # fmt: skip


def check_row(row: Stored) -> None:
    """Check every field of a row.

    Raises:
        UsageError: names the field, its value and what would be right.
    """
    kind = type(row)
    check_fields(row, RULES[kind], kind.__name__.removesuffix("Row").lower())


def check_alias(alias: str) -> None:
    """Check the name of a solver."""
    if not ID.holds(alias) or alias != alias.strip():
        raise UsageError(f"the name {alias!r} cannot be stored; {ID.right} without blanks at the ends are right")


def turn_sha(turn: TurnRow) -> str:
    """Return the digest of all other columns of a turn."""
    return digest(_columns(turn))


def attempt_sha(attempt: AttemptRow, turn_shas: Sequence[str]) -> str:
    """Return the digest of all other columns of an attempt and of its turns' digests in the order of turns."""
    return digest({"attempt": _columns(attempt), "turns": list(turn_shas)})


def _columns(row: AttemptRow | TurnRow) -> dict[str, Json]:
    return {name: getattr(row, name) for name in column_names(type(row)) if name != "row_sha"}


@dataclass(frozen=True, kw_only=True)
class Repaired:
    """A text that can be stored, and what stood where it has U+FFFD now."""

    text: str
    places: tuple[tuple[int, int], ...]
    """(position, code point) of each replaced character, left to right."""


def repair(text: str) -> Repaired:
    """Replace lone surrogates and NUL, which no UTF-8 column holds safely, by U+FFFD; leave all else as it is."""
    places = tuple((at, ord(letter)) for at, letter in enumerate(text) if _unstorable(letter))
    if not places:
        return Repaired(text=text, places=())
    return Repaired(text="".join("\ufffd" if _unstorable(letter) else letter for letter in text), places=places)


def _unstorable(letter: str) -> bool:
    return letter == "\0" or "\ud800" <= letter <= "\udfff"


def repaired_attempt(attempt: AttemptRow, t_ms: int) -> tuple[AttemptRow, tuple[EventRow, ...]]:
    """Return the attempt with notes that can be stored, and an event if they had to change."""
    found = repair(attempt.notes)
    return replace(attempt, notes=found.text), _repair_event(attempt, "notes", found, t_ms)


def repaired_turn(turn: TurnRow, t_ms: int) -> tuple[TurnRow, tuple[EventRow, ...]]:
    """Return the turn with a text that can be stored, and an event if it had to change."""
    found = repair(turn.text)
    return replace(turn, text=found.text), _repair_event(turn, f"turn {turn.turn} {turn.role}", found, t_ms)


def repaired_draft(draft: DraftRow) -> tuple[DraftRow, tuple[EventRow, ...]]:
    """Return the draft with a body that can be stored, and an event if it had to change."""
    found = repair(draft.body)
    return replace(draft, body=found.text), _repair_event(draft, "draft", found, 0)


def _repair_event(
    row: AttemptRow | TurnRow | EventRow | DraftRow, field: str, found: Repaired, t_ms: int
) -> tuple[EventRow, ...]:
    if not found.places:
        return ()
    data = canonical_text({"field": field, "places": [list(place) for place in found.places[:MAX_PLACES]]})
    return (EventRow(session=row.session, puzzle_id=row.puzzle_id, t_ms=t_ms, kind=TEXT_REPAIRED, data=data),)


def said(attempt: AttemptRow) -> tuple[str | int | None, ...]:
    """Return what makes two submissions the same answer."""
    return (
        attempt.id, attempt.solver, attempt.puzzle_id, attempt.rendering_id, attempt.attempt_no, attempt.text_sha,
        attempt.answer, attempt.confidence,
    )  # fmt: skip


def storable(
    attempt: AttemptRow, turns: Sequence[TurnRow], events: Sequence[EventRow]
) -> tuple[AttemptRow, tuple[TurnRow, ...], tuple[EventRow, ...]]:
    """Return checked rows whose texts can be stored, with an event for each text that had to change."""
    now = max((event.t_ms for event in events), default=0)
    attempt, happened = repaired_attempt(attempt, now)
    kept_turns = []
    for turn in turns:
        if (turn.session, turn.puzzle_id, turn.attempt_no) != (attempt.session, attempt.puzzle_id, attempt.attempt_no):
            raise UsageError(f"turn {turn.turn} of {turn.puzzle_id!r} belongs to another attempt than the one saved")
        turn, more = repaired_turn(turn, now)
        kept_turns.append(turn)
        happened += more
    kept_events = (*(stored for event in events for stored in with_repairs(event)), *happened)
    rows: tuple[Stored, ...] = (attempt, *kept_turns, *kept_events)
    for row in rows:
        check_row(row)
    return attempt, tuple(kept_turns), kept_events


def with_repairs(event: EventRow) -> tuple[EventRow, ...]:
    """Return the event with data that can be stored, and after it another one if they had to change."""
    found = repair(event.data)
    return (replace(event, data=found.text), *_repair_event(event, f"data of {event.kind}", found, event.t_ms))
