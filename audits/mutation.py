"""Wrong responses made from right ones: what the checker of each constraint type must reject.

Every type has a list of damage operators, each of which breaks the type's rule by construction with the least damage
that does: once where the type is exact, as often as it takes where a range or a maximum leaves room (`Mutant.times`).
Operators never ask a checker. Section "The witness", row "mutants".
"""

from __future__ import annotations

from collections.abc import Iterator

from audits.damage import language, length, lexical, meta, positional, structure
from audits.damage.editing import Mutant, Operators, intact
from engine.errors import UsageError
from engine.instruction_adherence.constraint import Constraint
from engine.randomness import Stream

DAMAGE: Operators = {
    **length.DAMAGE,
    **lexical.DAMAGE,
    **structure.DAMAGE,
    **language.DAMAGE,
    **positional.DAMAGE,
    **meta.DAMAGE,
}
"""All 46 types."""


def mutants(constraint: Constraint, text: str, stream: Stream) -> Iterator[Mutant]:
    """Yield damaged versions of a response that passes; each must be rejected by the constraint's checker.

    Raises:
        UsageError: the middle of the response, once the blocks around it are removed, looks like such a block again.
    """
    parts = intact(text)
    if parts is None:
        raise UsageError(f"{constraint.id}: a response with a block inside a block cannot be damaged; plain ones can")
    yield from DAMAGE[type(constraint)](constraint, parts, stream)
