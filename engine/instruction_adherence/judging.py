"""Verdicts on a draft of a single-turn writing task, for the person who writes it.

PRIVATE: the desk calls this in practice; a collection never does.
"""

from __future__ import annotations

from engine.instruction_adherence.packing import sealed_turns
from engine.instruction_adherence.text import Reading
from engine.public import Judged
from engine.store.sealed_tasks import SealedTask


def judged(sealed: SealedTask, text: str) -> tuple[Judged, ...]:
    """Return the verdict of every check of the first turn, in brief order."""
    reading = Reading(text)
    verdicts = [(check, check.judge(reading)) for check in sealed_turns(sealed)[0].checks]
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
