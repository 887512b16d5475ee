"""How sure one is of a text, asked by a study when it is sent; nothing is chosen beforehand."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.screens.dialog import Dialog, KeyWords
from tui.shown import shown_cell
from tui.terms import Terms
from tui.widgets.menu import Choices


class SureScreen(Dialog[int | None]):
    """Gives the percent, or None when the person goes back to the text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "stay", "Stay", show=False, tooltip="go back to the text; nothing is sent"),
    ]

    def __init__(self, terms: Terms, said: int | None) -> None:
        """Ask; `said` is what was said before, if it was sent before."""
        super().__init__()
        self._terms, self._said = terms, said

    def compose(self) -> ComposeResult:
        with Vertical(id="sure"):
            yield Static(Content(shown_cell(self._terms.question)), markup=False, id="sure-says")
            yield Choices(id="sure-list", compact=True)
            yield KeyWords("up, down, enter: choose, send; esc: back to the text; ? help")

    def on_mount(self) -> None:
        menu, choices = self.query_one(Choices), self._terms.choices()
        menu.add_options([Option(Content(f"{percent:>4} %")) for percent in choices])
        menu.highlighted = choices.index(self._said) if self._said in choices else None
        menu.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._terms.choices()[event.option_index])

    def action_stay(self) -> None:
        self.dismiss(None)
