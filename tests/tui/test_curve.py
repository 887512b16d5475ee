"""The calibration curve as text: every point stands where its two numbers say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.public import Statistics, Sureness, Tally
from engine.statistics import wilson
from tui.curve import COLUMN, LEVELS, STEPS, curve_lines, tally_lines

LEFT = 8
"""Cells before the first column."""


def point(confidence: int, correct: int, answers: int) -> Sureness:
    low, high = wilson(correct, answers)
    return Sureness(confidence=confidence, answers=answers, correct=correct, low=low, high=high)


points = st.lists(
    st.tuples(st.sampled_from(LEVELS), st.integers(1, 300), st.floats(0, 1)), unique_by=lambda one: one[0], max_size=11
).map(lambda drawn: [point(level, round(share * answers), answers) for level, answers, share in sorted(drawn)])


def cell(lines: list[str], level: int, step: int) -> str:
    """Return what stands in one field of the plot."""
    line = lines[STEPS.index(step)].ljust(LEFT + COLUMN * len(LEVELS))
    start = LEFT + COLUMN * LEVELS.index(level)
    return line[start : start + COLUMN].strip()


@given(points)
def test_points_and_ranges_stand_where_they_belong(drawn: list[Sureness]) -> None:
    lines = [line.plain for line in curve_lines(drawn)]
    by_level = {one.confidence: one for one in drawn}
    for level in LEVELS:
        marks = {step: cell(lines, level, step) for step in STEPS}
        one = by_level.get(level)
        if one is None:
            assert sorted(set(marks.values())) == ["", "."]
            continue
        (at,) = [step for step, mark in marks.items() if mark == "o"]
        assert abs(at - 100 * one.correct / one.answers) <= 5 + 1e-9
        ranges = [step for step, mark in marks.items() if mark == ":"]
        assert all(100 * one.low - 5 - 1e-9 <= step <= 100 * one.high + 5 + 1e-9 for step in ranges)


@given(points)
def test_the_lines_are_as_wide_as_a_small_terminal_and_count_the_answers(drawn: list[Sureness]) -> None:
    lines = [line.plain for line in curve_lines(drawn)]
    assert len(lines) == len(STEPS) + 2 and max(map(len, lines)) == LEFT + COLUMN * len(LEVELS)
    assert max(len(line.plain) for line in curve_lines(drawn, COLUMN - 1)) <= 52
    numbers = [text for text in lines[-1].split()[1:] if text != "-"]
    assert numbers == [str(one.answers) for one in drawn]


def test_where_saying_and_being_agree_is_a_rising_line() -> None:
    lines = [line.plain for line in curve_lines([])]
    diagonal = [next(step for step in STEPS if cell(lines, level, step) == ".") for level in LEVELS]
    assert diagonal == sorted(diagonal) and diagonal[0] == 50 and diagonal[-1] == 100


def test_tallies_without_answers_hold_dashes() -> None:
    nothing = Tally(answers=0, correct=0, brier=None, middle_ms=0)
    lines = [line.plain for line in tally_lines(Statistics(whole=nothing, by_aid=(), by_length=(), curve=(), texts=1))]
    assert lines[1].split() == ["all", "0", "-", "-", "-"]
    assert lines[-1].endswith("1 text written.")
