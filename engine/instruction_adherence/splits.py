"""The three splits as pairs of constraint types: which pairs a set may not hold, and which it must hold one of.

80 pairs of trainable types are kept out of `train`. 40 of them are the held-out pairs, one of which is in every
set of `held_out_combos`; the other 40 are the test pairs, one of which is in every set of `test`, the only split with
the types for evaluation. All pairs join one of eight hub types with another type: spread evenly over all types, 80
pairs would leave few sets of sixteen types. Specification, "Splits".
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Literal, get_args

import msgspec

from engine.errors import UsageError, quoted

Split = Literal["train", "held_out_combos", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
Pair = frozenset[str]


class _Pairs(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    held_out: tuple[tuple[str, str], ...]
    test: tuple[tuple[str, str], ...]


@cache
def _pairs() -> _Pairs:
    text = files("engine.instruction_adherence").joinpath("vocabulary/splits.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=_Pairs)


@cache
def held_out_pairs() -> tuple[Pair, ...]:
    return tuple(map(frozenset, _pairs().held_out))


@cache
def pairs_of_test() -> tuple[Pair, ...]:
    return tuple(map(frozenset, _pairs().test))


def read_split(name: str) -> Split:
    """Return the split of a name.

    Raises:
        UsageError: there is none.
    """
    for split in SPLITS:
        if split == name:
            return split
    raise UsageError(f"split {quoted(name)} is unknown; legal: {', '.join(SPLITS)}")


@cache
def barred(split: Split) -> frozenset[Pair]:
    """Return the pairs that no set of a split may hold."""
    match split:
        case "train":
            return frozenset((*held_out_pairs(), *pairs_of_test()))
        case "held_out_combos":
            return frozenset(pairs_of_test())
        case "test":
            return frozenset()


def demanded(split: Split) -> tuple[Pair, ...]:
    """Return the pairs of which every set of a split holds at least one; empty if it needs none."""
    match split:
        case "train":
            return ()
        case "held_out_combos":
            return held_out_pairs()
        case "test":
            return pairs_of_test()


def keeps_to(split: Split, ids: Iterable[str]) -> bool:
    """Whether a set of these types may be in a split."""
    pairs = {frozenset(pair) for pair in combinations(set(ids), 2)}
    wanted = demanded(split)
    return pairs.isdisjoint(barred(split)) and (not wanted or not pairs.isdisjoint(wanted))
