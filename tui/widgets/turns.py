"""The turns of a conversation: finished ones can be read again, the one at hand is being written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from engine.public import Exchange
from tui.messages import ReadTurn
from tui.shown import shown_cell
from tui.widgets.menu import Choices
from tui.wording import counted

NUMBER_WIDTH = 3
ROOMY = 40
"""From this width on a line says both how a turn stands and how long its text is."""


class TurnList(Choices):
    """One line a turn; choosing one asks to read it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor_up", "Up", show=False, tooltip="go up one turn"),
        Binding("down,j", "cursor_down", "Down", show=False, tooltip="go down one turn"),
        Binding("home,g", "first", "First", show=False, tooltip="go to the first turn"),
        Binding("end,G", "last", "Last", show=False, tooltip="go to the turn at hand"),
        Binding("enter", "select", "read", key_display="enter", tooltip="read what was asked and written in the turn"),
    ]

    def __init__(self, earlier: Sequence[Exchange], text: str, *, counts: bool, id: str) -> None:
        """Make the list; `counts` says whether words are counted."""
        super().__init__(id=id, compact=True)
        self._earlier, self._text, self._counts = tuple(earlier), text, counts
        self._written = 0
        self._width = 0
        self.border_title = " turns (enter reads) "

    @property
    def at_hand(self) -> int:
        return len(self._earlier) + 1

    def show_written(self, words: int) -> None:
        """Say how many words the text at hand has."""
        if self._counts and words != self._written:
            self._written = words
            if self.option_count:
                self.replace_option_prompt_at_index(self.at_hand - 1, self._line(self.at_hand))

    def on_resize(self) -> None:
        width = self.scrollable_content_region.width
        if width > 0 and width != self._width:
            self._width = width
            at = self.highlighted
            contents = [self._line(turn) for turn in range(1, self.at_hand + 1)]
            self.set_options([Option(content) for content in contents])
            self.highlighted = self.at_hand - 1 if at is None else at

    def _line(self, turn: int) -> Content:
        past = self._earlier[turn - 1] if turn < self.at_hand else None
        words = len(past.written.split()) if past else self._written
        state, count = "sent" if past else "writing", counted(words, "word") if self._counts else ""
        roomy = self._width >= ROOMY
        said = f"{state:<8}{count:>10}" if roomy else f"{count:>10}" if past and count else f"{state:>10}"
        room = max(self._width - NUMBER_WIDTH - len(said) - 1, 4)
        asked = shown_cell(" ".join((past.asked if past else self._text)[:1000].split()))
        asked = asked if cell_len(asked) <= room else set_cell_size(asked, room - 1) + "…"
        mark = ">" if past is None else " "
        return Content.assemble(
            (f"{mark}{turn:<2}", "bold"), set_cell_size(asked, room), " ", (said, "$muted")
        )  # fmt: skip

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(ReadTurn(event.option_index + 1))
