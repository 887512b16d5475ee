"""A question over an item: the item stays in sight behind it, and what covers the question covers the item too."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual import events
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.screens.covers import Steady

Result = TypeVar("Result")


class KeyWords(Static):
    """The last line of a dialog: some of its keys in words, and a click for all of them."""

    async def on_click(self) -> None:
        await self.app.run_action("help")


class Dialog(Steady, ModalScreen[Result]):
    """Names its own help: Textual keeps the keys of the app from a dialog."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "app.help", "help", key_display="?", show=False, tooltip="what every key does"),
    ]

    def on_screen_suspend(self) -> None:
        self._pass_on(events.ScreenSuspend())

    def on_screen_resume(self) -> None:
        self._pass_on(events.ScreenResume())

    def _pass_on(self, event: events.Event) -> None:
        """Tell the item below, which hears nothing itself of what comes and goes above this dialog."""
        stack = self.app.screen_stack
        if self in stack[1:]:
            stack[stack.index(self) - 1].post_message(event)
