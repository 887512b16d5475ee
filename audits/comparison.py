"""People against programs on the same puzzles: accuracy per solver and complexity, and paired differences.

Reads scores and the public pack, never the sealed file. Two accuracies stand side by side: over what was answered, and
over all that is closed, where what could not be read or was never said counts as not correct. Items that are pending,
or whose requests failed, are in neither; the first line says how many there are. Writing tasks count as correct when
every check of every turn passed; below them stand the rates of turns and of each kind of requirement.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import NamedTuple

import click

from engine import errors
from engine.commands.options import ANSWERS, PACK, SCORES
from engine.errors import UsageError
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.scoring import SCORER_VERSIONS, counted
from engine.statistics import wilson
from engine.store.answers import Answers
from engine.store.pack import Pack, PackEntry
from engine.store.places import answers_path, pack_path, scores_path
from engine.store.scores import CheckScoreRow, ScoreRow, Scores, ScoreStatus, TurnScoreRow

UNSCORED: tuple[ScoreStatus, ...] = (
    "skipped",
    "ambiguous",
    "unparsable",
    "truncated",
    "refused",
    "filtered",
    "empty",
    "too_long",
)
"""Statuses of closed items without a verdict."""
NOBODY: Mapping[str, Collection[str]] = {}


class Place(NamedTuple):
    """Puzzles that are compared with each other."""

    family: str
    mode: str


@dataclass(frozen=True, kw_only=True)
class Accuracy:
    """One solver on the puzzles of one complexity; 0 stands for all complexities together."""

    family: str
    mode: str
    """`single` or `multi` for writing tasks; empty for hidden systems."""
    solver: str
    kind: str
    complexity: int
    puzzles: int
    """Puzzles of the pack at this complexity: scored, each unscored status, and missing."""
    scored: int
    correct: int
    skipped: int
    ambiguous: int
    unparsable: int
    truncated: int
    refused: int
    filtered: int
    empty: int
    too_long: int
    missing: int
    """Not answered yet."""
    failing: int
    """Missing ones with at least one failed request."""
    accuracy: float | None
    """correct / scored; None when nothing was scored."""
    low: float
    high: float
    """Wilson 95 % interval of the accuracy."""
    accuracy_all: float | None
    """correct / (puzzles - missing); None when nothing is closed."""
    low_all: float
    high_all: float


@dataclass(frozen=True, kw_only=True)
class Paired:
    """Two solvers on the puzzles that both of them answered."""

    family: str
    mode: str
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
class Rate:
    """How often one solver met one kind of requirement, over all its scored turns of writing tasks."""

    solver: str
    name: str
    """`turns`, a family of constraints, or a constraint's id."""
    passed: int
    counted: int


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """All solvers of one pack."""

    accuracies: tuple[Accuracy, ...]
    paired: tuple[Paired, ...]
    rates: tuple[Rate, ...] = ()

    def document(self) -> dict[str, object]:
        """Return plain values for JSON."""
        return {
            "accuracies": [asdict(row) for row in self.accuracies],
            "paired": [asdict(row) for row in self.paired],
            "rates": [asdict(row) for row in self.rates],
        }


def compare(
    scores: Iterable[ScoreRow],
    puzzles: Mapping[str, int],
    solvers: Mapping[str, tuple[str, str]],
    *,
    family: str = FAMILY_NAME,
    mode: str = "",
    failing: Mapping[str, Collection[str]] = NOBODY,
) -> Comparison:
    """Compare all solvers that answered puzzles of one family of a pack.

    Args:
        scores: at most one row a solver and puzzle; rows of other puzzles are left out.
        puzzles: complexity by puzzle id.
        solvers: (alias, kind) by solver id.
        failing: by solver id, puzzles with failed requests.
    """
    by_solver: dict[str, dict[str, ScoreRow]] = defaultdict(dict)
    for row in scores:
        if row.puzzle_id in puzzles:
            by_solver[row.solver][row.puzzle_id] = row
    for solver, named in failing.items():
        if not puzzles.keys().isdisjoint(named):
            by_solver.setdefault(solver, {})
    order = sorted(by_solver, key=lambda solver: (solvers[solver][1], solvers[solver][0]))
    levels = [*sorted(set(puzzles.values())), 0]
    place = Place(family, mode)
    return Comparison(
        accuracies=tuple(
            _accuracy(place, solvers[solver], by_solver[solver], level, puzzles, failing.get(solver, ()))
            for solver in order
            for level in levels
        ),
        paired=tuple(_paired(place, solvers, by_solver, one, other) for one, other in combinations(order, 2)),
    )


