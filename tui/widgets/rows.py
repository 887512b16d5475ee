"""Tables of rows: what moves in them, by arrows or vim keys."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import DataTable


class Rows(DataTable[Text], inherit_bindings=False):
    """A table with a cursor on a row; Textual's own keys are left out, so that help names all there are."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor_up", "Up", show=False, tooltip="go up one row"),
        Binding("down,j", "cursor_down", "Down", show=False, tooltip="go down one row"),
        Binding("pageup", "page_up", "Page up", show=False, tooltip="go up a page of rows"),
        Binding("pagedown", "page_down", "Page down", show=False, tooltip="go down a page of rows"),
        Binding("home,g", "scroll_top", "First row", show=False, tooltip="go to the first row"),
        Binding("end,G", "scroll_bottom", "Last row", show=False, tooltip="go to the last row"),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, cursor_type="row", cell_padding=0, zebra_stripes=False)

    @property
    def room(self) -> int:
        """Cells of a row, whether or not there is a scroll bar: it comes and goes with the rows."""
        return self.content_region.width - self.styles.scrollbar_size_vertical
