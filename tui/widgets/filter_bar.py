"""Where a filter is written: one line, and below it what is wrong or how many rows would stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from tui.filtering import Filter, Flaw
from tui.messages import EditorLeft, FilterChanged
from tui.shown import shown_cell
from tui.widgets.saying import Saying

PROMPT = " / "
LONGEST = 500
"""Longest filter, in characters."""


class FilterBar(Vertical):
    """Reads as one types; changes nothing until enter, and nothing at all on a text that cannot be read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "keep the old filter", tooltip="leave the filter as it was")
    ]

    def __init__(self, text: str, read: Callable[[str], Filter | Flaw], count: Callable[[Filter], int]) -> None:
        super().__init__(id="filter-bar")
        self._text, self._read, self._count = text, read, count

    def compose(self) -> ComposeResult:
        yield Input(
            self._text[:LONGEST],
            placeholder="seal !vent load<=3 n>=2",
            compact=True,
            select_on_focus=False,
            max_length=LONGEST,
            id="filter-text",
        )
        yield Saying(id="filter-says")

    def on_mount(self) -> None:
        self._say(self._read(self._text[:LONGEST]))

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._say(self._read(event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        found = self._read(event.value)
        self._say(found)
        if isinstance(found, Filter):
            self.post_message(FilterChanged(event.value))

    def action_leave(self) -> None:
        self.post_message(EditorLeft())

    def _say(self, found: Filter | Flaw) -> None:
        says = self.query_one("#filter-says", Saying)
        if isinstance(found, Flaw):
            caret = " " * (len(PROMPT) + found.position) + "^ "
            place = caret if found.position < 40 else f" at {found.position + 1}: "
            says.update(Content.assemble((place, "bold $error"), (shown_cell(found.reason), "$error")))
        else:
            says.update(
                Content.styled(f"   {self._count(found)} rows; enter applies, esc keeps the old filter", "$muted")
            )
