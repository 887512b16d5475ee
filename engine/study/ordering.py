"""In which order a participant meets the items: conditions in a balanced square, items shuffled inside each.

A condition is a stratum: family, kind and complexity. Everything follows from the manifest's order seed and the
participant's position, so an order that was shown can be computed again. Specification of the design: Williams (1949),
squares that balance which condition follows which.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from engine.public import Aid
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
    aid: Aid = "A0"
    """What beside the text is in view."""


@dataclass(frozen=True, kw_only=True)
class Phase:
    """The items that a person meets under one aid, block by block."""

    aid: Aid
    blocks: tuple[tuple[str, ...], ...]


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


def aid_order(aids: Sequence[Aid], *, within: bool, position: int) -> tuple[Aid, ...]:
    """Return the aids that a person has, in order: one of them in turn, or all in a row of the balanced square.

    The row changes after each round of the aids, so that orders and the dealing of items to aids are crossed.
    """
    if not within:
        return (aids[position % len(aids)],)
    square = williams(len(aids))
    return tuple(aids[place] for place in square[position // len(aids) % len(square)])


def dealt(items: Mapping[str, str], aids: Sequence[Aid], *, position: int, seed: str) -> Mapping[Aid, tuple[str, ...]]:
    """Return which items a person meets under which aid: as many of each condition under each, give or take one.

    The items stand in an order of their own that is the same for everybody, and the person's place turns the aids:
    whoever has the same items as the person before has each of them under the next aid.

    Args:
        items: condition by puzzle id.
        aids: as the study names them, not in a person's order.
    """
    rank = {puzzle: nth for nth, puzzle in enumerate(Stream(f"{ORDER}/aids", seed).shuffled(sorted(items)))}
    found: dict[Aid, list[str]] = defaultdict(list)
    for nth, puzzle in enumerate(sorted(items, key=lambda one: (items[one], rank[one]))):
        found[aids[(nth + position) % len(aids)]].append(puzzle)
    return {aid: tuple(sorted(puzzles)) for aid, puzzles in found.items()}


def sequence(
    phases: Sequence[Phase], *, families: Mapping[str, str], attention: Sequence[str], copies: Mapping[str, str],
    repeats: int, position: int, seed: str,
) -> tuple[Slot, ...]:  # fmt: skip
    """Return all slots of a participant: the main items, with attention and repeated items among them.

    An attention item stands among items of its family and never opens a block. A repeated item was met in the first
    third of its family's items, or the first half where the first third has none that can be repeated, and returns in
    the last third; where aids change, both lie in the first phase that has the family, so under one aid.

    Args:
        families: of every item and attention item, by puzzle id.
        attention: puzzle ids of attention items, put into the first blocks of their family, one a block, then round
            again; those of a family that the person has no items of are left out.
        copies: id under which an item is shown a second time, by its own id.
        repeats: how many items of each family are shown twice; fewer if fewer were met early.
    """
    stream = Stream(f"{ORDER}/extras", seed, position)
    main = [(phase.aid, block) for phase in phases for block in phase.blocks]
    listed = [
        [Slot(puzzle_id=one, role="main", block=nth, aid=aid) for one in block] for nth, (aid, block) in enumerate(main)
    ]
    homes: dict[str, list[int]] = defaultdict(list)
    for nth, (_, block) in enumerate(main):
        for family in {families[one] for one in block}:
            homes[family].append(nth)
    met: dict[str, int] = defaultdict(int)
    for puzzle in attention:
        family = families[puzzle]
        if homes[family]:
            nth = homes[family][met[family] % len(homes[family])]
            met[family] += 1
            place = 1 + stream.below(len(listed[nth]))
            listed[nth].insert(place, Slot(puzzle_id=puzzle, role="attention", block=nth, aid=main[nth][0]))
    slots = [slot for block in listed for slot in block]
    for family in sorted(homes):
        _repeat(slots, [one for one, of in families.items() if of == family], copies, repeats, stream)
    return tuple(slots)


def _repeat(slots: list[Slot], family: Sequence[str], copies: Mapping[str, str], repeats: int, stream: Stream) -> None:
    """Put items of a family a second time into a list, in the first phase that has the family."""
    known = frozenset(family)
    aid = next((slot.aid for slot in slots if slot.puzzle_id in known), None)
    own = [nth for nth, slot in enumerate(slots) if slot.puzzle_id in known and slot.aid == aid]
    third = len(own) // 3
    half = [
        nth for nth, at in enumerate(own[: len(own) // 2]) if slots[at].role == "main" and slots[at].puzzle_id in copies
    ]
    early = [slots[own[nth]].puzzle_id for nth in half if nth < third] or [slots[own[nth]].puzzle_id for nth in half]
    for puzzle in stream.sample(early, repeats):
        before = own[stream.between(len(own) - third, len(own)) - 1]
        copy = Slot(puzzle_id=copies[puzzle], role="repeat", block=slots[before].block, aid=slots[before].aid)
        slots.insert(before + 1, copy)
        own = sorted([*(at + (at > before) for at in own), before + 1])


def _cut(items: Sequence[str], most: int) -> tuple[tuple[str, ...], ...]:
    """Cut into runs of nearly equal length, none longer than `most`."""
    if not items:
        return ()
    runs = -(-len(items) // most)
    bounds = [len(items) * nth // runs for nth in range(runs + 1)]
    return tuple(tuple(items[start:end]) for start, end in pairwise(bounds))
