"""How the line mode ends from outside: a signal or the end of the input, with the exit codes of the app."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

HUNG_UP = 129
"""Exit code of a terminal that is gone, or an input that has ended."""


class Ended(Exception):
    """The session ends with an exit code; the draft is kept on the way out."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Signals:
    """Turns TERM, HUP and INT into `Ended`, at once while the person is waited for, else at the next such place."""

    def __init__(self) -> None:
        self.pending = 0
        """Exit code of a signal that came while something was at work; 0 for none."""
        self._waits = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listen; a signal that the parent told us to ignore stays ignored, and in the end all is as before."""
        before = {}
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            number: signal.Signals | None = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, self._on_signal)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Be interrupted by a signal here, or now if one has come already."""
        self._waits = True
        try:
            if self.pending:
                raise Ended(self.pending)
            yield
        finally:
            self._waits = False

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.pending = self.pending or 128 + number
        if self._waits:
            self._waits = False
            raise Ended(self.pending)
