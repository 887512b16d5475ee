"""The clerk: the one thread that talks to the desk, so that a key never waits for a disk.

Jobs run in the order they were asked for. What comes of them is delivered to the screen's thread by a
function that the app passes in; the clerk itself knows no screen. The thread is a daemon: when an end
cannot wait any longer, an unfinished transaction is rolled back by the store, as after a power cut.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Generic, TypeVar

from engine.public import Desk

Result = TypeVar("Result")
Deliver = Callable[[Callable[[], None]], None]


@dataclass(frozen=True, kw_only=True)
class _Job(Generic[Result]):
    work: Callable[[Desk], Result]
    then: Callable[[Result], None]
    failed: Callable[[Exception], None]

    def run(self, desk: Desk, deliver: Deliver) -> None:
        try:
            result = self.work(desk)
        except Exception as error:
            deliver(partial(self.failed, error))
        else:
            deliver(partial(self.then, result))


class Clerk:
    """Owns the desk, a queue and a thread."""

    def __init__(
        self, desk: Desk, *, deliver: Deliver, asked: Callable[[], None], monotonic: Callable[[], float]
    ) -> None:
        self._desk, self._deliver, self._asked, self._monotonic = desk, deliver, asked, monotonic
        self._queue: SimpleQueue[_Job[object] | None] = SimpleQueue()
        self._waiting: list[float | None] = []
        """When each unfinished job was asked for, oldest first; None for a quiet one."""
        self._thread: Thread | None = None
        self._closed = False
        self.trouble: Exception | None = None
        """What went wrong when the desk was closed, after all jobs were done."""

    def ask(
        self,
        work: Callable[[Desk], Result],
        then: Callable[[Result], None],
        failed: Callable[[Exception], None],
        *,
        quiet: bool = False,
    ) -> None:
        """Have `work` done at the desk, then `then` or `failed` delivered; after `finish` nothing is taken any more.

        A quiet job is one that nobody waits for.
        """
        if self._closed:
            return
        self._waiting.append(None if quiet else self._monotonic())
        job: _Job[Result] = _Job(work=work, then=then, failed=failed)
        self._queue.put(job)  # type: ignore[arg-type]  # a queue holds jobs of every result
        self._asked()
        if self._thread is None:
            self._thread = Thread(target=self._work, name="clerk", daemon=True)
            self._thread.start()

    def waiting_s(self) -> float:
        """Return how long the oldest unfinished job that is not quiet has been waiting; 0 when there is none."""
        oldest = next((asked for asked in tuple(self._waiting) if asked is not None), None)
        return 0.0 if oldest is None else max(0.0, self._monotonic() - oldest)

    def working_on(self) -> str:
        """Return what takes long at the desk right now; empty if nothing does."""
        return self._desk.working_on()

    def unfinished(self) -> str:
        """Return what to say of a last job that was not finished."""
        return f"the last save was not finished: {self.working_on().partition(';')[0] or 'the disk is slow'}"

    def idle(self) -> bool:
        return not self._waiting

    def finish(self, bound_s: float) -> bool:
        """Finish all jobs and close the desk, waiting at most `bound_s`; return whether that was enough."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
        if self._thread is None:
            return True
        self._thread.join(bound_s)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            job.run(self._desk, self._finished)
        try:
            self._desk.close()
        except Exception as error:
            self.trouble = error

    def _finished(self, report: Callable[[], None]) -> None:
        del self._waiting[0]
        self._deliver(report)
