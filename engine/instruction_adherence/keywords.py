"""Topic keywords: which of them the active constraints leave usable, and which of them a response uses.

A keyword is used if it or one of its inflected forms stands in the response as a whole word. It is not usable if a
constraint bans it, whatever its other forms. Specification, "Rewards".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.lexical import ForbiddenWords, Lipogram, SynonymBan, WordExactK
from engine.instruction_adherence.inflection import forms
from engine.instruction_adherence.text import Reading, folded

FEWEST_USABLE = 2
"""A set that leaves fewer keywords than this is not drawn."""


def usable(keywords: Sequence[str], constraints: Iterable[Constraint]) -> tuple[str, ...]:
    """Return the keywords that no constraint bans."""
    bans = [constraint for constraint in constraints if _bans_words(constraint)]
    return tuple(word for word in keywords if all(ban.check(Reading(word)).passed for ban in bans))


def used(keywords: Iterable[str], reading: Reading) -> tuple[str, ...]:
    """Return the keywords that a response uses, in their own order."""
    return tuple(word for word in keywords if not forms(folded(word)).isdisjoint(reading.counts))


def _bans_words(constraint: Constraint) -> bool:
    """Whether a constraint is a prohibition that a single word can break, and passes on any other word."""
    if isinstance(constraint, WordExactK):
        return constraint.k == 0
    return isinstance(constraint, Lipogram | ForbiddenWords | SynonymBan)
