"""The requirements of a turn and the verdicts on a draft, for the person who writes it.

PRIVATE: the desk calls this in practice; a collection never does.
"""

from __future__ import annotations

from engine.instruction_adherence.packing import sealed_turns
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.turn import Check
from engine.public import Asked, Judged, State
from engine.store.sealed_tasks import SealedTask


def asked(sealed: SealedTask, nth: int) -> tuple[Asked, ...]:
    """Return the requirements that bear on turn `nth` (from 1), in the order in which they were asked for."""
    return tuple(
        Asked(
            nth=place,
            label=check.label,
            family=check.constraint.family,
            text=check.requirement,
            since_turn=check.since_turn,
            state=_state(check, nth),
        )
        for place, check in enumerate(sealed_turns(sealed)[nth - 1].checks, start=1)
    )


def _state(check: Check, nth: int) -> State:
    if check.quoted:
        return "quoted"
    if not check.expect:
        return "dropped"
    if not check.scored:
        return "disputed"
    return "new" if check.since_turn == nth > 1 else "active"


def judged(sealed: SealedTask, nth: int, text: str) -> tuple[Judged, ...]:
    """Return the verdict of every check of turn `nth` (from 1) on a text, in the order of `asked`."""
    reading = Reading(text)
    verdicts = [(check, check.judge(reading)) for check in sealed_turns(sealed)[nth - 1].checks]
    return tuple(
        Judged(
            nth=nth,
            family=check.constraint.family,
            passed=verdict.passed,
            seen=verdict.seen,
            spans=tuple((start, end) for start, end in verdict.spans),
        )
        for nth, (check, verdict) in enumerate(verdicts, start=1)
    )
