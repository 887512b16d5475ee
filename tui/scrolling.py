"""When a scroll is worth an event: once it has come to rest, and while it goes on at most five times a second."""

from __future__ import annotations

from collections.abc import Callable

from tui.keeper import BATCH_S, Later


class Scrolled:
    """Turns any number of scrolls into one note each fifth of a second."""

    def __init__(self, *, later: Later, note: Callable[[], None]) -> None:
        self._later, self._note = later, note
        self._armed = False

    def touch(self) -> None:
        """Say that something was scrolled."""
        if not self._armed:
            self._armed = True
            self._later(BATCH_S, self._on_time)

    def _on_time(self) -> None:
        self._armed = False
        self._note()
