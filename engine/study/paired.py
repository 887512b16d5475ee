"""The difference between two conditions that the same people met, with people and items both drawn again.

Legend:
    cell         one person before one item, under one of the two conditions
    difference   a person's share of right answers under the first condition minus that under the second

A person's level cancels in their difference. Items are dealt so that each is met under both conditions by different
people, evenly where everybody meets all of them; what is left of their difficulty is in the spread of the differences.
The estimate is the mean over people. Product weights count the noise of a cell three times, so resamples are scaled
about the estimate to the sum of the two one-way variances less that of single cells, which counts it once (Cameron,
Gelbach and Miller 2011), and to no less than the larger of the two. `benchmarks/study_null.py` measures the false
alarms that are left: 2 to 5 % at a nominal 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.study.twoway import CHUNK, FEWEST_ITEMS, FEWEST_PEOPLE, Difference, inverted_p, weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def enough(first: Floats, second: Floats) -> bool:
    """Say whether enough people met both conditions, and enough items under each, for a test."""
    import numpy as np

    both = np.isfinite(person_differences(first, second))
    items = [np.isfinite(cells[both]).any(axis=0).sum() for cells in (first, second)]
    return bool(both.sum() >= FEWEST_PEOPLE and min(items) >= FEWEST_ITEMS)


def person_differences(first: Floats, second: Floats) -> Floats:
    """Return each person's difference; NaN for who did not meet both conditions.

    Args:
        first, second: P x I results under each condition, NaN where an item was not met under it.
    """
    import numpy as np

    shares = []
    for cells in (first, second):
        seen = np.isfinite(cells)
        count = seen.sum(axis=1)
        shares.append(np.where(seen, cells, 0.0).sum(axis=1) / np.where(count > 0, count, np.nan))
    return np.asarray(shares[0] - shares[1])


def paired(first: Floats, second: Floats, *, resamples: int, key: str, level: float = 0.95) -> Difference:
    """Bootstrap the mean difference of people, drawing people and items independently with replacement.

    Args:
        first, second: as in `person_differences`; people who did not meet both are left out.
        key: names the contrast; the same key gives the same resamples.
        level: of the interval.

    Raises:
        ValueError: nobody met both conditions.
    """
    import numpy as np

    both = np.isfinite(person_differences(first, second))
    if not both.any():
        raise ValueError("nobody met both conditions; at least one person is needed")
    first, second = first[both], second[both]
    drawn = np.concatenate(
        [
            _resampled(first, second, min(CHUNK, resamples - start), f"{key}/{start}")
            for start in range(0, resamples, CHUNK)
        ]
    )
    value = float(person_differences(first, second).mean())
    drawn = drawn[np.isfinite(drawn)]
    spread = float(drawn.var())
    scale = (variance(first, second) / spread) ** 0.5 if spread > 0 else 1.0
    drawn = value + (drawn - value) * scale
    tail = (1 - level) / 2
    low, high = (float(np.quantile(drawn, share)) for share in (tail, 1 - tail))
    seen = np.isfinite(first) | np.isfinite(second)
    return Difference(
        value=value, low=max(-1.0, low), high=min(1.0, high), p=inverted_p(drawn), people=int(both.sum()),
        items=int(seen.any(axis=0).sum()), cells=int(np.isfinite(first).sum() + np.isfinite(second).sum()),
        resamples=len(drawn),
    )  # fmt: skip


def variance(first: Floats, second: Floats) -> float:
    """Return the variance of the mean difference with both people and items as clusters; everybody met both."""
    import numpy as np

    pulls = np.zeros(first.shape)
    own = person_differences(first, second)
    for cells, sign in ((first, 1.0), (second, -1.0)):
        seen = np.isfinite(cells)
        count = seen.sum(axis=1, keepdims=True)
        known = np.where(seen, cells, 0.0)
        off = np.where(seen, known - known.sum(axis=1, keepdims=True) / count, 0.0)
        pulls += sign * off / count / len(cells)
    people, items = len(own), int((np.isfinite(first) | np.isfinite(second)).any(axis=0).sum())
    of_people = float(own.var(ddof=1)) / people if people > 1 else 0.0
    of_items = float((pulls.sum(axis=0) ** 2).sum()) * items / max(items - 1, 1)
    return max(of_people + of_items - float((pulls**2).sum()), of_people, of_items)


def _resampled(first: Floats, second: Floats, draws: int, key: str) -> Floats:
    """Return the mean differences of so many resamples; NaN where nobody drawn has both conditions left."""
    import numpy as np

    of_people = weights(first.shape[0], draws, key, "people")
    of_items = weights(first.shape[1], draws, key, "items")
    own = np.zeros((draws, first.shape[0]))
    for cells, sign in ((first, 1.0), (second, -1.0)):
        seen = np.isfinite(cells)
        count = of_items @ seen.T.astype(np.float64)
        own += sign * (of_items @ np.where(seen, cells, 0.0).T) / np.where(count > 0, count, np.nan)
    there = of_people * np.isfinite(own)
    total = there.sum(axis=1)
    return np.asarray((there * np.nan_to_num(own)).sum(axis=1) / np.where(total > 0, total, np.nan))
