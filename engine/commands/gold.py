"""`clew gold`: exact answers for written hidden systems, JSON Lines in and out."""

from __future__ import annotations

from typing import IO

import click

from engine.errors import ClewError, UsageError, quoted
from engine.hidden_systems.gold import answer_line


@click.command()
@click.argument("source", metavar="FILE")
def gold(source: str) -> None:
    """Answer every line of FILE (- for standard input): is PRESENT or ABSENT likelier, exactly computed.

    A line is {"system": {initial_record, conflict_policy, rules}, "attributes": {...}, "events": [...]}, with
    "event_vocabulary": [...] if unknown events are to be refused. A bad line ends the command; earlier answers stand.

    \b
    Example:
      clew gold - < questions.jsonl
    """
    with _opened(source) as lines:
        for nth, line in enumerate(lines, start=1):
            if line.strip():
                click.echo(_answer(line, nth))


def _opened(source: str) -> IO[bytes]:
    try:
        lines: IO[bytes] = click.open_file(source, "rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"file {quoted(source)} cannot be read: {reason}; a readable file or - is needed") from error
    return lines


def _answer(line: bytes, nth: int) -> str:
    try:
        return answer_line(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        wrong = quoted(line[error.start : error.end])
        raise UsageError(f"line {nth}: {wrong} at byte {error.start + 1} is not UTF-8; JSON Lines are") from error
    except ClewError as error:
        raise type(error)(f"line {nth}: {error.message}", error.hint) from error
