"""The conflict box: a check box, which two requirements, and a note; stored with the turn, never scored."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from tui.conflict import NOTE_LIMIT, WHICH_LIMIT, Conflict
from tui.messages import ConflictChanged, ConflictTicked, EditorLeft
from tui.widgets.line_field import LineField

SAID, SAID_SHORT = "I see a conflict between:", "conflict:"
FIELDS = ("first", "second", "note")
ROOMY = 76
"""From this width on the box says in full what it is for."""


class ConflictToggle(Widget, can_focus=True):
    """The check box itself."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "flip", "tick", key_display="space", tooltip="tick or untick the conflict box"),
        Binding("escape", "leave", "leave", show=False, tooltip="go to the brief or the requirements"),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.ticked = False

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self.refresh()

    def render(self) -> RenderResult:
        said = SAID if self.screen.size.width >= ROOMY else SAID_SHORT
        box = Content.styled("[x]" if self.ticked else "[ ]", "bold reverse" if self.has_focus else "bold")
        return Content.assemble(" ", box, f" {said} ")

    def on_click(self) -> None:
        self.action_flip()

    def action_flip(self) -> None:
        self.ticked = not self.ticked
        self.refresh()
        self.post_message(ConflictTicked(self.ticked))

    def action_leave(self) -> None:
        self.post_message(EditorLeft())


class ConflictBar(Horizontal):
    """Turns what the person does in it into one message; its fields can be used once the box is ticked."""

    def __init__(self, conflict: Conflict, *, labelled: bool, pastes: bool, id: str) -> None:
        """Make the box as a draft left it.

        Args:
            labelled: whether the requirements have names such as R3.
            pastes: whether its fields take pastes.
        """
        super().__init__(id=id)
        self._conflict, self._labelled, self._pastes = conflict, labelled, pastes

    def compose(self) -> ComposeResult:
        blank = "R__" if self._labelled else "____"
        conflict, field = self._conflict, partial(LineField, pastes=self._pastes)
        yield ConflictToggle(id="conflict-box")
        yield field(conflict.first, placeholder=blank, limit=WHICH_LIMIT, id="conflict-first")
        yield Static(" and ", classes="conflict-word")
        yield field(conflict.second, placeholder=blank, limit=WHICH_LIMIT, id="conflict-second")
        yield Static("  note: ", classes="conflict-word")
        yield field(conflict.note, placeholder="_" * 40, limit=NOTE_LIMIT, id="conflict-note")

    def on_mount(self) -> None:
        self._toggle.ticked = self._conflict.seen
        self._allow(self._conflict.seen)

    @property
    def _toggle(self) -> ConflictToggle:
        return self.query_one(ConflictToggle)

    def stops(self) -> list[Widget]:
        """Return the box, and its fields once they can be used."""
        return [self._toggle, *(field for field in self.query(LineField) if field.can_focus)]

    def _allow(self, allowed: bool) -> None:
        for field in self.query(LineField):
            field.can_focus = allowed

    def on_conflict_ticked(self, message: ConflictTicked) -> None:
        message.stop()
        self._allow(message.ticked)
        if message.ticked:
            self.screen.set_focus(self.query_one("#conflict-first"))
        self._say()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._say()

    def on_click(self, event: events.Click) -> None:
        """Tick the box when one of its fields is clicked before."""
        if isinstance(event.widget, LineField) and not self._toggle.ticked:
            self._toggle.action_flip()

    def _say(self) -> None:
        first, second, note = (self.query_one(f"#conflict-{name}", LineField).value for name in FIELDS)
        conflict = Conflict(seen=self._toggle.ticked, first=first, second=second, note=note)
        if conflict != self._conflict:
            self._conflict = conflict
            self.post_message(ConflictChanged(conflict))
