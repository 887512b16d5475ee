"""What a puzzle and a writing task share in the line mode: the clock, pause, skip, undo, and sending once."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import get_args

from engine.errors import ConflictError, UsageError, quoted
from engine.public import Answer, Reason
from tui.attempt import Work
from tui.errands import Sent, send
from tui.moments import stamp
from tui.plain.study import expire
from tui.plain.talk import Command, Place, Talk
from tui.wording import clock_text, counted

ELSEWHERE = "this item was answered in another window meanwhile; that answer stands"
MINUTE_MS = 60_000
REASONS: tuple[Reason, ...] = get_args(Reason)


class ItemTalk(Talk):
    """One item; what is noted of it is what the screens note."""

    def __init__(self, place: Place, attempt: Work) -> None:
        super().__init__(place)
        self.work = attempt
        self.keeper = place.counter.keeper
        self.sent: Sent | None = None
        """What came of sending; None when the item was left without."""

    _nudged = False
    limit_s = 0
    """Visible seconds after which the item is over; 0 for none."""

    def hear(self, line: str) -> None:
        """Do what a line says, unless the time for the item is over: then what there is goes off as it is."""
        if not self.limit_s or self.work.clock.visible_ms() < self.limit_s * 1000:
            self._nudge()
            super().hear(line)
            return
        self.keeper.flush()
        try:
            self.place.counter.ask(partial(expire, draft=self.work.draft()))
            self.say("The time for this item is over; what you had is kept.")
        except ConflictError:
            self.say(ELSEWHERE)
        self.keeper.end(answered=True)
        self.over = True

    def _nudge(self) -> None:
        """Remind once of the time; nothing can be said while a line is being typed, so it is said with the next one."""
        terms = self.work.terms
        if terms.nudge_min and not self._nudged and self.work.clock.visible_ms() >= terms.nudge_min * MINUTE_MS:
            self._nudged = True
            self.note("nudge")
            self.say(f"{terms.nudge()}: pause stops the clock, skip and quit leave, or answer with what you have")

    def begin(self) -> None:
        """Keep the item's draft from now on, and note that it was opened."""
        attempt = self.work
        self.keeper.begin(attempt.puzzle_id, attempt.draft)
        self._note_clock()
        kind = "revise" if attempt.revises else "resume" if attempt.resumed else "open"
        self.note(kind, attempt.revises)
        self.note("terminal", f"plain {os.environ.get('TERM', '')}".strip())

    def _note_clock(self) -> None:
        self.note("clock", stamp(self.place.moments.now()))

    def in_common(self) -> Sequence[Command]:
        """Return the commands of both families."""
        reasons = "|".join(REASONS)
        return (
            Command(name="undo", tells="take back the last change", run=lambda rest: self.step(back=True)),
            Command(name="redo", tells="make it again", run=lambda rest: self.step(back=False)),
            Command(name="skip", usage=reasons, tells="skip this item for a reason", run=self._skip),
            Command(name="pause", tells="stop the clock until you press enter", run=self._pause),
            Command(name="home", tells="leave the item; its draft is kept", run=lambda rest: self.leave()),
        )

    @abstractmethod
    def step(self, *, back: bool) -> None:
        """Take back the last change, or make it again."""

    def leave(self) -> None:
        self.keeper.flush()
        self.keeper.end()
        self.over = True

    def time(self) -> str:
        return clock_text(self.work.clock.visible_ms())

    def _pause(self, rest: str) -> None:
        self._hold("pause")
        # What was told stands in a terminal's scrollback too; a pipe has nothing that could be cleared.
        cleared = self.place.voice.clear()
        stays = "" if cleared else " What was told stays where it is."
        self.place.lines.read(f"Paused. The clock stands still and everything is kept.{stays} enter goes on: ")
        self.work.clock.release("pause")
        self.note("back", "pause")
        self._note_clock()

    def _hold(self, reason: str) -> None:
        self.work.clock.hold(reason)
        self.note(reason)
        self.keeper.flush()

    def _skip(self, rest: str) -> None:
        left = self.work.skips_left
        if rest not in REASONS:
            raise UsageError(
                f"skip {quoted(rest)}: a reason is needed, one of {', '.join(REASONS)}; {counted(left, 'skip')} left"
            )
        if left < 1:
            raise UsageError("no skip is left in this pack; quit stops here, and everything is kept")
        self.send(self.work.skip(rest))

    def send(self, answer: Answer) -> None:
        """Have an answer committed; the item stays, with its draft, until it is.

        Raises:
            StoreError: it is not saved; sent again it is the same answer.
        """
        self.work.sent = answer
        self.note("answer", f"{answer.answer or 'text'} {answer.confidence or answer.reason or ''}".strip())
        self.note("focus_reports", "no")
        self.keeper.flush()
        try:
            self.sent = self.place.counter.ask(partial(send, answer=answer))
        except ConflictError:
            self.note("not_taken", answer.raw or f"{answer.answer} {answer.confidence}")
            self.say(ELSEWHERE)
        # The draft first: kept once more it would come back when the item's block is begun anew.
        self.keeper.end(answered=True)
        self.keeper.flush()
        self.over = True
        if self.sent is not None and self.sent.receipt.notice:
            self.say(self.sent.receipt.notice)

    def changed(self) -> None:
        """Say that what is unsent has changed; it is handed over before the next command is read."""
        self.keeper.touch()
