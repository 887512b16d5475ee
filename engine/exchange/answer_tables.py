"""Reads plain tables of answers, CSV or JSON Lines, with the columns below.

item_uid        the puzzle id
answer          what the model said, or PRESENT or ABSENT for a hidden system
model           its name; may be left out where --model gives it
prompt_sha256   digest of the text that was asked; optional, and checked where it is there
error           why there is no answer; optional
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from engine.errors import UsageError, quoted
from engine.exchange.rollout import Rollout

UID, ANSWER, MODEL, PROMPT, ERROR = "item_uid", "answer", "model", "prompt_sha256", "error"


def is_answer(row: Mapping[str, Any]) -> bool:
    """Say whether a row is one of such a table."""
    return UID in row and ANSWER in row


class Table(NamedTuple):
    """A CSV text as read."""

    columns: tuple[str, ...]
    rows: list[dict[str, str]]


def read_cells(text: str) -> Table:
    """Return the cells of a CSV text; a byte order mark is passed over, quoted line breaks are part of their cell.

    Raises:
        UsageError: a row has more cells than the head, or it is no CSV that can be read.
    """
    # A long conversation is one cell; the usual limit is shorter than some that we export.
    csv.field_size_limit(max(len(text), csv.field_size_limit()))
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    rows = []
    try:
        columns = tuple(reader.fieldnames or ())
        for nth, row in enumerate(reader, start=2):
            if None in row:
                raise UsageError(f"row {nth} of the table has more cells than the head; quote cells that hold commas")
            rows.append({name: value or "" for name, value in row.items()})
    except csv.Error as error:
        raise UsageError(f"the table cannot be read at line {reader.line_num}: {error}; CSV is right") from error
    return Table(columns, rows)


def answers_in(table: Table) -> list[dict[str, str]]:
    """Return the rows of a table of answers.

    Raises:
        UsageError: it has not the two columns that are needed.
    """
    if missing := [name for name in (UID, ANSWER) if name not in table.columns]:
        found = ", ".join(table.columns) or "none"
        raise UsageError(
            f"the table has no column {missing[0]!r}, it has {quoted(found)}; {UID} and {ANSWER} are needed"
        )
    return table.rows


def read_answers(rows: Iterable[Mapping[str, Any]]) -> Iterator[Rollout]:
    """Yield a rollout for every row."""
    for row in rows:
        answer, error = row.get(ANSWER), str(row.get(ERROR) or "")
        yield Rollout(
            uid=str(row[UID]),
            model=str(row.get(MODEL) or ""),
            environment="",
            asked=(),
            replies=() if error or answer is None else (str(answer),),
            values={},
            reward=None,
            error=error or ("" if answer is not None else "no answer"),
            truncated=False,
            prompt_sha=str(row.get(PROMPT) or ""),
        )
