"""What the evidence table shows: which columns fit, in which order the rows stand, what each cell says.

Pure functions of the payload's rows, the words and the room; a reading of the payload, never richer. Where room is
short the bar, the range and the overlap leave, and names become their shortest beginning that no other name has, as in
the filter: no cell and no heading is cut while the words are of a usual length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from engine.hidden_systems.behavior import AttributeRange, EvidenceRow
from engine.public import Aid
from tui.wording import BETWEEN_EVENTS, Words, bar, beginnings, share_text

Sort = Literal["", "share", "length", "overlap"]
"""The empty sort is the payload's order."""
SORTS: tuple[Sort, ...] = ("", "share", "length", "overlap")
SORT_WORDS: dict[Sort, str] = {
    "": "# (original order)",
    "share": "share, high first",
    "length": "number of events",
    "overlap": "overlap, high first",
}
BAR, LEAST_BAR = 10, 3
NARROW = 77
"""Below so many cells the range leaves before the bar."""
SHARE = 4
SPARE_GAP = 2
"""Most cells of spare room that go before each column."""
Kind = Literal["number", "steps", "settings", "count", "share", "range", "overlap"]


@dataclass(frozen=True, kw_only=True)
class Form:
    """How much of everything is shown."""

    bar: int = BAR
    """Cells of the bar; 0 leaves the number alone."""
    ranges: bool = True
    overlap: bool = True
    overlap_title: str = "overlap"
    count_title: bool = True
    """Whether the counts stand under the name of their outcome."""
    between: str = BETWEEN_EVENTS
    whole_titles: bool = True
    whole_steps: bool = True
    whole_values: bool = True


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column; `width` counts the gap before it."""

    kind: Kind
    title: str
    width: int
    gap: int = 1
    cell: Callable[[EvidenceRow], str]
    right: bool = False


@dataclass(frozen=True, kw_only=True)
class Look:
    """What a row is besides its counts."""

    pinned: bool = False
    struck: bool = False
    part: range = range(0)
    """Places of the events that are to stand out."""


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


def sorts_at(aid: Aid) -> tuple[Sort, ...]:
    """Return the orders that an aid level offers: the overlap is one of the highest."""
    return SORTS if aid == "A3" else SORTS[:-1]


def next_sort(sort: Sort, aid: Aid) -> Sort:
    offered = sorts_at(aid)
    return offered[(offered.index(sort) + 1) % len(offered)] if sort in offered else offered[0]


def plan(
    words: Words, rows: Sequence[EvidenceRow], attributes: Sequence[AttributeRange], aid: Aid, room: int
) -> tuple[Column, ...]:
    """Choose columns and widths for `room` cells: the fullest form that fits, else the tightest one, cut."""
    columns: list[Column] = []
    widest = _Widest(rows)
    for form in _forms(room):
        columns = list(_columns(words, widest, attributes, aid, form))
        if _excess(columns, room) <= 0:
            break
    return tuple(_fitted(columns, room))


def _forms(room: int) -> Iterator[Form]:
    """Yield forms from the fullest to the tightest."""
    form = Form()
    yield form
    yield (form := replace(form, overlap_title="ov"))
    for bar_cells in range(BAR - 1, LEAST_BAR - 1, -1):
        yield (form := replace(form, bar=bar_cells))
    if room < NARROW:
        yield (form := replace(form, ranges=False))
    yield (form := replace(form, bar=0))
    yield (form := replace(form, count_title=False))
    yield (form := replace(form, between=">"))
    yield (form := replace(form, whole_titles=False))
    yield (form := replace(form, ranges=False))
    yield (form := replace(form, whole_steps=False))
    yield (form := replace(form, overlap=False))
    yield replace(form, whole_values=False)


class _Widest:
    """The cells of the widest text among the rows, measured once for all forms that say it the same way."""

    def __init__(self, rows: Sequence[EvidenceRow]) -> None:
        self._rows = rows
        self._known: dict[tuple[str | bool, ...], int] = {}

    def of(self, text: Callable[[EvidenceRow], str], *way: str | bool) -> int:
        if way not in self._known:
            self._known[way] = max((cell_len(text(row)) for row in self._rows), default=0)
        return self._known[way]


def _columns(
    words: Words, widest: _Widest, attributes: Sequence[AttributeRange], aid: Aid, form: Form
) -> Iterator[Column]:
    def column(kind: Kind, title: str, text: Callable[[EvidenceRow], str], *way: str | bool, right: bool) -> Column:
        width = 1 + max(cell_len(title), widest.of(text, kind, *way))
        return Column(kind=kind, title=title, width=width, cell=text, right=right)

    def steps(row: EvidenceRow) -> str:
        return steps_text(words, row, form)

    yield column("number", "#", lambda row: f"{row.nth} ", right=True)
    yield column("steps", "steps in order", steps, form.between, form.whole_steps, right=False)
    yield _settings(words, attributes, form)
    counted = words.outcome("PRESENT") if form.count_title else "seen"
    yield column("count", counted, lambda row: f"{row.present}/{row.trials}", right=True)
    if aid in ("A2", "A3"):
        width = 1 + (form.bar + 1 + SHARE if form.bar else SHARE + 1)
        yield Column(kind="share", title="share", width=width, cell=lambda row: _share_cell(row, form.bar))
        if form.ranges:
            yield column("range", "range", range_text, right=False)
    if aid == "A3" and form.overlap:
        yield column("overlap", form.overlap_title, lambda row: str(row.overlap), right=True)


def steps_text(words: Words, row: EvidenceRow, form: Form) -> str:
    """Return the events of a row, left to right."""
    return form.between.join(words.event(code) if form.whole_steps else words.short_event(code) for code in row.events)


def _settings(words: Words, attributes: Sequence[AttributeRange], form: Form) -> Column:
    """Make one column of all attributes, their values one below the other."""
    names = [words.attribute(attribute.name) for attribute in attributes]
    titles = names if form.whole_titles else beginnings(names, least=2)
    values = [_values(words, attribute, whole=form.whole_values) for attribute in attributes]
    numeric = [all(isinstance(value, int) for value in attribute.values) for attribute in attributes]
    widths = [
        max([cell_len(title), *(cell_len(value) for value in those.values())])
        for title, those in zip(titles, values, strict=True)
    ]

    def line(texts: Sequence[str]) -> str:
        return " ".join(
            _padded(text, width, right=right) for text, width, right in zip(texts, widths, numeric, strict=True)
        )

    def cell(row: EvidenceRow) -> str:
        here = {setting.name: str(setting.value) for setting in row.attributes}
        return line([those.get(here.get(a.name, ""), "") for a, those in zip(attributes, values, strict=True)])

    title = line(titles)
    return Column(kind="settings", title=title, width=1 + cell_len(title), cell=cell)


def _values(words: Words, attribute: AttributeRange, *, whole: bool) -> dict[str, str]:
    """Return what each value of an attribute is called."""
    codes = [str(value) for value in attribute.values]
    names = [words.value_name(attribute.name, code) for code in codes]
    numeric = all(isinstance(value, int) for value in attribute.values)
    return dict(zip(codes, names if whole or numeric else beginnings(names), strict=True))


def _fitted(columns: list[Column], room: int) -> list[Column]:
    """Cut steps and settings of names beyond any usual length; spare room parts the columns."""
    for kind, least in (("settings", 8), ("steps", 8), ("count", 6)):
        columns = [
            replace(column, width=max(column.width - max(_excess(columns, room), 0), min(column.width, least)))
            if column.kind == kind
            else column
            for column in columns
        ]
    gap = min(max(-_excess(columns, room), 0) // max(len(columns) - 1, 1), SPARE_GAP)
    first, *others = columns
    return [first, *(replace(column, width=column.width + gap, gap=1 + gap) for column in others)]


def _excess(columns: Sequence[Column], room: int) -> int:
    return sum(column.width for column in columns) - room


def row_cells(row: EvidenceRow, columns: Sequence[Column], look: Look) -> list[Text]:
    """Return the cells of a row, one line each; a pin is a star after the number, a strike a cross."""
    return [_cell(row, column, look) for column in columns]


def _cell(row: EvidenceRow, column: Column, look: Look) -> Text:
    text = column.cell(row)
    if column.kind == "number":
        text = f"{text[:-1]}{'*' if look.pinned else 'x' if look.struck else ' '}"
    cell = Text(column_text(text, column), no_wrap=True)
    if column.kind == "steps" and look.part:
        cell.stylize("bold underline", *_part(text, look.part, column.gap))
    if look.struck:
        cell.stylize("dim strike", column.gap, len(cell.plain))
    return cell


def _part(text: str, part: range, gap: int) -> tuple[int, int]:
    """Return where in a cell some of its events stand."""
    between = BETWEEN_EVENTS if BETWEEN_EVENTS in text else ">"
    events = text.split(between)
    start = gap + sum(len(event) + len(between) for event in events[: part.start])
    return start, start + len(between.join(events[part.start : part.stop]))


def heading(column: Column) -> Text:
    title = f"{column.title} " if column.kind == "number" else column.title
    return Text(column_text(title, column), no_wrap=True)


def column_text(text: str, column: Column) -> str:
    """Return `text` in exactly the column's width, the gap before it; an ellipsis shows where it was cut."""
    return " " * column.gap + _padded(text, column.width - column.gap, right=column.right)


def _padded(text: str, room: int, *, right: bool = False) -> str:
    if cell_len(text) > room:
        return set_cell_size(set_cell_size(text, max(room - 1, 0)) + "…", room)
    return " " * (room - cell_len(text)) + text if right else set_cell_size(text, room)


def _share(row: EvidenceRow) -> float:
    return row.present / row.trials if row.trials else 0.0


def _share_cell(row: EvidenceRow, cells: int) -> str:
    number = share_text(_share(row)).rjust(3)
    return f"{bar(_share(row), cells)} {number}" if cells else number


def range_text(row: EvidenceRow) -> str:
    """Return the Wilson range of a row, such as `.11-.30`."""
    return f"{share_text(row.low)}-{share_text(row.high)}"
