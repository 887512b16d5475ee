"""The story: the exact problem text, wrapped, with a mark beside the block that tells of the row at hand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from tui.shown import shown_block
from tui.wrapping import wrapped

GUTTER = "  "
MARK = "> "


class StoryPane(ScrollView, can_focus=True):
    """Draws only the lines in sight, so that a long text costs no more than a short one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", "Up", show=False, tooltip="scroll the text up"),
        Binding("down,j", "scroll_down", "Down", show=False, tooltip="scroll the text down"),
        Binding("pageup", "page_up", "Page up", show=False, tooltip="scroll the text up a page"),
        Binding("pagedown,space", "page_down", "Page down", show=False, tooltip="scroll the text down a page"),
        Binding("home,g", "scroll_home", "Start", show=False, tooltip="go to the start of the text"),
        Binding("end,G", "scroll_end", "End", show=False, tooltip="go to the end of the text"),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"story--marked"}

    def __init__(self, text: str, blocks: tuple[str, ...], *, id: str) -> None:
        super().__init__(id=id)
        self._text = text
        self._starts = _block_starts(text, blocks)
        self._lines: list[str] = []
        self._block_of: list[int] = []
        self._marked: int | None = None
        self._wrapped_at = 0

    def mark(self, block: int) -> None:
        """Mark a block, 0-based, and bring it into sight."""
        if block == self._marked or not self._starts:
            return
        before, self._marked = self._marked, block
        self._reveal(at_once=True)
        for one in (before, block):
            if one is not None and (span := self._span(one)) is not None:
                self.refresh_lines(span.start, len(span))

    def on_resize(self) -> None:
        width = self.scrollable_content_region.width - len(GUTTER)
        if width > 0 and width != self._wrapped_at:
            self._wrapped_at = width
            self._wrap(width)

    def _wrap(self, width: int) -> None:
        self._lines, self._block_of = [], []
        pieces = self._starts or [0]
        for index, start in enumerate(pieces):
            end = pieces[index + 1] if index + 1 < len(pieces) else len(self._text)
            piece = self._text[start:end]
            lines = wrapped(shown_block(piece.removesuffix("\n") if end < len(self._text) else piece), width)
            self._lines += lines
            self._block_of += [index] * len(lines)
        self.virtual_size = Size(width + len(GUTTER), len(self._lines))
        self._reveal(at_once=False)
        self.refresh()

    def _reveal(self, *, at_once: bool) -> None:
        """Bring the marked block into sight: in the same frame, or after the layout that a new width asks for."""
        span = None if self._marked is None else self._span(self._marked)
        if span is not None:
            # The introduction comes into sight with the first case if both fit: a puzzle is read from its beginning.
            fits = span.stop <= self.scrollable_content_region.height
            start = 0 if self._marked == 1 and fits else span.start
            region = Region(0, start, 1, span.stop - start)
            self.scroll_to_region(region, animate=False, force=True, immediate=at_once)

    def _span(self, block: int) -> range | None:
        """Return the lines of a block, from its first to its last; None while nothing is wrapped."""
        start = bisect_left(self._block_of, block)
        end = bisect_right(self._block_of, block)
        return range(start, end) if start < end else None

    def render_line(self, y: int) -> Strip:
        y += self.scroll_offset.y
        if y >= len(self._lines):
            return Strip.blank(self.size.width, self.rich_style)
        marked = self._block_of[y] == self._marked and self._lines[y] != ""
        style = self.get_component_rich_style("story--marked") if marked else self.rich_style
        text = Strip(self._selected(self._lines[y], y, Segment("", style))).apply_offsets(0, y)
        gutter = Strip([Segment(MARK if marked else GUTTER, style)])
        return Strip.join([gutter, text]).extend_cell_length(self.size.width, style)

    def _selected(self, line: str, y: int, like: Segment) -> list[Segment]:
        """Return a line as segments, the selected part in the screen's selection style."""
        selection = self.text_selection
        span = selection.get_span(y) if selection is not None else None
        if span is None:
            return [Segment(line, like.style)]
        start, end = span[0], len(line) if span[1] == -1 else span[1]
        chosen = self.screen.get_component_rich_style("screen--selection")
        return [Segment(line[:start], like.style), Segment(line[start:end], chosen), Segment(line[end:], like.style)]

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        return selection.extract("\n".join(self._lines)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()


def _block_starts(text: str, blocks: tuple[str, ...]) -> list[int]:
    """Return where each block starts; empty if the text is not made of the blocks."""
    starts: list[int] = []
    position = 0
    for block in blocks:
        found = text.find(block, position)
        if found < 0:
            return []
        starts.append(found if starts else 0)
        position = found + len(block)
    return starts
