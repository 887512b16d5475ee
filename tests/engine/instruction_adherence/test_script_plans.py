"""Plans of scripts: numbers that come out even, whatever K and weight, and how likely each kind of turn is."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.instruction_adherence.sampling import FEWEST, MOST
from engine.instruction_adherence.script_plan import FIRST_LATE, LONG_GAP, Planned, draw_plan, sizes_of
from engine.instruction_adherence.writing import FEWEST_TURNS, MOST_TURNS
from engine.randomness import Stream


def plan(most: int, seed: int, weight: float = 1.0) -> tuple[Planned, ...]:
    return draw_plan(most, weight, Stream("test plan", most, seed))


@settings(max_examples=150, deadline=None)
@given(st.integers(FEWEST, MOST), st.integers(0, 10**6), st.sampled_from([0.01, 1.0, 3.0, 100.0]))
def test_plans_come_out_even(most: int, seed: int, weight: float) -> None:
    drawn = plan(most, seed, weight)
    assert drawn == plan(most, seed, weight)
    assert FEWEST_TURNS <= len(drawn) <= MOST_TURNS
    first, *rest = drawn
    assert 2 <= first.added < most and not (first.drops or first.contradicts or first.restores or first.quotes)
    active = 0
    for turn, size in zip(drawn, sizes_of(drawn), strict=True):
        active += turn.added - turn.drops
        assert active == size - turn.contradicts >= 2
    assert max(sizes_of(drawn)) == most
    assert any(turn.added for turn in rest) or any(turn.contradicts for turn in rest)
    assert any(turn.drops or turn.contradicts or turn.quotes for turn in rest)
    assert sum(turn.added for turn in drawn) <= most + sum(turn.drops for turn in drawn)


@settings(max_examples=150, deadline=None)
@given(st.integers(FEWEST, MOST), st.integers(0, 10**6))
def test_a_contradiction_stands_alone_and_the_next_turn_settles_it(most: int, seed: int) -> None:
    drawn = plan(most, seed)
    assert not drawn[-1].contradicts
    for before, turn in pairwise(drawn):
        assert turn.restores == before.contradicts
        assert not (turn.contradicts and (turn.restores or turn.drops or turn.added))


@pytest.mark.parametrize("most", [3, 4, 10, 16])
def test_every_kind_of_turn_is_likely(most: int) -> None:
    plans = [plan(most, seed) for seed in range(300)]
    for name in ("drops", "contradicts", "quotes"):
        assert 0.5 < sum(any(getattr(turn, name) for turn in drawn) for drawn in plans) / 300 < 0.85, name
    lengths = Counter(map(len, plans))
    assert set(lengths) == set(range(FEWEST_TURNS, MOST_TURNS + 1)) and min(lengths.values()) > 15
    assert any(sum(turn.contradicts for turn in drawn) == 2 for drawn in plans)


def test_the_weight_is_that_of_a_long_gap() -> None:
    def late(weight: float) -> float:
        return sum(len(plan(8, seed, weight)) >= FIRST_LATE for seed in range(400)) / 400

    assert LONG_GAP == 7
    assert late(0.2) < 0.3 < late(1.0) < 0.65 < late(3.0) < 0.87 < late(100.0)


def test_without_contradictions_the_height_is_reached_by_additions() -> None:
    for seed in range(200):
        drawn = plan(9, seed)
        if not any(turn.contradicts for turn in drawn):
            assert sum(turn.added for turn in drawn) >= 9
