"""What one does on a puzzle's board: pin, compare, strike out, mark, underline, undo; and in practice a hint, a copy.

Every change of the board is one step that can be taken back, an event, and part of the draft.
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace
from textual.binding import Binding

from engine.public import Hint
from tui.attempt import Attempt
from tui.board import MARK_WORDS, Board
from tui.errands import fetch_hint
from tui.messages import MarkEvent, MarksChanged, MarksUndone, PinRow
from tui.screens.item import LONG_S, ItemScreen
from tui.widgets.brief import BriefPane
from tui.widgets.compare import ComparePane
from tui.widgets.evidence import EvidenceTable
from tui.widgets.marks import MarksPane
from tui.widgets.notes_line import NotesLine
from tui.widgets.question import Question
from tui.widgets.status import StatusLine
from tui.widgets.story import StoryPane

DIGITS = "1234567890"
LEAST_BOX, MOST_LOWER = 4, 12
"""Fewest lines inside of the boxes under the evidence, and most with their borders."""
BOXES = (110, 34)
"""Columns and lines from which the lower panes are boxes side by side, as in the stylesheet."""
BOARD_ACTIONS = {"pin", "strike", "compare", "highlight", "mark"}
PRACTICE_ACTIONS = {"hint", "copy_here"}

BOARD_KEYS: tuple[Binding, ...] = (
    Binding("space", "pin", "pin", key_display="space", tooltip="pin the row, or take its pin away; three at most"),
    Binding("c", "compare", "compare", tooltip="show or hide pinned rows side by side, marks and notes"),
    Binding("x", "strike", "strike out", show=False, tooltip="strike the row out, or take the strike back"),
    Binding("h", "highlight", "query order", show=False,
            tooltip="show which part of each row stands in the question's order"),
    Binding("u", "undo", "undo", tooltip="take back the last pin, strike, mark or note"),
    Binding("U", "redo", "redo", show=False, tooltip="make it again"),
    Binding("i", "hint", "hint", show=False, tooltip="say where in the evidence to look next; practice only"),
    Binding("y", "copy_here", "copy", show=False, tooltip="copy the row, or the story where it has the focus"),
    *(
        Binding(digit, f"mark({nth})", f"Mark event {nth}", show=False,
                tooltip=f"step {nth} of the question: nothing . raises + vetoes - gate ?")
        for nth, digit in enumerate(DIGITS, start=1)
    ),
)  # fmt: skip
"""Keys of the board, for the screen that declares all keys in the order in which they are offered."""


class BoardScreen(ItemScreen):
    """The part of the puzzle screen that changes the board; which panes there are, the screen above decides."""

    def __init__(self, attempt: Attempt) -> None:
        super().__init__(attempt)
        self.attempt: Attempt = attempt
        self._rows = 0
        """Rows that the filter keeps."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what the session's policy has: no key of a board that is not there."""
        attempt = self.attempt
        if action == "mark" and parameters[0] not in range(1, len(self._query) + 1):
            return False
        if action in BOARD_ACTIONS:
            return attempt.has_board
        if action in ("undo", "redo"):
            return attempt.has_table
        return attempt.practises or action not in PRACTICE_ACTIONS

    @property
    def _query(self) -> tuple[str, ...]:
        return self.attempt.presented.payload.query_case.events

    # What shows the board

    def _show_board(self) -> None:
        """Draw anew whatever shows the board."""
        self.set_class(bool(self.attempt.board.pins), "-pinned")
        for pane in self.query(ComparePane):
            pane.show()
        for marks in self.query(MarksPane):
            marks.show()
        self.query_one(NotesLine).show()
        if self.attempt.has_table:
            self._show_status()

    def _show_status(self) -> None:
        self.query_one(StatusLine).show(self._rows, self.query_one(EvidenceTable).in_sight)

    def _show_lower(self) -> None:
        """Show the lower panes: where the window is low, only when they were asked for."""
        wanted = self.attempt.view.compare
        self.set_class(wanted is True, "-lower")
        self.set_class(wanted is False, "-no-lower")
        # The classes of a wide and high window may not be set yet.
        boxes = self.size.width >= BOXES[0] and self.size.height >= BOXES[1]
        lines = min(max(len(self._query), LEAST_BOX) + 2, MOST_LOWER)
        self.query_one("#lower").styles.height = lines if boxes else "auto"

    def _highlight_question(self) -> None:
        row = self.query_one(EvidenceTable).current()
        events_shown = row.events if row is not None and self.attempt.view.highlight else ()
        for question in self.query(Question):
            question.highlight(events_shown)

    # What the panes say

    def on_pin_row(self, message: PinRow) -> None:
        message.stop()
        if self.attempt.has_board:
            self.action_pin()

    def on_mark_event(self, message: MarkEvent) -> None:
        message.stop()
        self.action_mark(message.nth)

    def on_marks_changed(self, message: MarksChanged) -> None:
        message.stop()
        self._put(replace(self.attempt.board, underlines=message.marks), "underline")
        self.query_one(BriefPane).show_marks(message.marks)

    def on_marks_undone(self, message: MarksUndone) -> None:
        message.stop()
        self._step(back=message.back)

    # The board

    def action_pin(self) -> None:
        if (row := self.query_one(EvidenceTable).current()) is not None:
            before = self.attempt.pinned()
            self._put(self.attempt.board.with_pin(row.case_id), "pin", row.case_id)
            self._redraw({*(one.case_id for one in before), *self.attempt.board.pins})
            if said := self.attempt.made_room(before):
                self.tell(said)

    def action_strike(self) -> None:
        if (row := self.query_one(EvidenceTable).current()) is not None:
            self._put(self.attempt.board.with_strike(row.case_id), "strike", row.case_id)
            self._redraw({row.case_id})

    def action_mark(self, nth: int) -> None:
        event = self._query[nth - 1]
        board = self.attempt.board.with_next_mark(event)
        mark = board.mark(event)
        self._put(board, "mark", f"{event} {mark}")
        if not self.query_one(MarksPane).size.height:
            self.tell(f"{nth} {self.attempt.words.event(event)}: {mark} {MARK_WORDS[mark]}")

    def action_undo(self) -> None:
        self._step(back=True)

    def action_redo(self) -> None:
        self._step(back=False)

    def action_compare(self) -> None:
        shown = self.query_one("#lower").size.height > 0
        self._show(compare=not shown)
        self._show_lower()
        self._show_board()
        self.clew.keeper.note("compare", "hidden" if shown else "shown")

    def action_highlight(self) -> None:
        self._show(highlight=not self.attempt.view.highlight)
        self.query_one(EvidenceTable).redraw()
        self._highlight_question()
        self._show_status()
        self.clew.keeper.note("highlight", "on" if self.attempt.view.highlight else "off")

    def _show(self, **changes: bool | int) -> None:
        self.attempt.view = replace(self.attempt.view, **changes)
        self.changed()

    def _put(self, board: Board, kind: str, data: str = "") -> None:
        """Take a changed board, as one step that can be taken back."""
        if self.attempt.steps.put(board):
            self.clew.keeper.note(kind, data)
            self._show_board()
            self.changed()

    def _step(self, *, back: bool) -> None:
        steps = self.attempt.steps
        if not (steps.undo() if back else steps.redo()):
            self.tell(f"nothing to {'undo' if back else 'redo'}")
            return
        self.attempt.notes = steps.value.notes
        self.clew.keeper.note("undo" if back else "redo")
        if self.attempt.has_table:
            self.query_one(EvidenceTable).redraw()
        else:
            self.query_one(BriefPane).show_marks(steps.value.underlines)
        self._show_board()
        self.changed()

    def _redraw(self, case_ids: set[str]) -> None:
        self.query_one(EvidenceTable).redraw(*case_ids)

    # Practice

    def action_hint(self) -> None:
        nth = self.attempt.view.hints + 1
        work = partial(fetch_hint, puzzle_id=self.attempt.puzzle_id, nth=nth)
        self.clew.clerk.ask(work, partial(self._hint_came, nth), self.clew.not_possible)

    def _hint_came(self, nth: int, hint: Hint | None) -> None:
        if hint is None:
            self.tell("there are no more hints for this puzzle")
            return
        self._show(hints=max(self.attempt.view.hints, nth))
        self.clew.keeper.note("hint", f"{nth} {' '.join(hint.cases)}".strip())
        self.tell(f"hint: {hint.sentence}", "hint", LONG_S)
        if hint.cases and self.is_mounted:
            self.query_one(EvidenceTable).go_to(hint.cases[0])

    def action_copy_here(self) -> None:
        if isinstance(self.focused, StoryPane) or not self.attempt.has_table:
            self.clew.copy(self.attempt.presented.text, "the story")
        elif (row := self.query_one(EvidenceTable).current()) is not None:
            words, seen = self.attempt.words, f"{row.present} of {row.trials}"
            line = f"{row.nth}. {words.steps(row)}, {words.settings(row)}: {words.outcome('PRESENT')} {seen}"
            self.clew.copy(line, f"row {row.nth}")
