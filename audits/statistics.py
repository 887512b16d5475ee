"""The statistics of the audits. SciPy is loaded inside the functions that need it: it is of the `analysis` extra."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, erfc, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Z_99 = 2.3263478740408408
"""One-sided 99 % point of the normal distribution."""
Z_99_TWO_SIDED = 2.5758293035489004
"""Two-sided 99 % point of the normal distribution."""


class Tested(NamedTuple):
    """A statistic and the chance of one at least as extreme under no leak."""

    value: float
    p: float


class Share(NamedTuple):
    """A share of successes between one-sided 99 % Clopper-Pearson bounds, each bound on its own."""

    value: float
    low: float
    high: float


def auc(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> Tested:
    """Return the area under the curve and its one-sided rank p: exact for few untied scores, else normal with ties."""
    from scipy.stats import mannwhitneyu

    if positive.all() or not positive.any():
        raise ValueError("AUC needs both labels")
    if np.ptp(scores) == 0.0:
        return Tested(0.5, 1.0)
    ups, downs = scores[positive], scores[~positive]
    result = mannwhitneyu(ups, downs, alternative="greater", method="auto")
    return Tested(float(result.statistic) / (len(ups) * len(downs)), float(result.pvalue))


def auc_either_way(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> Tested:
    """Return how far the area under the curve lies from one half, added to it, and the two-sided rank p."""
    one, other = auc(scores, positive), auc(-scores, positive)
    return Tested(max(one.value, 1.0 - one.value), min(1.0, 2.0 * min(one.p, other.p)))


def balance(successes: int, trials: int) -> Tested:
    """Return the share of successes and the exact two-sided binomial p against one half."""
    if not trials:
        raise ValueError("a share needs at least one trial")
    tail = sum(comb(trials, k) for k in range(min(successes, trials - successes) + 1))
    return Tested(successes / trials, float(min(Fraction(1), Fraction(2 * tail, 1 << trials))))


def largest_imbalance(successes: int, trials: int) -> float:
    """Return the largest distance from one half inside the exact two-sided 99 % interval of a share."""
    share = clopper_pearson(successes, trials, level=0.995)
    return max(share.high - 0.5, 0.5 - share.low)


def auc_upper(value: float, ups: int, downs: int) -> float:
    """Return the one-sided 99 % upper bound of an AUC near one half, from its standard error under no leak."""
    return min(1.0, value + Z_99 * sqrt((ups + downs + 1) / (12 * ups * downs)))


def runs(labels: NDArray[np.bool_]) -> Tested:
    """Return the Wald-Wolfowitz z of a sequence of labels and its two-sided p; positive z means too many runs."""
    ups = int(labels.sum())
    downs = len(labels) - ups
    if not ups or not downs or len(labels) < 3:
        raise ValueError("the runs test needs both labels and at least three of them")
    count = 1 + int((labels[1:] != labels[:-1]).sum())
    mean = 1 + 2 * ups * downs / len(labels)
    variance = (mean - 1) * (mean - 2) / (len(labels) - 1)
    z = (count - mean) / sqrt(variance)
    return Tested(z, erfc(abs(z) / sqrt(2)))


def clopper_pearson(successes: int, trials: int, level: float = 0.99) -> Share:
    """Return the share and its exact one-sided bounds."""
    from scipy.stats import beta

    low = float(beta.ppf(1 - level, successes, trials - successes + 1)) if successes else 0.0
    high = float(beta.ppf(level, successes + 1, trials - successes)) if successes < trials else 1.0
    return Share(successes / trials, low, high)


def permutation_p(observed: int, permuted: NDArray[np.int64]) -> float:
    """Return the share of permutations, the observed one counted among them, that score at least as high."""
    return (1 + int((permuted >= observed).sum())) / (1 + len(permuted))


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """Return Holm's adjusted p-values in the given order."""
    adjusted = [0.0] * len(ps)
    highest = 0.0
    for rank, at in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[at]))
        adjusted[at] = highest
    return tuple(adjusted)
