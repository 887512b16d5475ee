"""Asks a model for one turn until there is a final request, or until asking has to end.

Legend:
    try        one request; each leaves one row, so that hits at the server and rows agree
    deadline   how long one turn may take over all its tries; waiting at the gate is not counted
    fatal      no further request of the run can succeed
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.calls import CallStatus, ModelCall
from engine.canonical import canonical_text, text_digest
from engine.errors import ConflictError
from engine.models.backoff import backoff_s
from engine.models.gate import Gate
from engine.models.keys import Setting, resume_key
from engine.models.outcome import Limits, Outcome, Watch
from engine.models.parsing import hear
from engine.models.seat import ModelSeat
from engine.models.solver import Completion, Fault, Question, Solver, request_digest, text_of
from engine.models.timing import Time
from engine.public import Answer, Presented, PresentedTask, Receipt

LONGEST_TEXT = 1_000_000
"""Characters of an answer that are kept; more than that counts as cut."""
SAME_FAILURES = 5
"""Equal failures before any success after which the endpoint is taken not to work at all."""
SMALLEST_WINDOW = 4

Shown = Presented | PresentedTask


class FatalError(Exception):
    """No further request of the run can succeed."""


class HaltedError(Exception):
    """The run was halted while a turn had no final request yet."""


class OverdueError(Exception):
    """A turn is past its deadline; its last fault is the message."""


class ParkedError(Exception):
    """The endpoint will not take this item."""


class Asker:
    """Asks one model at one endpoint, and keeps what it knows of both."""

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
        limits: Limits,
        outcome: Outcome,
        first_word: asyncio.Event,
        halted: asyncio.Event,
    ) -> None:
        """Prepare to ask.

        Args:
            pose: turns what is presented into the question to the model.
            first_word: set by the first success.
            halted: once set, no further try begins.
        """
        self._seat = seat
        self._solver = solver
        self._setting = setting
        self._pose = pose
        self._time = time
        self._new_id = new_id
        self._watch = watch
        self._limits = limits
        self._outcome = outcome
        self._gate = Gate(time, max(SMALLEST_WINDOW, limits.concurrency))
        self._served = seat.served_model()
        self._first_faults: list[str] = []
        self._first_word = first_word
        self._halted = halted
        self._works = False
        """Whether there was a success: the endpoint works, and its model is known."""
        self.under_way: set[asyncio.Task[None]] = set()
        """Workers whose request is out."""

    async def turn(self, shown: Shown) -> Receipt | None:
        """Ask until there is a final request for one turn; None if another run was quicker."""
        turn = _Turn(
            shown=shown, question=self._pose(shown), shown_at=self._time.utc(), nth=_nth(shown),
            tries=self._seat.tries(shown.puzzle_id, _nth(shown)),
        )  # fmt: skip
        deadline = self._time.monotonic() + self._limits.item_deadline_s
        while True:
            deadline += await self._gate.pass_through()
            left = deadline - self._time.monotonic()
            if left <= 0:
                self._gate.left()
                raise OverdueError(turn.last_fault)
            result = await self._try(turn, min(self._limits.try_timeout_s, left))
            if isinstance(result, _Closed):
                return result.receipt
            if self._halted.is_set():
                raise HaltedError(turn.last_fault)
            await self._wait_after(result, turn)

    async def _wait_after(self, fault: Fault, turn: _Turn) -> None:
        """Wait as the endpoint asks, or back off; a wait longer than a whole deadline holds everybody, uncounted."""
        wait = fault.retry_after_s
        if wait is not None and fault.kind in ("rate_limited", "server"):
            self._gate.pause(wait)
            if wait > self._limits.item_deadline_s:
                self._watch.said(f"rate limited, resumes at {self._time.local(wait)}")
            else:
                await self._time.sleep(wait)  # asked for by the endpoint; the clock is injected
        elif not self._gate.is_down:
            backoff = backoff_s(turn.failures, turn.shown.puzzle_id, turn.nth, turn.tries)
            await self._time.sleep(backoff)  # so as not to press a failing endpoint; the clock is injected

    # One try --------------------------------------------------------------------------------------------------------

    async def _try(self, turn: _Turn, timeout_s: float) -> _Closed | Fault:
        """Make one request and store its row, with the answer if it closes the turn."""
        task = asyncio.current_task()
        assert task is not None, "a try is part of a worker"
        turn.tries += 1
        started_at, started = self._time.utc(), self._time.monotonic()
        call = self._call(turn, started_at)
        self.under_way.add(task)
        self._outcome.requests += 1
        try:
            completion = await self._time.within(
                self._solver.ask(turn.question, self._setting.parameters, timeout_s), timeout_s
            )
        except asyncio.CancelledError:
            self._gate.left()
            self._seat.log_call(replace(call, error_type="cancelled", error_text="the run was stopped"))
            raise
        except TimeoutError:
            fault = Fault("timeout", f"no answer within {timeout_s:.0f} s")
            return self._failed(turn, self._timed(call, started), fault)
        except Fault as fault:
            return self._failed(turn, self._timed(call, started), fault)
        else:
            return self._completed(turn, self._timed(call, started), completion)
        finally:
            self.under_way.discard(task)

    def _call(self, turn: _Turn, started_at: str) -> ModelCall:
        """Return the row of a request before anything is known of its end."""
        setting, question = self._setting, turn.question
        body = self._solver.request(question, setting.parameters)
        return ModelCall(
            resume_key=resume_key(setting, question, self._served or ""),
            puzzle_id=turn.shown.puzzle_id,
            turn=turn.nth,
            sample=setting.sample,
            try_no=turn.tries,
            status="infra_error",
            request_sha=request_digest(body),
            prompt_sha=question.prompt_sha,
            text_sha=text_digest(text_of(question.messages)),
            params=canonical_text({**setting.parameters.document(), "mode": question.mode}),
            started_at=started_at,
            client_versions=self._solver.versions(),
        )

    def _timed(self, call: ModelCall, started: float) -> ModelCall:
        return replace(call, latency_ms=round((self._time.monotonic() - started) * 1000))

    def _completed(self, turn: _Turn, call: ModelCall, completion: Completion) -> _Closed:
        self._gate.succeeded()
        served = completion.served_model or ""
        call = _with_completion(call, completion)
        self._require_served(served, call)
        self._works = True
        self._first_word.set()
        heard = hear(completion.text, finish_reason=completion.finish_reason, refusal=completion.refusal)
        status: CallStatus = "truncated" if len(completion.text) > LONGEST_TEXT else heard.status
        call = replace(
            call,
            status=status,
            resume_key=resume_key(self._setting, turn.question, served),
            reasoning=_cut("\n".join(part for part in (completion.reasoning, heard.thoughts) if part)) or None,
        )
        return self._close(turn, call, completion.text[:LONGEST_TEXT])

    def _require_served(self, served: str, call: ModelCall) -> None:
        """Learn which model is served, and stop when it is another one than before."""
        wanted = self._setting.served_model
        expected = self._served if self._served is not None else (wanted or served)
        if served == expected and self._served is None:
            try:
                self._seat.keep_served_model(served)
                self._served = served
            except ConflictError:
                expected = self._seat.served_model() or ""
        if served != expected:
            said = f"the endpoint serves {served!r} now, not {expected!r}"
            self._seat.log_call(replace(call, status="fatal", error_type="served_model", error_text=said))
            raise FatalError(f"{said}; --served-model {served!r} makes a new solver of it")

    def _failed(self, turn: _Turn, call: ModelCall, fault: Fault) -> _Closed | Fault:
        """Store the row of a failed request; return how it closes the turn, or the fault to wait for."""
        turn.failures += 1
        turn.last_fault = fault.message
        self._outcome.faults[fault.kind] += 1
        call = replace(
            call, http_status=fault.http_status, raw=_cut(fault.raw), error_type=fault.kind,
            error_text=_cut(fault.message),
        )  # fmt: skip
        self._tell_gate(fault)
        closing = self._closing_status(turn, fault)
        if closing is not None:
            return self._close(turn, replace(call, status=closing), "")
        fatal = self._is_fatal(fault)
        self._seat.log_call(replace(call, status="fatal") if fatal else call)
        if fatal:
            raise FatalError(fatal)
        if fault.kind == "bad_request":
            raise ParkedError(fault.message)
        return fault

    def _tell_gate(self, fault: Fault) -> None:
        if fault.kind in ("server", "error_object", "connection"):
            self._gate.failed()
            if self._gate.is_down:
                self._watch.said(f"{fault.message}; next probe in {self._gate.probe_delay_s:.0f} s")
        elif fault.kind == "timeout":
            self._gate.left()
        else:
            self._gate.succeeded()

    def _closing_status(self, turn: _Turn, fault: Fault) -> CallStatus | None:
        match fault.kind:
            case "too_long":
                return "too_long"
            case "filtered":
                return "filtered"
            case "no_choices":
                turn.without_choice += 1
                return "empty" if turn.without_choice > 1 else None
            case _:
                return None

    def _is_fatal(self, fault: Fault) -> str:
        """Return why no further request can succeed; empty if one may."""
        if fault.kind in ("quota", "auth", "not_found"):
            return fault.message
        if self._works:
            return ""
        if fault.kind in ("not_an_api", "bad_request"):
            return fault.message
        self._first_faults.append(fault.raw or fault.message)
        same = self._first_faults[-SAME_FAILURES:]
        if len(same) == SAME_FAILURES and len(set(same)) == 1 and fault.kind not in ("rate_limited", "timeout"):
            return f"the same failure {SAME_FAILURES} times from the start: {fault.message}"
        return ""

    def _close(self, turn: _Turn, call: ModelCall, text: str) -> _Closed:
        """Store the final request of a turn with its answer."""
        answer = Answer(
            answer_id=self._new_id(),
            puzzle_id=turn.shown.puzzle_id,
            rendering_id=turn.shown.rendering_id,
            text_sha=turn.shown.text_sha,
            answer=None,
            confidence=None,
            shown_at=turn.shown_at,
            response_ms=call.latency_ms or 0,
            raw=text,
            turn=turn.nth,
        )
        try:
            receipt = self._seat.submit_call(answer, call)
        except ConflictError:
            self._seat.log_call(replace(call, status="duplicate"))
            return _Closed(receipt=None)
        self._watch.closed(call)
        return _Closed(receipt=receipt)


@dataclass(kw_only=True)
class _Turn:
    """One turn on its way."""

    shown: Shown
    question: Question
    shown_at: str
    nth: int
    tries: int
    """Requests so far, in all runs."""
    failures: int = 0
    """Of this run, in a row."""
    without_choice: int = 0
    last_fault: str = ""


@dataclass(frozen=True, kw_only=True)
class _Closed:
    """A turn has its final request; no receipt if another run had one before."""

    receipt: Receipt | None


def _with_completion(call: ModelCall, completion: Completion) -> ModelCall:
    usage = completion.usage
    return replace(
        call,
        http_status=completion.http_status,
        finish_reason=completion.finish_reason,
        refusal=_cut(completion.refusal),
        raw=_cut(completion.raw),
        served_model=completion.served_model,
        prompt_tokens=usage.prompt if usage else None,
        completion_tokens=usage.completion if usage else None,
        cached_tokens=usage.cached if usage else None,
        reasoning_tokens=usage.reasoning if usage else None,
    )


def _nth(shown: Shown) -> int:
    return shown.turn if isinstance(shown, PresentedTask) else 1


def _cut(text: str | None) -> str | None:
    return None if text is None else text[:LONGEST_TEXT]
