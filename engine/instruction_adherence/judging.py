"""The requirements of a turn and the verdicts on a draft, for the person who writes it.

PRIVATE: the desk calls this in practice; a collection never does.
"""

from __future__ import annotations

from engine.instruction_adherence.packing import sealed_turns
from engine.instruction_adherence.verdicts import asked_in, judged_in
from engine.public import Asked, Judged
from engine.store.sealed_tasks import SealedTask


def asked(sealed: SealedTask, nth: int) -> tuple[Asked, ...]:
    """Return the requirements that bear on turn `nth` (from 1), in the order in which they were asked for."""
    return asked_in(sealed_turns(sealed)[nth - 1], nth)


def judged(sealed: SealedTask, nth: int, text: str) -> tuple[Judged, ...]:
    """Return the verdict of every check of turn `nth` (from 1) on a text, in the order of `asked`."""
    return judged_in(sealed_turns(sealed)[nth - 1], text)
