"""What the screens of a puzzle and of a writing task share: the clock, the pause, sending once, the way home."""

from __future__ import annotations

from abc import abstractmethod

from textual import events

from tui.attempt import Work
from tui.errands import Sent
from tui.messages import GoHome, SendAnswer
from tui.screens.frame import Framed

TICK_S = 1.0


class ItemScreen(Framed):
    """A screen on which one item is worked on; every change of that work goes to the keeper."""

    RETRY = "tried again when it is sent again"
    """What to do after an answer could not be saved."""

    def __init__(self, attempt: Work) -> None:
        super().__init__()
        self.attempt = attempt
        self.sending = False

    @abstractmethod
    def outcome(self, sent: Sent) -> Framed:
        """Return the screen that tells what was sent and, where the policy reveals it, what it is worth."""

    @abstractmethod
    def tick(self) -> None:
        """Write the top line."""

    def take_late(self, event: events.Key | events.Paste) -> None:
        """Take what set out for a pane which meanwhile lost the focus; nothing unless a screen says so."""

    def on_mount(self) -> None:
        self.set_interval(TICK_S, self.tick)
        self.tick()
        self.clew.keeper.note("resume" if self.attempt.resumed else "open")

    def on_send_answer(self, message: SendAnswer) -> None:
        message.stop()
        if self.sending:
            return
        if missing := self.attempt.missing():
            self.tell(missing)
        else:
            self.sending = True
            self.clew.send_answer(self)

    def changed(self) -> None:
        """Say that what is unsent has changed."""
        self.clew.keeper.touch()

    def action_pause(self) -> None:
        self.clew.pause()

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

    def on_screen_suspend(self) -> None:
        if not self.app.screen.is_modal:
            self.hold("covered")

    def on_screen_resume(self) -> None:
        self.release("covered")

    def on_resize(self, event: events.Resize) -> None:
        self.clew.keeper.note("resize", f"{event.size.width}x{event.size.height}")
