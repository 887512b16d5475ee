"""Results of an evaluation, brought into a data directory of its own by the `clew import` of the same environment."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine.instruction_adherence.rewards import WEIGHTS
from engine.store.answers import Answers
from engine.store.scores import Scores, TurnScoreRow

Change = Callable[[list[Any]], list[Any]]
"""From the rows of a results file to other ones."""


@dataclass(frozen=True)
class Counts:
    """The line that an import ends with."""

    answered: int
    before: int = 0
    refused: int = 0
    unknown: int = 0
    doubled: int = 0
    missing: int = 0

    def line(self) -> str:
        answered = f"{self.answered} item{'' if self.answered == 1 else 's'} answered, {self.before} answered before"
        misfits = f"{self.refused} refused, {self.unknown} unknown, {self.doubled} doubled, {self.missing} missing"
        return f"{answered}, 0 without a whole answer, {misfits}\n"


@dataclass(frozen=True)
class Evaluated:
    """A data directory for the answers to one pack, and the program that fills it."""

    program: Path
    """The `clew` that is installed beside verifiers."""
    pack: Path
    folder: Path
    """Empty at first."""

    def clew(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(
            [str(self.program), *map(str, arguments)],
            capture_output=True,
            text=True,
            env={**variables, "CLEW_DATA_DIR": str(self.folder / "data")},
        )

    def imported(self, results: Path, counts: Counts) -> str:
        """Import a results file, see that all counts are these, and return what is told on the side."""
        done = self.clew("import", results, "--pack", self.pack)
        assert done.stdout == counts.line(), done.stdout + done.stderr
        assert done.returncode == bool(counts.refused or counts.unknown or counts.doubled)
        return done.stderr

    def changed(self, results: Path, name: str, change: Change) -> Path:
        """Return a copy of a results file with other rows."""
        rows = change([json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()])
        folder = self.folder / name
        folder.mkdir(parents=True)
        for beside in results.parent.glob("metadata.json"):
            (folder / beside.name).write_bytes(beside.read_bytes())
        copy = folder / results.name
        copy.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return copy

    def answered(self) -> Counter[str]:
        """Return how many answers each puzzle has, all of them whole and in order."""
        with Answers.open(self.folder / "data" / "answers.db", read_only=True) as answers:
            assert answers.check() == ()
            return Counter(row.puzzle_id for row in answers.attempts())

    def scored(self) -> dict[str, tuple[int | None, str, dict[str, float]]]:
        """Score by `clew score`; return for each puzzle whether it is right, its status, and its rewards."""
        done = self.clew("score", self.pack)
        assert done.returncode == 0, done.stderr
        with Scores.open(self.folder / "data" / "scores.db") as scores:
            turns = scores.turn_scores()
            return {
                row.puzzle_id: (row.correct, row.status, _means(one for one in turns if one.attempt == row.attempt))
                for row in scores.scores()
            }


def _means(turns: Iterable[TurnScoreRow]) -> dict[str, float]:
    """Return each reward as the mean over the turns to which it applies."""
    rows = list(turns)
    found = {name: [Fraction(told) for row in rows if (told := getattr(row, name)) is not None] for name in WEIGHTS}
    return {name: float(sum(values) / len(values)) for name, values in found.items() if values}


def with_text(old: str, new: str) -> Change:
    """Exchange a text wherever it stands."""

    def swapped(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: swapped(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [swapped(inner) for inner in value]
        return new if value == old else value

    return lambda rows: [swapped(row) for row in rows]


def twice(rows: list[Any]) -> list[Any]:
    return [*rows, *reversed(rows)]
