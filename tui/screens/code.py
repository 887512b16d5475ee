"""Enter the code of a puzzle that somebody shared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from tui.screens.frame import Framed

SAYS = """\
A code names one practice puzzle, the same for everybody: 6-K7QX2M-G is one of six events, P-236DB839 one of the \
built-in pack. After an answer, y copies the code of its puzzle, to be sent to others.

Case, blanks and dashes do not matter. A slip is noticed."""


class CodeScreen(Framed):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", "play", key_display="enter", priority=True, tooltip="open the puzzle of the code"),
        Binding("escape", "back", "back", key_display="esc", tooltip="close this screen"),
    ]

    def body(self) -> Iterable[Widget]:
        with Vertical(id="code"):
            yield Static(Content(SAYS), markup=False, id="code-says")
            yield Input(id="code-text", placeholder="code", compact=True)

    def on_mount(self) -> None:
        self.top.show("PRACTICE  a shared puzzle")
        self.set_focus(self.query_one("#code-text"))

    def action_play(self) -> None:
        code = self.query_one("#code-text", Input).value
        if code.strip():
            self.clew.aside.code(code)
        else:
            self.tell("enter a code first")
