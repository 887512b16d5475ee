"""People against programs on the same puzzles: accuracy per solver and complexity, and paired differences.

Reads scores and the public pack, never the sealed file. A row that could not be scored is counted apart, not as wrong.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import click

from engine.commands.options import ANSWERS, PACK, SCORES
from engine.errors import UsageError
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.scoring import counted
from engine.statistics import wilson
from engine.store.answers import Answers
from engine.store.pack import Pack
from engine.store.places import answers_path, pack_path, scores_path
from engine.store.scores import ScoreRow, Scores
from tui.shown import shown_cell as shown


@dataclass(frozen=True, kw_only=True)
class Accuracy:
    """One solver on the puzzles of one complexity; 0 stands for all complexities together."""

    solver: str
    kind: str
    complexity: int
    puzzles: int
    """Puzzles of the pack at this complexity: correct + wrong + skipped + unparsable + missing."""
    scored: int
    correct: int
    skipped: int
    unparsable: int
    missing: int
    accuracy: float | None
    """correct / scored; None when nothing was scored."""
    low: float
    high: float
    """Wilson 95 % interval of the accuracy."""


@dataclass(frozen=True, kw_only=True)
class Paired:
    """Two solvers on the puzzles that both of them answered."""

    first: str
    second: str
    puzzles: int
    first_only: int
    """Puzzles that only the first got right."""
    second_only: int
    difference: float | None
    """Accuracy of the first minus that of the second on these puzzles; None without any."""
    p: float | None
    """Exact two-sided McNemar test; None without any."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """All solvers of one pack."""

    accuracies: tuple[Accuracy, ...]
    paired: tuple[Paired, ...]

    def document(self) -> dict[str, object]:
        """Return plain values for JSON."""
        return {"accuracies": [asdict(row) for row in self.accuracies], "paired": [asdict(row) for row in self.paired]}


def compare(
    scores: Iterable[ScoreRow], puzzles: Mapping[str, int], solvers: Mapping[str, tuple[str, str]]
) -> Comparison:
    """Compare all solvers that answered puzzles of a pack.

    Args:
        scores: at most one row a solver and puzzle; rows of puzzles outside the pack are left out.
        puzzles: complexity by puzzle id.
        solvers: (alias, kind) by solver id.
    """
    by_solver: dict[str, dict[str, ScoreRow]] = defaultdict(dict)
    for row in scores:
        if row.puzzle_id in puzzles:
            by_solver[row.solver][row.puzzle_id] = row
    order = sorted(by_solver, key=lambda solver: (solvers[solver][1], solvers[solver][0]))
    levels = [*sorted(set(puzzles.values())), 0]
    return Comparison(
        accuracies=tuple(
            _accuracy(solvers[solver], by_solver[solver], level, puzzles) for solver in order for level in levels
        ),
        paired=tuple(_paired(solvers, by_solver, one, other) for one, other in combinations(order, 2)),
    )


def mcnemar(first_only: int, second_only: int) -> float:
    """Return the exact two-sided p of McNemar's test on the discordant pairs; 1 without any."""
    discordant = first_only + second_only
    tail = sum(comb(discordant, k) for k in range(min(first_only, second_only) + 1))
    return min(1.0, float(Fraction(2 * tail, 2**discordant)))


def _accuracy(name: tuple[str, str], rows: Mapping[str, ScoreRow], level: int, puzzles: Mapping[str, int]) -> Accuracy:
    asked = [puzzle for puzzle, complexity in puzzles.items() if level in (0, complexity)]
    answered = [rows[puzzle] for puzzle in asked if puzzle in rows]
    statuses = [row.status for row in answered]
    scored = statuses.count("scored")
    correct = sum(row.correct == 1 for row in answered if row.status == "scored")
    low, high = wilson(correct, scored)
    result = Accuracy(
        solver=name[0],
        kind=name[1],
        complexity=level,
        puzzles=len(asked),
        scored=scored,
        correct=correct,
        skipped=statuses.count("skipped"),
        unparsable=statuses.count("unparsable"),
        missing=len(asked) - len(answered),
        accuracy=correct / scored if scored else None,
        low=low,
        high=high,
    )
    assert result.puzzles == result.scored + result.skipped + result.unparsable + result.missing
    return result


