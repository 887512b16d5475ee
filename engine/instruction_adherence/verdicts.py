"""What a writer is told of a text: the verdict of every check of one turn.

Made from the turn alone, wherever it came from; whether anybody may be told is decided above.
"""

from __future__ import annotations

from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.turn import Turn
from engine.public import Judged


def judged_in(turn: Turn, text: str) -> tuple[Judged, ...]:
    """Return the verdict of every check of a turn on a text, in the order of the turn."""
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