def mcnemar(first_only: int, second_only: int) -> float:
    """Return the exact two-sided p of McNemar's test on the discordant pairs; 1 without any."""
    discordant = first_only + second_only
    tail = sum(comb(discordant, k) for k in range(min(first_only, second_only) + 1))
    return min(1.0, float(Fraction(2 * tail, 2**discordant)))


def _accuracy(
    place: Place,
    name: tuple[str, str],
    rows: Mapping[str, ScoreRow],
    level: int,
    puzzles: Mapping[str, int],
    failing: Collection[str],
) -> Accuracy:
    asked = [puzzle for puzzle, complexity in puzzles.items() if level in (0, complexity)]
    closed = [rows[puzzle] for puzzle in asked if puzzle in rows]
    statuses = Counter(row.status for row in closed)
    scored = statuses["scored"]
    correct = sum(row.correct == 1 for row in closed if row.status == "scored")
    low, high = wilson(correct, scored)
    low_all, high_all = wilson(correct, len(closed))
    assert len(closed) == scored + sum(statuses[status] for status in UNSCORED), "every status has its count"
    return Accuracy(
        family=place.family,
        mode=place.mode,
        solver=name[0],
        kind=name[1],
        complexity=level,
        puzzles=len(asked),
        scored=scored,
        correct=correct,
        skipped=statuses["skipped"],
        ambiguous=statuses["ambiguous"],
        unparsable=statuses["unparsable"],
        truncated=statuses["truncated"],
        refused=statuses["refused"],
        filtered=statuses["filtered"],
        empty=statuses["empty"],
        too_long=statuses["too_long"],
        missing=len(asked) - len(closed),
        failing=sum(puzzle in failing for puzzle in asked if puzzle not in rows),
        accuracy=correct / scored if scored else None,
        low=low,
        high=high,
        accuracy_all=correct / len(closed) if closed else None,
        low_all=low_all,
        high_all=high_all,
    )


def _paired(
    place: Place,
    solvers: Mapping[str, tuple[str, str]],
    by_solver: Mapping[str, Mapping[str, ScoreRow]],
    one: str,
    other: str,
) -> Paired:
    mine, theirs = (
        {puzzle: row.correct == 1 for puzzle, row in by_solver[solver].items() if row.status == "scored"}
        for solver in (one, other)
    )
    common = mine.keys() & theirs.keys()
    first_only = sum(mine[puzzle] and not theirs[puzzle] for puzzle in common)
    second_only = sum(theirs[puzzle] and not mine[puzzle] for puzzle in common)
    return Paired(
        family=place.family,
        mode=place.mode,
        first=solvers[one][0],
        second=solvers[other][0],
        puzzles=len(common),
        first_only=first_only,
        second_only=second_only,
        difference=(first_only - second_only) / len(common) if common else None,
        p=mcnemar(first_only, second_only) if common else None,
    )


def rates(
    turns: Iterable[TurnScoreRow], checks: Iterable[CheckScoreRow], solver_of: Mapping[str, str]
) -> tuple[Rate, ...]:
    """Return how often each solver met each kind of requirement, the most often missed first.

    A revoked, disputed or quoted constraint counts under no type: it is not asked for.

    Args:
        solver_of: name of the solver by attempt; rows of other attempts are left out.
    """
    found: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for turn in turns:
        if turn.attempt in solver_of and turn.status == "scored":
            found[solver_of[turn.attempt], "0", "turns"].update(["counted", *["passed"] * (turn.all_satisfied == "1")])
    for check in checks:
        if check.attempt in solver_of and check.scored and check.expect:
            for rank, name in (("1", check.family), ("2", check.constraint_id)):
                found[solver_of[check.attempt], rank, name].update(["counted", *["passed"] * check.passed])

    def order(key: tuple[str, str, str]) -> tuple[str, str, Fraction, str]:
        solver, rank, name = key
        return solver, rank, Fraction(found[key]["passed"], found[key]["counted"]), name

    return tuple(
        Rate(solver=key[0], name=key[2], passed=found[key]["passed"], counted=found[key]["counted"])
        for key in sorted(found, key=order)
    )


