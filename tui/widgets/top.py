"""The top line, where one is, and the banner below it, which is there only when there is something to say."""

from __future__ import annotations

from typing import Literal

from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from tui.shown import shown_cell

Kind = Literal["hint", "busy", "trouble"]
HINT_S = 4.0
_MARKS: dict[Kind, str] = {"hint": "-", "busy": "~", "trouble": "!"}


class TopLine(Static):
    """Names the app, the place in it, and the clock."""

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._place = self._right = ""

    def show(self, place: str, right: str = "") -> None:
        """Show where one is; texts are already fit for a line."""
        if (place, right) != (self._place, self._right):
            self._place, self._right = place, right
            self._write()

    def on_resize(self) -> None:
        self._write()

    def _write(self) -> None:
        room = max(self.size.width - 9 - len(self._right), 0)
        place = Content(self._place).truncate(room, ellipsis=True, pad=True)
        self.update(Content.assemble((" clew ", "bold $primary"), " ", place, " ", (self._right, "$muted")))


class Banner(Static):
    """One line that says what cannot wait: a hint, a slow disk, a failed save."""

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.kind: Kind | None = None
        self._timer: Timer | None = None

    def tell(self, text: str, kind: Kind) -> None:
        """Say something; a hint goes away by itself, and never hides trouble."""
        if kind != "trouble" and self.kind == "trouble":
            return
        self._stop_timer()
        self.kind = kind
        self.update(Content(f" {_MARKS[kind]} {shown_cell(text)}"))
        self.set_classes(f"-{kind}")
        if kind == "hint":
            self._timer = self.set_timer(HINT_S, self.silence)

    def silence(self, kind: Kind | None = None) -> None:
        """Say nothing any more; with a kind, only if that is what is being said."""
        if kind is None or kind == self.kind:
            self._stop_timer()
            self.kind = None
            self.set_classes("")

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
