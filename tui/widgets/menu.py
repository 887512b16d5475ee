"""Lists to choose from: what all of the app's lists are, and the menu, by arrows or vim keys, enter or click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.widgets import OptionList
from textual.widgets.option_list import Option


class Choices(OptionList):
    """A list that can be laid out in any window."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines all takes; Textual's own list cannot wrap a text where there is no column for it."""
        room = width - self.get_component_styles("option-list--option").padding.width
        return super().get_content_height(container, viewport, width) if room > 0 else self.option_count


class Menu(Choices, inherit_bindings=False):
    """Shows each entry in one line, cut where there is no room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "choose", key_display="enter", tooltip="choose the line under the cursor"),
        Binding("up,k", "cursor_up", "line up", show=False, tooltip="go up a line"),
        Binding("down,j", "cursor_down", "line down", show=False, tooltip="go down a line"),
        Binding("pageup", "page_up", "page up", show=False, tooltip="go up a page of lines"),
        Binding("pagedown", "page_down", "page down", show=False, tooltip="go down a page of lines"),
        Binding("home,g", "first", "first line", show=False, tooltip="go to the first line"),
        Binding("end,G", "last", "last line", show=False, tooltip="go to the last line"),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, compact=True)

    def fill(self, lines: Sequence[Content], at: int | None) -> None:
        """Show these lines instead, with the cursor on one of them."""
        self.clear_options()
        self.add_options([Option(content) for content in lines])
        self.highlighted = at
