"""The story: the exact problem text, wrapped, with a mark beside the sentence that tells of the row at hand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from tui.finding import Place, next_place
from tui.messages import SentenceChosen
from tui.shown import shown_block
from tui.wrapping import TAB, wrapped

GUTTER = "  "
MARK = "> "
FOUND = Style(reverse=True)


class StoryPane(ScrollView, can_focus=True):
    """Draws only the lines in sight, so that a long text costs no more than a short one.

    Places in it are code points of the text as it is shown, which is the text itself where nothing had to be spelled.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", "Up", show=False, tooltip="scroll the text up"),
        Binding("down,j", "scroll_down", "Down", show=False, tooltip="scroll the text down"),
        Binding("pageup", "page_up", "Page up", show=False, tooltip="scroll the text up a page"),
        Binding("pagedown", "page_down", "Page down", show=False, tooltip="scroll the text down a page"),
        Binding("home,g", "scroll_home", "Start", show=False, tooltip="go to the start of the text"),
        Binding("end,G", "scroll_end", "End", show=False, tooltip="go to the end of the text"),
        Binding("left_curly_bracket", "sentence(-1)", "sentence before", key_display="{", show=False,
                tooltip="go to the sentence before"),
        Binding("right_curly_bracket", "sentence(1)", "next sentence", key_display="}",
                tooltip="go to the next sentence"),
        Binding("enter", "row", "its row", key_display="enter", tooltip="go to the row that the sentence tells of"),
    ]  # fmt: skip
    COMPONENT_CLASSES: ClassVar[set[str]] = {"story--marked"}

    def __init__(self, text: str, blocks: tuple[str, ...], *, place: int = 0, id: str) -> None:
        super().__init__(id=id)
        self._text = text
        self._starts = _block_starts(text, blocks)
        self._lines: list[str] = []
        self._drawn: dict[tuple[int, int, bool, Style], Strip] = {}
        """Lines as they were drawn, by place, width and look, while nothing in them is found or selected."""
        self._block_of: list[int] = []
        self._at: list[int] = []
        """Where each line begins."""
        self._flat = ""
        self._marked: int | None = None
        self._found: Place | None = None
        self._wrapped_at = 0
        self._place = place
        """Where a draft left the scroll, until it is put back."""

    @property
    def place(self) -> int:
        """The first code point in sight, or the one that is about to be."""
        if self._place:
            return self._place
        top = int(self.scroll_offset.y)
        return self._at[top] if top < len(self._at) else 0

    @property
    def marked(self) -> int | None:
        """The marked block, 0-based: 0 is the introduction, n tells of the nth case."""
        return self._marked

    def mark(self, block: int) -> None:
        """Mark a block, 0-based, and bring it into sight."""
        if block == self._marked or not self._starts:
            return
        before, self._marked = self._marked, block
        self._reveal(at_once=True)
        for one in (before, block):
            if one is not None and (span := self._span(one)) is not None:
                self.refresh_lines(span.start, len(span))

    def find(self, text: str, *, onward: bool) -> tuple[int, int]:
        """Bring the next place of a text into sight; return its number, and how many there are."""
        place = next_place(self._flat, text, self.place if self._found is None else self._found.start + onward)
        self._found = place
        self.refresh()
        if place is None:
            return 0, 0
        line = bisect_right(self._at, place.start) - 1
        self.scroll_to_region(Region(0, line, 1, 1), animate=False, force=True, immediate=True)
        return place.nth, place.of

    def found_nothing(self) -> None:
        """Show no found place any more."""
        self._found = None
        self.refresh()

    def on_resize(self) -> None:
        width = self.scrollable_content_region.width - len(GUTTER)
        if width > 0 and width != self._wrapped_at:
            self._place = self.place
            self._wrapped_at = width
            self._wrap(width)
            self.call_after_refresh(self._put_back)

    def _put_back(self) -> None:
        """Scroll to where a draft or another width left the text."""
        if self._place:
            line = max(bisect_right(self._at, self._place) - 1, 0)
            self._place = 0
            self.scroll_to(y=line, animate=False, force=True, immediate=True)

    def _wrap(self, width: int) -> None:
        self._lines, self._block_of, self._at, flat = [], [], [], ""
        self._drawn.clear()
        pieces = self._starts or [0]
        for index, start in enumerate(pieces):
            end = pieces[index + 1] if index + 1 < len(pieces) else len(self._text)
            piece = self._text[start:end]
            shown = shown_block(piece.removesuffix("\n") if end < len(self._text) else piece).replace("\t", TAB)
            begin = len(flat)
            for paragraph in shown.split("\n"):
                lines = wrapped(paragraph, width)
                self._lines += lines
                self._at += _line_starts(paragraph, lines, begin)
                self._block_of += [index] * len(lines)
                begin += len(paragraph) + 1
            flat += f"{shown}\n"
        self._flat = flat
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
            # A new width puts it on top, so that however a window is resized the text comes to lie as it lay.
            self.scroll_to_region(region, animate=False, force=True, immediate=at_once, top=not at_once)

    def _span(self, block: int) -> range | None:
        """Return the lines of a block, from its first to its last; None while nothing is wrapped."""
        start = bisect_left(self._block_of, block)
        end = bisect_right(self._block_of, block)
        return range(start, end) if start < end else None

    # Sentences

    def action_sentence(self, by: int) -> None:
        """Go to a sentence beside the marked one."""
        if self._starts:
            block = min(max((self._marked or 0) + by, 0), len(self._starts) - 1)
            self.mark(block)
            self.post_message(SentenceChosen(block, leave=False))

    def action_row(self) -> None:
        if self._marked is not None:
            self.post_message(SentenceChosen(self._marked, leave=True))

    def on_click(self, event: events.Click) -> None:
        line = event.y - self.gutter.top + int(self.scroll_offset.y)
        if self._starts and 0 <= line < len(self._lines) and self._lines[line]:
            self.mark(self._block_of[line])
            self.post_message(SentenceChosen(self._block_of[line], leave=False))

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the lines of a region of the pane, which has neither border nor padding to be put around them.

        A strip that was drawn before knows its parts and its bytes, so a mark that comes and goes costs little.
        """
        filters, background = self.get_line_filters(), self.background_colors[1]
        strips = []
        for strip in self._strips(range(crop.y, crop.bottom)):
            for each in filters:
                strip = strip.apply_filter(each, background)
            strips.append(strip if crop.column_span == (0, strip.cell_length) else strip.crop(*crop.column_span))
        return strips

    def render_line(self, y: int) -> Strip:
        return next(self._strips(range(y, y + 1)))

    def _strips(self, lines: range) -> Iterator[Strip]:
        """Yield lines by their place in the pane, those that were drawn before as they were drawn."""
        top, width = int(self.scroll_offset.y), self.size.width
        # Unlike `rich_style`, which is worked out anew from the styles of all that is around, kept until they change.
        plain, bright = self.visual_style.rich_style, self.get_component_rich_style("story--marked")
        touched = self._found is not None or self.text_selection is not None
        for y in range(lines.start + top, lines.stop + top):
            if y >= len(self._lines):
                yield Strip.blank(width, plain)
                continue
            marked = self._block_of[y] == self._marked and self._lines[y] != ""
            style, gutter = (bright, MARK) if marked else (plain, GUTTER)
            if touched:
                yield self._draw(y, style, gutter)
                continue
            look = (y, width, marked, style)
            if look not in self._drawn:
                self._drawn[look] = self._draw(y, style, gutter)
            yield self._drawn[look]

    def _draw(self, y: int, style: Style, gutter: str) -> Strip:
        text = Strip(self._selected(self._lines[y], y, Segment("", style))).apply_offsets(0, y)
        line = Strip.join([Strip([Segment(gutter, style)]), self._with_found(text, y)])
        return line.extend_cell_length(self.size.width, style)

    def _with_found(self, text: Strip, y: int) -> Strip:
        """Return a line with what was found in it standing out."""
        if self._found is None:
            return text
        line = self._lines[y]
        start, end = (min(max(place - self._at[y], 0), len(line)) for place in self._found[:2])
        if start >= end:
            return text
        left, right = cell_len(line[:start]), cell_len(line[:end])
        return Strip.join([text.crop(0, left), text.crop(left, right).apply_style(FOUND), text.crop(right)])

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


def _line_starts(paragraph: str, lines: list[str], begin: int) -> list[int]:
    """Return where in the text the lines of a paragraph start that begins there."""
    starts, position = [], 0
    for line in lines:
        position = max(paragraph.find(line, position), position)
        starts.append(begin + position)
        position += len(line)
    return starts


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
