"""What a report computes, against definitions, brute force and a second library."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audits.people.agreement import NOT_COMPUTED, agreement
from audits.people.calibration import calibration
from audits.people.contrasts import subsets
from audits.people.difficulty import beta_prior, difficulties
from audits.people.panels import best_of, distribution, majority_of, panels

outcomes = st.lists(st.booleans(), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(answers=outcomes, k=st.integers(1, 8))
def test_panels_are_means_over_all_choices_of_k(answers: list[bool], k: int) -> None:
    if k > len(answers):
        return
    drawn = list(combinations(answers, k))
    best = Fraction(sum(any(one) for one in drawn), len(drawn))
    most = Fraction(sum(Fraction(2 * sum(one) > k) + Fraction(2 * sum(one) == k, 2) for one in drawn), len(drawn))
    assert best_of(len(answers), sum(answers), k) == best
    assert majority_of(len(answers), sum(answers), k) == most


def test_a_panel_larger_than_what_there_is_stays_blank() -> None:
    found = panels([(3, 2), (2, 0)], [1, 2, 3, 4], votes=True)
    assert [(one.k, one.items) for one in found] == [(1, 2), (2, 2), (3, 1)]
    assert found[0].majority == found[0].best == pytest.approx((2 / 3 + 0) / 2)
    assert all(one.majority is None for one in panels([(3, 2)], [2], votes=False))


@given(shares=st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_a_distribution_lies_inside_of_its_values(shares: list[float]) -> None:
    found = distribution(shares)
    assert found is not None and min(shares) <= found.low <= found.middle <= found.high <= found.best == max(shares)
    assert distribution([]) is None and (found.sd is None) == (len(shares) == 1)


# Confidence -----------------------------------------------------------------------------------------------------------

pairs = st.lists(st.tuples(st.integers(50, 100), st.booleans()), min_size=1, max_size=40)


@settings(max_examples=60, deadline=None)
@given(told=pairs)
def test_calibration_by_its_definitions(told: list[tuple[int, bool]]) -> None:
    found = calibration(told)
    assert found is not None and found.answers == len(told) == sum(one.answers for one in found.bins)
    assert found.brier == pytest.approx(sum((c / 100 - r) ** 2 for c, r in told) / len(told))
    assert found.overconfidence == pytest.approx(sum(c / 100 - r for c, r in told) / len(told))
    gap = 0.0
    for low in range(0, 100, 10):
        inside = [(c, r) for c, r in told if low <= c < low + 10 or (low == 90 and c == 100)]
        gap += abs(sum(c / 100 - r for c, r in inside))
    assert found.ece == pytest.approx(gap / len(told))
    assert 0 <= found.ece <= 1 and abs(found.overconfidence) <= found.ece + 1e-9


@settings(max_examples=40, deadline=None)
@given(told=pairs)
def test_discrimination_is_the_area_under_the_curve(told: list[tuple[int, bool]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    found = calibration(told)
    assert found is not None
    right = [r for _, r in told]
    if len(set(right)) < 2:
        assert found.discrimination is None
    else:
        assert found.discrimination == pytest.approx(metrics.roc_auc_score(right, [c for c, _ in told]))


def test_nobody_asked_is_no_calibration() -> None:
    assert calibration([]) is None


# Agreement ------------------------------------------------------------------------------------------------------------

tables = st.integers(2, 6).flatmap(
    lambda people: st.lists(
        st.lists(st.sampled_from([0, 1, None]), min_size=4, max_size=4), min_size=people, max_size=people
    )
)


@settings(max_examples=60, deadline=None)
@given(table=tables)
def test_agreement_counts_pairs_of_answers_to_one_item(table: list[list[int | None]]) -> None:
    found = agreement(table)
    same = total = 0
    for column in zip(*table, strict=True):
        for one, other in combinations([value for value in column if value is not None], 2):
            total += 1
            same += one == other
    if not total:
        assert found is None
        return
    assert found is not None and found.pairs == total and found.raw == pytest.approx(same / total)
    values = [value for row in table for value in row if value is not None]
    assert found.prevalence == pytest.approx(sum(values) / len(values))


def test_alpha_is_krippendorffs_by_its_definition() -> None:
    pytest.importorskip("krippendorff")
    table = [[1, 1, 0, 0, 1, None], [1, 0, 0, 0, 1, 1], [None, 1, 0, 1, 1, 1]]
    found = agreement(table)  # type: ignore[arg-type]
    assert found is not None and found.alpha == pytest.approx(_alpha(table))  # type: ignore[arg-type]
    assert agreement([[1, 1], [1, 1]]).alpha is None  # type: ignore[union-attr]


def _alpha(table: list[list[int | None]]) -> float:
    """Return alpha for nominal data from the coincidences of values."""
    coincidences: dict[tuple[int, int], float] = {}
    for column in zip(*table, strict=True):
        values = [value for value in column if value is not None]
        if len(values) < 2:
            continue
        for a, one in enumerate(values):
            for b, other in enumerate(values):
                if a != b:
                    coincidences[one, other] = coincidences.get((one, other), 0) + 1 / (len(values) - 1)
    total = sum(coincidences.values())
    margins = {c: sum(v for (one, _), v in coincidences.items() if one == c) for c in (0, 1)}
    observed = sum(v for (one, other), v in coincidences.items() if one != other)
    expected = 2 * margins[0] * margins[1] / (total - 1)
    return 1 - observed / expected


def test_without_the_library_agreement_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("audits.people.agreement.find_spec", lambda name: None)
    found = agreement([[1, 0], [1, 1]])
    assert found is not None and found.alpha is None and found.note == NOT_COMPUTED and found.raw == 0.5


# Items ----------------------------------------------------------------------------------------------------------------

answers = st.lists(
    st.tuples(st.integers(1, 20), st.integers(0, 20)).map(lambda t: (t[0], min(t))), min_size=1, max_size=12
)


@settings(max_examples=60, deadline=None)
@given(found=answers)
def test_shrinking_draws_towards_the_mean_and_keeps_the_order_of_equal_sizes(found: list[tuple[int, int]]) -> None:
    items = [SimpleNamespace(uid=f"i{nth}") for nth in range(len(found))]
    result = difficulties(items, found)  # type: ignore[arg-type]
    first, second = beta_prior(found)
    middle = first / (first + second)
    assert first > 0 and second > 0 and len(result) == len(found)
    for one in result:
        low, high = sorted((one.right / one.answers, middle))
        assert low - 1e-9 <= one.shrunk <= high + 1e-9
        assert one.interval.low <= one.right / one.answers <= one.interval.high
    assert [one.shrunk for one in result] == sorted(one.shrunk for one in result)


def test_items_without_an_answer_have_no_difficulty() -> None:
    items = [SimpleNamespace(uid="a"), SimpleNamespace(uid="b")]
    assert [one.uid for one in difficulties(items, [(0, 0), (3, 1)])] == ["b"]  # type: ignore[arg-type]
    assert difficulties(items, [(0, 0), (0, 0)]) == ()  # type: ignore[arg-type]


def test_groups_of_items_are_named_once_and_hold_what_they_say() -> None:
    items = [
        SimpleNamespace(family="hidden-systems", complexity=4, domain="kiln"),
        SimpleNamespace(family="hidden-systems", complexity=6, domain="kiln"),
        SimpleNamespace(family="instruction-adherence", complexity=4, domain="email"),
    ]
    found = {name: [item for item in items if test(item)] for name, test in subsets(items)}  # type: ignore[arg-type]
    assert list(found) == [
        "hidden-systems", "hidden-systems, complexity 4", "hidden-systems, complexity 6", "instruction-adherence", "all"
    ]  # fmt: skip
    assert [len(group) for group in found.values()] == [2, 1, 1, 1, 3]
