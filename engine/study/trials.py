"""One row for every item that somebody was to answer, with its status: what analysis and exports are made of.

Nothing is scored here, and nothing is left out: practice, attention, repeated items and second exposures are rows with
their role, and a later step says which of them count.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from engine.study.statuses import Counts, Status, count

TrialRole = Literal["main", "attention", "repeat", "practice"]


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One item before one person or model."""

    manifest_sha: str
    kind: Literal["human", "model"]
    solver: str
    code: str
    """The participant's code, or the model's name."""
    role: TrialRole
    item_uid: str
    """The study's item; of a repeated item, the one it repeats."""
    shown_uid: str
    """The id under which it was shown."""
    prompt_sha: str
    """Of the text answered; of a conversation, of its turns' digests."""
    prompt_matches: bool
    """Whether that is the manifest's text; vacuously so without an answer."""
    family: str
    stratum: str
    complexity: int
    domain: str
    aid: str
    position: int
    """Place in the person's list, from 0; -1 for practice and for models."""
    block: int
    status: Status
    answer: str
    """PRESENT, ABSENT, SKIP, or empty."""
    confidence: int | None
    rt_ms_active: int | None
    rt_ms_wall: int | None
    n_revisions: int
    exposure: int
    """1 for the first time that this solver met the item; only that is analysed."""
    rollout: int
    """0 for people; of a model, the nth independent answer."""
    resumed: bool
    reason: str
    """Why it was skipped."""
    shown_at: str
    answered_at: str
    session: str
    attempt: str
    """Id of the answer that counts; empty without one."""
    app_version: str
    columns: int | None
    rows: int | None
    characters: int | None
    """Of the text that was written."""
    late_lease: bool = False
    attention_passed: bool | None = None
    """Of an attention item that was met, whether it was passed; None for anything else."""

    @property
    def is_main(self) -> bool:
        """Whether it belongs to the primary analysis, exclusions apart."""
        return self.role == "main" and self.exposure == 1


@dataclass(frozen=True, kw_only=True)
class Person:
    """A participant with everything that exclusion rules look at."""

    solver: str
    code: str
    aid: str
    """The first one, where the study varies it within people."""
    position: int
    consent_at: str
    consent_version: str
    consent_sha: str
    intake: Mapping[str, int]
    """Chosen option by code, from 0."""
    checks: tuple[bool, ...]
    """Tries of the comprehension check, in order."""
    checked: bool
    """Whether there was a check to pass."""
    ended: str
    """finished, stopped, failed-check, expired, refused, or empty while it goes on."""
    sessions: tuple[str, ...]
    trials: tuple[Trial, ...]

    @property
    def aids(self) -> tuple[str, ...]:
        """Return the aids of the person's main items, in the order in which they come."""
        return tuple(dict.fromkeys(trial.aid for trial in sorted(self.main, key=lambda one: one.position))) or (
            self.aid,
        )

    def of_role(self, role: TrialRole) -> tuple[Trial, ...]:
        return tuple(trial for trial in self.trials if trial.role == role)

    @property
    def main(self) -> tuple[Trial, ...]:
        return tuple(trial for trial in self.trials if trial.is_main)

    def counts(self) -> Counts:
        return count(trial.status for trial in self.main)


@dataclass(frozen=True, kw_only=True)
class Model:
    """A model or a built-in solver with its answers to the study's items."""

    solver: str
    name: str
    trials: tuple[Trial, ...]

    def counts(self) -> Counts:
        return count(trial.status for trial in self.trials)


@dataclass(frozen=True, kw_only=True)
class StudyData:
    """All that was collected under one version of a study."""

    people: tuple[Person, ...]
    """By position."""
    models: tuple[Model, ...]
    """By name."""
    withdrawn: int
    """Tombstones."""

    def marked_late(self, late: Collection[tuple[str, str]]) -> StudyData:
        """Return the same with a mark on what was done after its lease had ended: (solver, item) pairs."""
        people = tuple(
            replace(
                person,
                trials=tuple(
                    replace(trial, late_lease=(person.solver, trial.item_uid) in late and trial.role == "main")
                    for trial in person.trials
                ),
            )
            for person in self.people
        )
        return replace(self, people=people)
