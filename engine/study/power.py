"""What a design can see: answers drawn from a simple model of people and items, and the test that will be used.

    logit of a person's chance   level + person (SD 0.6) + item (SD 1.0)
    logit of the model's         level + its own item effect (SD 1.0), correlated 0.5 with the people's

Two errors are taken from simulated studies: how far the difference really strays, and how far the test takes it to
stray. The detectable difference is what that test finds with the wanted power. The assumptions are printed with every
figure.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from engine.randomness import derive
from engine.study.twoway import difference, one_way_variances

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

PURPOSE = "study/power"


@dataclass(frozen=True, kw_only=True)
class Assumed:
    """What a simulation takes for granted; pilot data may replace it."""

    person_sd: float = 0.6
    """On the logit scale."""
    item_sd: float = 1.0
    correlation: float = 0.5
    """Of an item's difficulty for people and for the model."""
    level: float = 0.7
    """Mean share of right answers of people."""
    rollouts: int = 4


@dataclass(frozen=True, kw_only=True)
class Shape:
    """Who answers what."""

    people: int
    items: int
    each: int
    """Items a person answers."""


@dataclass(frozen=True, kw_only=True)
class Detectable:
    """The smallest difference that a design finds."""

    shape: Shape
    difference: float
    """As a share of right answers."""
    error: float
    """Standard deviation of the difference over studies."""
    studies: int
    """Simulated studies behind it."""


def detectable(
    shape: Shape, assumed: Assumed, *, studies: int = 400, power: float = 0.8, alpha: float = 0.05
) -> Detectable:
    """Return the difference that is found with the wanted power."""
    normal, gap, error = NormalDist(), 0.0, 0.0
    for _ in range(2):  # errors depend on the difference itself: the second time they are those at the first answer
        error, taken = _errors(shape, assumed, studies, gap)
        gap = normal.inv_cdf(1 - alpha / 2) * taken + normal.inv_cdf(power) * error
    return Detectable(shape=shape, difference=gap, error=error, studies=studies)


def _errors(shape: Shape, assumed: Assumed, studies: int, gap: float) -> tuple[float, float]:
    """Return the standard deviation of the difference over studies, and the mean of what the test takes it for."""
    import numpy as np

    values, taken = [], []
    for nth in range(studies):
        people, model = simulate(shape, assumed, nth, gap)
        seen = np.isfinite(people)
        values.append(difference(people, model))
        taken.append(sum(one_way_variances(np.where(seen, people - model, 0.0), seen)) ** 0.5)
    return float(np.std(values, ddof=1)), float(np.mean(taken))


def simulate(shape: Shape, assumed: Assumed, nth: int, gap: float = 0.0) -> tuple[Floats, Floats]:
    """Draw one study: people (P x I, NaN where not shown) and the model's mean of each item.

    Args:
        nth: which study; each has draws of its own.
        gap: people's mean share of right answers minus the model's.
    """
    import numpy as np

    draw = np.random.Generator(np.random.PCG64(derive(PURPOSE, *_key(shape, assumed), nth)))
    items = draw.normal(0.0, assumed.item_sd, shape.items)
    own = draw.normal(0.0, assumed.item_sd, shape.items)
    theirs = assumed.correlation * items + np.sqrt(1 - assumed.correlation**2) * own
    persons = draw.normal(0.0, assumed.person_sd, shape.people)
    people_level = intercept(assumed.level, float(np.hypot(assumed.person_sd, assumed.item_sd)))
    model_level = intercept(assumed.level - gap, assumed.item_sd)
    chance = _logistic(people_level + persons[:, np.newaxis] + items[np.newaxis, :])
    people = (draw.random(chance.shape) < chance).astype(np.float64)
    people[~_shown(shape, draw)] = np.nan
    model = draw.binomial(assumed.rollouts, _logistic(model_level + theirs)) / assumed.rollouts
    return people, model


def intercept(share: float, sd: float) -> float:
    """Return the level at which a logistic chance with normal effects of this SD is `share` on average."""
    import numpy as np

    nodes, node_weights = np.polynomial.hermite_e.hermegauss(41)
    node_weights = node_weights / node_weights.sum()
    low, high = -12.0, 12.0
    for _ in range(60):
        middle = (low + high) / 2
        if float(node_weights @ _logistic(middle + sd * nodes)) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _logistic(value: Floats) -> Floats:
    import numpy as np

    return np.asarray(1.0 / (1.0 + np.exp(-value)))


def _shown(shape: Shape, draw: np.random.Generator) -> NDArray[np.bool_]:
    """Return which person sees which item: in turn, so that items are covered evenly, and mixed over people."""
    import numpy as np

    shown = np.zeros((shape.people, shape.items), dtype=np.bool_)
    order: list[int] = []
    for person in range(shape.people):
        while len(order) < shape.each:
            order += [int(item) for item in draw.permutation(shape.items) if item not in order]
        shown[person, order[: shape.each]] = True
        order = order[shape.each :]
    return shown


def _key(shape: Shape, assumed: Assumed) -> tuple[str, ...]:
    return (
        f"{shape.people}x{shape.items}x{shape.each}",
        f"{assumed.person_sd}/{assumed.item_sd}/{assumed.correlation}/{assumed.level}/{assumed.rollouts}",
    )
