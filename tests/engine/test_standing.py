"""Streak, ladder and calibration, each against a second way to compute it."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.public import LADDER_ANSWERS, Aid
from engine.standing import Played, statistics, step, streak

TODAY = date(2025, 6, 11)  # a Wednesday
SURE = tuple(range(50, 101, 5))


def played(nth: int, confidence: int, correct: bool, complexity: int = 4, aid: Aid = "A3", ms: int = 1000) -> Played:
    return Played(
        answered_at=f"2025-06-01T10:{nth // 60:02d}:{nth % 60:02d}.000Z", complexity=complexity, confidence=confidence,
        correct=correct, response_ms=ms, aid=aid,
    )  # fmt: skip


def longest(days: set[date], today: date) -> int:
    """Try every start: a row holds from a played day on if no week has two missed days in it."""
    end = today if today in days else today - timedelta(days=1)
    best = 0
    for start in days:
        row = [start + timedelta(days=nth) for nth in range((end - start).days + 1)]
        weeks = [day.isocalendar()[:2] for day in row if day not in days]
        if len(weeks) == len(set(weeks)):
            best = max(best, sum(day in days for day in row))
    return best


@given(st.sets(st.integers(0, 40)))
def test_a_streak_is_the_longest_row_that_ends_now(ago: set[int]) -> None:
    days = {TODAY - timedelta(days=nth) for nth in ago}
    assert streak(days, TODAY).days == longest(days, TODAY)


def test_every_pattern_of_nine_days() -> None:
    for count in range(10):
        for ago in combinations(range(9), count):
            days = {TODAY - timedelta(days=nth) for nth in ago}
            assert streak(days, TODAY).days == longest(days, TODAY), ago


@pytest.mark.parametrize(
    ("ago", "days", "frozen"),
    [
        ((), 0, False),
        ((0,), 1, False),
        ((1,), 1, False),  # today is not over
        ((2,), 1, True),  # yesterday was the day off; the row stands
        ((0, 2), 2, True),  # Wednesday, Monday: Tuesday off
        ((0, 3), 1, False),  # Wednesday, Sunday: two days of one week
        ((0, 2, 3, 5), 4, True),  # Friday and Sunday before: Saturday is last week's day off
    ],
)
def test_streaks_one_can_count_by_hand(ago: tuple[int, ...], days: int, frozen: bool) -> None:
    found = streak({TODAY - timedelta(days=nth) for nth in ago}, TODAY)
    assert found == (days, frozen)


@given(st.lists(st.tuples(st.sampled_from(SURE), st.booleans(), st.integers(4, 10)), max_size=80))
def test_the_ladder_stands_at_the_first_length_without_a_good_row_of_ten(
    given_answers: list[tuple[int, bool, int]],
) -> None:
    answers = [played(nth, *one) for nth, one in enumerate(given_answers)]

    def good(complexity: int) -> bool:
        own = [one for one in answers if one.complexity == complexity]
        rows = [own[at : at + 10] for at in range(len(own))]
        means = [sum((one.confidence / 100 - one.correct) ** 2 for one in row) / 10 for row in rows if len(row) == 10]
        return any(mean <= 0.20 + 1e-9 for mean in means)

    wanted = next((size for size in range(4, 11) if not good(size)), None)
    found = step(reversed(answers))
    assert (found.complexity, found.top) == ((10, True) if wanted is None else (wanted, False))
    assert len(found.losses) <= LADDER_ANSWERS


def test_a_mean_of_exactly_a_fifth_passes_and_one_answer_worse_does_not() -> None:
    # Eight times 0.25 and twice 0: a mean of 0.20.
    exact = [played(nth, 50, True) for nth in range(8)] + [played(nth, 100, True) for nth in (8, 9)]
    assert step(exact).complexity == 5
    worse = [*exact[:9], played(9, 95, True)]
    assert step(worse).complexity == 4 and step(exact[:9]).complexity == 4


def test_being_right_is_not_enough() -> None:
    timid = [played(nth, 50, True) for nth in range(40)]
    assert step(timid).complexity == 4, "always right, and never any surer than a coin"


@given(
    st.lists(st.tuples(st.sampled_from(SURE), st.booleans(), st.sampled_from([4, 6]), st.sampled_from(["A0", "A3"])))
)
def test_tallies_add_up(given_answers: list[tuple[int, bool, int, Aid]]) -> None:
    told = statistics([played(nth, *one) for nth, one in enumerate(given_answers)], texts=3)
    for groups in (told.by_aid, told.by_length):
        assert sum(one.answers for one in groups) == told.whole.answers == len(given_answers)
        assert sum(one.correct for one in groups) == told.whole.correct
    assert sum(point.answers for point in told.curve) == len(given_answers)
    assert [point.confidence for point in told.curve] == sorted({one[0] for one in given_answers})
    assert all(point.low <= point.correct / point.answers <= point.high for point in told.curve)
    if given_answers:
        mean = sum((sure / 100 - right) ** 2 for sure, right, *_ in given_answers) / len(given_answers)
        assert told.whole.brier == pytest.approx(mean)
    else:
        assert told.whole.brier is None and told.curve == ()
