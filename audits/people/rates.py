"""How often each solver was right, with every denominator named: presented, answered, assigned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from audits.people.evidence import Evidence
from engine.statistics import wilson
from engine.study.manifest import Item
from engine.study.statuses import Counts, count
from engine.study.trials import Trial


@dataclass(frozen=True, kw_only=True)
class Rate:
    """One solver on one family."""

    name: str
    """A P-number or a model's name."""
    kind: Literal["human", "model"]
    family: str
    aid: str
    counts: Counts
    correct: int
    presented: float | None
    """correct / presented, the primary rate; None without any."""
    low: float
    high: float
    """Wilson 95 % range of it."""
    answered: float | None
    """correct / answered."""
    half_for_skips: float | None
    """Of hidden systems, with half a point for what was skipped; None for writing tasks."""


def rate(
    evidence: Evidence, trials: Sequence[Trial], *, name: str, kind: Literal["human", "model"], family: str, aid: str
) -> Rate:
    """Return the rate of some trials of one solver; errors and missing items are in no rate."""
    shown = [trial for trial in trials if trial.prompt_matches]
    counts = count(trial.status for trial in shown)
    correct = round(sum(evidence.success(trial) for trial in shown if trial.status == "answered"))
    low, high = wilson(correct, counts.scored)
    skipped = counts.of("skipped")
    return Rate(
        name=name, kind=kind, family=family, aid=aid, counts=counts, correct=correct,
        presented=correct / counts.scored if counts.scored else None, low=low, high=high,
        answered=correct / counts.answered if counts.answered else None,
        half_for_skips=(correct + skipped / 2) / counts.scored
        if counts.scored and family == "hidden-systems"
        else None,
    )  # fmt: skip


def person_rates(evidence: Evidence, items: Sequence[Item], family: str) -> tuple[Rate, ...]:
    """Return the rates of all kept people on the items of a family, by place; one for each aid that a person had."""
    uids = {item.uid for item in items}
    arms = [person for aid in evidence.frame.aids for person in evidence.in_arm(aid, evidence.kept)]
    return tuple(
        rate(
            evidence, [trial for trial in person.main if trial.item_uid in uids], name=evidence.called(person),
            kind="human", family=family, aid=person.aid,
        )
        for person in sorted(arms, key=lambda person: (person.position, person.aid))
    )  # fmt: skip


def model_rates(evidence: Evidence, items: Sequence[Item], family: str) -> tuple[Rate, ...]:
    """Return the rates of all models on the items of a family; each rollout is a trial of its own here."""
    uids = {item.uid for item in items}
    return tuple(
        rate(
            evidence, [trial for trial in model.trials if trial.item_uid in uids], name=model.name, kind="model",
            family=family, aid="A0",
        )
        for model in evidence.data.models
    )  # fmt: skip
