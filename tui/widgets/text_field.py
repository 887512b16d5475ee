"""A text field of several lines that holds a text byte for byte: nothing is changed, folded or read as markup.

Textual's own document splits lines at every character that Unicode calls a line end and joins them with one of
them, so U+2028 or a vertical tab would come out as a newline. Here lines end at LF alone.
"""

from __future__ import annotations

from textual import events
from textual.geometry import Offset
from textual.reactive import reactive
from textual.widgets import TextArea
from textual.widgets.text_area import (
    Document,
    DocumentNavigator,
    Edit,
    EditResult,
    Location,
    Selection,
    WrappedDocument,
)

from tui.messages import PasteTaken
from tui.pasting import pasted

UNDOS = 1_000_000
"""Steps that can be taken back: all of them, in practice."""


class LineFeedDocument(Document):
    """A document whose lines end at LF alone."""

    def __init__(self, text: str) -> None:
        super().__init__("")
        self._lines = text.split("\n")

    def replace_range(self, start: Location, end: Location, text: str) -> EditResult:
        (top, left), (bottom, right) = sorted((start, end))
        replaced = self.get_text_range((top, left), (bottom, right))
        new = text.split("\n")
        end_column = len(new[-1]) + (left if len(new) == 1 else 0)
        new[0] = self._line(top)[:left] + new[0]
        new[-1] += self._line(bottom)[right:]
        self._lines[top : bottom + 1] = new
        return EditResult((top + len(new) - 1, end_column), replaced)

    def _line(self, index: int) -> str:
        """Return a line, empty beyond the last one, which is where deleting that one may reach."""
        return self._lines[index] if index < len(self._lines) else ""


class TextField(TextArea):
    """What notes and the editor share."""

    selection = reactive(Selection(), init=False, always_update=True, repaint=False)
    """Textual draws all lines anew on every move of the cursor; here only those that look different."""
    pastes = True
    """Whether pastes are taken at all."""
    _committed = False
    """Whether the last edit put in more than ASCII."""

    def __init__(self, text: str, *, id: str, highlight_cursor_line: bool = True) -> None:
        super().__init__(
            text, id=id, soft_wrap=True, show_line_numbers=False, compact=True, max_checkpoints=UNDOS,
            highlight_cursor_line=highlight_cursor_line,
        )  # fmt: skip
        self.match_cursor_bracket = False

    def watch_selection(self, before: Selection, now: Selection) -> None:
        """Draw the lines anew between where the cursor or the selection was and where it is."""
        if self.is_mounted:
            places = [self.clamp_visitable(place) for place in (*before, *now)]
            lines = [self.wrapped_document.location_to_offset(place).y for place in places]
            self.refresh_lines(min(lines), max(lines) - min(lines) + 1)

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self._put_paste(event.text)

    def action_paste(self) -> None:
        """Paste what was copied in the app, under the same rules as what the terminal pastes."""
        self._put_paste(self.app.clipboard)

    def _put_paste(self, source: str) -> None:
        """Put a paste in place of what is selected, as one step that can be taken back."""
        text, dropped = pasted(source) if self.pastes else ("", len(source))
        if text and (result := self._replace_via_keyboard(text, *self.selection)):
            self.move_cursor(result.end_location)
        if text or dropped:
            self.post_message(PasteTaken(len(text), dropped, refused=not self.pastes))

    def edit(self, edit: Edit) -> EditResult:
        """Do an edit; what an input method commits is a step of its own, apart from letters typed before and after."""
        committed = bool(edit.text) and not edit.text.isascii()
        if committed != self._committed:
            self.history.checkpoint()
        self._committed = committed
        result = super().edit(edit)
        # The line it began in may be wrapped anew from its beginning; what is below may have moved.
        line = self.wrapped_document.location_to_offset(self.clamp_visitable((edit.top[0], 0))).y
        self.refresh_lines(line, max(int(self.scroll_offset.y) + self.size.height - line, 1))
        return result

    def undo(self) -> None:
        super().undo()
        self.refresh()

    def redo(self) -> None:
        super().redo()
        self.refresh()

    def _set_document(self, text: str, language: str | None) -> None:
        self.document = LineFeedDocument(text)
        self.wrapped_document = WrappedDocument(self.document, tab_width=self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)
        self.move_cursor((0, 0))
        self._rewrap_and_refresh_virtual_size()
        self.refresh()

    def scroll_cursor_visible(self, center: bool = False, animate: bool = False) -> Offset:
        """Bring the cursor into sight.

        When the taking back of a long paste makes the scroll bar go away, Textual asks for this before it has moved
        the cursor, which then stands beyond the text; it asks again once it has.
        """
        if self.cursor_location[0] >= self.document.line_count:
            return Offset(0, 0)
        return super().scroll_cursor_visible(center, animate)
