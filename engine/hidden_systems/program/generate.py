"""Puzzles by seed and index.

The target label alternates with the index. Systems are drawn from one law until the exact probability of one has the
target label outside the margin: this is our reading of "affects hidden parameter ranges", since ranges that differ by
label would let counts alone give the label away. The index, like the seed, is private.
Specification, "Current generated structure" and "Complexity and determinism".
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import GenerationError, UsageError
from engine.hidden_systems.behavior import Label, PublicPayload
from engine.hidden_systems.program.draw import draw_system
from engine.hidden_systems.program.exact import label_of, outside_margin
from engine.hidden_systems.program.skeleton import BehaviorSkeleton, build_skeleton, query_probability
from engine.public import LENGTHS

GENERATOR_VERSION = "hidden-systems/1"
FEWEST, MOST = 4, 10
"""Legal complexities."""
MOST_ATTEMPTS = 10_000
"""Draws tried for one puzzle; about three are needed."""


def read_complexity(length: int | str) -> int:
    """Return the number of query events of a preset name or an explicit value 4..10.

    Raises:
        UsageError: neither of the two.
    """
    for name, complexity in LENGTHS.items():
        if length == name:
            return complexity
    text = str(length)
    if not isinstance(length, bool) and text.isascii() and text.isdigit() and FEWEST <= int(text) <= MOST:
        return int(text)
    raise UsageError(f"length {length!r} is not legal; legal: {', '.join(LENGTHS)} or {FEWEST}..{MOST}")


def generate_skeletons(count: int, length: int | str, seed: int) -> list[BehaviorSkeleton]:
    """Return `count` answer-bearing skeletons; the same arguments always give equal ones."""
    return list(iterate_skeletons(count, length, seed))


def iterate_skeletons(count: int, length: int | str, seed: int) -> Iterator[BehaviorSkeleton]:
    """Yield what `generate_skeletons` returns, one at a time, in index order."""
    complexity = read_complexity(length)
    if isinstance(count, bool) or count < 0:
        raise UsageError(f"count {count!r} is not legal; a whole number from 0 on")
    for index in range(count):
        yield generate_skeleton(complexity, seed, index)


def target_label(index: int) -> Label:
    """Return the label that the puzzle of an index is drawn for."""
    return "ABSENT" if index % 2 else "PRESENT"


def generate_skeleton(complexity: int, seed: int, index: int) -> BehaviorSkeleton:
    """Return the skeleton of one index.

    Raises:
        GenerationError: no draw had the target label outside the margin (not seen; the law makes both common).
    """
    for attempt in range(MOST_ATTEMPTS):
        draw = draw_system(complexity, seed, index, attempt)
        probability = query_probability(draw)
        if outside_margin(probability) and label_of(probability) == target_label(index):
            skeleton = build_skeleton(draw, probability, seed, index)
            if holds_out(skeleton.payload):
                return skeleton
    raise GenerationError(f"no puzzle of complexity {complexity} in {MOST_ATTEMPTS} draws; try another seed")


def holds_out(payload: PublicPayload) -> bool:
    """Tell whether no support case has the query's events and attributes, nor its full set of events in any order."""
    query = payload.query_case
    wanted = set(query.events)
    return not any(
        wanted <= set(case.events) or (case.events, case.attributes) == (query.events, query.attributes)
        for case in payload.support_cases
        if len(case.events) >= len(wanted)
    )
