"""A comparison as text for people: one table a family, pairs of solvers, and how often requirements were met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from audits.comparison import UNSCORED, Accuracy, Comparison, Rate
from engine import errors
from engine.hidden_systems.presenting import FAMILY_NAME
from tui.shown import shown_cell as shown


def table(comparison: Comparison) -> str:
    """Return the comparison as text for people."""
    if not comparison.accuracies:
        return "No answers to this pack yet. Play it (clew play), let a program solve it (clew solve), then clew score."
    lines = _incomplete(comparison.accuracies)
    for family, mode in dict.fromkeys((row.family, row.mode) for row in comparison.accuracies):
        lines += _family_table(comparison, family, mode)
    lines += _rate_table(comparison.rates)
    lines += [
        "",
        "answered: correct of what has a verdict; all: of all that is closed, where what was not read is not correct.",
        "Chance is 0.5 for hidden systems. Ranges are for these solvers on puzzles like these, nobody else.",
    ]
    return "\n".join(lines)


def _incomplete(rows: Iterable[Accuracy]) -> list[str]:
    """Return a first line about models' items without an answer, if there are any."""
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
    return [f"INCOMPLETE: {'; '.join(told)}", ""] if told else []


def _family_table(comparison: Comparison, family: str, mode: str) -> list[str]:
    unit = "events" if family == FAMILY_NAME else "asked"
    lines = [
        f"{family} {mode}".rstrip(),
        f"{'solver':<28}{unit:>7}{'scored':>8}{'right':>7}{'answered':>10}  {'95 % range':<13}{'all':>7}  not scored",
    ]
    for row in comparison.accuracies:
        if (row.family, row.mode) == (family, mode):
            left = [f"{n} {word}" for word in (*UNSCORED, "missing") if (n := getattr(row, word))]
            span = f"{row.low:.3f}..{row.high:.3f}" if row.scored else "-"
            lines.append(
                f"{shown(row.solver):<28}{row.complexity or 'all':>7}{row.scored:>8}{row.correct:>7}"
                f"{_rate(row.accuracy):>10}  {span:<13}{_rate(row.accuracy_all):>7}  {', '.join(left)}"
            )
    pairs = [pair for pair in comparison.paired if (pair.family, pair.mode) == (family, mode)]
    if pairs:
        lines += ["", "The same puzzles, two solvers at a time (exact McNemar test):"]
    for pair in pairs:
        difference = "-" if pair.difference is None else f"{pair.difference:+.3f}"
        p = "-" if pair.p is None else f"{pair.p:.3g}"
        puzzles = errors.counted(pair.puzzles, "puzzle")
        lines.append(
            f"{shown(pair.first)} - {shown(pair.second)}: {puzzles}, difference {difference}, p {p}"
            f" ({pair.first_only} : {pair.second_only} only one right)"
        )
    return [*lines, ""]


def _rate_table(found: Iterable[Rate]) -> list[str]:
    """Return the rates of turns and of constraint families; single constraints stand in the JSON form."""
    rows = [rate for rate in found if "." not in rate.name]
    if not rows:
        return []
    lines = ["Requirements met in scored turns, the most often missed first:"]
    for solver in dict.fromkeys(rate.solver for rate in rows):
        told = [f"{rate.name} {rate.passed}/{rate.counted}" for rate in rows if rate.solver == solver]
        lines.append(f"{shown(solver)}: {', '.join(told)}")
    return lines


def _rate(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
