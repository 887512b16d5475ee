"""What a report stands on: trials with their scores, turned into matrices of people and items.

Only first exposures of main items count, only rows whose text is the frozen one byte for byte, and only people whom no
rule leaves out (the same without the rules is one argument away). Nothing here opens a sealed file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.errors import UsageError
from engine.models.baselines import BASELINES
from engine.scoring import SCORER_VERSIONS
from engine.store.scores import CheckScoreRow, ScoreRow, Scores
from engine.study.exclusions import Excluded
from engine.study.folder import Study
from engine.study.gathering import excluded, study_data
from engine.study.manifest import Item, Manifest
from engine.study.statuses import PRESENTED
from engine.study.trials import Model, Person, StudyData, Trial
from engine.study.verdicts import FLOORS

Floats = NDArray[np.float64]
ItemTest = Callable[[Item], bool]


def every(item: Item) -> bool:
    """Take every item."""
    return True


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Everything that a report is made from."""

    manifest: Manifest
    sha: str
    data: StudyData
    left_out: tuple[Excluded, ...]
    scores: Mapping[str, ScoreRow]
    """By attempt."""
    checks: Mapping[str, tuple[CheckScoreRow, ...]]
    """By attempt."""
    references: Mapping[str, Mapping[str, ScoreRow]]
    """Shortcuts and floors: by name, then by item."""
    registered: Mapping[str, str]
    """What is kept beside the manifest about its registration."""

    @cached_property
    def kept(self) -> tuple[Person, ...]:
        """People whom no rule leaves out."""
        out = {one.solver for one in self.left_out}
        return tuple(person for person in self.data.people if person.solver not in out)

    @cached_property
    def refused(self) -> tuple[Trial, ...]:
        """Answers to another text than the frozen one: never analysed."""
        solvers = [person.trials for person in self.data.people] + [model.trials for model in self.data.models]
        return tuple(trial for trials in solvers for trial in trials if trial.attempt and not trial.prompt_matches)

    def success(self, trial: Trial) -> float:
        """Return 1 or 0 for a presented trial, whatever was not answered being 0; NaN for any other."""
        if trial.status not in PRESENTED or not trial.prompt_matches:
            return float("nan")
        if trial.status != "answered":
            return 0.0
        row = self.scores.get(trial.attempt)
        if row is None:
            raise UsageError(f"answer {trial.attempt!r} is not scored yet", "clew study score")
        return float(row.correct or 0)

    def items(self, test: ItemTest = every) -> tuple[Item, ...]:
        return tuple(item for item in self.manifest.items if test(item))

    def people_matrix(self, items: Sequence[Item], people: Sequence[Person]) -> Floats:
        """Return P x I results, NaN where an item was not shown to a person or an error left nothing to score."""
        at = {item.uid: nth for nth, item in enumerate(items)}
        found = np.full((len(people), len(items)), np.nan)
        for row, person in enumerate(people):
            for trial in person.main:
                if trial.item_uid in at:
                    found[row, at[trial.item_uid]] = self.success(trial)
        return found

    def model_means(self, items: Sequence[Item], model: Model, aid: str = "A0") -> Floats:
        """Return the mean over a model's rollouts on each item, NaN where it was not run under this aid."""
        values: dict[str, list[float]] = defaultdict(list)
        for trial in model.trials:
            if trial.aid == aid or not trial.attempt:
                values[trial.item_uid].append(self.success(trial))
        found = np.full(len(items), np.nan)
        for nth, item in enumerate(items):
            here = [value for value in values.get(item.uid, []) if np.isfinite(value)]
            if here:
                found[nth] = sum(here) / len(here)
        return found

    def reference(self, items: Sequence[Item], name: str) -> Floats:
        """Return a shortcut's or a floor's results on items; NaN where it does not apply."""
        rows = self.references.get(name, {})
        return np.array([float(rows[item.uid].correct or 0) if item.uid in rows else np.nan for item in items])

    def in_arm(self, aid: str, people: Sequence[Person]) -> tuple[Person, ...]:
        return tuple(person for person in people if person.aid == aid)


def load(study: Study) -> Evidence:
    """Read what a study has collected and scored.

    Raises:
        UsageError: nothing was merged, or something is not scored yet.
    """
    if not study.answers.exists():
        raise UsageError(f"{study.folder} has no answers yet", "clew study merge")
    if not study.scores.exists():
        raise UsageError(f"{study.folder} has no scores yet", "clew study score")
    data = study_data(study)
    with Scores.open(study.scores) as scores:
        rows = {row.attempt: row for row in scores.scores() if row.scorer_version in SCORER_VERSIONS}
        verdicts: dict[str, list[CheckScoreRow]] = defaultdict(list)
        for check in scores.check_scores():
            if check.scorer_version in SCORER_VERSIONS:
                verdicts[check.attempt].append(check)
    names = (*BASELINES, *FLOORS)
    return Evidence(
        manifest=study.manifest,
        sha=study.sha,
        data=data,
        left_out=excluded(study, data),
        scores=rows,
        checks={attempt: tuple(found) for attempt, found in verdicts.items()},
        references={
            name: {
                row.puzzle_id: row for row in rows.values() if row.solver == name and row.attempt.startswith(f"{name}/")
            }
            for name in names
        },
        registered={key: study.file.meta.get(key, "") for key in ("registration", "prereg_sha")},
    )
