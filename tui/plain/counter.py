"""The counter at which the line mode asks the clerk: the same one thread for the desk, and the same keeper of drafts.

The person waits here until the clerk is done, and can still be heard: a signal ends the waiting.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeVar

from engine.errors import ClewError
from engine.public import Desk
from tui.clerk import Clerk
from tui.keeper import Keeper
from tui.moments import Moments
from tui.plain.ends import Signals
from tui.plain.voice import Voice

Result = TypeVar("Result")
SLOW_S = 1.5
"""After so long the person is told that it is still at it, and where the desk knows, what takes so long."""


class Counter:
    """Runs what the clerk reports on the main thread, at the moments when the session is ready for it."""

    def __init__(self, desk: Desk, voice: Voice, signals: Signals, moments: Moments) -> None:
        self._voice, self._signals = voice, signals
        self._reports: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.clerk = Clerk(desk, deliver=self._reports.put, asked=_nothing, monotonic=moments.monotonic)
        self.keeper = Keeper(
            self.clerk, monotonic=moments.monotonic, later=_never, failed=self._not_saved, kept=self._saved
        )
        self.trouble = ""
        """What could not be saved, for as long as that lasts; tried again after the next command."""

    def ask(self, work: Callable[[Desk], Result]) -> Result:
        """Have `work` done at the desk and return what comes of it.

        Raises:
            Ended: a signal came while it was under way.
            Exception: whatever `work` raises.
        """
        results: list[Result] = []
        errors: list[Exception] = []
        self.clerk.ask(work, results.append, errors.append)
        slow = False
        while not results and not errors:
            try:
                with self._signals.waiting():
                    report = self._reports.get(timeout=None if slow else SLOW_S)
                report()
            except Empty:
                slow = True
                self._voice.say(f"waiting: {self.clerk.working_on() or 'this takes a while'}")
        if errors:
            raise errors[0]
        return results[0]

    def settle(self) -> None:
        """Hand over what is unsaved, and hear what the clerk has to report, without waiting for it."""
        self.keeper.flush()
        while True:
            try:
                report = self._reports.get_nowait()
            except Empty:
                return
            report()

    def finish(self, bound_s: float) -> bool:
        """Save the last, waiting at most so long; return whether that was enough."""
        self.keeper.flush()
        done = self.clerk.finish(bound_s)
        while not self._reports.empty():
            self._reports.get()()
        return done

    def _not_saved(self, error: Exception) -> None:
        said = error.line() if isinstance(error, ClewError) else f"unexpected {type(error).__name__}"
        if said != self.trouble:
            self._voice.say(f"not saved: {said.removeprefix('Not saved: ')}; tried again after the next command")
        self.trouble = said

    def _saved(self) -> None:
        if self.trouble:
            self._voice.say("saved again")
        self.trouble = ""


def _nothing() -> None:
    """Nobody watches how long the clerk takes: whoever asks waits at the counter."""


def _never(seconds: float, act: Callable[[], None]) -> None:
    """There are no timers between two commands: everything is handed over after each."""
