"""Whether people, and models that were asked, know how sure they may be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audits.people.evidence import Evidence
from engine.statistics import wilson
from engine.study.trials import Trial

WIDTH = 10
"""Percent of confidence in one bin; 100 belongs to the last."""


@dataclass(frozen=True, kw_only=True)
class Bin:
    """Answers of about one confidence."""

    low: int
    """Percent, the bin's lower end."""
    answers: int
    correct: int
    confidence: float
    """Mean, in [0, 1]."""
    rate_low: float
    rate_high: float
    """Wilson 95 % range of the share of right ones."""


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """How confidence and being right go together."""

    answers: int
    brier: float
    """0 best; 0.25 for always saying 50 %."""
    bins: tuple[Bin, ...]
    ece: float
    """Mean gap between confidence and share of right ones, weighted by bins of ten percent."""
    overconfidence: float
    """Mean confidence minus share of right ones."""
    discrimination: float | None
    """Type-2 AUC: the chance that a right answer was given with more confidence than a wrong one."""


def pairs_of(evidence: Evidence, trials: Iterable[Trial]) -> list[tuple[int, bool]]:
    """Return (confidence in percent, right) of the answered trials that have both."""
    return [
        (trial.confidence, evidence.success(trial) == 1.0)
        for trial in trials
        if trial.status == "answered" and trial.confidence is not None and trial.prompt_matches
    ]


def calibration(pairs: Sequence[tuple[int, bool]]) -> Calibration | None:
    """Return the calibration of some answers; None without any."""
    if not pairs:
        return None
    total = len(pairs)
    bins = _bins(pairs)
    right = sum(correct for _, correct in pairs) / total
    return Calibration(
        answers=total,
        brier=sum((confidence / 100 - correct) ** 2 for confidence, correct in pairs) / total,
        bins=bins,
        ece=sum(one.answers * abs(one.confidence - one.correct / one.answers) for one in bins) / total,
        overconfidence=sum(confidence for confidence, _ in pairs) / (100 * total) - right,
        discrimination=_discrimination(pairs),
    )


def _bins(pairs: Sequence[tuple[int, bool]]) -> tuple[Bin, ...]:
    groups: dict[int, list[tuple[int, bool]]] = {}
    for confidence, correct in pairs:
        groups.setdefault(min(confidence // WIDTH * WIDTH, 100 - WIDTH), []).append((confidence, correct))
    found = []
    for low, group in sorted(groups.items()):
        hits = sum(right for _, right in group)
        span = wilson(hits, len(group))
        found.append(
            Bin(
                low=low, answers=len(group), correct=hits, confidence=sum(c for c, _ in group) / (100 * len(group)),
                rate_low=span.low, rate_high=span.high,
            )
        )  # fmt: skip
    return tuple(found)


def _discrimination(pairs: Sequence[tuple[int, bool]]) -> float | None:
    right = [confidence for confidence, correct in pairs if correct]
    wrong = [confidence for confidence, correct in pairs if not correct]
    if not right or not wrong:
        return None
    wins = sum((one > other) + (one == other) / 2 for one in right for other in wrong)
    return wins / (len(right) * len(wrong))
