from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audits.base import Row
from audits.learners import generator, halves
from audits.listing import balanced
from audits.statistics import auc, auc_upper, clopper_pearson, holm, largest_imbalance, permutation_p, runs

ps = st.lists(st.floats(min_value=0, max_value=1), min_size=1, max_size=40)


@given(ps)
def test_holm_never_lowers_and_keeps_the_order(values: list[float]) -> None:
    adjusted = holm(values)
    assert all(raw <= told <= 1.0 for raw, told in zip(values, adjusted, strict=True))
    assert min(adjusted) == min(1.0, len(values) * min(values))
    order = sorted(range(len(values)), key=values.__getitem__)
    assert [adjusted[at] for at in order] == sorted(adjusted)


def test_holm_of_a_known_family() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))


def test_auc_of_a_perfect_a_reversed_and_a_constant_score() -> None:
    labels = np.arange(40) >= 20
    scores = np.arange(40, dtype=np.float64)
    assert auc(scores, labels).value == 1.0
    assert auc(-scores, labels).value == 0.0
    assert auc(scores, labels).p < 1e-6 < auc(-scores, labels).p
    assert auc(np.zeros(40), labels) == (0.5, 1.0)


def test_auc_counts_pairs_with_ties_as_half() -> None:
    random = generator("tests", 1)
    labels, scores = random.random(60) < 0.4, random.integers(5, size=60).astype(np.float64)
    pairs = scores[labels][:, None] - scores[~labels][None, :]
    assert auc(scores, labels).value == pytest.approx(((pairs > 0) + 0.5 * (pairs == 0)).mean())


@pytest.mark.parametrize(("held_out", "largest"), [(720, 0.500), (1740, 0.518), (4500, 0.530)])
def test_the_bound_leaves_the_room_that_the_sample_size_gives(held_out: int, largest: float) -> None:
    half = held_out // 2
    assert auc_upper(largest - 0.001, half, half) < 0.55 < auc_upper(largest + 0.002, half, half)


def test_runs_see_alternation_and_blocks_and_nothing_in_between() -> None:
    alternating, blocks = np.arange(400) % 2 == 0, np.arange(400) < 200
    assert runs(alternating).value == pytest.approx(19.9, abs=0.2)
    assert runs(blocks).value < -19
    assert runs(generator("tests", 2).permutation(alternating)).p > 0.01


def test_clopper_pearson_against_known_bounds() -> None:
    share = clopper_pearson(822, 1000)
    assert share.value == 0.822
    assert share.high == pytest.approx(0.85, abs=0.001)
    assert clopper_pearson(877, 1000).low == pytest.approx(0.85, abs=0.002)
    assert clopper_pearson(0, 10).low == 0.0
    assert clopper_pearson(10, 10).high == 1.0


def test_a_row_of_balance_says_how_far_from_one_half_the_share_may_lie() -> None:
    """The exact two-sided 99 % interval of 5 in 10 is 0.1283 to 0.8717, of none in 10 it is 0 to 0.4113."""
    assert largest_imbalance(5, 10) == pytest.approx(0.3717, abs=1e-4)
    assert largest_imbalance(0, 10) == 0.5
    row = balanced(Row(rule="S10", claim="", severity="error", status="inconclusive", n=10), 5, 10)
    assert row.bound is not None and row.bound.value == largest_imbalance(5, 10)


def test_a_permutation_p_counts_the_observed_one() -> None:
    assert permutation_p(5, np.arange(9)) == 5 / 10
    assert permutation_p(99, np.arange(4999)[:0]) == 1.0


def test_halves_share_nothing_and_leave_nothing_out() -> None:
    cut = halves(101, "S01", 4, 0)
    assert sorted([*cut.fit, *cut.score]) == list(range(101))
    assert list(cut.fit) == list(halves(101, "S01", 4, 0).fit)
    assert list(cut.fit) != list(halves(101, "S01", 4, 1).fit)


def test_clean_families_alarm_as_often_as_they_say() -> None:
    """200 families of shuffled labels at family-wise 0.05: 3 to 19 alarms, the 99 % binomial range."""
    random = generator("tests", "calibration")
    labels, count = np.arange(160) % 2 == 0, 999
    alarms = 0
    for _ in range(200):
        family = [auc(random.random(160), random.permutation(labels)).p for _ in range(4)]
        family.append(runs(random.permutation(labels)).p)
        dealt = random.binomial(160, 0.25, size=count + 1)
        family.append(permutation_p(int(dealt[0]), dealt[1:]))
        alarms += min(holm(family)) < 0.05
    assert 3 <= alarms <= 19
