"""One person, and several together: the single-person mean and its distribution come first, panels beside them.

A panel of k is drawn without replacement from those who answered an item, and so is a set of k rollouts of a model: the
same formula for both, unbiased, blank where k exceeds what there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from statistics import mean, median, stdev

import numpy as np

from audits.people.evidence import Evidence, Floats
from engine.study.manifest import Item


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """How the rates of single people are spread."""

    people: int
    mean: float
    sd: float | None
    low: float
    middle: float
    high: float
    best: float


@dataclass(frozen=True, kw_only=True)
class Panel:
    """k answers to each item, taken together."""

    k: int
    items: int
    """Items with at least k answers."""
    majority: float | None
    """Share of items that a majority of k gets right; half for a tie. None for writing tasks, which have no vote."""
    best: float
    """Share of items that at least one of k gets right (pass@k for a model)."""


def distribution(rates: Sequence[float]) -> Distribution | None:
    """Return the distribution of single people's rates; None without any."""
    if not rates:
        return None
    quarter, three = (float(np.quantile(rates, share)) for share in (0.25, 0.75))
    return Distribution(
        people=len(rates), mean=mean(rates), sd=stdev(rates) if len(rates) > 1 else None, low=quarter,
        middle=median(rates), high=three, best=max(rates),
    )  # fmt: skip


def best_of(answers: int, right: int, k: int) -> Fraction:
    """Return the chance that k of the answers, drawn without replacement, hold a right one."""
    return 1 - Fraction(comb(answers - right, k), comb(answers, k))


def majority_of(answers: int, right: int, k: int) -> Fraction:
    """Return the chance that most of k of the answers, drawn without replacement, are right; half for a tie."""
    total = comb(answers, k)
    found = Fraction(0)
    for hits in range(max(0, k - (answers - right)), min(k, right) + 1):
        ways = Fraction(comb(right, hits) * comb(answers - right, k - hits), total)
        found += ways * (1 if 2 * hits > k else Fraction(1, 2) if 2 * hits == k else 0)
    return found


def panels(answers: Sequence[tuple[int, int]], ks: Sequence[int], *, votes: bool) -> tuple[Panel, ...]:
    """Return the panels of some sizes.

    Args:
        answers: (answers, right ones) of each item.
        votes: whether a majority means something.
    """
    found = []
    for k in ks:
        enough = [(n, right) for n, right in answers if n >= k]
        if not enough:
            continue
        majority = mean(float(majority_of(n, right, k)) for n, right in enough) if votes else None
        best = mean(float(best_of(n, right, k)) for n, right in enough)
        found.append(Panel(k=k, items=len(enough), majority=majority, best=best))
    return tuple(found)


def people_answers(matrix: Floats) -> list[tuple[int, int]]:
    """Return, for each item, how many people were shown it and how many were right."""
    seen = np.isfinite(matrix)
    return [(int(seen[:, nth].sum()), int(np.nansum(matrix[:, nth]))) for nth in range(matrix.shape[1])]


def model_answers(evidence: Evidence, items: Sequence[Item], name: str) -> list[tuple[int, int]]:
    """Return, for each item, how many rollouts a model has and how many were right."""
    model = next(one for one in evidence.data.models if one.name == name)
    found = []
    for item in items:
        values = [evidence.success(trial) for trial in model.trials if trial.item_uid == item.uid]
        here = [value for value in values if np.isfinite(value)]
        found.append((len(here), round(sum(here))))
    return found
