"""Statuses and denominators: each status once, sums that must hold, nothing unknown."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.study.composing import _countings
from engine.study.model_rows import STATUS_OF
from engine.study.statuses import EXPECTED, PRESENTED, STATUSES, Status, count


def test_every_status_once() -> None:
    counts = count(STATUSES)
    assert set(STATUSES) == set(get_args(Status)) and len(STATUSES) == len(set(STATUSES))
    assert [number for _, number in counts.by_status] == [1] * len(STATUSES)
    assert (counts.answered, counts.scored, counts.expected) == (1, 6, 8)
    assert counts.of("withdrawn") == counts.of("excluded") == 1


@given(statuses=st.lists(st.sampled_from(STATUSES)))
def test_expected_is_scored_and_error_and_missing(statuses: list[Status]) -> None:
    counts = count(statuses)
    assert counts.expected == counts.scored + counts.of("error") + counts.of("missing")
    assert counts.scored == sum(status in PRESENTED for status in statuses)
    assert counts.expected == sum(status in EXPECTED for status in statuses)
    assert 0 <= counts.error_share <= 1


def test_an_unknown_status_is_refused() -> None:
    with pytest.raises(ValueError, match="vanished"):
        count(["answered", "vanished"])  # type: ignore[list-item]


def test_a_manifest_says_how_each_status_counts() -> None:
    told = {one.status: one.counts for one in _countings()}
    assert set(told) == set(STATUSES)
    assert {status for status, how in told.items() if how == "outside"} == set(STATUSES) - PRESENTED
    assert [status for status, how in told.items() if how == "as answered"] == ["answered"]


def test_a_model_that_gave_nothing_to_read_is_presented_and_never_wrong_by_itself() -> None:
    assert set(STATUS_OF.values()) <= PRESENTED
    assert {STATUS_OF[one] for one in ("refused", "filtered", "empty", "too_long")} == {"skipped"}
