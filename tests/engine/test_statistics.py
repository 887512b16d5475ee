"""Wilson's interval, against its definition and against SciPy."""

from __future__ import annotations

from math import isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from engine.statistics import Z_95, wilson

COUNTS = st.integers(1, 500).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))


@given(COUNTS)
def test_ends_solve_the_score_equation(counts: tuple[int, int]) -> None:
    """At either end the observed rate is exactly z standard errors away, standard errors being the end's own."""
    successes, trials = counts
    for end, at_border in zip(wilson(*counts), (successes == 0, successes == trials), strict=True):
        if not at_border:
            assert isclose(abs(successes / trials - end), Z_95 * sqrt(end * (1 - end) / trials), rel_tol=1e-9)


@given(COUNTS)
def test_agrees_with_scipy(counts: tuple[int, int]) -> None:
    expected = binomtest(*counts).proportion_ci(method="wilson")
    assert wilson(*counts) == pytest.approx((expected.low, expected.high), abs=1e-12)


@given(COUNTS)
def test_holds_the_rate_and_mirrors(counts: tuple[int, int]) -> None:
    successes, trials = counts
    low, high = wilson(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1
    assert wilson(trials - successes, trials) == pytest.approx((1 - high, 1 - low))


def test_ends() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 48).low == 0.0 and wilson(48, 48).high == 1.0


@pytest.mark.parametrize(("successes", "trials"), [(-1, 5), (6, 5), (1, 0)])
def test_counts_that_cannot_be_are_refused(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match=r"must lie in 0\.\.trials"):
        wilson(successes, trials)
