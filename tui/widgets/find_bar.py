"""Where a text to be found in the story is written: each enter goes to its next place."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from tui.messages import EditorLeft, FindChanged
from tui.widgets.saying import Saying

LONGEST = 200
"""Longest text to be found, in characters."""


class FindBar(Vertical):
    """Finds as one types; the story shows where."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "end find", tooltip="leave the search; the story stays where it is")
    ]

    def __init__(self) -> None:
        super().__init__(id="find-bar")

    def compose(self) -> ComposeResult:
        yield Input(
            placeholder="a word of the story", compact=True, select_on_focus=False, max_length=LONGEST, id="find-text"
        )
        yield Saying(id="find-says")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(FindChanged(event.value, onward=False))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(FindChanged(event.value, onward=True))

    def action_leave(self) -> None:
        self.post_message(EditorLeft())

    def say(self, nth: int, of: int) -> None:
        """Say which of how many places is shown."""
        says = f"   {nth} of {of}; enter goes on, esc leaves" if of else "   not in the story"
        self.query_one("#find-says", Saying).update(Content(says))
