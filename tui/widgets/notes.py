"""The notes' editor: its document is the stored text; esc leaves it, nothing needs saving."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import TextArea

from tui.messages import EditorLeft, NotesChanged
from tui.pasting import invisible_count
from tui.widgets.text_field import TextField
from tui.wording import counted


class NotesPane(TextField):
    """Letters are text here; only esc and the keys with ctrl mean something."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "leave notes", tooltip="leave the notes; they are kept"),
        Binding("ctrl+z", "undo", "undo", show=False, tooltip="take back the last change of the notes"),
        Binding("ctrl+y", "redo", "redo", show=False, tooltip="make that change again"),
    ]

    def __init__(self, text: str) -> None:
        super().__init__(text, id="notes")
        self.border_title = "notes"

    def on_mount(self) -> None:
        self.move_cursor(self.document.end)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        count = invisible_count(self.text)
        self.border_subtitle = Content(counted(count, "invisible character")) if count else ""
        self.post_message(NotesChanged(self.text))

    def action_leave(self) -> None:
        self.post_message(EditorLeft())
