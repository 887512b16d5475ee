"""The line that names the task and the panes beside the text; each pane's name can be clicked."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.style import Style
from textual.widget import Widget

from tui.messages import Pane, ShowPane
from tui.shown import shown_cell

NAMES: dict[Pane, tuple[str, str]] = {"brief": ("b", "brief"), "list": ("l", "list"), "turns": ("t", "turns")}
"""Key and name of each pane."""


class TaskLine(Widget):
    """Says what is asked for in one line, and which pane is shown."""

    ALLOW_SELECT = False

    def __init__(self, title: str, panes: Sequence[Pane], *, id: str) -> None:
        super().__init__(id=id)
        self._title, self._panes = shown_cell(title), tuple(panes)
        self._shown: Pane = self._panes[0]

    def show(self, pane: Pane) -> None:
        self._shown = pane
        self.refresh()

    def render(self) -> RenderResult:
        names = Content(" ").join([self._named(pane) for pane in self._panes])
        room = max(self.size.width - names.cell_length - 2, 0)
        title = f"Task: {self._title}"
        title = title if cell_len(title) <= room else set_cell_size(title, max(room - 1, 0)) + "…"
        return Content.assemble(" ", set_cell_size(title, room), " ", names)

    def _named(self, pane: Pane) -> Content:
        key, name = NAMES[pane]
        shown = (f"[{name}]", "bold") if pane == self._shown else (f" {name} ", "$muted")
        return Content.assemble((key, "bold $footer-key-foreground"), " ", shown).stylize(
            Style.from_meta({"pane": pane})
        )

    def on_click(self, event: events.Click) -> None:
        pane = event.style.meta.get("pane")
        if pane in NAMES:
            self.post_message(ShowPane(pane))
