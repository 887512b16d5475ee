"""The order of items: balanced squares, every item once, extras where they belong, computable again."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.study.ordering import Phase, blocks, followers, sequence, williams

SEED = "5eed" * 8


@pytest.mark.parametrize("conditions", range(1, 10))
def test_a_square_balances_places_and_followers(conditions: int) -> None:
    rows = williams(conditions)
    assert len(rows) == (conditions if conditions % 2 == 0 or conditions == 1 else 2 * conditions)
    for place in range(conditions):
        assert set(Counter(row[place] for row in rows).values()) == {len(rows) // conditions}
    counts = followers(rows)
    assert set(counts) == set(permutations(range(conditions), 2))
    assert len(set(counts.values())) <= 1


def test_no_conditions_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        williams(0)


items = (
    st.integers(1, 40)
    .flatmap(lambda count: st.lists(st.sampled_from("abcde"), min_size=count, max_size=count))
    .map(lambda strata: {f"item{nth:02d}": stratum for nth, stratum in enumerate(strata)})
)


@settings(max_examples=60)
@given(items=items, position=st.integers(0, 30), most=st.integers(1, 12), rule=st.sampled_from(["blocked", "mixed"]))
def test_every_item_comes_once_in_blocks_that_are_no_longer_than_asked(
    items: dict[str, str], position: int, most: int, rule: str
) -> None:
    found = blocks(items, rule=rule, block_items=most, position=position, seed=SEED)  # type: ignore[arg-type]
    assert sorted(one for block in found for one in block) == sorted(items)
    assert all(0 < len(block) <= most for block in found)
    if rule == "blocked":
        assert all(len({items[one] for one in block}) == 1 for block in found)
    assert found == blocks(items, rule=rule, block_items=most, position=position, seed=SEED)  # type: ignore[arg-type]


def test_positions_differ_and_conditions_take_turns_in_being_first() -> None:
    items = {f"{stratum}{nth}": stratum for stratum in "abcd" for nth in range(5)}
    firsts, orders = Counter[str](), set()
    for position in range(16):
        found = blocks(items, rule="blocked", block_items=10, position=position, seed=SEED)
        firsts[items[found[0][0]]] += 1
        orders.add(tuple(one for block in found for one in block))
    assert set(firsts.values()) == {4} and len(orders) == 16


@settings(max_examples=60)
@given(items=items, position=st.integers(0, 9), attention=st.integers(0, 3), repeats=st.integers(0, 3))
def test_attention_opens_no_block_and_repeats_come_late(
    items: dict[str, str], position: int, attention: int, repeats: int
) -> None:
    main = blocks(items, rule="mixed", block_items=5, position=position, seed=SEED)
    extras = [f"attention{nth}" for nth in range(attention)]
    copies = {one: f"copy-{one}" for one in items}
    slots = sequence(
        [Phase(aid="A0", blocks=main)], families=dict.fromkeys([*items, *extras], "one"), attention=extras,
        copies=copies, repeats=repeats, position=position, seed=SEED,
    )  # fmt: skip
    ids = [slot.puzzle_id for slot in slots]
    assert sorted(one for one in ids if one in items) == sorted(items)
    assert Counter(one for one in ids if one.startswith("attention")) == Counter(extras)
    assert [slot.block for slot in slots] == sorted(slot.block for slot in slots)
    for nth, slot in enumerate(slots):
        if slot.role == "attention":
            assert nth > 0 and slots[nth - 1].block == slot.block
        if slot.role == "repeat":
            first = ids.index(slot.puzzle_id.removeprefix("copy-"))
            assert first < len(slots) / 2 <= nth + 1


def test_nothing_to_show_is_an_empty_list() -> None:
    found = sequence((), families={"x": "one"}, attention=["x"], copies={}, repeats=1, position=0, seed=SEED)
    assert found == ()
