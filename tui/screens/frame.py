"""The frame of every screen: top line, banner, body, key line; and what every screen can do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widget import Widget

from tui.widgets.keybar import KeyBar
from tui.widgets.top import Banner, Kind, TopLine

if TYPE_CHECKING:
    from tui.app import ClewApp


class Framed(Screen[None]):
    """A screen of the app."""

    def compose(self) -> ComposeResult:
        yield TopLine()
        yield Banner()
        yield from self.body()
        yield KeyBar()

    def body(self) -> Iterable[Widget]:
        """Yield what stands between banner and key line."""
        return ()

    @property
    def clew(self) -> ClewApp:
        return cast("ClewApp", self.app)

    @property
    def top(self) -> TopLine:
        return self.query_one(TopLine)

    def tell(self, text: str, kind: Kind = "hint") -> None:
        """Say something in the banner."""
        if self.is_mounted:
            self.query_one(Banner).tell(text, kind)

    def silence(self, kind: Kind) -> None:
        if self.is_mounted:
            self.query_one(Banner).silence(kind)

    def on_screen_resume(self) -> None:
        self.clew.repeat_trouble(self)

    def action_back(self) -> None:
        self.app.pop_screen()
