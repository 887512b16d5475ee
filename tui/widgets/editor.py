"""The editor of a writing task: its document is the answer; places that fail a requirement are marked in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import TextArea

from tui.messages import CursorMoved, EditorLeft, TextChanged
from tui.places import Lines, Span, moved
from tui.widgets.text_field import TextField

STANDS_OUT = Style(reverse=True)


class Editor(TextField):
    """Letters are text here; esc, F2 and the keys with ctrl mean something."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "leave", tooltip="go from the text to the brief or the requirements"),
        Binding("ctrl+z", "undo", "undo", tooltip="take back the last change"),
        Binding("ctrl+y", "redo", "redo", tooltip="make the change again"),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"editor--failing"}

    def __init__(self, text: str, *, title: str, id: str) -> None:
        super().__init__(text, id=id, highlight_cursor_line=False)
        self.border_title = Content(f"{title} ")
        self._spans: tuple[Span, ...] = ()
        self._marked_text = text
        self._marks: dict[int, list[Span]] = {}
        self._shown: dict[int, list[Span]] = {}
        """The place that was asked for: never a selection, which the next letter would replace."""

    # Failing places

    def mark(self, spans: Sequence[Span]) -> None:
        """Mark code point ranges of the text as it is now."""
        self._spans, self._marked_text = tuple(spans), self.text
        self._draw_marks()

    def _draw_marks(self) -> None:
        marks = Lines(self._marked_text).parts(self._spans) if self._spans else {}
        if marks != self._marks:
            self._marks = marks
            self.notify_style_update()
            self.refresh()

    def _move_marks(self) -> None:
        """Keep the marks beside the text they were made for, until the text is checked anew."""
        if self._spans:
            text = self.text
            self._spans, self._marked_text = moved(self._spans, self._marked_text, text), text
            self._draw_marks()

    def show_place(self, span: Span) -> None:
        """Put the cursor at the end of a range; the range stands out for as long as the text is only looked at."""
        lines = Lines(self.text)
        self._stand_out({} if self.screen.focused is self else lines.parts([span]))
        self.move_cursor(lines.place(span[1]))
        # Once there is room for it, where the text was out of sight.
        self.call_after_refresh(self.scroll_cursor_visible, center=True)

    def _stand_out(self, shown: dict[int, list[Span]]) -> None:
        if shown != self._shown:
            self._shown = shown
            self.notify_style_update()
            self.refresh()

    def get_line(self, line_index: int) -> Text:
        line = super().get_line(line_index)
        if parts := self._marks.get(line_index):
            style = self.get_component_rich_style("editor--failing", partial=True)
            for start, end in parts:
                line.stylize(style, start, end)
        for start, end in self._shown.get(line_index, ()):
            line.stylize(STANDS_OUT, start, end)
        return line

    def go_to(self, line: int, column: int) -> None:
        """Put the cursor where it was; at the end of the text if there is no such place, or if it is negative."""
        lines = self.document.line_count
        inside = 0 <= line < lines and 0 <= column <= len(self.document.get_line(line))
        self.move_cursor((line, column) if inside else self.document.end)

    # What Textual says, in the app's words

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._move_marks()
        self._stand_out({})
        self.post_message(TextChanged())

    def on_text_area_selection_changed(self, event: TextArea.SelectionChanged) -> None:
        event.stop()
        self.post_message(CursorMoved())

    def on_focus(self) -> None:
        self._stand_out({})

    def action_leave(self) -> None:
        self.post_message(EditorLeft())
