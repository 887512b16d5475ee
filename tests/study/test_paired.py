"""The paired difference within people against its definition, naive loops, symmetries and simulated studies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.study.ordering import dealt
from engine.study.paired import paired, person_differences, variance
from engine.study.power import Assumed, Shape, simulate
from engine.study.twoway import weights

NAN = float("nan")


def split(people: np.ndarray, seed: str) -> tuple[np.ndarray, np.ndarray]:
    """Deal what each person saw to two conditions as a study does."""
    cells = {aid: np.full(people.shape, NAN) for aid in ("A0", "A1")}
    for person, row in enumerate(people):
        seen = {f"{item:04d}": "one" for item in np.flatnonzero(np.isfinite(row))}
        for aid, mine in dealt(seen, ("A0", "A1"), position=person, seed=seed).items():
            for item in map(int, mine):
                cells[aid][person, item] = row[item]
    return cells["A0"], cells["A1"]


def cells(seed: int, people: int = 7, items: int = 12) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.Generator(np.random.PCG64(seed))
    matrix = (draw.random((people, items)) < 0.6).astype(np.float64)
    matrix[draw.random((people, items)) < 0.2] = NAN
    matrix[:, :4] = draw.integers(0, 2, (people, 4))
    return split(matrix, str(seed))


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 999))
def test_each_resample_is_the_weighted_mean_of_weighted_differences(seed: int) -> None:
    first, second = cells(seed)
    found = paired(first, second, resamples=200, key="k")
    of_people, of_items = weights(7, 200, "k/0", "people"), weights(12, 200, "k/0", "items")
    naive = []
    for b in range(200):
        told = []
        for p in range(7):
            shares = []
            for side in (first, second):
                seen = [i for i in range(12) if np.isfinite(side[p, i])]
                total = sum(of_items[b, i] for i in seen)
                shares.append(sum(of_items[b, i] * side[p, i] for i in seen) / total if total else NAN)
            told += [shares[0] - shares[1]] * int(of_people[b, p])
        told = [one for one in told if np.isfinite(one)]
        naive += [sum(told) / len(told)] if told else []
    raw = np.array(naive)
    value = float(np.mean(person_differences(first, second)))
    scaled = value + (raw - value) * (variance(first, second) / raw.var()) ** 0.5
    assert found.value == pytest.approx(value) and found.resamples == len(raw)
    wanted = (max(-1, np.quantile(scaled, 0.025)), min(1, np.quantile(scaled, 0.975)))
    assert (found.low, found.high) == pytest.approx(wanted)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 999))
def test_a_persons_level_changes_nothing_and_sides_change_the_sign(seed: int) -> None:
    first, second = cells(seed)
    lifted = np.linspace(0, 3, 7)[:, np.newaxis]
    usual = paired(first, second, resamples=200, key="k")
    moved = paired(first + lifted, second + lifted, resamples=200, key="k")
    assert (moved.value, moved.p) == pytest.approx((usual.value, usual.p))
    assert variance(first, second) == pytest.approx(variance(first + lifted, second + lifted))
    turned = paired(second, first, resamples=200, key="k")
    assert (turned.value, turned.low, turned.high) == pytest.approx((-usual.value, -usual.high, -usual.low))


def test_the_variance_is_no_less_than_that_of_a_paired_t_test() -> None:
    for seed in range(20):
        first, second = cells(seed)
        own = person_differences(first, second)
        assert variance(first, second) >= own.var(ddof=1) / 7 - 1e-12


def test_an_effect_of_an_item_under_one_condition_is_no_effect_of_people() -> None:
    """One item that all get right under the first condition: the variance over items sees it, that over people not."""
    first, second = np.zeros((8, 12)), np.zeros((8, 12))
    first[:, 6:], second[:, :6] = NAN, NAN
    first[:, 0] = 1.0
    assert person_differences(first, second).var() == 0.0
    assert variance(first, second) > 0.01


def test_equal_results_are_no_difference_and_a_sure_one_is_seen() -> None:
    first, second = split(np.ones((8, 12)), "s")
    same = paired(first, second, resamples=400, key="k")
    assert (same.value, same.low, same.high, same.p) == (0.0, 0.0, 0.0, 1.0)
    apart = paired(first, second - 1, resamples=400, key="k")
    assert apart.value == 1.0 and apart.p == pytest.approx(2 / 401)


def test_who_did_not_meet_both_is_left_out() -> None:
    first = np.array([[1.0, NAN, NAN], [1.0, 0.0, NAN]])
    second = np.array([[NAN, NAN, NAN], [NAN, NAN, 1.0]])
    found = paired(first, second, resamples=200, key="k")
    assert (found.value, found.people, found.items, found.cells) == (-0.5, 1, 3, 3)
    with pytest.raises(ValueError, match="nobody met both"):
        paired(first[:1], second[:1], resamples=200, key="k")


@pytest.mark.slow
@pytest.mark.parametrize(("people", "items", "each"), [(12, 40, 40), (20, 60, 30)])
def test_at_no_difference_at_most_one_study_in_twenty_is_called_significant(people: int, items: int, each: int) -> None:
    """The benchmark measures more; here 200 studies have to stay between 1 and 8 %."""
    shape = Shape(people=people, items=items, each=each)
    hits = 0
    for nth in range(200):
        first, second = split(simulate(shape, Assumed(), nth)[0], str(nth))
        hits += paired(first, second, resamples=400, key=f"null/{nth}").p < 0.05
    assert 0.01 <= hits / 200 <= 0.08
