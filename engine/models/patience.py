"""Asks a model something that is no item of a pack, with the runner's patience: gate, backoff, deadline.

What the endpoint will not answer for good (too long, filtered) is an empty text to the caller, who checks it anyway.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable

from engine.models.asking import SAME_FAILURES, SMALLEST_WINDOW, FatalError, OverdueError
from engine.models.backoff import backoff_s
from engine.models.gate import Gate
from engine.models.journal import RequestLog, Unlogged
from engine.models.outcome import Limits
from engine.models.solver import Fault, Parameters, Question, Solver
from engine.models.timing import Time

HOPELESS = ("quota", "auth", "not_found")
UNANSWERED = ("too_long", "filtered", "no_choices")
UNLOGGED = Unlogged()


class Patient:
    """Asks one model at one endpoint."""

    def __init__(
        self, solver: Solver, parameters: Parameters, *, time: Time, limits: Limits, said: Callable[[str], None]
    ) -> None:
        self._solver = solver
        self._parameters = parameters
        self._time = time
        self._limits = limits
        self._said = said
        self._gate = Gate(time, max(SMALLEST_WINDOW, limits.concurrency))
        self._works = False
        self.requests: Counter[str] = Counter()
        """By how they ended: `answered` or the kind of fault."""

    async def ask(self, question: Question, log: RequestLog = UNLOGGED) -> str:
        """Return the model's text; empty where there is none to be had.

        Args:
            log: is told of each request before it leaves and once it has ended.

        Raises:
            FatalError: no further request can succeed.
            OverdueError: no answer within the deadline.
        """
        deadline, failures = self._time.monotonic() + self._limits.item_deadline_s, 0
        while True:
            deadline += await self._gate.pass_through()
            left = deadline - self._time.monotonic()
            if left <= 0:
                self._gate.left()
                raise OverdueError("no answer within the deadline")
            request = os.urandom(16).hex()
            log.sent(request, self._time.utc())
            try:
                text = await self._try(question, min(self._limits.try_timeout_s, left))
            except Fault as fault:
                failures += 1
                settled = self._settled_or_told(fault, failures, request, log)
                if settled is not None:
                    return settled
                await self._wait_after(fault, failures, question.prompt_sha)
            else:
                log.ended(request, "answered", text)
                return text

    async def _try(self, question: Question, timeout_s: float) -> str:
        try:
            completion = await self._time.within(self._solver.ask(question, self._parameters, timeout_s), timeout_s)
        except TimeoutError:
            self._gate.left()
            self.requests["timeout"] += 1
            raise Fault("timeout", f"no answer within {timeout_s:.0f} s") from None
        except Fault as fault:
            self.requests[fault.kind] += 1
            if fault.kind in ("server", "error_object", "connection"):
                self._gate.failed()
            else:
                self._gate.succeeded()
            raise
        self._gate.succeeded()
        self._works = True
        self.requests["answered"] += 1
        return completion.text

    def _settled_or_told(self, fault: Fault, failures: int, request: str, log: RequestLog) -> str | None:
        """Return how a fault settles the question, and log its end whatever comes of it."""
        text = None
        try:
            text = self._settled(fault, failures)
        finally:
            log.ended(request, fault.kind, text)
        return text

    def _settled(self, fault: Fault, failures: int) -> str | None:
        """Return an empty text where there is none to be had, None where waiting helps."""
        if fault.kind in UNANSWERED or (fault.kind == "bad_request" and self._works):
            return ""
        hopeless = fault.kind in HOPELESS or (not self._works and fault.kind in ("not_an_api", "bad_request"))
        if hopeless or (
            not self._works and failures >= SAME_FAILURES and fault.kind not in ("rate_limited", "timeout")
        ):
            raise FatalError(fault.message)
        return None

    async def _wait_after(self, fault: Fault, failures: int, key: str) -> None:
        wait = fault.retry_after_s
        if wait is not None:
            self._gate.pause(wait)
            if wait > self._limits.item_deadline_s:
                self._said(f"rate limited, resumes at {self._time.local(wait)}")
            else:
                await self._time.sleep(wait)
        elif not self._gate.is_down:
            await self._time.sleep(backoff_s(failures, key))
