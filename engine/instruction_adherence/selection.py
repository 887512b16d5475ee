"""Which types stand in a set: drawn one by one among those that tags and split still allow, with backtracking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from engine.errors import GenerationError
from engine.instruction_adherence.compat import together
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.registry import ALL, TYPES
from engine.instruction_adherence.constraints.structure import JsonKeys
from engine.instruction_adherence.splits import Pair, Split, barred, demanded
from engine.randomness import Stream

MOST_WITH_OBJECT = 10
"""A JSON object goes with few types, so larger sets never have one."""
UNIT = 100
"""Weight of a type outside the hard families."""
MOST_STEPS = 20_000
"""Types tried for one set."""
ConstraintType = type[Constraint]


class Selection(NamedTuple):
    """The types of a set in the order in which they were drawn."""

    types: tuple[ConstraintType, ...]
    dead_ends: int
    """How often a choice had to be taken back."""


def select(
    count: int,
    split: Split,
    hard_family_weight: float,
    stream: Stream,
    given: Sequence[ConstraintType] = (),
    excluded: Sequence[ConstraintType] = (),
) -> Selection:
    """Return `count` types in all that may stand together, those given among them.

    Args:
        excluded: types that are not drawn.

    Raises:
        GenerationError: there are no such types.
    """
    search = _Search(count, barred(split), round(UNIT * hard_family_weight), stream)
    barred_types = {*given, *excluded, *([JsonKeys] if count > MOST_WITH_OBJECT else [])}
    pool = [kind for kind in ALL if kind not in barred_types and (not kind.eval_only or split == "test")]
    for pair in stream.shuffled(demanded(split)) or [frozenset[str]()]:
        start = [*given, *(TYPES[name] for name in sorted(pair) if TYPES[name] not in given)]
        if len(start) <= count and search.agree(start):
            found = search.complete(start, search.allowed(start, pool))
            if found is not None:
                return Selection(tuple(found[: len(given)]) + _mixed(found[len(given) :], stream), search.dead_ends)
    raise GenerationError(f"no {count} constraint types go together in split {split!r}; fewer may")


def _mixed(types: Sequence[ConstraintType], stream: Stream) -> tuple[ConstraintType, ...]:
    return tuple(stream.shuffled(types))


@cache
def _apart(one: str, other: str) -> bool:
    return not together(TYPES[one].tags, TYPES[other].tags)


@dataclass
class _Search:
    count: int
    pairs: frozenset[Pair]
    hard_weight: int
    stream: Stream
    dead_ends: int = 0
    steps: int = 0

    def agree(self, types: Sequence[ConstraintType]) -> bool:
        """Whether these types may stand together."""
        return all(self._may(one, other) for nth, one in enumerate(types) for other in types[:nth])

    def _may(self, one: ConstraintType, other: ConstraintType) -> bool:
        return not _apart(one.id, other.id) and frozenset((one.id, other.id)) not in self.pairs

    def allowed(self, chosen: Iterable[ConstraintType], pool: Sequence[ConstraintType]) -> list[ConstraintType]:
        """Return the types that may still join those chosen."""
        chosen = list(chosen)
        return [kind for kind in pool if kind not in chosen and all(self._may(kind, other) for other in chosen)]

    def complete(self, chosen: list[ConstraintType], open_types: list[ConstraintType]) -> list[ConstraintType] | None:
        """Return the chosen types with others up to the count; None if no others lead there."""
        if len(chosen) >= self.count:
            return chosen
        rest = list(open_types)
        while len(chosen) + len(rest) >= self.count and self.steps < MOST_STEPS:
            self.steps += 1
            kind = self._weighted(rest)
            rest.remove(kind)
            found = self.complete([*chosen, kind], [other for other in rest if self._may(kind, other)])
            if found is not None:
                return found
        self.dead_ends += 1
        return None

    def _weighted(self, types: Sequence[ConstraintType]) -> ConstraintType:
        weights = [self.hard_weight if kind.hard_family else UNIT for kind in types]
        place = self.stream.below(sum(weights))
        for kind, weight in zip(types, weights, strict=True):
            place -= weight
            if place < 0:
                return kind
        raise AssertionError("the weights cover every place")
