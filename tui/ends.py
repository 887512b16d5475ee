"""How the app ends from outside, and what is left to do after its loop: save, report, restore the terminal.

Nothing here reads a puzzle. A signal asks the app to end with 128 plus its number; the terminal is given back
first, then what is unsaved is finished within a bound.
"""

from __future__ import annotations

import asyncio
import atexit
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

SIGNAL_BOUND_S = 1.5
"""How long an end by signal waits for the last save."""
STOP_BOUND_S = 1.0
"""How long a suspended process waits for the last save before it stops."""
RESET = "\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1004l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[0m"
"""Ends every mode that the app switches on."""

HANG_UP, INTERRUPTED = 129, 130


def listen(loop: asyncio.AbstractEventLoop, end: Callable[[int], None]) -> None:
    """End with 128 plus the number on TERM, HUP and INT; a HUP that the parent told us to ignore stays ignored."""
    for name in ("SIGTERM", "SIGHUP", "SIGINT"):
        number: signal.Signals | None = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            with suppress(NotImplementedError):
                loop.add_signal_handler(number, end, 128 + number)


def listen_to_stop(loop: asyncio.AbstractEventLoop, stop: Callable[[], object]) -> None:
    """Have the app itself answer TSTP, in place of its driver, which would stop before anything is saved."""
    number: signal.Signals | None = getattr(signal, "SIGTSTP", None)
    if number is not None:
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, stop)


@contextmanager
def terminal_given_back(stopped: Callable[[], bool]) -> Iterator[None]:
    """Restore modes and attributes of the terminal if the app's own driver did not get to it, at exit at the latest."""
    try:
        import termios
    except ImportError:
        yield
        return
    before = None
    with suppress(termios.error, ValueError):
        before = termios.tcgetattr(sys.stdin.fileno())

    def give_back() -> None:
        if before is not None and not stopped():
            with suppress(termios.error, OSError, ValueError):
                sys.stderr.write(RESET)
                sys.stderr.flush()
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, before)

    atexit.register(give_back)
    try:
        yield
    finally:
        give_back()
        atexit.unregister(give_back)


@contextmanager
def deaf() -> Iterator[None]:
    """Keep TERM, HUP and INT from cutting off the last save, which is bounded anyway."""

    def ignore(number: int, frame: FrameType | None) -> None:
        """The save that is running is what the signal asks for."""

    before = {}
    for name in ("SIGTERM", "SIGHUP", "SIGINT"):
        if (number := getattr(signal, name, None)) is not None:
            before[number] = signal.signal(number, ignore)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
