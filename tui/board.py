"""What one puts on a puzzle's board, apart from any widget: pins, rows struck out, marks of events, notes, underlines.

Everything here is the person's own. Nothing is computed from it and nothing of it is scored.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, get_args

import msgspec
from msgspec.structs import replace

from tui.marking import Mark

EventMark = Literal[".", "+", "-", "?"]
EVENT_MARKS: tuple[EventMark, ...] = get_args(EventMark)
MARK_WORDS: dict[EventMark, str] = {".": "nothing", "+": "raises", "-": "vetoes", "?": "gate"}
"""What the person may think that an event does."""
MOST_PINS = 3
Side = Literal["table", "story"]


class Board(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What undo goes back over."""

    pins: tuple[str, ...] = ()
    """Ids of the pinned cases, in the order in which they were pinned."""
    struck: tuple[str, ...] = ()
    """Ids of the cases that were struck out."""
    events: dict[str, EventMark] = {}
    """Marks of events by code; one without is marked as doing nothing."""
    underlines: tuple[Mark, ...] = ()
    notes: str = ""

    def mark(self, event: str) -> EventMark:
        return self.events.get(event, ".")

    def with_pin(self, case_id: str) -> Board:
        """Return the board with a pin more, or without it if there is one; the oldest makes room for a fourth."""
        if case_id in self.pins:
            return replace(self, pins=tuple(pin for pin in self.pins if pin != case_id))
        return replace(self, pins=(*self.pins, case_id)[-MOST_PINS:])

    def with_strike(self, case_id: str) -> Board:
        """Return the board with a row struck out, or with the strike taken back."""
        if case_id in self.struck:
            return replace(self, struck=tuple(struck for struck in self.struck if struck != case_id))
        return replace(self, struck=(*self.struck, case_id))

    def with_next_mark(self, event: str) -> Board:
        """Return the board with the event's mark gone one on, and from the last to none."""
        following = EVENT_MARKS[(EVENT_MARKS.index(self.mark(event)) + 1) % len(EVENT_MARKS)]
        others = {code: mark for code, mark in self.events.items() if code != event}
        return replace(self, events=others if following == "." else {**others, event: following})

    def fitting(self, cases: Collection[str], events: Collection[str]) -> Board:
        """Return the board without what fits no case or event: a stored draft is checked like any input."""
        return replace(
            self,
            pins=tuple(pin for pin in dict.fromkeys(self.pins) if pin in cases)[-MOST_PINS:],
            struck=tuple(struck for struck in dict.fromkeys(self.struck) if struck in cases),
            events={code: mark for code, mark in self.events.items() if code in events and mark != "."},
        )


class BoardView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the puzzle screen was left; kept in a draft beside answer, filter, sort and notes."""

    board: Board = Board()
    row: str = ""
    """Id of the case under the cursor."""
    top: int = 0
    """First row of the table in sight, from 0."""
    place: int = 0
    """First code point of the story in sight."""
    side: Side = "table"
    """What is in sight where both do not fit."""
    highlight: bool = False
    compare: bool | None = None
    """Whether the lower panes are shown; None as there is room."""
    hints: int = 0
    """Hints that were taken."""


def read_board_view(text: str) -> BoardView:
    """Return what a draft keeps of the view; a fresh one for anything else."""
    try:
        return msgspec.json.decode(text or "{}", type=BoardView)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return BoardView()


def board_view_text(view: BoardView) -> str:
    """Return a view as a draft keeps it; the notes stand in the draft itself."""
    return msgspec.json.encode(replace(view, board=replace(view.board, notes=""))).decode()
