"""The evidence table: one row a history, in the order asked for, as many columns as fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.coordinate import Coordinate
from textual.strip import Strip
from textual.widgets import DataTable

from engine.hidden_systems.behavior import EvidenceRow
from tui.attempt import Attempt
from tui.columns import Column, Look, heading, ordered, plan, row_cells
from tui.filtering import Filter
from tui.messages import PinRow, ReadRow, RoomChanged
from tui.widgets.rows import Rows

CURSOR = ">"
HEADER = 1


class EvidenceTable(Rows):
    """Fixed widths and one-line cells, so that no cell is ever measured and a cursor move repaints two rows."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "read", "its sentence", show=False, tooltip="go to the sentence of the row"),
    ]

    def __init__(self, attempt: Attempt, *, id: str) -> None:
        super().__init__(id=id)
        # The screen watches the cursor; the message of the same would pass through all panes around, at each key.
        self.disable_messages(DataTable.RowHighlighted)
        self._attempt = attempt
        self._rows: list[EvidenceRow] = list(attempt.rows)
        self._columns: tuple[Column, ...] = ()
        self._room = 0
        self._place = (attempt.view.row, attempt.view.top)
        """Where a draft or another width left cursor and scroll, until they are put back."""

    _shown: Sequence[EvidenceRow] = ()

    def arrange_rows(self, chosen: Filter) -> int:
        """Show the rows that a filter keeps, in the attempt's order, the cursor on its row; return how many."""
        self._rows = [row for row in ordered(self._attempt.rows, self._attempt.sort) if chosen.keeps(row)]
        if self._room:
            self._fill(self.current())
        return len(self._rows)

    def current(self) -> EvidenceRow | None:
        """Return the row under the cursor."""
        return self._shown[self.cursor_row] if self._columns and self.cursor_row < len(self._shown) else None

    @property
    def top(self) -> int:
        """The first row in sight, from 0, or the one that is about to be."""
        return self._place[1] if self._place[0] else int(self.scroll_offset.y)

    @property
    def in_sight(self) -> range:
        """The rows in sight, from 0."""
        return range(self.top, min(self.top + max(self.size.height - HEADER, 0), len(self._shown)))

    def go_to(self, case_id: str) -> bool:
        """Put the cursor on a row; return False if the filter leaves it out."""
        at = next((index for index, row in enumerate(self._shown) if row.case_id == case_id), None)
        if at is not None:
            self.move_cursor(row=at, animate=False)
        return at is not None

    def redraw(self, *case_ids: str) -> None:
        """Draw rows anew whose pins or strikes have changed; without any, all of them."""
        for index, row in enumerate(self._shown):
            if not case_ids or row.case_id in case_ids:
                for column, cell in enumerate(row_cells(row, self._columns, self._look(row))):
                    self.update_cell_at(Coordinate(index, column), cell)

    def _look(self, row: EvidenceRow) -> Look:
        attempt = self._attempt
        # A single step is in every order.
        shown = attempt.view.highlight and row.overlap > 1
        part = range(row.overlap_at, row.overlap_at + row.overlap) if shown else range(0)
        return Look(
            pinned=row.case_id in attempt.board.pins, struck=row.case_id in attempt.board.struck, part=part
        )  # fmt: skip

    def on_resize(self) -> None:
        # Straight to the screen: on its way through the panes the word would come after the first painting.
        self.screen.post_message(RoomChanged())
        room = self.room
        if room > 0 and room != self._room:
            if (row := self.current()) is not None and not self._place[0]:
                self._place = (row.case_id, self.top)
            self._room = room
            attempt = self._attempt
            attributes = attempt.presented.payload.attribute_vocabulary
            self._columns = plan(attempt.words, attempt.rows, attributes, attempt.session.aid, room)
            self._fill(None)

    def _fill(self, stay: EvidenceRow | None) -> None:
        self.clear(columns=True)
        self._shown = tuple(self._rows)
        for column in self._columns:
            self.add_column(heading(column), width=column.width)
        for row in self._shown:
            self.add_row(*row_cells(row, self._columns, self._look(row)))
        if stay in self._shown:
            self.move_cursor(row=self._shown.index(stay), animate=False)
        else:
            self._put_back()

    def _put_back(self) -> None:
        """Put cursor and scroll where a draft or another width left them."""
        if self._place[0]:
            self.go_to(self._place[0])
            self.call_after_refresh(self._put_back_scroll)

    def _put_back_scroll(self) -> None:
        (case_id, top), self._place = self._place, ("", 0)
        if case_id:
            self.scroll_to(y=top, animate=False, force=True, immediate=True)

    @property
    def rich_style(self) -> Style:
        """Return the style below the cells, kept until it changes: Textual works it out anew for each line."""
        return self.visual_style.rich_style

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        if (
            y < HEADER
            or y - HEADER + int(self.scroll_offset.y) != self.cursor_row
            or not self._shown
            or not strip.cell_length
        ):
            return strip
        first = next(iter(strip.crop(0, 1)))
        return Strip.join([Strip([Segment(CURSOR, first.style)]), strip.crop(1)])

    def on_click(self, event: events.Click) -> None:
        """Pin the row whose number was clicked; Textual has put the cursor on it by then."""
        if event.style.meta.get("column") == 0 and event.style.meta.get("row", -1) >= 0:
            self.call_later(self.post_message, PinRow())

    def action_read(self) -> None:
        self.post_message(ReadRow())