def _paired(
    solvers: Mapping[str, tuple[str, str]], by_solver: Mapping[str, Mapping[str, ScoreRow]], one: str, other: str
) -> Paired:
    mine, theirs = (
        {puzzle: row.correct == 1 for puzzle, row in by_solver[solver].items() if row.status == "scored"}
        for solver in (one, other)
    )
    common = mine.keys() & theirs.keys()
    first_only = sum(mine[puzzle] and not theirs[puzzle] for puzzle in common)
    second_only = sum(theirs[puzzle] and not mine[puzzle] for puzzle in common)
    return Paired(
        first=solvers[one][0],
        second=solvers[other][0],
        puzzles=len(common),
        first_only=first_only,
        second_only=second_only,
        difference=(first_only - second_only) / len(common) if common else None,
        p=mcnemar(first_only, second_only) if common else None,
    )


@click.command("compare")
@PACK
@ANSWERS
@SCORES
@click.option("--json", "as_json", is_flag=True, help="One JSON object in place of the tables.")
def command(pack: str | None, answers: Path | None, scores: Path | None, as_json: bool) -> None:
    """Compare people and programs on the same puzzles of a pack, after `clew score`.

    \b
    Example: clew compare my-pack --json
    """
    if scores is not None and not scores.is_file():
        raise UsageError(f"{scores} is no file; run clew score with the same --scores first")
    with (
        Pack.open(pack_path(pack)) as opened,
        Answers.open(answers or answers_path(), create=False, read_only=True) as given,
        Scores.open(scores or scores_path()) as kept,
    ):
        puzzles = {entry.id: entry.complexity for entry in opened.puzzles() if entry.family == FAMILY_NAME}
        counts = {attempt.id for attempt in counted(given.attempts(puzzle_ids=puzzles.keys()))}
        unscored = counts - {row.attempt for row in kept.scores()}
        rows = [row for row in kept.scores() if row.attempt in counts]
        comparison = compare(rows, puzzles, given.solvers())
    if unscored:
        raise UsageError(f"{len(unscored)} answers are not scored yet; run clew score first")
    click.echo(json.dumps(comparison.document(), indent=2) if as_json else table(comparison), nl=True)


def table(comparison: Comparison) -> str:
    """Return the comparison as text for people."""
    if not comparison.accuracies:
        return "No answers to this pack yet. Play it (clew play), let a program solve it (clew solve), then clew score."
    lines = [f"{'solver':<28}{'events':>7}{'scored':>8}{'right':>7}{'accuracy':>10}  95 % range     not scored"]
    for row in comparison.accuracies:
        rate = "-" if row.accuracy is None else f"{row.accuracy:.3f}"
        left = [f"{n} {word}" for word in ("skipped", "unparsable", "missing") if (n := getattr(row, word))]
        span = f"{row.low:.3f}..{row.high:.3f}" if row.scored else "-"
        level = row.complexity or "all"
        name = shown(row.solver)
        lines.append(f"{name:<28}{level:>7}{row.scored:>8}{row.correct:>7}{rate:>10}  {span:<13}  {', '.join(left)}")
    lines += ["", "The same puzzles, two solvers at a time (exact McNemar test):"]
    for pair in comparison.paired:
        difference = "-" if pair.difference is None else f"{pair.difference:+.3f}"
        p = "-" if pair.p is None else f"{pair.p:.3g}"
        lines.append(
            f"{shown(pair.first)} - {shown(pair.second)}: {pair.puzzles} puzzles, difference {difference}, p {p}"
            f" ({pair.first_only} : {pair.second_only} only one right)"
        )
    lines += ["", "Chance is 0.5. Ranges are for these solvers on puzzles like these, nobody else."]
    return "\n".join(lines)
