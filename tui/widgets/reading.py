"""Texts that scroll: one while a list below it has the focus, and the screen's keys turn its pages; one on its own."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

MORE_BELOW = "more below: space, page down, end"
MORE_BOTH = "more above, more below: space, page up, page down"
MORE_ABOVE = "the end of the text: page up, home"


class Reading(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Begins at its top. Has none of Textual's own keys, so that help names all there are."""

    @property
    def longer(self) -> bool:
        """Whether there is more than is in sight."""
        return self.max_scroll_y > 0

    @property
    def at_end(self) -> bool:
        return self.scroll_offset.y >= self.max_scroll_y

    @property
    def where(self) -> Content:
        """Where there is more of the text, and how to come to it; empty where all is in sight."""
        if not self.longer:
            return Content("")
        above = MORE_BOTH if self.scroll_offset.y > 0 else MORE_BELOW
        return Content.styled(MORE_ABOVE if self.at_end else above, "$muted")

    def read_on(self) -> None:
        """Scroll a page on; from the end, back to the beginning."""
        if self.at_end:
            self.scroll_home(animate=False)
        else:
            self.scroll_page_down(animate=False)

    def page(self, by: int) -> None:
        """Scroll a page down or up."""
        (self.scroll_page_down if by > 0 else self.scroll_page_up)(animate=False)

    def edge(self, by: int) -> None:
        """Go to the end or to the beginning."""
        (self.scroll_end if by > 0 else self.scroll_home)(animate=False)


class Page(Reading, can_focus=True):
    """A text that is all there is to a screen: it has the focus, and moves by keys of its own."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", "line up", show=False, tooltip="scroll the text up a line"),
        Binding("down,j", "scroll_down", "line down", show=False, tooltip="scroll the text down a line"),
        Binding("pageup", "page_up", "page up", show=False, tooltip="scroll the text up a page"),
        Binding("pagedown,space", "page_down", "page down", show=False, tooltip="scroll the text down a page"),
        Binding("home,g", "scroll_home", "top of the text", show=False, tooltip="go to the text's beginning"),
        Binding("end,G", "scroll_end", "end of the text", show=False, tooltip="go to the text's end"),
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer moving where not all of the text is in sight."""
        return self.longer


class Sheet(Vertical):
    """A page, and a line below it that says where there is more."""

    def __init__(self, *texts: Widget, id: str) -> None:
        """Make it; the id is the page's."""
        super().__init__()
        self._page, self._more = Page(*texts, id=id), Static(markup=False, classes="more")

    def compose(self) -> ComposeResult:
        yield self._page
        yield Center(self._more)

    def on_mount(self) -> None:
        self.watch(self._page, "scroll_y", self._say_where, init=False)
        self.watch(self._page, "virtual_size", self._settle, init=False)

    def on_resize(self) -> None:
        self._settle()

    def _settle(self) -> None:
        self.call_after_refresh(self._say_where)

    def _say_where(self) -> None:
        content = self._page.where
        self._more.update(content, layout=False)
