"""The answers given before: one row an answer, as many columns as the window has room for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from engine.public import Past
from tui.shown import shown_cell
from tui.widgets.rows import Rows
from tui.wording import length_name

GAP = 2
DAY = len("2025-06-01")
LEAST = 10
"""Cells in which a title, or an unusually long answer, still says something."""


class Cells(NamedTuple):
    """What a row tells; also the columns' titles, and their widths."""

    when: str
    size: str
    title: str
    answer: str
    sure: str
    result: str


HEADING = Cells("when (UTC)", "length", "puzzle", "your answer", "sure", "result")


def cells(past: Past) -> Cells:
    # A written text has no outcome that could stand here.
    return Cells(
        when=shown_cell(past.answered_at[:16].replace("T", " ")),
        size=length_name(past.complexity) if past.answer else f"{past.complexity} asked",
        title=shown_cell(past.title),
        answer=shown_cell(past.answer) or "text",
        sure="-" if past.confidence is None else f"{past.confidence} %",
        result={True: "ok", False: "x", None: "-"}[past.correct],
    )


def widths(rows: Sequence[Cells], room: int) -> tuple[int, ...]:
    """Return the width of each column, 0 for none: titles give way first, then the time of day, then long answers."""
    columns = zip(HEADING, *rows, strict=True)
    when, size, title, answer, sure, result = (max(map(cell_len, column)) for column in columns)
    spare = room - (when + size + title + answer + sure + result + 5 * GAP)
    if spare < 0:
        kept = title + spare if title + spare >= min(LEAST, title) else -GAP
        spare, title = spare + title - kept, max(kept, 0)
    if spare < 0:
        spare, when = spare + when - DAY, DAY
    if spare < 0:
        answer = max(answer + spare, LEAST)
    return when, size, title, answer, sure, result


class PastTable(Rows):
    """Fixed widths and one-line cells, so that no cell is ever measured."""

    _rows: tuple[Cells, ...] = ()
    _laid_out = 0
    """The room for which the columns were planned."""

    def show(self, shown: Sequence[Past]) -> None:
        """Show these answers instead, with the cursor on the first."""
        self._rows = tuple(map(cells, shown))
        if self._laid_out:
            self._fill(0)

    def on_resize(self) -> None:
        if self.room > 0 and self.room != self._laid_out:
            self._laid_out = self.room
            self._fill(self.cursor_row)

    def _fill(self, row: int) -> None:
        self.clear(columns=True)
        plan = [(nth, width) for nth, width in enumerate(widths(self._rows, self._laid_out)) if width]
        for nth, width in plan:
            self.add_column(Text(HEADING[nth]), width=width + GAP * (nth < len(HEADING) - 1))
        for one in self._rows:
            self.add_row(*_cells(one, plan))
        self.move_cursor(row=row, animate=False)


def _cells(row: Cells, plan: Sequence[tuple[int, int]]) -> list[Text]:
    """Return the cells of a row by column and width; where the time of day has no room, the day is left whole."""
    told = row._replace(when=row.when[:DAY]) if plan[0][1] < cell_len(row.when) else row
    return [_fitted(told[nth], width) for nth, width in plan]


def _fitted(value: str, width: int) -> Text:
    text = Text(value, no_wrap=True, overflow="ellipsis")
    text.truncate(width, overflow="ellipsis")
    return text
