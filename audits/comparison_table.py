"""A comparison as one part of the report: solvers by family and size, pairs of them, requirements that were met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from audits.comparison import UNSCORED, Accuracy, Comparison, Paired, Rate
from audits.people.sections import NONE, Section, Table
from engine.hidden_systems.presenting import FAMILY_NAME
from tui.shown import shown_cell as shown

NOTHING_YET = "No answers to this pack yet. Play it (clew play), let a program solve it (clew solve), then clew score."


def incomplete(rows: Iterable[Accuracy]) -> str:
    """Return a line about models' items without an answer; empty when there are none."""
    missing: Counter[str] = Counter()
    failing: Counter[str] = Counter()
    for row in rows:
        if row.complexity == 0 and row.kind == "model":
            missing[row.solver] += row.missing
            failing[row.solver] += row.failing
    told = [
        f"{shown(solver)} {count} pending ({failing[solver]} with failed requests)"
        for solver, count in missing.items()
        if count
    ]
    return f"INCOMPLETE: {'; '.join(told)}" if told else ""


def solvers_section(comparison: Comparison) -> Section:
    """Return what is told of every solver on all puzzles of the pack, whoever else answered them."""
    return Section(
        title="Every solver on the whole pack",
        text=(
            "What a solver has not answered yet is in neither rate. Right of answered is over what has a verdict; right"
            " of presented over all that is closed, where what was skipped or could not be read is not right. Chance is"
            " 0.5 for hidden systems. Ranges are for these solvers on puzzles like these, nobody else.",
            *_rate_lines(comparison.rates),
        ),
        tables=tuple(_tables(comparison)),
    )


def _tables(comparison: Comparison) -> Iterator[Table]:
    for family, mode in dict.fromkeys((row.family, row.mode) for row in comparison.accuracies):
        name = f"{family} {mode}".rstrip()
        yield Table(
            caption=f"{name}: solvers by size, and on all sizes together.",
            header=(
                "solver", "events" if family == FAMILY_NAME else "asked", "answered", "right", "of answered",
                "95 % range", "of presented", "without a verdict",
            ),
            rows=tuple(map(_accuracy_row, _without_doubles(comparison, family, mode))),
        )  # fmt: skip
        pairs = tuple(_pair_row(pair) for pair in comparison.paired if (pair.family, pair.mode) == (family, mode))
        if pairs:
            yield Table(
                caption=f"{name}: two solvers on the puzzles that both answered, exact McNemar test.",
                header=("solvers", "puzzles", "difference", "p", "only the first right", "only the second right"),
                rows=pairs,
            )


def _without_doubles(comparison: Comparison, family: str, mode: str) -> list[Accuracy]:
    """Return the rows of a family; with one size alone, that size and all sizes together are the same row."""
    rows = [row for row in comparison.accuracies if (row.family, row.mode) == (family, mode)]
    return [row for row in rows if row.complexity] if len({row.complexity for row in rows}) == 2 else rows


def _accuracy_row(row: Accuracy) -> tuple[str, ...]:
    left = [f"{count} {word}" for word in (*UNSCORED, "missing") if (count := getattr(row, word))]
    return (
        shown(row.solver), str(row.complexity or "all"), str(row.scored), str(row.correct), _rate(row.accuracy),
        f"{row.low:.3f} to {row.high:.3f}" if row.scored else NONE, _rate(row.accuracy_all), ", ".join(left) or NONE,
    )  # fmt: skip


def _pair_row(pair: Paired) -> tuple[str, ...]:
    return (
        f"{shown(pair.first)} - {shown(pair.second)}", str(pair.puzzles),
        NONE if pair.difference is None else f"{pair.difference:+.3f}", NONE if pair.p is None else f"{pair.p:.3g}",
        str(pair.first_only), str(pair.second_only),
    )  # fmt: skip


def _rate_lines(found: Iterable[Rate]) -> Iterator[str]:
    """Yield the rates of turns and of constraint families; single constraints stand in the JSON form."""
    rows = [rate for rate in found if "." not in rate.name]
    for solver in dict.fromkeys(rate.solver for rate in rows):
        told = [f"{rate.name} {rate.passed}/{rate.counted}" for rate in rows if rate.solver == solver]
        yield f"Requirements met by {shown(solver)} in scored turns, the most often missed first: {', '.join(told)}."


def _rate(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"
