"""Lets a model answer the items of a pack, whatever its endpoint does; no answer is paid for twice.

Legend:
    item       a puzzle, or a writing task with all its turns
    overdue    a turn past its deadline goes back to the queue; the third time its item is parked
    halted     no further item is taken: somebody asked to stop, or no request can succeed
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.models.asking import Asker, FatalError, HaltedError, OverdueError, ParkedError, Shown
from engine.models.gate import GaveUpError
from engine.models.keys import Setting
from engine.models.outcome import DEFAULT_LIMITS, Limits, Outcome, Watch
from engine.models.seat import ModelSeat
from engine.models.solver import Question, Solver
from engine.models.timing import Time

OVERDUE_LIMIT = 3


@dataclass(kw_only=True)
class Item:
    """One item on its way."""

    puzzle_id: str
    overdue: int = 0


class Runner:
    """One run of one model."""

    def __init__(
        self,
        seat: ModelSeat,
        solver: Solver,
        setting: Setting,
        pose: Callable[[Shown], Question],
        *,
        time: Time,
        new_id: Callable[[], str],
        watch: Watch,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        """Prepare a run; nothing is sent yet.

        Args:
            pose: turns what is presented into the question to the model.
        """
        self._seat = seat
        self._time = time
        self._watch = watch
        self._limits = limits
        self._queue: deque[Item] = deque()
        self._first_word = asyncio.Event()
        self._halted = asyncio.Event()
        self.outcome = Outcome()
        self._asker = Asker(
            seat, solver, setting, pose, time=time, new_id=new_id, watch=watch, limits=limits, outcome=self.outcome,
            first_word=self._first_word, halted=self._halted,
        )  # fmt: skip

    async def run(self, puzzle_ids: Sequence[str]) -> Outcome:
        """Answer the items in their order, several at once; return what became of them."""
        self._queue.extend(Item(puzzle_id=puzzle_id) for puzzle_id in puzzle_ids)
        count = max(1, min(self._limits.concurrency, len(self._queue)))
        workers = [asyncio.create_task(self._work(nth)) for nth in range(count)]
        halted = asyncio.create_task(self._halted.wait())
        working = asyncio.create_task(asyncio.wait(workers))
        try:
            await asyncio.wait([working, halted], return_when=asyncio.FIRST_COMPLETED)
            await self._wind_down([worker for worker in workers if not worker.done()])
        finally:
            for task in (halted, *workers):
                task.cancel()
            await asyncio.gather(working, halted, *workers, return_exceptions=True)
        for worker in workers:
            if not worker.cancelled() and (error := worker.exception()) is not None:
                raise error
        return self.outcome

    def stop(self) -> None:
        """Take no further item; requests under way may still finish."""
        self.outcome.stopped = True
        self._halted.set()

    async def _wind_down(self, workers: Sequence[asyncio.Task[None]]) -> None:
        """Let requests under way finish for a while; whoever only waits is sent home at once."""
        for worker in workers:
            if worker not in self._asker.under_way:
                worker.cancel()
        if under_way := [worker for worker in workers if worker in self._asker.under_way]:
            try:
                await self._time.within(asyncio.wait(under_way), self._limits.grace_s)
            except TimeoutError:
                for worker in under_way:
                    worker.cancel()

    async def _work(self, nth: int) -> None:
        if nth:  # the first item goes alone: it learns whether the endpoint works and which model it serves
            await self._first_word.wait()
        while not self._halted.is_set():
            if not self._queue:
                return
            item = self._queue.popleft()
            try:
                await self._answer(item)
            except HaltedError:
                self._queue.appendleft(item)
            except OverdueError as late:
                self._put_back(item, str(late))
            except ParkedError as refused:
                self._park(item, str(refused))
            except (FatalError, GaveUpError) as error:
                self.outcome.fatal = str(error)
                self._halted.set()
            except Exception:
                self._halted.set()
                raise
            finally:
                self._first_word.set()

    def _put_back(self, item: Item, why: str) -> None:
        item.overdue += 1
        if item.overdue >= OVERDUE_LIMIT:
            self._park(item, why)
        else:
            self._queue.append(item)

    def _park(self, item: Item, why: str) -> None:
        self.outcome.parked[item.puzzle_id] = why

    async def _answer(self, item: Item) -> None:
        """Answer an item turn by turn; each turn is on disk before the next is asked."""
        if not self._seat.is_pending(item.puzzle_id):
            self.outcome.lost += 1
            return
        while not self._halted.is_set():
            receipt = await self._asker.turn(self._seat.present(item.puzzle_id))
            if receipt is None:
                self.outcome.lost += 1
                return
            if receipt.next_turn is None:
                self.outcome.finished += 1
                self._watch.finished()
                return
