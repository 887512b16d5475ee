"""The line under the evidence: filter, order, rows, notes; each a thing to click."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from tui.attempt import Attempt
from tui.columns import SORT_WORDS
from tui.shown import shown_cell


class StatusLine(Static):
    """Says what the table shows."""

    ALLOW_SELECT = False

    def __init__(self, attempt: Attempt, *, id: str) -> None:
        super().__init__(markup=False, id=id)
        self._attempt = attempt

    def show(self, rows: int) -> None:
        """Show the state of the attempt, of whose rows so many are in the table."""
        attempt = self._attempt
        total = len(attempt.rows)
        parts = [
            self._part("filter", shown_cell(attempt.filter) or "none", "filter"),
            self._part("sort", SORT_WORDS[attempt.sort], "sort"),
            self._part("rows", f"{total}" if rows == total else f"{rows} of {total}", None),
        ]
        if attempt.notes:
            parts.append(self._part("notes", shown_cell(attempt.notes.strip()), "notes"))
        self.update(Content.assemble(" ", Content("   ").join(parts)))

    def _part(self, name: str, text: str, action: str | None) -> Content:
        part = Content.assemble((f"{name} ", "$muted"), text)
        return part.stylize(Style.from_meta({"part": action})) if action else part

    async def on_click(self, event: events.Click) -> None:
        if isinstance(action := event.style.meta.get("part"), str):
            await self.screen.run_action(action)
