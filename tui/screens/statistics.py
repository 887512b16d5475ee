"""How one did so far: the calibration curve, the tallies, the ladder and the streak. Practice alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from engine.public import Standing, Statistics
from tui.curve import COLUMN, curve_lines, tally_lines
from tui.pastime import ladder_sentence, streak_words
from tui.screens.frame import Framed
from tui.widgets.reading import Sheet
from tui.widgets.saying import Saying

WIDE = 70
"""From so many columns on the curve has its full width."""
READING = "o  share that was right    :  95 % range    .  exactly as sure as right"


class StatisticsScreen(Framed):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", "back", key_display="esc", tooltip="close this screen"),
    ]

    def __init__(self, told: Statistics, standing: Standing, *, streak: bool) -> None:
        super().__init__()
        self._told, self._standing, self._streak = told, standing, streak

    def body(self) -> Iterable[Widget]:
        yield Sheet(Saying(id="told"), id="statistics")

    def on_resize(self, event: events.Resize) -> None:
        column = COLUMN if event.size.width >= WIDE else COLUMN - 1
        self.query_one("#told", Saying).update(Content("\n").join(list(self._lines(column))))

    def on_mount(self) -> None:
        self.top.show("statistics")
        self.query_one("#statistics").focus()

    def _lines(self, column: int) -> Iterator[Content]:
        if not self._told.whole.answers:
            yield Content("Nothing to count yet: answer a puzzle, and say how sure you are.")
        else:
            yield Content.styled("How sure you were, and how often you were right", "bold")
            yield from curve_lines(self._told.curve, column)
            yield Content.styled(READING, "$muted")
        yield Content("")
        yield from tally_lines(self._told)
        yield Content("")
        yield Content.assemble(("ladder  ", "bold"), ladder_sentence(self._standing))
        if self._streak:
            yield Content.assemble(("streak  ", "bold"), streak_words(self._standing))
