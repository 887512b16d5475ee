"""The events in the question's order, each with the mark that the person gave it; a click goes one mark on."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.style import Style
from textual.widget import Widget

from tui.attempt import Attempt
from tui.board import MARK_WORDS
from tui.messages import MarkEvent

TITLE = " marks   "
LEGEND = "+ raises  - vetoes  ? gate"
STYLES = {".": "$muted", "+": "bold $success", "-": "bold $error", "?": "bold $accent"}
GAP = 2


class MarksPane(Widget):
    """One line an event where there is room, else all of them one after the other."""

    ALLOW_SELECT = False

    def __init__(self, attempt: Attempt, *, id: str) -> None:
        super().__init__(id=id)
        self._attempt = attempt
        self._widest = max(map(cell_len, map(attempt.words.event, attempt.presented.payload.query_case.events)))
        self.border_title = "marks"
        self.border_subtitle = LEGEND

    def show(self) -> None:
        """Draw the marks as they are now."""
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(list(self._lines(width)))

    def render(self) -> RenderResult:
        return Content("\n").join(list(self._lines(self.size.width)))

    def _lines(self, width: int) -> Iterator[Content]:
        if self.styles.border_top[0]:
            for nth, event in enumerate(self._attempt.presented.payload.query_case.events, start=1):
                yield self._entry(nth, event, words=True)
            return
        line = Content.styled(TITLE, "$muted")
        for nth, event in enumerate(self._attempt.presented.payload.query_case.events, start=1):
            entry = self._entry(nth, event, words=False)
            if line.cell_length + entry.cell_length > width and line.cell_length > len(TITLE):
                yield line
                line = Content(" " * len(TITLE))
            line += entry + Content(" " * GAP)
        yield line

    def _entry(self, nth: int, event: str, *, words: bool) -> Content:
        mark, name = self._attempt.board.mark(event), self._attempt.words.event(event)
        number = f"{nth:>2} " if words else f"{nth} "
        cells = self._widest if words else cell_len(name)
        room = max(self.size.width - (16 if words else len(TITLE) + 6), 4)
        shown = Content(name).truncate(min(cells, room), ellipsis=True, pad=words)
        said = f"  {MARK_WORDS[mark]}" if words and mark != "." else ""
        entry = Content.assemble((number, "$muted"), shown, " ", (mark, STYLES[mark]), (said, "$muted"))
        return entry.stylize(Style.from_meta({"event": nth}))

    def on_click(self, event: events.Click) -> None:
        if isinstance(nth := event.style.meta.get("event"), int):
            self.post_message(MarkEvent(nth))
