"""A text field of one line for a short text of one's own; it takes pastes under the rules of all text fields."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import Input

from tui.messages import EditorLeft, PasteTaken
from tui.pasting import pasted


class LineField(Input):
    """Letters are text here; esc leaves it, enter goes on to the next field."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "leave", tooltip="go from the field to the brief or the requirements"),
        Binding("enter", "next", "next field", show=False, tooltip="go to the next field"),
    ]

    def __init__(self, text: str, *, placeholder: str, limit: int, pastes: bool, id: str) -> None:
        super().__init__(
            text[:limit], placeholder=placeholder, max_length=limit, compact=True, select_on_focus=False, id=id
        )
        self._pastes = pastes

    def _on_paste(self, event: events.Paste) -> None:
        self._insert(event.text)
        event.stop()
        event.prevent_default()

    def action_paste(self) -> None:
        self._insert(self.app.clipboard)

    def _insert(self, text: str) -> None:
        """Put a paste in place of what is selected, as one line, and no more of it than there is room for."""
        whole, dropped = pasted(text)
        start, end = sorted(self.selection)
        room = max((self.max_length or 0) - len(self.value) + end - start, 0) if self._pastes else 0
        if kept := " ".join(whole.split("\n"))[:room]:
            self.replace(kept, start, end)
        if text:
            left_out = dropped + len(whole) - len(kept)
            self.post_message(PasteTaken(len(kept), left_out, refused=not self._pastes))

    def action_leave(self) -> None:
        self.post_message(EditorLeft())

    def action_next(self) -> None:
        self.screen.focus_next()
