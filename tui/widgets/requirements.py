"""The list of requirements beside the text: what is asked, whether it is met, and what was found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.messages import SeeRequirement
from tui.verdicts import Requirement, met_words, requirement_content

TEXT_LINES = 4
"""Most lines of one requirement's own words; the brief has them all."""


class RequirementList(OptionList):
    """One entry a requirement; choosing one asks to see where the text fails it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor_up", "Up", show=False, tooltip="go up one requirement"),
        Binding("down,j", "cursor_down", "Down", show=False, tooltip="go down one requirement"),
        Binding("home,g", "first", "First", show=False, tooltip="go to the first requirement"),
        Binding("end,G", "last", "Last", show=False, tooltip="go to the last requirement"),
        Binding("enter", "select", "show", key_display="enter", tooltip="select the place that fails it"),
    ]

    def __init__(self, requirements: Sequence[Requirement], *, marked: bool, id: str) -> None:
        super().__init__(id=id, compact=True)
        self._requirements = tuple(requirements)
        self._marked = marked
        self._width = 0
        self._say()

    def show(self, requirements: Sequence[Requirement]) -> None:
        """Show the requirements as they are now known; the cursor stays where it is."""
        self._requirements = tuple(requirements)
        self._say()
        if self._width:
            self._fill()

    def stale(self) -> None:
        """Say that the text is newer than what is shown."""
        self._say(" ...")

    def _say(self, after: str = "") -> None:
        if any(one.judged is not None for one in self._requirements):
            self.border_title = Content(f" requirements  {met_words(self._requirements)}{after} ")
        else:
            self.border_title = Content(f" requirements{after if self._marked else ''} ")

    def on_resize(self) -> None:
        width = self.scrollable_content_region.width
        if width > 0 and width != self._width:
            self._width = width
            self._fill()

    def _fill(self) -> None:
        contents = [
            requirement_content(one, self._width, TEXT_LINES, marked=self._marked) for one in self._requirements
        ]
        if len(contents) != self.option_count:
            self.set_options([Option(content) for content in contents])
            self.highlighted = 0 if contents else None
        else:
            for index, content in enumerate(contents):
                if content != self.get_option_at_index(index).prompt:
                    self.replace_option_prompt_at_index(index, content)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(SeeRequirement(self._requirements[event.option_index].nth))
