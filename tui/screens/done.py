"""The end: every item that was asked for is answered. Says so, and what is left to do, if anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from engine.public import Session
from tui.courses import Course
from tui.messages import GoHome
from tui.screens.frame import Framed
from tui.widgets.reading import Sheet


class DoneScreen(Framed):
    """Made of counts alone."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,h,escape", "home", "home", key_display="enter", tooltip="go to the home screen"),
        Binding("y", "history", "history", tooltip="look at the answers given before"),
        Binding("q", "app.quit", "quit", tooltip="leave; everything is kept"),
    ]

    def __init__(self, of: str, courses: tuple[Course, ...], session: Session) -> None:
        super().__init__()
        self._of = of
        self._done = [course for course in courses if course.done]
        self._left = [course for course in courses if not course.done]
        self._session = session

    def body(self) -> Iterable[Widget]:
        yield Sheet(Static(Content("\n").join(list(self._lines())), markup=False, id="told"), id="feedback")

    def on_mount(self) -> None:
        self.top.show("all done")
        self.query_one("#feedback").focus()

    def _lines(self) -> Iterator[Content]:
        of = "item of this collection" if self._session.mode == "collect" else self._of
        yield Content.styled(f"all done: every {of} is answered", "bold $success")
        yield Content("")
        for course in self._done:
            yield Content(f"ok  {course.said()}")
        for course in self._left:
            yield Content(f"    {course.said()}")
        yield Content("")
        if self._session.mode == "collect" and not self._left:
            yield Content("Thank you. Nothing is left to do; everything is saved, and you may close the window.")
        else:
            yield Content("enter goes home." if self._left else "Nothing is left in this pack. enter goes home.")

    def action_home(self) -> None:
        self.post_message(GoHome())

    def action_history(self) -> None:
        self.clew.open_history()
