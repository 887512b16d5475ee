"""What the screens of a puzzle and of a writing task share: the clock, pause and skip, sending once, the way home."""

from __future__ import annotations

import os
from abc import abstractmethod
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from engine.public import Answer
from tui.attempt import Work
from tui.errands import Sent
from tui.messages import GoHome, PasteTaken, SendAnswer
from tui.moments import stamp
from tui.screens.covers import COVERED
from tui.screens.frame import Framed, Pausing
from tui.screens.skip import SkipScreen, Stopping
from tui.wording import counted

TICK_S = 1.0
MINUTE_MS = 60_000
NUDGE = "p pauses, S skips or stops, or answer with what you have"
LONG_S = 15.0
"""How long a hint stays that one needs to read in peace."""


class ItemScreen(Pausing):
    """A screen on which one item is worked on; every change of that work goes to the keeper."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "pane(1)", "next pane", show=False, tooltip="go to the next pane"),
        Binding("shift+tab", "pane(-1)", "pane before", show=False, tooltip="go to the pane before"),
        Binding("p", "pause", "pause", tooltip="hide the item and stop its clock"),
        Binding("S", "skip", "skip or stop", show=False, tooltip="skip this item for a reason, or stop here"),
    ]
    RETRY = "tried again when it is sent again"
    """What to do after an answer could not be saved."""

    def __init__(self, attempt: Work) -> None:
        super().__init__()
        self.attempt = attempt
        self.sending = False
        self._covered_by = ""
        """What covers this screen, as the clock's reason to stand still."""
        self._nudged = False
        self._unfilled = False

    def badge(self) -> str:
        """Return the mode, and what is in view beside the text."""
        return f"{super().badge()} {self.attempt.aid}"

    @property
    def is_current(self) -> bool:
        """Whether it is to be painted: not while its panes know their sizes and have not filled themselves yet."""
        return super().is_current and not self._unfilled

    @abstractmethod
    def outcome(self, sent: Sent) -> Framed:
        """Return the screen that tells what was sent and, where the policy reveals it, what it is worth."""

    @abstractmethod
    def tick(self) -> None:
        """Write the top line."""

    def skipped(self, sent: Sent) -> Framed:
        """Return the screen that tells that the item was skipped."""
        return self.outcome(sent)

    def take_late(self, event: events.Key | events.Paste) -> None:
        """Take what set out for a pane which meanwhile lost the focus; nothing unless a screen says so."""

    def on_mount(self) -> None:
        self.set_interval(TICK_S, self._each_second)
        self.tick()
        attempt, note = self.attempt, self.clew.keeper.note
        note("clock", stamp(self.clew.moments.now()))
        note("revise" if attempt.revises else "resume" if attempt.resumed else "open", attempt.revises)
        note("terminal", f"{self.app.size.width}x{self.app.size.height} {os.environ.get('TERM', '')}")

    def _each_second(self) -> None:
        self.tick()
        terms = self.attempt.terms
        if terms.nudge_min and not self._nudged and self.attempt.clock.visible_ms() >= terms.nudge_min * MINUTE_MS:
            self._nudged = True
            self.clew.keeper.note("nudge")
            self.tell(f"{terms.nudge()}: {NUDGE}", "hint", LONG_S)

    # Sending

    def on_send_answer(self, message: SendAnswer) -> None:
        message.stop()
        if self.sending:
            return
        if missing := self.attempt.missing():
            self.tell(missing)
        else:
            self._send(self.attempt.seal())

    def _send(self, answer: Answer) -> None:
        self.sending = True
        self.clew.send_answer(self, answer)

    def on_paste_taken(self, message: PasteTaken) -> None:
        message.stop()
        if self.attempt.terms.paste != "allowed":
            self.clew.keeper.note("paste", f"{message.kept} kept, {message.dropped} left out")
        if message.refused:
            self.tell("pasting is off in this study; what you wanted to paste was left out")
        elif message.dropped:
            self.tell(f"{counted(message.dropped, 'character')} of the paste left out")

    def action_skip(self) -> None:
        if not self.sending:
            self.app.push_screen(SkipScreen(self.attempt.skips_left), self._on_skip)

    def _on_skip(self, chosen: Stopping | None) -> None:
        if chosen == "stop":
            self.clew.stop_here()
        elif chosen is not None:
            self._send(self.attempt.skip(chosen))

    def changed(self) -> None:
        """Say that what is unsent has changed."""
        self.clew.keeper.touch()

    def action_pane(self, by: int) -> None:
        (self.focus_next if by > 0 else self.focus_previous)()

    def go_home(self) -> None:
        self.post_message(GoHome())

    # The clock

    def hold(self, reason: str) -> None:
        """Stop the clock and save, since the person is not looking."""
        if self.attempt.clock.hold(reason):
            self.clew.keeper.note(reason)
            self.clew.keeper.flush()

    def release(self, reason: str) -> None:
        if self.attempt.clock.release(reason):
            self.clew.keeper.note("focus" if reason == "blur" else "back", reason)
            self.clew.keeper.note("clock", stamp(self.clew.moments.now()))

    def on_screen_suspend(self) -> None:
        if not self.app.screen.is_modal and not self._covered_by:
            self._covered_by = COVERED.get(type(self.app.screen).__name__, "covered")
            self.hold(self._covered_by)

    def on_screen_resume(self) -> None:
        # Textual lays it out and paints it now, empty, and a second time when the panes have filled themselves.
        self._unfilled = not self.outer_size
        if self._covered_by:
            self.release(self._covered_by)
            self._covered_by = ""

    def on_resize(self, event: events.Resize) -> None:
        self.clew.keeper.note("resize", f"{event.size.width}x{event.size.height}")
        if self._unfilled:
            self.call_later(self._fill)

    def _fill(self) -> None:
        self._unfilled = False
        self.refresh()
