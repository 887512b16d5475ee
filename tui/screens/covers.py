"""Screens that hide everything below: the pause, and the notice of a terminal that is too small."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

LEAST_WIDTH, LEAST_HEIGHT = 60, 18
COVERED = {"PauseScreen": "pause", "SmallScreen": "small", "HelpScreen": "help"}
"""Screens that stop an item's clock, and how the event of that is called."""


class PauseScreen(Screen[None]):
    """Nothing of the puzzle is left in sight; its clock stands still."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p,escape,q,enter,space", "go_on", "go on", key_display="p", tooltip="show the puzzle again")
    ]

    def compose(self) -> ComposeResult:
        yield Static(
            "Paused. The clock stands still and everything is kept.\n\np, enter, or a click: go on", id="cover"
        )

    def on_click(self) -> None:
        self.action_go_on()

    def action_go_on(self) -> None:
        self.dismiss()


class SmallScreen(Screen[None]):
    """Stands until the terminal is large enough; what is below keeps its state."""

    def compose(self) -> ComposeResult:
        yield Static("too small: 60x18 or more, please", id="cover")
