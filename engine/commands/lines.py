"""Commands that answer JSON Lines: one line out for each line in, and a bad line ends them with its number."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO

import click

from engine.errors import ClewError, UsageError, quoted

LONGEST_LINE = 16 * 2**20
"""Bytes of one line; a file without line ends must not fill the memory."""


def answer_each(source: str, answer: Callable[[str], str]) -> None:
    """Print the answer to every line of a file (- for standard input) that is not blank; earlier answers stand."""
    with _opened(source) as lines:
        for nth, line in enumerate(iter(lambda: lines.readline(LONGEST_LINE + 1), b""), start=1):
            if len(line) > LONGEST_LINE:
                raise UsageError(f"line {nth} is longer than {LONGEST_LINE} bytes; one JSON object a line is right")
            if line.strip():
                click.echo(_answered(line, nth, answer))


def _opened(source: str) -> IO[bytes]:
    try:
        lines: IO[bytes] = click.open_file(source, "rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"file {quoted(source)} cannot be read: {reason}; a readable file or - is needed") from error
    return lines


def _answered(line: bytes, nth: int, answer: Callable[[str], str]) -> str:
    try:
        return answer(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        wrong = quoted(line[error.start : error.end])
        raise UsageError(f"line {nth}: {wrong} at byte {error.start + 1} is not UTF-8; JSON Lines are") from error
    except ClewError as error:
        raise type(error)(f"line {nth}: {error.message}", error.hint) from error
