"""The verdicts on a draft, for the person who writes it.

PRIVATE: the desk calls this in practice; a collection never does.
"""

from __future__ import annotations

from engine.instruction_adherence.packing import sealed_turns
from engine.instruction_adherence.verdicts import judged_in
from engine.public import Judged
from engine.store.sealed_tasks import SealedTask


def judged(sealed: SealedTask, nth: int, text: str) -> tuple[Judged, ...]:
    """Return the verdict of every check of turn `nth` (from 1) on a text, in the order in which they were asked for."""
    return judged_in(sealed_turns(sealed)[nth - 1], text)
