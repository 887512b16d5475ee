"""The frame of every screen: top line, banner, body, key line; and what every screen can do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widget import Widget

from tui.screens.covers import Steady
from tui.widgets.keybar import KeyBar
from tui.widgets.top import HINT_S, Banner, Kind, Link, TopLine

if TYPE_CHECKING:
    from tui.app import ClewApp


class Framed(Steady, Screen[None]):
    """A screen of the app."""

    LINKS: ClassVar[tuple[Link, ...]] = (Link("?", "help", "app.help"),)
    """What the top line always offers; the key line leaves it out."""

    def compose(self) -> ComposeResult:
        self._know_room()
        yield from self.head()
        yield from self.body()
        yield KeyBar()

    def head(self) -> Iterable[Widget]:
        """Return the top line and the banner."""
        top = TopLine(self.LINKS, badge=self.badge)
        return top, Banner(top)

    def _know_room(self) -> None:
        """Take the classes of this size now: Textual gives them after a first layout, so that all is laid out twice."""
        size = self.app.size
        for points, room in (
            (self.app.HORIZONTAL_BREAKPOINTS, size.width), (self.VERTICAL_BREAKPOINTS, size.height),
        ):  # fmt: skip
            fitting = [point for point in points or () if room >= point[0]]
            if fitting:
                self.add_class(max(fitting)[1])

    def body(self) -> Iterable[Widget]:
        """Yield what stands between banner and key line."""
        return ()

    def badge(self) -> str:
        """Return whether this is practice or a collection; nothing until the desk has said so."""
        return self.clew.session.mode.upper() if self.clew.session is not None else ""

    @property
    def clew(self) -> ClewApp:
        return cast("ClewApp", self.app)

    @property
    def top(self) -> TopLine:
        return self.query_one(TopLine)

    @property
    def whole(self) -> bool:
        """Whether the screen has its parts: they go before it when the app ends, and a report may still come then."""
        return self.is_mounted and bool(self.query(Banner))

    def tell(self, text: str, kind: Kind = "hint", seconds: float = HINT_S) -> None:
        """Say something in the banner; a hint for so long."""
        if self.whole:
            self.query_one(Banner).tell(text, kind, seconds)

    def silence(self, kind: Kind) -> None:
        if self.whole:
            self.query_one(Banner).silence(kind)

    def on_screen_resume(self) -> None:
        self.clew.repeat_trouble(self)

    def action_back(self) -> None:
        self.dismiss()


class Pausing(Framed):
    """A screen that shows something of an item or of a study, and so can be hidden."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("p", "pause", "pause", tooltip="hide all of this; a clock stops")]
    LINKS: ClassVar[tuple[Link, ...]] = (Link("p", "pause", "pause"), *Framed.LINKS)

    def action_pause(self) -> None:
        self.clew.pause()
