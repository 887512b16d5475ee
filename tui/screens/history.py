"""The history: all answers of this player, newest first, a page at a time; enter opens the feedback of one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import DataTable, Static

from engine.public import Past
from tui.messages import OpenPast
from tui.screens.frame import Framed
from tui.shown import shown_cell
from tui.wording import counted, length_name

PAGE = 200
"""Rows of one page; a table of thousands would stand still while it fills."""
COLUMNS = (("when (UTC)", 17), ("length", 10), ("puzzle", 19), ("your answer", 17), ("sure", 6), ("result", 6))


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
        yield DataTable[Text](id="past", cursor_type="row", cell_padding=0)
        yield Static("", markup=False, id="past-says")

    def on_mount(self) -> None:
        table = self._table
        for title, width in COLUMNS:
            table.add_column(Text(title), width=width)
        self._fill()
        table.focus()

    @property
    def _table(self) -> DataTable[Text]:
        table: DataTable[Text] = self.query_one("#past", DataTable)
        return table

    def _fill(self) -> None:
        start = self._page * PAGE
        shown = self._history[start : start + PAGE]
        table = self._table
        table.clear()
        for past in shown:
            table.add_row(*_cells(past))
        self.top.show(f"history  {counted(len(self._history), 'answer')}")
        says = f" {start + 1} to {start + len(shown)} of {len(self._history)}" if shown else " no answers yet"
        self.query_one("#past-says", Static).update(Content(says))

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


def _cells(past: Past) -> list[Text]:
    result = {True: "ok", False: "x", None: "-"}[past.correct]
    sure = "-" if past.confidence is None else f"{past.confidence} %"
    when = shown_cell(past.answered_at[:16].replace("T", " "))
    # A written text has no outcome that could stand here.
    size = length_name(past.complexity) if past.answer else f"{past.complexity} asked"
    values = (when, size, shown_cell(past.title), shown_cell(past.answer) or "text", sure, result)
    return [Text(value, no_wrap=True, overflow="ellipsis") for value in values]
