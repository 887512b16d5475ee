"""The two-way bootstrap against naive loops and known cases, and the planner's model of answers."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.study.power import Assumed, Shape, detectable, intercept, simulate
from engine.study.twoway import difference, inverted_p, one_way_variances, two_way, weights

NAN = float("nan")


def cells(seed: int, people: int = 7, items: int = 9, seen: float = 0.7) -> tuple[np.ndarray, np.ndarray]:
    """Return a random matrix with holes and a model's means; everybody saw something."""
    draw = np.random.Generator(np.random.PCG64(seed))
    matrix = (draw.random((people, items)) < 0.6).astype(np.float64)
    hidden = draw.random((people, items)) > seen
    hidden[:, 0] = False
    matrix[hidden] = np.nan
    return matrix, draw.integers(0, 5, items) / 4


def test_weights_count_draws_with_replacement() -> None:
    found = weights(6, 4000, "a", "b")
    assert found.shape == (4000, 6) and (found.sum(axis=1) == 6).all()
    assert abs(found.mean() - 1) < 0.02 and abs(found.var() - 5 / 6) < 0.05
    assert not np.array_equal(found, weights(6, 4000, "a", "c"))
    assert np.array_equal(found, weights(6, 4000, "a", "b"))


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 999))
def test_each_resample_is_the_weighted_mean_of_the_cells(seed: int) -> None:
    matrix, model = cells(seed)
    found = two_way(matrix, model, resamples=200, key="k")
    of_people, of_items = weights(7, 200, "k/0", "people"), weights(9, 200, "k/0", "items")
    naive = []
    for b in range(200):
        total = count = 0.0
        for p in range(7):
            for i in range(9):
                if np.isfinite(matrix[p, i]):
                    weight = of_people[b, p] * of_items[b, i]
                    total += weight * (matrix[p, i] - model[i])
                    count += weight
        if count:
            naive.append(total / count)
    raw = np.array(naive)
    value = difference(matrix, model)
    first, second = _naive_variances(matrix, model)
    scaled = value + (raw - value) * sqrt((first + second) / raw.var())
    assert found.value == pytest.approx(value)
    assert (found.low, found.high) == pytest.approx(
        (max(-1, np.quantile(scaled, 0.025)), min(1, np.quantile(scaled, 0.975)))
    )
    assert found.p == pytest.approx(inverted_p(scaled)) and found.cells == int(np.isfinite(matrix).sum())


def _naive_variances(matrix: np.ndarray, model: np.ndarray) -> tuple[float, float]:
    """Return the cluster-robust variances of the mean by their definition."""
    seen = [(p, i) for p in range(matrix.shape[0]) for i in range(matrix.shape[1]) if np.isfinite(matrix[p, i])]
    mean = sum(matrix[p, i] - model[i] for p, i in seen) / len(seen)
    found = []
    for axis in (0, 1):
        sums: dict[int, float] = {}
        for cell in seen:
            sums[cell[axis]] = sums.get(cell[axis], 0.0) + matrix[cell] - model[cell[1]] - mean
        found.append(sum(one**2 for one in sums.values()) / len(seen) ** 2 * len(sums) / (len(sums) - 1))
    return found[0], found[1]


def test_one_way_variances_are_the_cluster_robust_ones() -> None:
    matrix, model = cells(5)
    seen = np.isfinite(matrix)
    found = one_way_variances(np.where(seen, matrix - model, 0.0), seen)
    assert found == pytest.approx(_naive_variances(matrix, model))


def test_a_resample_is_the_same_whatever_the_chunks_and_differs_by_key() -> None:
    matrix, model = cells(1)
    assert two_way(matrix, model, resamples=300, key="a") == two_way(matrix, model, resamples=300, key="a")
    assert two_way(matrix, model, resamples=300, key="a").low != two_way(matrix, model, resamples=300, key="b").low
    assert two_way(matrix, model, resamples=4100, key="a").resamples == 4100


def test_equal_results_are_no_difference_and_a_sure_one_is_seen() -> None:
    ones = np.ones((8, 12))
    same = two_way(ones, np.ones(12), resamples=400, key="k")
    assert (same.value, same.low, same.high, same.p) == (0.0, 0.0, 0.0, 1.0)
    apart = two_way(ones, np.zeros(12), resamples=400, key="k")
    assert apart.value == 1.0 and apart.p == pytest.approx(2 / 401)


def test_holes_are_no_answers() -> None:
    matrix = np.array([[1.0, NAN], [NAN, 0.0]])
    found = two_way(matrix, np.array([0.5, 0.5]), resamples=200, key="k")
    assert (found.value, found.cells, found.people, found.items) == (0.0, 2, 2, 2)
    with pytest.raises(ValueError, match="no cell"):
        two_way(np.full((2, 2), NAN), np.zeros(2), resamples=200, key="k")


@pytest.mark.slow
@pytest.mark.parametrize(("people", "items", "each"), [(12, 40, 40), (20, 60, 30)])
def test_at_no_difference_about_one_study_in_twenty_is_called_significant(people: int, items: int, each: int) -> None:
    """The benchmark measures more; here 200 studies have to stay between 2 and 8 %."""
    shape = Shape(people=people, items=items, each=each)
    hits = sum(
        two_way(*simulate(shape, Assumed(), nth), resamples=400, key=f"null/{nth}").p < 0.05 for nth in range(200)
    )
    assert 0.02 <= hits / 200 <= 0.08


@pytest.mark.parametrize(("share", "sd"), [(0.7, 1.0), (0.5, 0.6), (0.9, 1.3)])
def test_the_intercept_gives_the_share_on_average(share: float, sd: float) -> None:
    draw = np.random.Generator(np.random.PCG64(3))
    level = intercept(share, sd)
    drawn = 1 / (1 + np.exp(-(level + sd * draw.standard_normal(400_000))))
    assert drawn.mean() == pytest.approx(share, abs=0.003)


def test_a_simulated_study_has_the_shape_and_the_gap_that_were_asked_for() -> None:
    shape = Shape(people=6, items=30, each=10)
    people, model = simulate(shape, Assumed(), 0)
    assert people.shape == (6, 30) and (np.isfinite(people).sum(axis=1) == 10).all()
    assert set(np.isfinite(people).sum(axis=0)) == {2}
    assert ((model >= 0) & (model <= 1)).all()
    gaps = [difference(*simulate(Shape(people=40, items=120, each=120), Assumed(), nth, gap=0.2)) for nth in range(40)]
    assert np.mean(gaps) == pytest.approx(0.2, abs=0.02)


def test_more_people_and_more_items_find_less() -> None:
    found = [
        detectable(Shape(people=people, items=items, each=40), Assumed(), studies=150).difference
        for people, items in ((5, 40), (20, 40), (20, 100))
    ]
    assert found == sorted(found, reverse=True)
    assert found[1] == pytest.approx(0.148, abs=0.03)
