"""Leaving an item without an answer: for a reason, which is stored, or by stopping here, which keeps everything."""

from __future__ import annotations

from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine.public import Reason
from tui.screens.dialog import Dialog, KeyWords
from tui.widgets.menu import Choices
from tui.wording import counted

Stopping = Reason | Literal["stop"]
REASONS: tuple[tuple[Reason, str], ...] = (
    ("tired", "I am tired of this one"),
    ("unclear", "I do not understand what is asked"),
    ("technical", "something does not work as it should"),
)
STOP = "stop here: all is kept, go on another time"


class SkipScreen(Dialog[Stopping | None]):
    """Gives the reason, `stop`, or None when the person stays."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("1", "take(0)", "Skip, tired", show=False, tooltip="skip this item: tired"),
        Binding("2", "take(1)", "Skip, unclear", show=False, tooltip="skip this item: unclear"),
        Binding("3", "take(2)", "Skip, technical", show=False, tooltip="skip this item: a technical reason"),
        Binding("s", "stop", "Stop here", show=False, tooltip="stop here; everything is kept"),
        Binding("escape,q", "stay", "Stay", show=False, tooltip="stay with this item"),
    ]

    def __init__(self, skips_left: int) -> None:
        super().__init__()
        self._left = skips_left

    def compose(self) -> ComposeResult:
        with Vertical(id="skip"):
            left = f"{counted(self._left, 'skip')} left in this pack" if self._left else "no skip is left in this pack"
            yield Static(Content(f"Leave this item without an answer?\n{left}"), id="skip-says")
            yield Choices(id="skip-list", compact=True)
            yield KeyWords("esc stays with the item; ? help")

    def on_mount(self) -> None:
        options = [Option(Content(f"{nth}  skip: {said}")) for nth, (_, said) in enumerate(REASONS, start=1)]
        options = options if self._left else []
        menu = self.query_one(Choices)
        menu.add_options([*options, Option(Content(f"s  {STOP}")), Option(Content("   stay"))])
        menu.highlighted = 0
        menu.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        from_end = event.option_list.option_count - event.option_index
        if from_end == 1:
            self.action_stay()
        elif from_end == 2:
            self.action_stop()
        else:
            self.action_take(event.option_index)

    def action_take(self, index: int) -> None:
        if self._left:
            self.dismiss(REASONS[index][0])

    def action_stop(self) -> None:
        self.dismiss("stop")

    def action_stay(self) -> None:
        self.dismiss(None)
