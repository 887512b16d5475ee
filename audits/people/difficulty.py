"""Each item's difficulty for people: the share of right answers, its range, and the same drawn towards the mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, pvariance

from engine.statistics import Interval, wilson
from engine.study.manifest import Item


@dataclass(frozen=True, kw_only=True)
class Difficulty:
    """One item."""

    uid: str
    answers: int
    right: int
    interval: Interval
    shrunk: float
    """Posterior mean under a beta distribution fitted to all items by moments."""


def difficulties(items: Sequence[Item], answers: Sequence[tuple[int, int]]) -> tuple[Difficulty, ...]:
    """Return the difficulty of each item that somebody answered, hardest first.

    Args:
        answers: (answers, right ones) of each item.
    """
    met = [(item, n, right) for item, (n, right) in zip(items, answers, strict=True) if n]
    if not met:
        return ()
    first, second = beta_prior([(n, right) for _, n, right in met])
    found = [
        Difficulty(
            uid=item.uid, answers=n, right=right, interval=wilson(right, n),
            shrunk=(right + first) / (n + first + second),
        )
        for item, n, right in met
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda one: (one.shrunk, one.uid)))


def beta_prior(answers: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """Return the two parameters of a beta distribution fitted to shares of right answers by moments.

    Where items differ no more than chance alone makes them, the prior is so strong that all shrink to the mean.
    """
    shares = [right / n for n, right in answers]
    middle = min(max(mean(shares), 1e-3), 1 - 1e-3)
    noise = mean(middle * (1 - middle) / n for n, _ in answers)
    spread = max(pvariance(shares) - noise, 1e-4)
    strength = max(middle * (1 - middle) / spread - 1, 1e-3)
    return middle * strength, (1 - middle) * strength
