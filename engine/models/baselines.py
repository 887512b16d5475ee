"""Built-in solvers: fixed recipes over the public payload. They are the shortcuts to beat.

largest-single     PRESENT iff the largest rate of an event shown alone exceeds 1/2
noisy-or-veto      noisy-or of the single rates, times each event's veto ratio read from the pairs, exceeds 1/2
pooled             PRESENT iff the pooled rate of all support cases exceeds 1/2
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from math import prod

from engine.errors import ConflictError, UsageError
from engine.hidden_systems.behavior import BehaviorCase, Label, PublicPayload
from engine.public import Answer, Desk, Presented, Receipt

HALF = Fraction(1, 2)


def largest_single(payload: PublicPayload) -> Label:
    """Answer by the most often present event among those shown alone."""
    return _label(max(_single_rates(payload).values(), default=Fraction(0)))


def noisy_or_veto(payload: PublicPayload) -> Label:
    """Answer as if events acted independently: any may add, and each spares the record in a share of runs.

    The share that an event spares is read from its pairs: what is present in pairs with the event, over what the
    single rates alone would give there; at most 1, and 1 where nothing could be expected.
    """
    rates = _single_rates(payload)
    pairs = [case for case in payload.support_cases if len(case.events) == 2]
    spared = [_spared(event, rates, pairs) for event in payload.query_case.events]
    return _label(_noisy_or(rates.get(event, Fraction(0)) for event in payload.query_case.events) * prod(spared))


def pooled(payload: PublicPayload) -> Label:
    """Answer by the pooled rate of all support cases."""
    return _label(_rate(payload.support_cases))


BASELINES: Mapping[str, Callable[[PublicPayload], Label]] = {
    "baseline:largest-single": largest_single,
    "baseline:noisy-or-veto": noisy_or_veto,
    "baseline:pooled": pooled,
}


def baseline(name: str) -> Callable[[PublicPayload], Label]:
    """Return a built-in solver by name.

    Raises:
        UsageError: no such solver.
    """
    if name not in BASELINES:
        raise UsageError(f"model {name!r} is not known; known: {', '.join(BASELINES)}")
    return BASELINES[name]


def answer_all(
    desk: Desk,
    recipe: Callable[[PublicPayload], Label],
    new_id: Callable[[], str],
    now: Callable[[], str],
    puzzle_ids: Iterable[str] | None = None,
) -> Iterator[Receipt]:
    """Let a recipe answer every hidden system of a desk that is not answered yet, or those that are named.

    Yields the receipt of each puzzle as its answer is committed; each commit stands whatever comes later.
    """
    for shown in iter(desk.next, None) if puzzle_ids is None else map(desk.present, puzzle_ids):
        if not isinstance(shown, Presented):
            raise UsageError(f"puzzle {shown.puzzle_id!r} is a writing task; recipes answer hidden systems only")
        shown_at, started = now(), time.monotonic()
        label = recipe(shown.payload)
        answer = Answer(
            answer_id=new_id(),
            puzzle_id=shown.puzzle_id,
            rendering_id=shown.rendering_id,
            text_sha=shown.text_sha,
            answer=None,
            confidence=None,
            shown_at=shown_at,
            response_ms=round((time.monotonic() - started) * 1000),
            raw=label,
        )
        # Another run of the same recipe may have answered it meanwhile; its answer stands, and this run goes on.
        with suppress(ConflictError):
            yield desk.submit(answer)


def _label(rate: Fraction) -> Label:
    return "PRESENT" if rate > HALF else "ABSENT"


def _rate(cases: Iterable[BehaviorCase]) -> Fraction:
    """Return the pooled share of present trials; 0 without cases."""
    cases = tuple(cases)
    trials = sum(case.trials or 0 for case in cases)
    return Fraction(sum(case.observed_present or 0 for case in cases), trials) if trials else Fraction(0)


def _single_rates(payload: PublicPayload) -> dict[str, Fraction]:
    alone = [case for case in payload.support_cases if len(case.events) == 1]
    return {event: _rate(c for c in alone if c.events == (event,)) for event in payload.event_vocabulary}


def _noisy_or(rates: Iterable[Fraction]) -> Fraction:
    return 1 - prod((1 - rate for rate in rates), start=Fraction(1))


def _spared(event: str, rates: Mapping[str, Fraction], pairs: Iterable[BehaviorCase]) -> Fraction:
    mine = [case for case in pairs if event in case.events]
    expected = sum((_noisy_or(rates[other] for other in set(case.events)) for case in mine), Fraction(0))
    seen = sum((_rate([case]) for case in mine), Fraction(0))
    return min(Fraction(1), seen / expected) if expected else Fraction(1)
