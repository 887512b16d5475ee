"""The evidence table: one row a history, in the order asked for, as many columns as fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import DataTable

from engine.hidden_systems.behavior import EvidenceRow
from tui.attempt import Attempt
from tui.columns import Column, heading, ordered, plan, row_cells
from tui.filtering import Filter

SCROLLBAR = 1


class EvidenceTable(DataTable[Text]):
    """Fixed widths and one-line cells, so that no cell is ever measured and a cursor move repaints two rows."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor_up", "Up", show=False, tooltip="go up one row"),
        Binding("down,j", "cursor_down", "Down", show=False, tooltip="go down one row"),
        Binding("pageup", "page_up", "Page up", show=False, tooltip="go up a page of rows"),
        Binding("pagedown", "page_down", "Page down", show=False, tooltip="go down a page of rows"),
        Binding("home,g", "scroll_top", "First row", show=False, tooltip="go to the first row"),
        Binding("end,G", "scroll_bottom", "Last row", show=False, tooltip="go to the last row"),
    ]

    def __init__(self, attempt: Attempt, *, id: str) -> None:
        super().__init__(id=id, cursor_type="row", cell_padding=0, zebra_stripes=False)
        self._attempt = attempt
        self._rows: list[EvidenceRow] = list(attempt.rows)
        self._columns: tuple[Column, ...] = ()
        self._room = 0

    def arrange_rows(self, chosen: Filter) -> int:
        """Show the rows that a filter keeps, in the attempt's order, the cursor on its row; return how many."""
        self._rows = [row for row in ordered(self._attempt.rows, self._attempt.sort) if chosen.keeps(row)]
        if self._room:
            self._fill(self.current())
        return len(self._rows)

    def current(self) -> EvidenceRow | None:
        """Return the row under the cursor."""
        return self._shown[self.cursor_row] if self._columns and self.cursor_row < len(self._shown) else None

    def on_resize(self) -> None:
        room = self.size.width - SCROLLBAR
        if room > 0 and room != self._room:
            self._room = room
            attempt = self._attempt
            attributes = attempt.presented.payload.attribute_vocabulary
            self._columns = plan(attempt.words, attempt.rows, attributes, attempt.session.aid, room)
            self._fill(self.current() if self._shown else None)

    _shown: Sequence[EvidenceRow] = ()

    def _fill(self, stay: EvidenceRow | None) -> None:
        self.clear(columns=True)
        self._shown = tuple(self._rows)
        for column in self._columns:
            self.add_column(heading(column), width=column.width)
        for row in self._shown:
            self.add_row(*row_cells(row, self._columns))
        if stay in self._shown:
            self.move_cursor(row=self._shown.index(stay), animate=False)
