"""A text that scrolls while a list below it has the focus; the screen's keys turn its pages."""

from __future__ import annotations

from textual.containers import VerticalScroll


class Reading(VerticalScroll, can_focus=False):
    """Begins at its top."""

    @property
    def longer(self) -> bool:
        """Whether there is more than is in sight."""
        return self.max_scroll_y > 0

    @property
    def at_end(self) -> bool:
        return self.scroll_offset.y >= self.max_scroll_y

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
