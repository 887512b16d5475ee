"""Which set may be in which split, worked out anew from the lists of pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from engine.instruction_adherence.constraints.registry import TYPES
from engine.instruction_adherence.splits import Pair, Split, held_out_pairs, pairs_of_test

PAIRS_OF_A_LIST = 40
NEVER_PAIRED = "struct.json_keys"


def split_faults(split: Split, ids: Sequence[str]) -> Iterator[str]:
    """Yield why a set of these types is not one of the split."""
    pairs = {frozenset(pair) for pair in combinations(ids, 2)}
    held_out, of_test = pairs.intersection(held_out_pairs()), pairs.intersection(pairs_of_test())
    if len(set(ids)) != len(ids):
        yield "/types/twice"
    if split != "test" and any(TYPES[name].eval_only for name in ids):
        yield "/types/for evaluation only"
    if split == "train" and (held_out or of_test):
        yield "/pairs/barred"
    if split == "held_out_combos" and not held_out:
        yield "/pairs/none held out"
    if split == "held_out_combos" and of_test:
        yield "/pairs/of the test"
    if split == "test" and not of_test:
        yield "/pairs/none of the test"


def list_faults(held_out: Sequence[Pair], of_test: Sequence[Pair]) -> Iterator[str]:
    """Yield what is wrong with the two lists of pairs."""
    for name, pairs in (("held out", held_out), ("test", of_test)):
        if len(pairs) != PAIRS_OF_A_LIST or len(set(pairs)) != len(pairs):
            yield f"/{name}/number"
        if any(
            len(pair) != 2 or not all(name in TYPES and not TYPES[name].eval_only for name in pair) for pair in pairs
        ):
            yield f"/{name}/types"
        if any(NEVER_PAIRED in pair for pair in pairs):
            yield f"/{name}/{NEVER_PAIRED}"
    if not set(held_out).isdisjoint(of_test):
        yield "/both lists"
