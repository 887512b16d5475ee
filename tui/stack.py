"""Which screen lies on which: one above home at a time, and over all of them what hides the item."""

from __future__ import annotations

from itertools import takewhile

from textual import events
from textual.command import CommandPalette
from textual.screen import Screen

from tui.saving import Saving
from tui.screens.covers import LEAST_HEIGHT, LEAST_WIDTH, Closing, PauseScreen, SmallScreen

Cover = PauseScreen | SmallScreen


class Palette(Closing, CommandPalette):
    """The command palette."""


class Stack(Saving):
    """Whatever comes, and whenever: a cover stays on top until the person, or the window, takes it away."""

    _palettes = 0

    def put_above_home(self, screen: Screen[None] | None) -> None:
        """Put a screen right above home, instead of all that was there."""
        covers = self._covers()
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self._put([] if screen is None else [screen], covers)

    def put_on_top(self, screen: Screen[None]) -> None:
        """Put a screen on top of what is there."""
        covers = self._covers()
        for _ in covers:
            self.pop_screen()
        self._put([screen], covers)

    def _put(self, screens: list[Screen[None]], covers: list[Cover]) -> None:
        for screen in [*screens, *(type(cover)() for cover in covers)]:
            self.push_screen(screen)

    def _covers(self) -> list[Cover]:
        """Return the covers on top, from the lowest to the highest."""
        covers = takewhile(lambda one: isinstance(one, Cover), reversed(self.screen_stack))
        return [one for one in covers if isinstance(one, Cover)][::-1]

    def pause(self) -> None:
        self.push_screen(PauseScreen())

    def on_resize(self, event: events.Resize) -> None:
        small = event.size.width < LEAST_WIDTH or event.size.height < LEAST_HEIGHT
        if small and not isinstance(self.screen, SmallScreen):
            # A palette may lie between, and then no item hears that it is covered.
            self._hold("small")
            self.push_screen(SmallScreen())
        elif not small and isinstance(self.screen, SmallScreen):
            self.pop_screen()
            self._release("small")

    def action_command_palette(self) -> None:
        """Offer all keys: once, and not over the notice of a window in which none could be read."""
        open_already = any(isinstance(screen, CommandPalette) for screen in self.screen_stack)
        if not open_already and not isinstance(self.screen, SmallScreen):
            # One that was closed just now may still be there, so that each needs a name of its own.
            self._palettes += 1
            self.push_screen(Palette(id=f"palette-{self._palettes}"))
