"""What the user says: the exact text of a turn, with underlines and tick boxes of the reader's own.

A cursor goes from word to word; space begins an underline at it and ends it there again. Below an earlier turn stands
what was written to it. Nothing here looks at what the words mean.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Offset, Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.finding import Place, next_place
from tui.marking import Line, Mark, Piece, lay_out, mark_at, ticked, underlined, without, word_spans
from tui.messages import MarksChanged, MarksUndone

GUTTER = " "
UNDERLINE = RichStyle(underline=True)
CURSOR = RichStyle(reverse=True)


class BriefPane(ScrollView, can_focus=True):
    """Draws only the lines in sight; the marks are kept by whoever shows them here."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "line(-1)", "Up", show=False, tooltip="go up one line of the brief"),
        Binding("down,j", "line(1)", "Down", show=False, tooltip="go down one line of the brief"),
        Binding("left", "word(-1)", "Word left", show=False, tooltip="go one word to the left"),
        Binding("right", "word(1)", "Word right", show=False, tooltip="go one word to the right"),
        Binding("pageup", "page_up", "Page up", show=False, tooltip="scroll the brief up a page"),
        Binding("pagedown", "page_down", "Page down", show=False, tooltip="scroll the brief down a page"),
        Binding("home,g", "edge(0)", "Start", show=False, tooltip="go to the start of the brief"),
        Binding("end,G", "edge(-1)", "End", show=False, tooltip="go to the end of the brief"),
        Binding("space", "underline", "underline", tooltip="begin an underline at the word, or end it there"),
        Binding("m", "tick", "tick", tooltip="tick the box of the underline at the cursor, or untick it"),
        Binding("x,delete,backspace", "erase", "erase", key_display="x", tooltip="take the underline away"),
        Binding("u", "undo", "undo mark", show=False, tooltip="take back the last underline, tick or erasing"),
        Binding("U", "redo", "redo mark", show=False, tooltip="make it again"),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._text = self._below = ""
        self._marks: tuple[Mark, ...] = ()
        self._words: list[tuple[int, int]] = []
        self._lines: list[Line] = []
        self._line_of: list[int] = []
        """The first line of each word."""
        self._word = 0
        self._found: Place | None = None
        self._begun: int | None = None
        """The word at which an underline was begun."""
        self._dragged: int | None = None
        self._width = 0

    def show(self, text: str, marks: Sequence[Mark], *, title: str, below: str = "") -> None:
        """Show a text with its marks, from its start, and below it another one that takes no marks."""
        self.border_title = Content(f" {title} ")
        self._text, self._below, self._marks = text, below, tuple(marks)
        self._words, self._word, self._begun = word_spans(text), 0, None
        self._arrange()
        self.scroll_home(animate=False)

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Show other marks in the same text; the cursor stays."""
        if tuple(marks) != self._marks:
            self._marks = tuple(marks)
            self._arrange()

    def on_resize(self) -> None:
        width = self.scrollable_content_region.width - len(GUTTER)
        if width > 0 and width != self._width:
            self._width = width
            self._arrange()

    def _arrange(self) -> None:
        if not self._width:
            return
        self._lines = lay_out(self._text, self._marks, self._width)
        self._line_of = [0] * len(self._words)
        for number, line in reversed(list(enumerate(self._lines))):
            for piece in line:
                if piece.kind == "word":
                    self._line_of[piece.word] = number
        if self._below:
            plain = lay_out(self._below, (), self._width)
            self._lines += [[Piece(piece.text, -1, "blank") for piece in line] for line in plain]
        self.virtual_size = Size(self._width + len(GUTTER), len(self._lines))
        self.refresh()

    # Drawing

    def render_line(self, y: int) -> Strip:
        y += self.scroll_offset.y
        plain = self.visual_style.rich_style
        if y >= len(self._lines):
            return Strip.blank(self.size.width, plain)
        segments = [Segment(GUTTER, plain), *self._segments(self._lines[y], plain)]
        return Strip(segments).extend_cell_length(self.size.width, plain).apply_style(plain)

    def _segments(self, line: Line, plain: RichStyle) -> Iterator[Segment]:
        chosen = self._chosen()
        for index, piece in enumerate(line):
            style = plain
            inner = piece.kind == "word" or (piece.kind == "blank" and index + 1 < len(line) and self._joins(piece))
            if inner and (piece.word in chosen or self._mark_of(piece.word) is not None):
                style += UNDERLINE
            cursor = self.has_focus and piece.word == self._word
            if piece.kind == "word" and (cursor or self._is_found(piece.word)):
                style += CURSOR
            yield Segment(piece.text, style)

    def _joins(self, blank: Piece) -> bool:
        """Say whether the words on both sides of a blank are in the same underline."""
        chosen = self._chosen()
        if blank.word in chosen and blank.word + 1 in chosen:
            return True
        mark = self._mark_of(blank.word)
        return mark is not None and mark == self._mark_of(blank.word + 1)

    def _chosen(self) -> range:
        """Return the words of the underline that is being made."""
        if self._begun is None:
            return range(0)
        return range(min(self._begun, self._word), max(self._begun, self._word) + 1)

    def _mark_of(self, word: int) -> int | None:
        return mark_at(self._marks, self._words[word][0]) if 0 <= word < len(self._words) else None

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self.refresh()

    # Finding

    def find(self, text: str, *, onward: bool) -> tuple[int, int]:
        """Put the cursor on the next place of a text; return its number, and how many there are."""
        here = self._words[self._word][0] if self._words else 0
        place = next_place(self._text, text, here if self._found is None else self._found.start + onward)
        self._found = place
        self.refresh()
        if place is None:
            return 0, 0
        self._go_to(bisect_right(self._words, place.start, key=lambda span: span[0]) - 1)
        return place.nth, place.of

    def found_nothing(self) -> None:
        """Show no found place any more; the cursor stays there."""
        self._found = None
        self.refresh()

    def _is_found(self, word: int) -> bool:
        """Say whether a word is part of what was found."""
        if self._found is None or not 0 <= word < len(self._words):
            return False
        start, end = self._words[word]
        return start < self._found.end and self._found.start < end

    # The cursor

    def action_word(self, by: int) -> None:
        self._go_to(self._word + by)

    def action_line(self, by: int) -> None:
        """Go to the nearest word of the next line that has one; where there is none, scroll."""
        if not self._words:
            self.scroll_relative(y=by, animate=False)
            return
        here, column = self._line_of[self._word], self._column(self._word)
        number = here + by
        while 0 <= number < len(self._lines):
            words = [piece.word for piece in self._lines[number] if piece.kind == "word" and piece.word >= 0]
            if words and words[0] != self._word:
                self._go_to(min(words, key=lambda word: abs(self._column(word) - column)))
                return
            number += by
        self.scroll_relative(y=by, animate=False)

    def action_edge(self, index: int) -> None:
        self._go_to(index % max(len(self._words), 1))
        (self.scroll_end if index else self.scroll_home)(animate=False)

    def _go_to(self, word: int) -> None:
        if self._words:
            self._word = min(max(word, 0), len(self._words) - 1)
            self.scroll_to_region(Region(0, self._line_of[self._word], 1, 1), animate=False, force=True)
            self.refresh()

    def _column(self, word: int) -> int:
        column = 0
        for piece in self._lines[self._line_of[word]]:
            if piece.word == word and piece.kind == "word":
                break
            column += Segment(piece.text).cell_length
        return column

    # Marks

    def action_underline(self) -> None:
        if not self._words:
            return
        if self._begun is None:
            self._begun = self._word
            self.refresh()
            return
        chosen = self._chosen()
        self._begun = None
        self._change(underlined(self._marks, (self._words[chosen[0]][0], self._words[chosen[-1]][1])))

    def action_tick(self) -> None:
        if (index := self._mark_of(self._word)) is not None:
            self._change(ticked(self._marks, index))

    def action_erase(self) -> None:
        self._begun = None
        if (index := self._mark_of(self._word)) is not None:
            self._change(without(self._marks, index))
        self.refresh()

    def action_undo(self) -> None:
        self.post_message(MarksUndone(back=True))

    def action_redo(self) -> None:
        self.post_message(MarksUndone(back=False))

    def _change(self, marks: tuple[Mark, ...]) -> None:
        self.post_message(MarksChanged(marks))

    # The mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Tick a box, or put the cursor on a word, from which an underline can be drawn."""
        piece = self._piece_at(event.offset)
        if piece is None or piece.word < 0:
            return
        self._go_to(piece.word)
        if piece.kind == "box":
            self.action_tick()
        elif piece.kind == "word":
            self._dragged = piece.word
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        piece = self._piece_at(event.offset) if self._dragged is not None else None
        if piece is not None and piece.word >= 0 and piece.word != self._word:
            self._begun = self._dragged
            self._go_to(piece.word)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self.release_mouse()
        drawn, self._dragged = self._dragged is not None and self._begun == self._dragged, None
        if drawn and self._word != self._begun:
            self.action_underline()

    def _piece_at(self, offset: Offset) -> Piece | None:
        """Return what is drawn at a place of the widget."""
        x = offset.x - self.gutter.left - len(GUTTER)
        y = offset.y - self.gutter.top + self.scroll_offset.y
        if not 0 <= y < len(self._lines):
            return None
        for piece in self._lines[y]:
            x -= Segment(piece.text).cell_length
            if x < 0:
                return piece
        return None
