"""What is typed in the line mode: one line at a time, as UTF-8, from any stream of bytes."""

from __future__ import annotations

from typing import BinaryIO

from engine.errors import UsageError
from tui.plain.ends import HUNG_UP, Ended, Signals
from tui.plain.voice import Voice

LONGEST = 100_000
"""Longest line, in bytes; what is beyond it begins another."""


class Lines:
    """Reads answers to prompts."""

    def __init__(self, source: BinaryIO, voice: Voice, signals: Signals) -> None:
        self._source, self._voice, self._signals = source, voice, signals

    def read(self, prompt: str) -> str:
        """Return the next line without its end.

        Raises:
            Ended: a signal came, or the input has ended.
            UsageError: the line is not UTF-8.
        """
        self._voice.ask(prompt)
        with self._signals.waiting():
            try:
                data = self._source.readline(LONGEST)
            except OSError:
                data = b""
        if not data:
            raise Ended(HUNG_UP)
        try:
            line = data.decode("utf-8").removesuffix("\n").removesuffix("\r")
        except UnicodeDecodeError as error:
            raise UsageError(
                f"that line is not UTF-8 at byte {error.start + 1}; it was left out, type it again"
            ) from error
        if not self._source.isatty():
            # A terminal shows what is typed; without one the transcript would not.
            self._voice.say(line)
        return line
