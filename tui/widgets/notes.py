"""The notes: a small editor whose document is the stored text; esc leaves it, nothing needs saving."""

from __future__ import annotations

import re
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import TextArea

from tui.messages import EditorLeft, NotesChanged
from tui.shown import INVISIBLE

PASTE_LIMIT = 20_000
"""Longest paste, in characters: an editor slows down on more."""
_DROPPED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_INVISIBLE = re.compile(f"[{INVISIBLE}]")


class NotesPane(TextArea):
    """Letters are text here; only esc and the keys with ctrl mean something."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back to the table", tooltip="leave the notes; they are kept")
    ]

    def __init__(self, text: str) -> None:
        super().__init__(text, id="notes", soft_wrap=True, show_line_numbers=False, compact=True)
        self.border_title = "notes"

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        count = len(_INVISIBLE.findall(self.text))
        self.border_subtitle = Content(f"{count} invisible characters") if count else ""
        self.post_message(NotesChanged(self.text))

    async def _on_paste(self, event: events.Paste) -> None:
        text, dropped = pasted(event.text)
        if dropped:
            self.border_subtitle = Content(f"{dropped} characters of the paste were left out")
        await super()._on_paste(events.Paste(text))
        event.stop()
        event.prevent_default()

    def action_leave(self) -> None:
        self.post_message(EditorLeft())


def pasted(text: str) -> tuple[str, int]:
    """Return what of a paste goes into the notes, and how many characters do not: controls and all beyond the limit."""
    kept = _DROPPED.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))[:PASTE_LIMIT]
    return kept, len(text) - len(kept)
