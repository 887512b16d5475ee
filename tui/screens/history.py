"""The history: all answers of this player, newest first, a page at a time; enter opens the feedback of one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import DataTable

from engine.public import Past
from tui.messages import OpenPast
from tui.screens.frame import Framed
from tui.widgets.past import PastTable
from tui.widgets.saying import Saying
from tui.wording import counted

PAGE = 200
"""Rows of one page; a table of thousands would stand still while it fills."""


class HistoryScreen(Framed):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter", "open", "open", key_display="enter", tooltip="show the feedback of the answer under the cursor"
        ),
        Binding("right_square_bracket", "page(1)", "older", key_display="]", tooltip="show older answers"),
        Binding("left_square_bracket", "page(-1)", "newer", key_display="[", tooltip="show newer answers"),
        Binding("escape,q", "back", "back", key_display="esc", tooltip="close this screen"),
    ]

    def __init__(self, history: tuple[Past, ...]) -> None:
        super().__init__()
        self._history = history
        self._page = 0

    def body(self) -> Iterable[Widget]:
        with Vertical(id="history"):
            yield PastTable(id="past")
            yield Saying(id="past-says")

    def on_mount(self) -> None:
        self._fill()
        self._table.focus()

    @property
    def _table(self) -> PastTable:
        return self.query_one(PastTable)

    def _fill(self) -> None:
        start = self._page * PAGE
        shown = self._history[start : start + PAGE]
        self._table.show(shown)
        self.top.show(f"history  {counted(len(self._history), 'answer')}")
        says = f" {start + 1} to {start + len(shown)} of {len(self._history)}" if shown else " no answers yet"
        self.query_one("#past-says", Saying).update(Content(says))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer paging only where there is another page, so that the key line holds no dead keys."""
        if action == "page":
            return 0 <= self._page + (1 if 1 in parameters else -1) <= (len(self._history) - 1) // PAGE
        return True

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        index = self._page * PAGE + self._table.cursor_row
        if index < len(self._history):
            self.post_message(OpenPast(self._history[index]))

    def action_page(self, step: int) -> None:
        self._page += step
        self._fill()
        self.refresh_bindings()
