"""The line under the text: where the cursor is, what is counted, and the button that sends."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.style import Style
from textual.widget import Widget

from tui.messages import SendAnswer

BUTTON = "[ send ]"


class SendBar(Widget, can_focus=True):
    """Shows what it is told; enter and a click on the button send."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "send", "send", key_display="enter", tooltip="send the text"),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._parts: tuple[str, ...] = ()
        self._ready = False

    def show(self, parts: tuple[str, ...], *, ready: bool) -> None:
        """Show parts of the status, the most important first, and whether there is something to send."""
        if (parts, ready) != (self._parts, self._ready):
            self._parts, self._ready = parts, ready
            self.refresh()

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self.refresh()

    def render(self) -> RenderResult:
        button = f">{BUTTON}<" if self.has_focus else f" {BUTTON} "
        style = "bold reverse" if self.has_focus else "bold $success" if self._ready else "$muted"
        room = max(self.size.width - len(button), 0)
        status = Content(f" {'   '.join(self._parts)}").truncate(room, ellipsis=True, pad=True)
        sends = Content.styled(button, style).stylize(Style.from_meta({"send": 1}))
        return status.stylize("$muted") + sends

    def on_click(self, event: events.Click) -> None:
        if "send" in event.style.meta:
            self.action_send()

    def action_send(self) -> None:
        self.post_message(SendAnswer())
