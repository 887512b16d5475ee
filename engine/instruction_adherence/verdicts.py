"""What a writer is told of one turn: its requirements, and the verdicts on a text.

Made from the turn alone, wherever it came from; whether anybody may be told is decided above.
"""

from __future__ import annotations

from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.turn import Check, Turn
from engine.public import Asked, Judged, State


def asked_in(turn: Turn, nth: int) -> tuple[Asked, ...]:
    """Return the requirements that bear on a turn, whose number is `nth`, in the order in which they were asked for."""
    return tuple(
        Asked(
            nth=place,
            label=check.label,
            family=check.constraint.family,
            text=check.requirement,
            since_turn=check.since_turn,
            state=_state(check, nth),
        )
        for place, check in enumerate(turn.checks, start=1)
    )


def _state(check: Check, nth: int) -> State:
    if check.quoted:
        return "quoted"
    if not check.expect:
        return "dropped"
    if not check.scored:
        return "disputed"
    return "new" if check.since_turn == nth > 1 else "active"


def judged_in(turn: Turn, text: str) -> tuple[Judged, ...]:
    """Return the verdict of every check of a turn on a text, in the order of `asked_in`."""
    reading = Reading(text)
    verdicts = [(check, check.judge(reading)) for check in turn.checks]
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
