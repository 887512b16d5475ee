"""The list of requirements beside the text: what is asked, how it stands, whether it is met, and what was found."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.messages import MarksUndone, SeeRequirement, TickRequirement
from tui.verdicts import Requirement, lines_needed, met_words, requirement_content, requirement_line, standing_words
from tui.widgets.menu import Choices

TEXT_LINES = 4
"""Most lines of one requirement's own words; the brief has them all."""


class RequirementList(Choices):
    """One entry a requirement; choosing one asks to be shown where the text fails it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor_up", "Up", show=False, tooltip="go up one requirement"),
        Binding("down,j", "cursor_down", "Down", show=False, tooltip="go down one requirement"),
        Binding("home,g", "first", "First", show=False, tooltip="go to the first requirement"),
        Binding("end,G", "last", "Last", show=False, tooltip="go to the last requirement"),
        Binding("enter", "select", "show", key_display="enter", tooltip="show the place that fails it, then the next"),
        Binding("m", "tick", "tick", tooltip="tick the requirement by hand, or untick it"),
        Binding("u", "undo", "undo mark", show=False, tooltip="take back the last underline, tick or erasing"),
        Binding("U", "redo", "redo mark", show=False, tooltip="make it again"),
    ]

    def __init__(self, requirements: Sequence[Requirement], *, marked: bool, ticks: Collection[int], id: str) -> None:
        """Make the list; `marked` says that verdicts are known, and what is in force."""
        super().__init__(id=id, compact=True)
        self._requirements = tuple(requirements)
        self._marked, self._ticks = marked, frozenset(ticks)
        self._width = self._height = 0
        self._roomy = True
        """Whether all can be told in full; else only the one under the cursor is."""
        self._stale = False
        self._say()

    def show(self, requirements: Sequence[Requirement]) -> None:
        """Show the requirements as they are now known; the cursor stays where it is."""
        self._requirements, self._stale = tuple(requirements), False
        self._say()
        self._fill()

    def show_ticks(self, ticks: Collection[int]) -> None:
        self._ticks = frozenset(ticks)
        self._fill()

    def stale(self) -> None:
        """Say that the text is newer than what is shown."""
        self._stale = True
        self._say()

    def _say(self) -> None:
        parts = [met_words(self._requirements)] if any(one.judged is not None for one in self._requirements) else []
        parts.append(f"{len(self._requirements)}" if not self._marked else standing_words(self._requirements))
        waits = " ..." if self._stale and self._marked else ""
        said = f"{'  '.join(parts)}{waits}"
        named = f" requirements  {said} "
        self.border_title = Content(named if len(named) <= self._width or not self._width else f" {said} ")

    def on_resize(self) -> None:
        size = self.scrollable_content_region
        if size.width > 0 and (size.width, size.height) != (self._width, self._height):
            self._width = size.width
            self._roomy = lines_needed(self._requirements, size.width, TEXT_LINES) <= size.height
            self._height = size.height
            self._say()
            self._fill()

    def _fill(self) -> None:
        if not self._width:
            return
        contents = [self._content(index) for index in range(len(self._requirements))]
        if len(contents) != self.option_count:
            self.set_options([Option(content) for content in contents])
            self.highlighted = 0 if contents else None
            return
        for index, content in enumerate(contents):
            if content != self.get_option_at_index(index).prompt:
                self.replace_option_prompt_at_index(index, content)

    def _content(self, index: int) -> Content:
        one = self._requirements[index]
        ticked = one.nth in self._ticks
        if self._roomy or index == (self.highlighted or 0):
            return requirement_content(one, self._width, TEXT_LINES, marked=self._marked, ticked=ticked)
        return requirement_line(one, self._width, marked=self._marked, ticked=ticked)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._fill()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(SeeRequirement(self._requirements[event.option_index].nth))

    def action_tick(self) -> None:
        if self.highlighted is not None:
            self.post_message(TickRequirement(self._requirements[self.highlighted].nth))

    def action_undo(self) -> None:
        self.post_message(MarksUndone(back=True))

    def action_redo(self) -> None:
        self.post_message(MarksUndone(back=False))
