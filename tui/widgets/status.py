"""The line under the evidence: filter, order, rows, pins; each a thing to click."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from tui.attempt import Attempt
from tui.board import MOST_PINS
from tui.columns import SORT_WORDS
from tui.shown import shown_cell

GAP = "  "


class StatusLine(Static):
    """Says what the table shows."""

    ALLOW_SELECT = False

    def __init__(self, attempt: Attempt, *, id: str) -> None:
        super().__init__(markup=False, id=id)
        self._attempt = attempt
        self._view: tuple[object, ...] = ()
        """What the line was made of."""

    def show(self, rows: int, in_sight: range) -> None:
        """Show the state of the attempt, of whose rows so many are in the table, and which of them are in sight."""
        attempt = self._attempt
        board = attempt.board
        view = (attempt.filter, attempt.sort, rows, in_sight, len(board.pins), attempt.view.highlight, self.size.width)
        if view == self._view:
            return
        self._view = view
        parts = [
            self._part("filter", shown_cell(attempt.filter) or "none", "filter"),
            self._part("sort", SORT_WORDS[attempt.sort], "sort"),
            self._part("rows", _rows_text(rows, len(attempt.rows), in_sight), None),
        ]
        if attempt.has_board:
            parts.append(self._part("pinned", f"{len(board.pins)}/{MOST_PINS}", "pin"))
            if attempt.view.highlight:
                parts.append(self._part("order", "shown", "highlight"))
        while len(parts) > 1 and sum(part.cell_length + len(GAP) for part in parts) > self.size.width > 0:
            parts.pop()
        self.update(Content.assemble(" ", Content(GAP).join(parts)), layout=False)

    def _part(self, name: str, text: str, action: str | None) -> Content:
        part = Content.assemble((f"{name} ", "$muted"), text)
        return part.stylize(Style.from_meta({"part": action})) if action else part

    async def on_click(self, event: events.Click) -> None:
        if isinstance(action := event.style.meta.get("part"), str):
            await self.screen.run_action(action)


def _rows_text(rows: int, total: int, in_sight: range) -> str:
    """Return which rows are in sight, such as `12-17 of 42`; the filter's rows and all rows where they differ."""
    if not 0 < len(in_sight) < rows:
        return f"{rows}" if rows == total else f"{rows} of {total}"
    seen = f"{in_sight.start + 1}-{in_sight.stop} of {rows}"
    return seen if rows == total else f"{seen} (of {total})"
