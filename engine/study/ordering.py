"""In which order a participant meets the items: conditions in a balanced square, items shuffled inside each.

A condition is a stratum: family, kind and complexity. Everything follows from the manifest's order seed and the
participant's position, so an order that was shown can be computed again. Specification of the design: Williams (1949),
squares that balance which condition follows which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from engine.randomness import Stream

Role = Literal["main", "attention", "repeat"]
Rule = Literal["blocked", "mixed"]
ORDER = "study/order"
"""Purpose of every stream of this module."""


@dataclass(frozen=True, kw_only=True)
class Slot:
    """One place in a participant's list."""

    puzzle_id: str
    role: Role
    block: int
    """From 0; a break stands between two blocks."""


def williams(conditions: int) -> tuple[tuple[int, ...], ...]:
    """Return the rows of a Williams square over conditions 0..n-1: n rows for even n, 2n for odd n.

    Every condition stands in every place equally often, and every ordered pair of different conditions follows
    each other equally often.
    """
    if conditions < 1:
        raise ValueError(f"williams({conditions!r}): at least one condition is needed")
    first = [0]
    low, high = 1, conditions - 1
    while len(first) < conditions:
        first.append(low if len(first) % 2 else high)
        low, high = (low + 1, high) if len(first) % 2 == 0 else (low, high - 1)
    rows = [tuple((place + shift) % conditions for place in first) for shift in range(conditions)]
    if conditions % 2 and conditions > 1:
        rows += [tuple(reversed(row)) for row in rows]
    return tuple(rows)


def followers(rows: Sequence[Sequence[int]]) -> dict[tuple[int, int], int]:
    """Return how often each ordered pair of conditions stands side by side."""
    counts: dict[tuple[int, int], int] = {}
    for row in rows:
        for pair in pairwise(row):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def blocks(
    items: Mapping[str, str], *, rule: Rule, block_items: int, position: int, seed: str
) -> tuple[tuple[str, ...], ...]:
    """Return a participant's items block by block.

    Args:
        items: condition by puzzle id.
        rule: `blocked` keeps conditions together, in the Williams row of this position; `mixed` shuffles all.
        block_items: most items of a block.
        position: the participant's place in the study, from 0.
    """
    shuffled = Stream(ORDER, seed, position).shuffled(sorted(items))
    if rule == "mixed":
        return _cut(shuffled, block_items)
    conditions = sorted(set(items.values()))
    square = williams(len(conditions)) if conditions else ()
    row = square[position % len(square)] if square else ()
    found: list[tuple[str, ...]] = []
    for condition in row:
        found += _cut([puzzle for puzzle in shuffled if items[puzzle] == conditions[condition]], block_items)
    return tuple(found)


def sequence(
    main: Sequence[Sequence[str]], *, attention: Sequence[str], copies: Mapping[str, str], repeats: int, position: int,
    seed: str,
) -> tuple[Slot, ...]:  # fmt: skip
    """Return all slots of a participant: the main items, with attention and repeated items among them.

    An attention item never opens a block. A repeated item was met in the first third, or the first half where the first
    third has none that can be repeated, and returns in the last third.

    Args:
        main: puzzle ids block by block.
        attention: puzzle ids of attention items, put into the first blocks, one a block, then round again.
        copies: id under which an item is shown a second time, by its own id.
        repeats: how many items are shown twice; fewer if fewer were met early.
    """
    stream = Stream(f"{ORDER}/extras", seed, position)
    listed = [[Slot(puzzle_id=one, role="main", block=nth) for one in block] for nth, block in enumerate(main)]
    if not listed:
        return ()
    for nth, puzzle in enumerate(attention):
        block = listed[nth % len(listed)]
        place = 1 + stream.below(len(block))
        block.insert(place, Slot(puzzle_id=puzzle, role="attention", block=nth % len(listed)))
    slots = [slot for block in listed for slot in block]
    third = len(slots) // 3
    half = [
        nth for nth, slot in enumerate(slots[: len(slots) // 2]) if slot.role == "main" and slot.puzzle_id in copies
    ]
    early = [slots[nth].puzzle_id for nth in half if nth < third] or [slots[nth].puzzle_id for nth in half]
    for puzzle in stream.sample(early, repeats):
        place = stream.between(len(slots) - third, len(slots))
        slots.insert(place, Slot(puzzle_id=copies[puzzle], role="repeat", block=slots[place - 1].block))
    return tuple(slots)


def _cut(items: Sequence[str], most: int) -> tuple[tuple[str, ...], ...]:
    """Cut into runs of nearly equal length, none longer than `most`."""
    if not items:
        return ()
    runs = -(-len(items) // most)
    bounds = [len(items) * nth // runs for nth in range(runs + 1)]
    return tuple(tuple(items[start:end]) for start, end in pairwise(bounds))
