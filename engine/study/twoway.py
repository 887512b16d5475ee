"""The difference between people and a model on the same items, with people and items both drawn again.

Legend:
    cell       one person before one item: right or not
    weights    how often a person, and an item, came up in a resample; a cell weighs the product of the two

A resample that drew items alone, or pooled all cells, would take people for interchangeable, or answers for
independent: at no true difference such tests call one study in ten to one in five significant at a nominal one in
twenty. Product weights err the other way: they count the noise of a single cell three times. The resampled differences
are therefore scaled about the estimate to the sum of the two one-way variances, which counts it twice.
`benchmarks/study_null.py` measures what is left: 3 to 6 % at a nominal 5 %. A model's rollouts are reduced to one mean
an item first, and more of them are no more items.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.randomness import uniform_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FEWEST_PEOPLE = 6
"""Under so many people the interval was never measured: no test of a population is made."""
FEWEST_ITEMS = 10
"""Nor under so many items, where a test of two aids gives several times the false alarms that it names."""
CHUNK = 2_000
"""Resamples at a time, so that the weights of a large study stay small in memory."""
PURPOSE = "study/two-way"


@dataclass(frozen=True, kw_only=True)
class Difference:
    """People minus model, as shares of right answers."""

    value: float
    low: float
    """Percentile interval."""
    high: float
    p: float
    """Two-sided, by inverting the interval."""
    people: int
    items: int
    cells: int
    resamples: int


def difference(people: Floats, model: Floats) -> float:
    """Return the mean over all seen cells of the person's result minus the model's on that item.

    Args:
        people: P x I, NaN where an item was not shown to a person.
        model: I means in [0, 1].
    """
    import numpy as np

    return float(np.nanmean(people - model[np.newaxis, :]))


def two_way(people: Floats, model: Floats, *, resamples: int, key: str, level: float = 0.95) -> Difference:
    """Bootstrap the difference, drawing people and items independently with replacement.

    Args:
        people: P x I, NaN where an item was not shown to a person; every person saw at least one item.
        model: I means in [0, 1], none NaN.
        key: names the contrast; the same key gives the same resamples.
        level: of the interval.

    Raises:
        ValueError: nobody, or nothing in common.
    """
    import numpy as np

    seen = np.isfinite(people)
    if not seen.any():
        raise ValueError("no cell: a person and a model with an item in common are needed")
    cells = np.where(seen, people - model[np.newaxis, :], 0.0)
    drawn = np.concatenate(
        [
            _resampled(cells, seen.astype(np.float64), min(CHUNK, resamples - start), f"{key}/{start}")
            for start in range(0, resamples, CHUNK)
        ]
    )
    value = float(cells.sum() / seen.sum())
    drawn = drawn[np.isfinite(drawn)]
    drawn = value + (drawn - value) * _scale(cells, seen, drawn)
    tail = (1 - level) / 2
    low, high = (float(np.quantile(drawn, share)) for share in (tail, 1 - tail))
    return Difference(
        value=value,
        low=max(-1.0, low),
        high=min(1.0, high),
        p=inverted_p(drawn),
        people=int(seen.any(axis=1).sum()),
        items=int(seen.any(axis=0).sum()),
        cells=int(seen.sum()),
        resamples=len(drawn),
    )


def one_way_variances(cells: Floats, seen: NDArray[np.bool_]) -> tuple[float, float]:
    """Return the variance of the mean over cells with people, and with items, as the clusters.

    Args:
        cells: P x I differences, 0 where nothing was seen.
    """
    import numpy as np

    count = seen.sum()
    off = np.where(seen, cells - cells.sum() / count, 0.0)
    found = []
    for axis in (1, 0):
        clusters = int(seen.any(axis=axis).sum())
        spread = float((off.sum(axis=axis) ** 2).sum() / count**2)
        found.append(spread * clusters / (clusters - 1) if clusters > 1 else spread)
    return found[0], found[1]


def _scale(cells: Floats, seen: NDArray[np.bool_], drawn: Floats) -> float:
    """Return by how much the resampled deviations are drawn together; 1 where they have no spread."""
    spread = float(drawn.var())
    of_people, of_items = one_way_variances(cells, seen)
    return float(((of_people + of_items) / spread) ** 0.5) if spread > 0 else 1.0


def inverted_p(drawn: Floats) -> float:
    """Return the two-sided p at which a percentile interval of these draws would just reach 0."""
    below, above = int((drawn <= 0).sum()), int((drawn >= 0).sum())
    return min(1.0, 2 * (min(below, above) + 1) / (len(drawn) + 1))


def weights(count: int, draws: int, *key: str) -> Floats:
    """Return draws x count: how often each of `count` came up when `count` are drawn with replacement."""
    import numpy as np

    picked = (uniform_words(draws * count, PURPOSE, *key) % np.uint64(count)).astype(np.int64).reshape(draws, count)
    flat = picked + (np.arange(draws, dtype=np.int64) * count)[:, np.newaxis]
    return np.bincount(flat.ravel(), minlength=draws * count).reshape(draws, count).astype(np.float64)


def _resampled(cells: Floats, seen: Floats, draws: int, key: str) -> Floats:
    """Return the differences of so many resamples; NaN where a resample has no cell."""
    import numpy as np

    of_people = weights(cells.shape[0], draws, key, "people")
    of_items = weights(cells.shape[1], draws, key, "items")
    total = ((of_people @ cells) * of_items).sum(axis=1)
    count = ((of_people @ seen) * of_items).sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(total / np.where(count > 0, count, np.nan))
