from __future__ import annotations

from itertools import combinations

import pytest
from audit_samples import row
from hypothesis import given
from hypothesis import strategies as st

from audits.base import Measure, Row, Sensitivity, code_of, exit_code, settled, trusted

GROUPS: dict[int, list[Row]] = {
    0: [row()],
    1: [row(), row(status="fail")],
    2: [row(status="error")],
    3: [row(status="inconclusive")],
}
"""The rows of one audit that ends with each code."""
PRECEDENCE = (2, 1, 3, 0)


@pytest.mark.parametrize("code", GROUPS)
def test_one_audit_has_its_code(code: int) -> None:
    assert exit_code([GROUPS[code]]) == code


@pytest.mark.parametrize("pair", list(combinations(GROUPS, 2)))
def test_two_audits_have_the_weightier_code(pair: tuple[int, int]) -> None:
    heavier = min(pair, key=PRECEDENCE.index)
    assert exit_code([GROUPS[code] for code in pair]) == heavier
    assert exit_code([GROUPS[code] for code in reversed(pair)]) == heavier


def test_nothing_scanned_is_inconclusive_never_a_pass() -> None:
    assert code_of([row(n=0)]) == 3
    assert code_of([]) == 3
    assert exit_code([]) == 3


def test_a_failed_warning_counts() -> None:
    assert code_of([row(severity="warning", status="fail")]) == 1


@pytest.mark.parametrize("status", ["pass", "fail", "inconclusive", "error"])
def test_a_note_changes_no_code(status: str) -> None:
    for code, rows in GROUPS.items():
        assert code_of([*rows, row(severity="note", status=status)]) == code


@given(st.lists(st.sampled_from(sorted(GROUPS)), min_size=1))
def test_the_order_of_audits_does_not_matter(codes: list[int]) -> None:
    groups = [GROUPS[code] for code in codes]
    assert exit_code(groups) == exit_code(groups[::-1]) == min(codes, key=PRECEDENCE.index)


@pytest.mark.parametrize(
    ("sensitivity", "before", "after"),
    [
        (Sensitivity(3, 3), "pass", "pass"),
        (Sensitivity(3, 3), "fail", "fail"),
        (Sensitivity(2, 3), "pass", "error"),
        (Sensitivity(2, 3), "fail", "error"),
        (Sensitivity(3, 3, alarms=1), "pass", "error"),
        (Sensitivity(0, 0), "pass", "inconclusive"),
        (None, "pass", "inconclusive"),
        (None, "fail", "fail"),
    ],
)
def test_a_row_is_worth_what_its_plants_prove(sensitivity: Sensitivity | None, before: str, after: str) -> None:
    assert trusted(row(status=before), sensitivity).status == after


def test_an_audit_that_misses_a_plant_makes_the_run_unusable() -> None:
    assert exit_code([[trusted(row(), Sensitivity(1, 2))]]) == 2


@pytest.mark.parametrize(
    ("p", "n", "bound", "status"),
    [
        (0.0001, 100, 0.51, "fail"),
        (0.0001, 5000, 0.6, "fail"),
        (0.5, 5000, 0.51, "pass"),
        (0.5, 100, 0.51, "pass"),
        (0.5, 5000, 0.56, "inconclusive"),
    ],
)
def test_a_leak_fails_at_any_size_and_a_pass_needs_its_bound(p: float, n: int, bound: float, status: str) -> None:
    [told] = settled([row(status="inconclusive", p=p, n=n, bound=Measure("upper", bound), limit=0.55)])
    assert told.status == status
    assert told.p_holm == p


@pytest.mark.parametrize(("n", "status"), [(719, "inconclusive"), (720, "pass")])
def test_a_row_without_bound_passes_by_its_number(n: int, status: str) -> None:
    assert settled([row(status="inconclusive", p=0.4, n=n)])[0].status == status


def test_all_tested_rows_of_a_run_are_one_family() -> None:
    rows = settled([row(p=0.004, n=5000), row(p=0.003, n=5000), row(), row(p=0.9, n=5000)])
    assert [one.p_holm for one in rows] == pytest.approx([0.009, 0.009, None, 0.9])
    assert [one.status for one in rows] == ["fail", "fail", "pass", "pass"]
