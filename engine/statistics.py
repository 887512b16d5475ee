"""Small pure statistics that the app, the comparison and the audits share."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z_95 = 1.959963984540054
"""Two-sided 95 % point of the normal distribution."""


class Interval(NamedTuple):
    """A range of proportions, each in [0, 1]."""

    low: float
    high: float


def wilson(successes: int, trials: int, z: float = Z_95) -> Interval:
    """Return the Wilson score interval of `successes` in `trials`; (0, 1) without trials."""
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes!r} of {trials!r}: successes must lie in 0..trials")
    if trials == 0:
        return Interval(0.0, 1.0)
    rate = successes / trials
    shrink = 1 + z * z / trials
    centre = (rate + z * z / (2 * trials)) / shrink
    half = z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials)) / shrink
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return Interval(low, high)
