"""Hints for a first item: one at a time, above it, until the last one was read."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.content import Content

from tui.widgets.saying import Saying

if TYPE_CHECKING:
    from tui.screens.frame import Framed


class Guide(Saying):
    """Shows a hint; a click shows the next one."""

    ALLOW_SELECT = False

    def __init__(self, tips: tuple[str, ...]) -> None:
        super().__init__(id="guide")
        self._tips, self._at = tips, 0

    def on_mount(self) -> None:
        self._write()

    def on_click(self) -> None:
        self.turn()

    def turn(self) -> None:
        """Show the next hint, or go away after the last one."""
        self._at += 1
        gone = self._at >= len(self._tips)
        cast("Framed", self.screen).clew.keeper.note("tip", "gone" if gone else f"{self._at + 1} of {len(self._tips)}")
        if gone:
            self.remove()
        else:
            self._write()

    def _write(self) -> None:
        head, tip = f"hint {self._at + 1} of {len(self._tips)}  ", self._tips[self._at]
        what = "close" if self._at == len(self._tips) - 1 else "next"
        self.update(Content.assemble((head, "bold $accent"), tip, (f"  ctrl+g or click: {what}", "$muted")))
