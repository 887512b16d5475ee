"""The notes as they are, in one line or in a box; a click opens their editor."""

from __future__ import annotations

from textual.app import RenderResult
from textual.content import Content
from textual.widget import Widget

from tui.attempt import Attempt
from tui.shown import shown_block, shown_cell
from tui.wrapping import wrapped

TITLE = " notes   "
LOOKED_AT = 4000
"""Characters of the notes that are shown at most."""


class NotesLine(Widget):
    """Shows only; the editor is another widget, loaded when it is first needed."""

    ALLOW_SELECT = False

    def __init__(self, attempt: Attempt, *, id: str) -> None:
        super().__init__(id=id)
        self._attempt = attempt
        self.border_title = "notes (kept as you write)"
        self.border_subtitle = "n edit"

    def show(self) -> None:
        """Draw the notes as they are now."""
        self.refresh()

    def render(self) -> RenderResult:
        notes, width = self._attempt.notes[:LOOKED_AT], self.size.width
        if self.styles.border_top[0]:
            lines = wrapped(shown_block(notes.strip()), max(width - 1, 2))[: self.size.height]
            return Content("\n").join([Content(f" {line}") for line in lines])
        if not notes.strip():
            return Content.styled(f"{TITLE}none; n writes some", "$muted")
        said = Content(shown_cell(notes.strip())).truncate(max(width - len(TITLE) - 8, 1), ellipsis=True, pad=True)
        return Content.assemble((TITLE, "$muted"), said, ("  n edit", "$muted"))

    async def on_click(self) -> None:
        await self.screen.run_action("notes")
