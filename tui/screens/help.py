"""Help: every key of the screen one came from, read from its bindings, so that it cannot be out of date."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.keys import Key, key_names
from tui.screens.frame import Framed
from tui.widgets.reading import Sheet

KEY_WIDTH = 14
SCOPES = {
    "AnswerBar": "Answer bar (also the first letter in which the outcomes differ)",
    "CodeScreen": "A shared puzzle",
    "Editor": "Text",
    "RequirementList": "Requirements",
    "VerdictScreen": "Verdicts",
    "Page": "The text on the screen",
    "PastTable": "Answers",
    "ClewApp": "Everywhere",
}
"""Titles of screens and panes whose class name does not say it."""
READING = """\
A row of the table is one history: what was done, in order, and how often it ended how. share is the count \
as a part of the trials; range is where the true share may well lie (95 %); ov is the longest stretch of a row \
that stands in the question's order.

A filter is made of: event   !event   attribute<=3   attribute=word   n>=2 (number of events). Names may be \
shortened; names of two words go in quotes.

50 % sure is a coin flip. Below 50 would mean that the other outcome is likelier, so choose that one."""


class HelpScreen(Framed):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "introduction", "introduction", tooltip="go through the introduction: three steps, two minutes"),
        Binding("escape,q", "back", "back", key_display="esc", tooltip="close this screen"),
    ]

    def __init__(self, keys: Sequence[Key]) -> None:
        super().__init__()
        self._keys = keys

    def body(self) -> Iterable[Widget]:
        yield Sheet(Static(help_text(self._keys, self.clew), markup=False), id="help")

    def on_mount(self) -> None:
        self.top.show("help")
        self.query_one("#help").focus()

    def action_introduction(self) -> None:
        self.clew.aside.introduction()


def help_text(keys: Sequence[Key], app: App[None]) -> Content:
    """Return the keys by scope, then how to read what is on the screen."""
    lines: list[Content] = []
    scope = ""
    seen: set[tuple[str, str]] = set()
    for key in keys:
        name = type(key.node).__name__
        if (name, key.binding.key) in seen or not key.binding.tooltip:
            continue
        seen.add((name, key.binding.key))
        if name != scope:
            scope = name
            lines += [Content(""), Content.styled(scope_title(name), "bold $primary")]
        lines.append(
            Content.assemble(
                (f" {key_names(key, app):<{KEY_WIDTH}}", "bold $footer-key-foreground"), key.binding.tooltip
            )
        )
    return Content("\n").join([*lines[1:], Content(""), Content.styled("Reading", "bold $primary"), Content(READING)])


def scope_title(name: str) -> str:
    """Return what people call a screen or a pane: `Evidence table` for EvidenceTable, `Puzzle` for PuzzleScreen."""
    words = re.sub(r"(?<!^)(?=[A-Z])", " ", re.sub(r"(Screen|Pane|Bar)$", "", name)).casefold()
    return SCOPES.get(name) or words.capitalize()
