"""The kinds of events that a collection writes, and what their data say: one home for the desk and for the analysis.

Events of the screens (open, sort, pause, blur, resize ...) keep the app's own names; unknown kinds stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from engine.canonical import Json, canonical_text, read_json
from engine.errors import StoreError
from engine.public import Aid
from engine.store.answer_rows import EventRow
from engine.study.ordering import Role, Slot

CONSENT = "consent"
"""Data: version and text_sha of the consent text, position of the person."""
LIST = "list"
"""Data: the person's items in order, each with role, block and aid."""
INTAKE = "intake"
"""Data: chosen option by code, from 0."""
PASSED = "passed"
"""Data: key of a step that was left behind."""
CHECK = "check"
"""Data: the options chosen, from 0, and whether all are right."""
SHOWN = "shown"
"""An item was put before the person. Data: its position."""
SKIPPED = "skipped"
"""Data: the reason."""
TIMEOUT = "timeout"
"""Data: what was unsent, as the draft held it."""
CLOCK = "clock"
"""The app's own: an item came into view, for the first time or again. Data: UTC, as attempts tell theirs."""
RESUMED = "resumed"
"""A sitting goes on after another. Data: the gap in seconds."""
RESUMED_ITEM = "resume"
"""The app's own: an item was opened with a draft."""
RESTARTED = "restarted"
"""A block begins anew. Data: its number."""
ENDED = "ended"
"""Data: finished, stopped, failed-check, expired or refused."""
SIZES = ("terminal", "resize")
"""The app's own: columns x rows stand first in the data."""
OPENED = ("open", "resume", "revise")
"""The app's own: the item was painted."""


def list_data(slots: Sequence[Slot]) -> str:
    """Return a person's list as the data of a LIST event."""
    rows: list[Json] = [[slot.puzzle_id, slot.role, slot.block, slot.aid] for slot in slots]
    return canonical_text(rows)


def read_list(data: str) -> tuple[Slot, ...]:
    """Read the data of a LIST event.

    Raises:
        StoreError: they are not what `list_data` writes.
    """
    rows = read_json(data, where="list of items")
    if not isinstance(rows, list):
        raise StoreError("list of items: no list; the answers file was changed from outside")
    slots = []
    for row in rows:
        if not (isinstance(row, list) and len(row) == 4 and isinstance(row[0], str) and isinstance(row[2], int)):
            raise StoreError(f"list of items: {row!r}; a puzzle, a role, a block and an aid are right")
        role: Role = "attention" if row[1] == "attention" else "repeat" if row[1] == "repeat" else "main"
        aid: Aid = next((one for one in get_args(Aid) if one == row[3]), "A0")
        slots.append(Slot(puzzle_id=row[0], role=role, block=row[2], aid=aid))
    return tuple(slots)


def slots_of(events: Sequence[EventRow]) -> tuple[Slot, ...]:
    """Return the list that a person was given, from their events; empty without one."""
    return next((read_list(event.data) for event in events if event.kind == LIST), ())
