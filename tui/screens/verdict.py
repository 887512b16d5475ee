"""What became of a text that was sent: each requirement, whether it is met, and what was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.errands import ToldTask
from tui.messages import GoHome, OpenTask
from tui.screens.frame import Framed
from tui.shown import shown_cell
from tui.verdicts import met_words, requirement_content, with_verdicts

TEXT_LINES = 12
"""Most lines of one requirement's own words."""
WIDEST = 96
"""Widest line, in cells, so that it can be read at ease."""


class VerdictScreen(Framed):
    """Made only from what the desk revealed after the text was on disk."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "next", "next task", key_display="enter", tooltip="open the next writing task"),
        Binding("h", "home", "home", tooltip="go to the home screen"),
        Binding("escape,q", "back", "back", key_display="esc", tooltip="close the verdicts"),
    ]

    def __init__(self, told: ToldTask, mode: str) -> None:
        super().__init__()
        self.told, self._mode = told, mode
        self._width = 0

    def body(self) -> Iterable[Widget]:
        yield VerticalScroll(Static("", markup=False, id="told"), id="feedback")

    def on_mount(self) -> None:
        what = "verdicts" if self.told.judged else "sent"
        self.top.show(f"{self._mode.upper()}  {what}  {shown_cell(self.told.task.title)}")
        self.query_one("#feedback").focus()

    def on_resize(self) -> None:
        # Two cells of padding on each side, and the scroll bar.
        width = min(self.size.width - 5, WIDEST)
        if width > 0 and width != self._width:
            self._width = width
            lines = Content("\n").join(list(self._lines()))
            self.query_one("#told", Static).update(lines)

    def _lines(self) -> Iterator[Content]:
        told = self.told
        asked = with_verdicts(told.task.requirements, told.judged, told.text)
        yield self._headline(all(one.judged is not None and one.judged.passed for one in asked), met_words(asked))
        if told.answered_here:
            yield Content.styled(self._progress(), "$muted")
        for one in asked:
            yield Content("")
            yield requirement_content(one, self._width, TEXT_LINES, marked=bool(told.judged))

    def _headline(self, all_met: bool, met: str) -> Content:
        if self.told.judged:
            return Content.styled(f"ok  All met: {met}." if all_met else f"x   {met}.", _style(all_met))
        if self.told.answered_here:
            return Content.styled("Saved.", "bold $success")
        return Content.styled("Sent. Verdicts are shown once, right after sending, and are not kept here.", "$muted")

    def _progress(self) -> str:
        progress = self.told.progress
        if progress is None:
            return "saved"
        done = f"saved, {progress.answered} of {progress.tasks} writing tasks answered"
        return f"{done}: all done" if progress.done else done

    def action_next(self) -> None:
        self.post_message(OpenTask())

    def action_home(self) -> None:
        self.post_message(GoHome())

    def action_back(self) -> None:
        if self.told.answered_here:
            self.post_message(GoHome())
        else:
            self.app.pop_screen()


def _style(all_met: bool) -> str:
    return "bold $success" if all_met else "bold $error"
