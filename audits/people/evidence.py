"""What a report stands on: trials with their scores, turned into matrices of people and items.

Only first exposures of main items count, only rows whose text is the frozen one byte for byte, and only people whom no
rule leaves out (the same without the rules is one argument away). Nothing here opens a sealed file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.errors import UsageError
from engine.references import REFERENCES, reference_attempt
from engine.scoring import SCORER_VERSIONS
from engine.store.scores import CheckScoreRow, ScoreRow, Scores
from engine.study.config import Primary
from engine.study.exclusions import Excluded
from engine.study.folder import Study
from engine.study.gathering import excluded, study_data
from engine.study.manifest import Item, Manifest
from engine.study.pack_play import pack_play
from engine.study.statuses import PRESENTED
from engine.study.trials import Model, Person, StudyData, Trial
from tui.shown import shown_cell

Floats = NDArray[np.float64]
ItemTest = Callable[[Item], bool]
NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, kw_only=True)
class Frame:
    """What an analysis is given beside the data: by a frozen manifest, or by the pack alone."""

    name: str
    title: str
    version: int
    """Of the study; 0 outside of one."""
    sha: str
    """Of the manifest, or of the pack's content."""
    items: tuple[Item, ...]
    aids: tuple[str, ...]
    primary: Primary | None
    """The registered contrast; None where nothing was registered."""
    alpha: float
    resamples: int
    ends: int
    """How many first and last items are set against each other."""
    resampling_seed: str
    population: str
    score_with: str
    """The command that scores what is not scored yet."""

    @classmethod
    def of_study(cls, manifest: Manifest, sha: str) -> Frame:
        analysis = manifest.analysis
        return cls(
            name=manifest.name, title=manifest.title, version=manifest.version, sha=sha, items=manifest.items,
            aids=manifest.aids, primary=analysis.primary, alpha=float(analysis.alpha), resamples=analysis.resamples,
            ends=analysis.ends, resampling_seed=manifest.resampling_seed, population=manifest.people.population,
            score_with="clew study score",
        )  # fmt: skip


def every(item: Item) -> bool:
    """Take every item."""
    return True


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Everything that a report is made from."""

    frame: Frame
    manifest: Manifest | None
    """The frozen study; None for a pack that was played outside of one."""
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
            raise UsageError(f"answer {trial.attempt!r} is not scored yet", self.frame.score_with)
        return float(row.correct or 0)

    def items(self, test: ItemTest = every) -> tuple[Item, ...]:
        return tuple(item for item in self.frame.items if test(item))

    def people_matrix(self, items: Sequence[Item], people: Sequence[Person], aid: str = "") -> Floats:
        """Return P x I results, NaN where an item was not shown to a person or an error left nothing to score.

        Args:
            aid: under which items were met; under any if empty.
        """
        at = {item.uid: nth for nth, item in enumerate(items)}
        found = np.full((len(people), len(items)), np.nan)
        for row, person in enumerate(people):
            for trial in person.main:
                if trial.item_uid in at and aid in ("", trial.aid):
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
        """Return who met items under an aid, each with those alone: outside of studies a person may change it."""
        own = ((person, tuple(t for t in person.trials if t.aid == aid)) for person in people)
        return tuple(
            replace(person, aid=aid, trials=trials) for person, trials in own if person.aid == aid or any(trials)
        )

    def called(self, person: Person) -> str:
        """Return what a person is called: a P-number in studies, outside of them the name they chose."""
        return label_of(person.position) if self.manifest is not None else shown_cell(person.code)


def label_of(position: int) -> str:
    """Return what a participant is called in reports and exports."""
    return f"P{position + 1:02d}"


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
        return gathered(
            Frame.of_study(study.manifest, study.sha), data, scores, manifest=study.manifest,
            left_out=excluded(study, data),
            registered={key: study.file.meta.get(key, "") for key in ("registration", "prereg_sha")},
        )  # fmt: skip


RESAMPLES, ENDS, ALPHA = 10_000, 5, 0.05
"""What holds where no study fixes something else."""


def load_pack(pack: Path, answers: Path, scores: Path) -> Evidence:
    """Read what was answered on a pack outside of studies, and its scores.

    Raises:
        StoreError: a file is missing or cannot be used.
    """
    play = pack_play(pack, answers)
    frame = Frame(
        name=play.title, title=play.title, version=0, sha=play.sha, items=play.items, aids=play.aids, primary=None,
        alpha=ALPHA, resamples=RESAMPLES, ends=ENDS, resampling_seed=play.sha, population="",
        score_with="clew score",
    )  # fmt: skip
    with Scores.open(scores) as kept:
        return gathered(frame, play.data, kept)


def gathered(
    frame: Frame, data: StudyData, scores: Scores, *, manifest: Manifest | None = None,
    left_out: tuple[Excluded, ...] = (), registered: Mapping[str, str] = NOTHING,
) -> Evidence:  # fmt: skip
    """Return the evidence of what was collected and of what this version's scorer made of it."""
    rows = {row.attempt: row for row in scores.scores() if row.scorer_version in SCORER_VERSIONS}
    beside = {row.attempt: row for row in scores.references() if row.scorer_version in SCORER_VERSIONS}
    verdicts: dict[str, list[CheckScoreRow]] = defaultdict(list)
    for check in scores.check_scores():
        if check.scorer_version in SCORER_VERSIONS:
            verdicts[check.attempt].append(check)
    uids = [item.uid for item in frame.items]
    return Evidence(
        frame=frame, manifest=manifest, data=data, left_out=left_out, scores=rows,
        checks={attempt: tuple(found) for attempt, found in verdicts.items()},
        references={
            name: {uid: beside[made] for uid in uids if (made := reference_attempt(name, uid)) in beside}
            for name in REFERENCES
        },
        registered=registered,
    )  # fmt: skip
