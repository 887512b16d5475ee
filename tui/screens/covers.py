"""Screens that hide everything below: the pause, and the notice of a terminal that is too small."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

LEAST_WIDTH, LEAST_HEIGHT = 60, 18
COVERED = {"PauseScreen": "pause", "SmallScreen": "small", "HelpScreen": "help"}
"""Screens that stop an item's clock, and how the event of that is called."""

PAUSED = """\
Paused. The clock stands still.

p, enter, space, esc, q, or a click: go on
^q quits, ^z suspends"""
"""Names every key that works: a help of its own could not hide what the pause hides, whatever comes meanwhile."""


class Closing:
    """A screen that closes itself alone, however often it is told to."""

    def dismiss(self, result: object = None) -> AwaitComplete:
        """Close: Textual takes away whatever lies on top, which after a first time is the screen below."""
        stack = self.app.screen_stack  # type: ignore[attr-defined]  # Textual's screen comes after this class
        on_top = len(stack) > 1 and stack[-1] is self
        return super().dismiss(result) if on_top else AwaitComplete()  # type: ignore[misc]


class PauseScreen(Closing, Screen[None]):
    """Nothing of the puzzle is left in sight; its clock stands still."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p,escape,q,enter,space", "go_on", "go on", key_display="p", tooltip="show again what is hidden")
    ]

    def compose(self) -> ComposeResult:
        yield Static(PAUSED, id="cover")

    def on_click(self) -> None:
        self.action_go_on()

    def action_go_on(self) -> None:
        self.dismiss()


def too_small(size: Size) -> bool:
    return size.width < LEAST_WIDTH or size.height < LEAST_HEIGHT


class Steady(Closing):
    """A screen that is never laid out in a window too small to show it, and so keeps every scroll and every list."""

    async def on_event(self, event: events.Event) -> None:
        """Take such a window's event as a copy: all screens get the same one, and what is prevented is so for all."""
        if isinstance(event, events.Resize) and too_small(event.size):
            event = events.Resize(event.size, event.virtual_size, event.container_size, event.pixel_size)
        await super().on_event(event)  # type: ignore[misc]  # Textual's screen comes after this class

    def on_resize(self, event: events.Resize) -> None:
        if too_small(event.size):
            event.prevent_default()

    def _screen_resized(self, size: Size) -> None:
        """Leave out what Textual has a screen do that lies below another one."""
        if not too_small(size):
            super()._screen_resized(size)  # type: ignore[misc]  # Textual's screen comes after this class


class SmallScreen(Closing, Screen[None]):
    """Stands until the terminal is large enough; what is below keeps its state."""

    def compose(self) -> ComposeResult:
        yield Static("too small: 60x18 or more, please", id="cover")
