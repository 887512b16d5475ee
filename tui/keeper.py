"""Keeps the unsent: when a draft and the events of the view go to the clerk, and what happens when that fails.

A draft is saved half a second after the last change, at most two seconds after the first unsaved one, and at
once on `flush`. Events go in batches. Nothing is dropped on a failure: it is tried again until it succeeds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.public import Desk, Draft, Happening
from tui.clerk import Clerk

QUIET_S = 0.5
LONGEST_S = 2.0
BATCH_S = 0.2
RETRY_S = 2.0
Later = Callable[[float, Callable[[], None]], object]


class Debounce:
    """Says when a change is due: after a quiet while, but never later than a longest time."""

    def __init__(self, quiet_s: float = QUIET_S, longest_s: float = LONGEST_S) -> None:
        self._quiet_s, self._longest_s = quiet_s, longest_s
        self._first = self._last = 0.0
        self.pending = False

    def touch(self, now: float) -> None:
        self._first = self._first if self.pending else now
        self._last, self.pending = now, True

    def due_in(self, now: float) -> float:
        """Return the seconds until the change is due; 0 when it is overdue."""
        return max(0.0, min(self._last + self._quiet_s, self._first + self._longest_s) - now)

    def settle(self) -> None:
        self.pending = False


class Keeper:
    """Saves drafts and events of the puzzle at hand."""

    def __init__(
        self,
        clerk: Clerk,
        *,
        monotonic: Callable[[], float],
        later: Later,
        failed: Callable[[Exception], None],
        kept: Callable[[], None],
    ) -> None:
        self._clerk, self._monotonic, self._later = clerk, monotonic, later
        self._failed, self._kept = failed, kept
        self._began = monotonic()
        self._draft: Callable[[], Draft] | None = None
        self._puzzle_id = ""
        self._debounce = Debounce()
        self._armed = False
        self._answered: set[str] = set()
        """Puzzles of which no draft is needed any more, not even one that is still to be tried again."""
        self._handed = self._stored = 0
        """How many drafts were handed over, and up to which of them the desk has stored."""
        self._happenings: list[Happening] = []
        self._batch_armed = self._log_failing = False

    @property
    def waits(self) -> bool:
        """Whether the desk has not stored the newest draft yet."""
        return self._debounce.pending or self.unstored

    @property
    def unstored(self) -> bool:
        """Whether the desk has not stored the newest draft that was handed over."""
        return self._stored < self._handed

    def begin(self, puzzle_id: str, draft: Callable[[], Draft]) -> None:
        """Keep this puzzle's draft from now on."""
        self.flush()
        self._puzzle_id, self._draft = puzzle_id, draft
        self._answered.discard(puzzle_id)

    def end(self, *, answered: bool = False) -> None:
        """Keep no draft any more: the answer is given, or the puzzle was left and its draft sent."""
        if answered:
            self._answered.add(self._puzzle_id)
        self._draft = None
        self._debounce.settle()

    def touch(self) -> None:
        """Say that the draft has changed."""
        if self._draft is None:
            return
        self._debounce.touch(self._monotonic())
        self._arm()

    def note(self, kind: str, data: str = "", *, puzzle_id: str | None = None) -> None:
        """Record one event of the view, of the puzzle at hand if no other is named; an empty id is none at all."""
        now = round((self._monotonic() - self._began) * 1000)
        of = self._puzzle_id if puzzle_id is None else puzzle_id
        self._happenings.append(Happening(puzzle_id=of, t_ms=now, kind=kind, data=data))
        self._arm_batch(BATCH_S)

    def flush(self) -> None:
        """Send the draft as it is now, and all events, to the clerk."""
        self._send_happenings()
        self._send_draft()

    def _arm(self) -> None:
        if not self._armed:
            self._armed = True
            self._later(self._debounce.due_in(self._monotonic()), self._on_time)

    def _on_time(self) -> None:
        self._armed = False
        if not self._debounce.pending:
            return
        if self._debounce.due_in(self._monotonic()) > 0.01:
            self._arm()
        else:
            self._send_draft()

    def _send_draft(self) -> None:
        self._debounce.settle()
        if self._draft is not None:
            self._ask_to_keep(self._draft())

    def _ask_to_keep(self, draft: Draft) -> None:
        self._handed += 1
        nth = self._handed

        def keep(desk: Desk) -> None:
            desk.keep(draft)
            # At once, on the clerk's thread: after the end there is nobody to report to.
            self._stored = max(self._stored, nth)

        self._clerk.ask(keep, lambda _: self._report(), partial(self._draft_failed, draft, nth))

    def _draft_failed(self, draft: Draft, nth: int, error: Exception) -> None:
        self._failed(error)
        self._later(RETRY_S, partial(self._try_again, draft, nth))

    def _try_again(self, draft: Draft, nth: int) -> None:
        """Keep the puzzle's newest draft, or the failed one if that puzzle was left meanwhile; none once answered."""
        if draft.puzzle_id in self._answered:
            self._stored = max(self._stored, nth)
            self._report()
        elif self._draft is not None and self._puzzle_id == draft.puzzle_id:
            self._send_draft()
        else:
            self._ask_to_keep(draft)

    def _arm_batch(self, seconds: float) -> None:
        if not self._batch_armed:
            self._batch_armed = True
            self._later(seconds, self._on_batch)

    def _on_batch(self) -> None:
        self._batch_armed = False
        self._send_happenings()

    def _send_happenings(self) -> None:
        if not self._happenings:
            return
        batch = tuple(self._happenings)
        self._happenings.clear()
        self._clerk.ask(lambda desk: desk.log(batch), self._log_stored, partial(self._log_failed, batch))

    def _log_stored(self, _: None) -> None:
        if self._log_failing:
            self._log_failing = False
            self._report()

    def _report(self) -> None:
        """Say that all is stored, once it is."""
        if not self.waits and not self._log_failing:
            self._kept()

    def _log_failed(self, batch: tuple[Happening, ...], error: Exception) -> None:
        self._happenings[:0] = batch
        self._log_failing = True
        self._failed(error)
        self._arm_batch(RETRY_S)
