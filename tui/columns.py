"""What the evidence table shows: which columns fit, in which order the rows stand, what each cell says.

Pure functions of the payload's rows, the words and the room; a reading of the payload, never richer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from engine.hidden_systems.behavior import AttributeRange, EvidenceRow
from engine.public import Aid
from tui.wording import Words, bar, share_text

Sort = Literal["", "share", "length", "overlap"]
"""The empty sort is the payload's order."""
SORTS: tuple[Sort, ...] = ("", "share", "length", "overlap")
SORT_WORDS: dict[Sort, str] = {
    "": "# (original order)",
    "share": "share, high first",
    "length": "number of events",
    "overlap": "overlap with the question",
}
BAR = 10
"""Widest bar, in cells."""
ATTRIBUTE_COLUMNS = 2
"""With more attributes than this they share one column, so that there are never more than eight."""
TITLE_LIMIT = 9
"""Widest title that widens its column, in cells."""
SPARE_GAP = 2
"""Most cells of spare room that go before each column."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column; `width` counts the gap before it."""

    title: str
    width: int
    least: int
    """The width it can shrink to."""
    gap: int = 1
    cell: Callable[[EvidenceRow, int], str]
    """What a row says in so many cells."""
    right: bool = False
    drop: int = 0
    """Where room is short, columns leave in this order; 0 stays."""


def ordered(rows: Sequence[EvidenceRow], sort: Sort) -> list[EvidenceRow]:
    """Return the rows in the order of `sort`, ties in payload order."""
    keys: dict[Sort, Callable[[EvidenceRow], float]] = {
        "": lambda row: row.nth,
        "share": lambda row: -_share(row),
        "length": lambda row: len(row.events),
        "overlap": lambda row: -row.overlap,
    }
    return sorted(rows, key=lambda row: (keys[sort](row), row.nth))


def read_sort(text: str) -> Sort:
    """Return the sort a draft holds; anything unknown is the payload's order."""
    return next((sort for sort in SORTS if sort == text), "")


def next_sort(sort: Sort) -> Sort:
    return SORTS[(SORTS.index(sort) + 1) % len(SORTS)]


def plan(
    words: Words, rows: Sequence[EvidenceRow], attributes: Sequence[AttributeRange], aid: Aid, room: int
) -> tuple[Column, ...]:
    """Choose columns and widths for `room` cells."""
    columns = [
        _column("#", lambda row: str(row.nth), rows, right=True),
        _column("steps in order", words.steps, rows, least=12, title_limit=14),
        *_attribute_columns(words, rows, attributes),
        _column(words.outcome("PRESENT"), lambda row: f"{row.present}/{row.trials}", rows, right=True),
    ]
    if aid not in ("A0", "A1"):
        columns += [
            Column(title="share", width=BAR + 5, least=5, cell=_share_cell),
            _column("range", _range_cell, rows, drop=1),
            _column("ov", lambda row: str(row.overlap), rows, right=True, drop=2),
        ]
    return tuple(_fitted(columns, room))


def row_cells(row: EvidenceRow, columns: Sequence[Column]) -> list[Text]:
    """Return the cells of a row, one line each."""
    return [Text(_padded(column.cell(row, column.width - column.gap), column), no_wrap=True) for column in columns]


def heading(column: Column) -> Text:
    return Text(_padded(column.title, column), no_wrap=True)


def _attribute_columns(words: Words, rows: Sequence[EvidenceRow], attributes: Sequence[AttributeRange]) -> list[Column]:
    if len(attributes) > ATTRIBUTE_COLUMNS:
        return [_column("settings", words.settings, rows, least=10)]
    return [_attribute_column(words, rows, attribute) for attribute in attributes]


def _attribute_column(words: Words, rows: Sequence[EvidenceRow], attribute: AttributeRange) -> Column:
    def cell(row: EvidenceRow) -> str:
        return next((words.value(setting) for setting in row.attributes if setting.name == attribute.name), "")

    numeric = all(isinstance(value, int) for value in attribute.values)
    return _column(words.attribute(attribute.name), cell, rows, right=numeric, least=5)


def _column(
    title: str,
    text: Callable[[EvidenceRow], str],
    rows: Sequence[EvidenceRow],
    *,
    right: bool = False,
    least: int = 0,
    drop: int = 0,
    title_limit: int = TITLE_LIMIT,
) -> Column:
    """Make a column as wide as its widest cell and, up to a limit, its title."""
    cells = max((cell_len(text(row)) for row in rows), default=0)
    width = 1 + max(cells, min(cell_len(title), title_limit))
    return Column(
        title=title, width=width, least=min(least or width, width), cell=lambda row, room: text(row),
        right=right, drop=drop,
    )  # fmt: skip


def _fitted(columns: list[Column], room: int) -> list[Column]:
    """Drop, then shrink, until the columns fit; what still does not fit scrolls. Spare room parts them."""
    for step in (1, 2):
        if _excess(columns, room) > sum(c.width - c.least for c in columns if c.title == "share"):
            columns = [column for column in columns if column.drop != step]
    while _excess(columns, room) > 0 and any(column.width > column.least for column in columns):
        at = max(range(len(columns)), key=lambda index: _give(columns[index]))
        columns[at] = replace(columns[at], width=columns[at].width - 1)
    gap = min(max(-_excess(columns, room), 0) // len(columns), SPARE_GAP)
    return [replace(column, width=column.width + gap, gap=1 + gap) for column in columns]


def _give(column: Column) -> tuple[bool, bool, int]:
    """Order columns by how readily they give up a cell: the bar first, then the widest."""
    return column.width > column.least, column.title == "share", column.width


def _excess(columns: Sequence[Column], room: int) -> int:
    return sum(column.width for column in columns) - room


def _share(row: EvidenceRow) -> float:
    return row.present / row.trials if row.trials else 0.0


def _share_cell(row: EvidenceRow, room: int) -> str:
    number = share_text(_share(row)).rjust(3)
    length = room - 4
    return f"{bar(_share(row), length)} {number}" if length >= 3 else number


def _range_cell(row: EvidenceRow) -> str:
    return f"{share_text(row.low)}-{share_text(row.high)}"


def _padded(text: str, column: Column) -> str:
    """Return `text` in exactly the column's width, the gap before it; an ellipsis shows where it was cut."""
    room = column.width - column.gap
    if cell_len(text) > room:
        text = set_cell_size(text, max(room - 1, 0)) + "…"
    elif column.right:
        text = " " * (room - cell_len(text)) + text
    return " " * column.gap + set_cell_size(text, room)
