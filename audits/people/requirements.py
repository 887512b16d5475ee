"""Writing tasks requirement by requirement: how often people met each kind, and models beside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from audits.people.evidence import Evidence
from engine.statistics import Interval, wilson
from engine.study.trials import Trial

PEOPLE = "people"


@dataclass(frozen=True, kw_only=True)
class Met:
    """How often one kind of requirement was met by one group of solvers."""

    passed: int
    counted: int
    interval: Interval

    @property
    def share(self) -> float:
        return self.passed / self.counted


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One type of constraint."""

    constraint_id: str
    family: str
    met: Mapping[str, Met]
    """By `people` or a model's name; who has none of it is not there."""


def kinds(evidence: Evidence) -> tuple[Kind, ...]:
    """Return every type of constraint that was judged, by family and id; only scored checks of answered items count."""
    groups: dict[str, Iterable[Trial]] = {
        PEOPLE: [trial for person in evidence.kept for trial in person.main],
        **{model.name: model.trials for model in evidence.data.models},
    }
    passed: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for name, trials in groups.items():
        for trial in trials:
            if trial.status != "answered" or not trial.prompt_matches:
                continue
            for check in evidence.checks.get(trial.attempt, ()):
                if check.scored:
                    passed[check.family, check.constraint_id][name].append(check.passed)
    return tuple(
        Kind(
            constraint_id=identity, family=family,
            met={
                name: Met(passed=sum(values), counted=len(values), interval=wilson(sum(values), len(values)))
                for name, values in found.items()
            },
        )
        for (family, identity), found in sorted(passed.items())
    )  # fmt: skip


def share_of_requirements(evidence: Evidence, trials: Iterable[Trial]) -> float | None:
    """Return the mean share of requirements met in answered writing tasks; None without any."""
    shares = []
    for trial in trials:
        checks = [check.passed for check in evidence.checks.get(trial.attempt, ()) if check.scored]
        if trial.status == "answered" and checks and trial.prompt_matches:
            shares.append(sum(checks) / len(checks))
    return sum(shares) / len(shares) if shares else None
