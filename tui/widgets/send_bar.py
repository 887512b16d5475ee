"""Under the text: where the cursor is and what is counted; and the button that sends."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from tui.messages import EditorLeft, SendAnswer

BUTTON = "[ send ]"
GAP = "   "


class TextStatus(Widget):
    """As many parts as fit, the most important first."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._parts: tuple[tuple[str, str], ...] = ()

    def show(self, parts: tuple[tuple[str, str], ...]) -> None:
        """Show parts, each in full and in short: in short all of them where not all fit in full."""
        if parts != self._parts:
            self._parts = parts
            self.refresh()

    def render(self) -> RenderResult:
        whole, short = zip(*self._parts, strict=True) if self._parts else ((), ())
        shown: list[str] = []
        for part in whole if 1 + len(GAP.join(whole)) <= self.size.width else short:
            if 1 + len(GAP.join([*shown, part])) <= self.size.width:
                shown.append(part)
        return Content.styled(f" {GAP.join(shown)}", "$muted")


class SendButton(Widget, can_focus=True):
    """Enter and a click send; any letter goes to the text."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "send", "send", key_display="enter", tooltip="send the text"),
        Binding("escape", "leave", "leave", show=False, tooltip="go to the brief or the requirements"),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._ready = False

    def show(self, *, ready: bool) -> None:
        """Show whether there is something to send."""
        if ready != self._ready:
            self._ready = ready
            self.refresh()

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self.refresh()

    def render(self) -> RenderResult:
        if self.has_focus:
            return Content.styled(f">{BUTTON}<", "bold reverse")
        return Content.styled(f" {BUTTON} ", "bold $success" if self._ready else "$muted")

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.action_send()

    def action_send(self) -> None:
        self.post_message(SendAnswer())

    def action_leave(self) -> None:
        self.post_message(EditorLeft())
