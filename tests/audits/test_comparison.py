"""Accuracy and paired differences: against another implementation, and the sums that must hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from audits.comparison import UNSCORED, compare, mcnemar
from audits.comparison_table import solvers_section
from engine.statistics import wilson
from engine.store.scores import ScoreRow

PUZZLES = {f"p{n}": 4 if n < 5 else 6 for n in range(10)}
SOLVERS = {"s1": ("ada", "human"), "s2": ("baseline:pooled", "model")}
STATUSES = ("right", "wrong", "missing", *UNSCORED)


def rows(solver: str, fates: list[str]) -> list[ScoreRow]:
    made = []
    for (puzzle, complexity), fate in zip(PUZZLES.items(), fates, strict=True):
        if fate != "missing":
            scored = fate in ("right", "wrong")
            made.append(
                ScoreRow(
                    attempt=f"{solver}{puzzle}", scorer_version="v", puzzle_id=puzzle, solver=solver,
                    complexity=complexity, status="scored" if scored else fate,  # type: ignore[arg-type]
                    label="PRESENT" if scored else None, correct=(1 if fate == "right" else 0) if scored else None,
                    present_probability="3/4",
                )
            )  # fmt: skip
    return made


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_exact_binomial_test(first: int, second: int) -> None:
    expected = binomtest(first, first + second, 0.5).pvalue if first + second else 1.0
    assert mcnemar(first, second) == pytest.approx(expected, abs=1e-12)


@given(*[st.lists(st.sampled_from(STATUSES), min_size=10, max_size=10)] * 2)
def test_denominators_add_up_and_pairs_are_of_common_puzzles(one: list[str], two: list[str]) -> None:
    result = compare([*rows("s1", one), *rows("s2", two)], PUZZLES, SOLVERS)
    for row in result.accuracies:
        unscored = sum(getattr(row, status) for status in UNSCORED)
        assert row.puzzles == row.scored + unscored + row.missing
        assert (row.low, row.high) == wilson(row.correct, row.scored)
        assert (row.low_all, row.high_all) == wilson(row.correct, row.scored + unscored)
        assert row.accuracy_all is None or row.accuracy_all <= (row.accuracy or 0)
    common = [(a, b) for a, b in zip(one, two, strict=True) if {a, b} <= {"right", "wrong"}]
    if result.paired:
        (pair,) = result.paired
        assert pair.puzzles == len(common)
        assert pair.first_only == sum((a, b) == ("right", "wrong") for a, b in common)
        assert pair.second_only == sum((a, b) == ("wrong", "right") for a, b in common)
    tables = solvers_section(result).tables
    assert sum(len(table.rows) for table in tables) == len(result.accuracies) + len(result.paired)


def test_an_unread_answer_is_never_a_wrong_one() -> None:
    (row,) = [
        r
        for r in compare(rows("s1", ["unparsable"] * 5 + ["right"] * 5), PUZZLES, SOLVERS).accuracies
        if not r.complexity
    ]
    assert (row.accuracy, row.scored, row.unparsable) == (1.0, 5, 5)


def test_scores_of_other_packs_are_left_out() -> None:
    stranger = rows("s1", ["right"] * 10)
    assert compare(stranger, {"other": 4}, SOLVERS).accuracies == ()


def test_order_of_rows_changes_nothing() -> None:
    made = [*rows("s1", ["right", "wrong"] * 5), *rows("s2", ["right"] * 10)]
    assert compare(made, PUZZLES, SOLVERS) == compare(made[::-1], PUZZLES, SOLVERS)


def test_hostile_names_are_shown_harmlessly() -> None:
    made = solvers_section(compare(rows("s1", ["right"] * 10), PUZZLES, {"s1": ("a\x1b[2J[/]", "human")}))
    told = "".join(cell for table in made.tables for row in table.rows for cell in row)
    assert "\x1b" not in told and "[/]" in told
