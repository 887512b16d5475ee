"""The pairs kept out of training: fixed, disjoint, possible together, and few enough of them to draw sixteen types."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from engine.canonical import digest
from engine.errors import GenerationError, UsageError
from engine.instruction_adherence.compat import together
from engine.instruction_adherence.constraints.registry import TRAINABLE, TYPES
from engine.instruction_adherence.sampling import DrawnSet, draw_parameters
from engine.instruction_adherence.selection import select
from engine.instruction_adherence.splits import (
    SPLITS,
    Split,
    barred,
    held_out_pairs,
    keeps_to,
    pairs_of_test,
    read_split,
)
from engine.randomness import Stream

PAIRS = (*held_out_pairs(), *pairs_of_test())
DRAWS = 600
LARGEST = 16
DIGEST = "53229af820905608c6c615c699bb4c87253a74a67df3b820e34acd8aabe664e6"
"""Of all pairs; another one means that stored sets no longer keep to their split."""


def test_the_pairs_are_forty_and_forty_and_stay_as_they_are() -> None:
    assert len(held_out_pairs()) == len(pairs_of_test()) == 40
    assert len(set(PAIRS)) == 80
    assert all(len(pair) == 2 and pair <= {kind.id for kind in TRAINABLE} for pair in PAIRS)
    assert not any("struct.json_keys" in pair for pair in PAIRS)
    assert digest([sorted(pair) for pair in PAIRS]) == DIGEST


def test_a_few_hub_types_are_in_all_pairs() -> None:
    uses = Counter(name for pair in PAIRS for name in pair)
    hubs = {name for name, _ in uses.most_common(8)} | {name for name in uses if uses[name] >= 10}
    assert 8 <= len(hubs) <= 12
    assert all(pair & hubs for pair in PAIRS)
    assert len({TYPES[name].family for name in uses}) == 6


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: " ".join(sorted(pair)))
def test_a_pair_can_be_satisfied_together(pair: frozenset[str]) -> None:
    one, other = (TYPES[name] for name in sorted(pair))
    assert together(one.tags, other.tags)
    assert isinstance(draw_parameters((one, other), ("pair", one.id, other.id)), DrawnSet)


def blind(stream: Stream) -> list[str]:
    """Draw ids for the training split without ever taking one back."""
    pool = [kind for kind in TRAINABLE if kind.id != "struct.json_keys"]
    chosen: list[str] = []
    while pool and len(chosen) < LARGEST:
        kind = stream.choice(pool)
        chosen.append(kind.id)
        pool = [
            other for other in pool
            if other is not kind and together(kind.tags, other.tags)
            and frozenset((kind.id, other.id)) not in barred("train")
        ]  # fmt: skip
    return chosen


def test_blind_draws_mostly_reach_sixteen_types_and_leave_none_out() -> None:
    draws = [blind(Stream("blind", index)) for index in range(DRAWS)]
    full = [draw for draw in draws if len(draw) == LARGEST]
    assert len(full) >= 0.95 * DRAWS
    shares = Counter(name for draw in full for name in draw)
    assert all(shares[k.id] >= 0.03 * len(full) for k in TRAINABLE if k.id != "struct.json_keys")


@pytest.mark.parametrize("split", SPLITS)
def test_selections_keep_to_their_split(split: Split) -> None:
    evaluated = 0
    for index in range(150):
        count = 3 + index % 14
        types = select(count, split, 1.0 + index % 3, Stream("split", split, index)).types
        ids = {kind.id for kind in types}
        assert len(ids) == len(types) == count
        pairs = {frozenset(pair) for pair in combinations(ids, 2)}
        assert keeps_to(split, ids)
        assert all(together(one.tags, other.tags) for one, other in combinations(types, 2))
        assert pairs.isdisjoint(pairs_of_test()) == (split != "test")
        assert split != "train" or pairs.isdisjoint(held_out_pairs())
        assert split != "held_out_combos" or not pairs.isdisjoint(held_out_pairs())
        assert count <= 10 or "struct.json_keys" not in ids
        evaluated += any(kind.eval_only for kind in types)
    assert (evaluated > 0) == (split == "test")


def test_a_json_object_is_drawn_in_small_sets() -> None:
    draws = [select(3, "train", 1.0, Stream("json", index)).types for index in range(300)]
    assert any(kind.id == "struct.json_keys" for types in draws for kind in types)


def test_hard_families_weigh_more() -> None:
    def hard(weight: float) -> int:
        draws = [select(8, "train", weight, Stream("weight", index)).types for index in range(200)]
        return sum(kind.hard_family is not None for types in draws for kind in types)

    assert hard(0.2) < hard(1.0) < hard(3.0)


def test_given_types_stay_in_front() -> None:
    given = (TYPES["struct.title"], TYPES["lex.lipogram"])
    for index in range(20):
        types = select(9, "held_out_combos", 1.0, Stream("given", index), given).types
        assert types[:2] == given and keeps_to("held_out_combos", {kind.id for kind in types})


def test_excluded_types_are_not_drawn() -> None:
    excluded = (TYPES["struct.json_keys"], TYPES["lex.lipogram"])
    draws = [select(5, "train", 1.0, Stream("excluded", index), excluded=excluded).types for index in range(100)]
    assert not any(kind in types for types in draws for kind in excluded)


def test_what_cannot_be_drawn_is_an_error() -> None:
    with pytest.raises(GenerationError, match="no 60 constraint types"):
        select(60, "train", 1.0, Stream("many"))
    with pytest.raises(UsageError, match="split 'dev' is unknown; legal: train, held_out_combos, test"):
        read_split("dev")
