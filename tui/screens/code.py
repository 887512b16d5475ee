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


class CodeField(Input):
    """The field itself takes enter, after all letters before it: a key of the screen could overtake them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "play", key_display="enter", tooltip="open the puzzle of the code"),
    ]


class CodeScreen(Framed):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "back", key_display="esc", tooltip="close this screen"),
    ]

    def body(self) -> Iterable[Widget]:
        with Vertical(id="code"):
            yield Static(Content(SAYS), markup=False, id="code-says")
            yield CodeField(id="code-text", placeholder="code", compact=True)

    def on_mount(self) -> None:
        self.top.show("a shared puzzle")
        self.set_focus(self.query_one("#code-text"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self.clew.aside.code(event.value)
        else:
            self.tell("enter a code first")
