"""The first moments: what an interrupt does before the app can end in good order, and how loading is kept short.

A KeyboardInterrupt while the app is loaded, or takes the terminal, would leave a traceback, or threads that nobody
ends. This module imports nothing that takes time.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130


def end_at_once() -> None:
    """From now on an interrupt ends the program on the spot: nothing is open and nothing is to be saved."""

    def end(number: int, frame: FrameType | None) -> None:
        sys.stderr.write("clew: interrupted\n")
        sys.stderr.flush()
        os._exit(INTERRUPTED)

    signal.signal(signal.SIGINT, end)


def as_usual() -> None:
    """From now on an interrupt raises KeyboardInterrupt again, for what handles that in good order."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def hurry() -> None:
    """Look for no garbage until `take_time`: what is loaded at a start stays, and looking takes a tenth of the time."""
    gc.disable()


def take_time() -> None:
    """Look for garbage again, but never among what is there by now: a key would have to wait for that."""
    gc.freeze()
    gc.enable()


class Remembered:
    """An interrupt that came before there was anything to end it in good order."""

    def __init__(self) -> None:
        self.came = False

    def listen(self) -> None:
        """From now on remember an interrupt; whoever can handle it asks for it."""

        def remember(number: int, frame: FrameType | None) -> None:
            self.came = True

        signal.signal(signal.SIGINT, remember)