def compare_pack(entries: Iterable[PackEntry], given: Answers, kept: Scores) -> Comparison:
    """Compare all solvers on all families of a pack.

    Raises:
        UsageError: an answer that counts has no score by this version.
    """
    groups: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for entry in entries:
        if entry.family in (FAMILY_NAME, WRITING):
            groups[entry.family, entry.kind if entry.family == WRITING else ""][entry.id] = entry.complexity
    puzzles = {puzzle for group in groups.values() for puzzle in group}
    counts = {attempt.id: attempt for attempt in counted(given.attempts(puzzle_ids=puzzles))}
    rows = [row for row in kept.scores() if row.attempt in counts and row.scorer_version in SCORER_VERSIONS]
    if unscored := counts.keys() - {row.attempt for row in rows}:
        left = errors.counted(len(unscored), "answer is", "answers are")
        raise UsageError(f"{left} not scored yet; run clew score first")
    solvers = given.solvers()
    failing = {
        solver: {call.puzzle_id for call in given.calls(solver) if not call.final}
        for solver, (_, kind) in solvers.items()
        if kind == "model"
    }
    parts = [compare(rows, groups[key], solvers, family=key[0], mode=key[1], failing=failing) for key in sorted(groups)]
    names = {attempt.id: solvers[attempt.solver][0] for attempt in counts.values()}
    versions = set(SCORER_VERSIONS)
    return Comparison(
        accuracies=tuple(row for part in parts for row in part.accuracies),
        paired=tuple(pair for part in parts for pair in part.paired),
        rates=rates(
            (row for row in kept.turn_scores() if row.scorer_version in versions),
            (row for row in kept.check_scores() if row.scorer_version in versions),
            names,
        ),
    )


@click.command("compare")
@PACK
@ANSWERS
@SCORES
@click.option("--json", "as_json", is_flag=True, help="One JSON object in place of the tables.")
def command(pack: str | None, answers: Path | None, scores: Path | None, as_json: bool) -> None:
    """Compare people and programs on the same puzzles of a pack, after `clew score`.

    One report: every solver and every pair of them on the whole pack, and what `clew study compare` says of a study:
    people against models on the same items and the same text, with resampled ranges, references, agreement, confidence,
    time and requirements.

    \b
    Example: clew compare my-pack --json
    """
    if scores is not None and not scores.is_file():
        raise UsageError(f"{scores} is no file; run clew score with the same --scores first")
    path, given_path, scores_at = pack_path(pack), answers or answers_path(), scores or scores_path()
    with (
        Pack.open(path) as opened,
        Answers.open(given_path, create=False, read_only=True) as given,
        Scores.open(scores_at) as kept,
    ):
        comparison = compare_pack(opened.puzzles(), given, kept)
    # The report of people stands on this module, and is not needed where there is nothing to tell.
    from audits.comparison_table import NOTHING_YET, incomplete, solvers_section
    from audits.people.evidence import load_pack
    from audits.people.findings import study_findings
    from audits.people.page import markdown_page
    from audits.people.sections import sections

    found = study_findings(load_pack(path, given_path, scores_at)) if comparison.accuracies else None
    if as_json:
        people = None if found is None else asdict(found)
        click.echo(json.dumps({**comparison.document(), "people_and_models": people}, indent=2, default=str))
    elif found is None:
        click.echo(NOTHING_YET)
    else:
        if line := incomplete(comparison.accuracies):
            click.echo(f"{line}\n")
        pages = sections(found, solvers_section(comparison))
        click.echo(markdown_page(f"{found.title}: people and models", pages, beside_html=False), nl=False)
