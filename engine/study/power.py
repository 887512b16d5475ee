"""What a design can see: answers drawn from a simple model of people and items, and the test that will be used.

    logit of a person's chance   level + person (SD 0.6) + item (SD 1.0)
    logit of the model's         level + its own item effect (SD 1.0), correlated 0.5 with the people's
    logit under another aid      another level, the same person and item effects

Two errors are taken from simulated studies: how far the difference really strays, and how far the test takes it to
stray. The detectable difference is what that test finds with the wanted power. The assumptions are printed with every
figure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from engine.public import Aid
from engine.randomness import derive
from engine.study.ordering import dealt
from engine.study.paired import person_differences, variance
from engine.study.twoway import difference, one_way_variances

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

PURPOSE = "study/power"
TWO: tuple[Aid, Aid] = ("A0", "A1")
"""Any two; which they are makes no difference to a simulation."""


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
    """Return the difference between people and a model that is found with the wanted power."""

    def study(nth: int, gap: float) -> tuple[float, float]:
        import numpy as np

        people, model = simulate(shape, assumed, nth, gap)
        seen = np.isfinite(people)
        return difference(people, model), sum(one_way_variances(np.where(seen, people - model, 0.0), seen))

    return _detectable(shape, study, studies, power, alpha)


def detectable_within(
    shape: Shape, assumed: Assumed, *, aids: Sequence[Aid] = TWO, studies: int = 400, power: float = 0.8,
    alpha: float = 0.05,
) -> Detectable:  # fmt: skip
    """Return the difference between two of the aids that each person meets that is found with the wanted power."""

    def study(nth: int, gap: float) -> tuple[float, float]:
        first, second = simulate_within(shape, assumed, nth, gap, aids=aids)
        return float(person_differences(first, second).mean()), variance(first, second)

    return _detectable(shape, study, studies, power, alpha)


def _detectable(
    shape: Shape, study: Callable[[int, float], tuple[float, float]], studies: int, power: float, alpha: float
) -> Detectable:
    """Return what is found, given the difference that each simulated study finds and the variance that its test takes.

    Errors depend on the difference itself: the second time they are those at the first answer.
    """
    import numpy as np

    normal, gap, error = NormalDist(), 0.0, 0.0
    for _ in range(2):
        found = np.array([study(nth, gap) for nth in range(studies)])
        error, taken = float(found[:, 0].std(ddof=1)), float(np.sqrt(found[:, 1]).mean())
        gap = normal.inv_cdf(1 - alpha / 2) * taken + normal.inv_cdf(power) * error
    return Detectable(shape=shape, difference=gap, error=error, studies=studies)


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


def simulate_within(
    shape: Shape, assumed: Assumed, nth: int, gap: float = 0.0, *, aids: Sequence[Aid] = TWO
) -> tuple[Floats, Floats]:
    """Draw one study that deals each person's items to all aids: under the first two, P x I, NaN where not met.

    Args:
        nth: which study; each has draws of its own.
        gap: mean share of right answers under the first aid minus that under the second.
    """
    import numpy as np

    draw = np.random.Generator(np.random.PCG64(derive(PURPOSE, "within", *_key(shape, assumed), len(aids), nth)))
    items = draw.normal(0.0, assumed.item_sd, shape.items)
    persons = draw.normal(0.0, assumed.person_sd, shape.people)
    met = np.zeros((2, shape.people, shape.items), dtype=np.bool_)
    for person, seen in enumerate(_shown(shape, draw)):
        mine = dealt({f"{item:06d}": "" for item in np.flatnonzero(seen)}, aids, position=person, seed=f"{nth}")
        for which, aid in enumerate(aids[:2]):
            met[which, person, [int(item) for item in mine.get(aid, ())]] = True
    spread = float(np.hypot(assumed.person_sd, assumed.item_sd))
    results = []
    for which, level in enumerate((assumed.level, assumed.level - gap)):
        chance = _logistic(intercept(level, spread) + persons[:, np.newaxis] + items[np.newaxis, :])
        right = (draw.random(chance.shape) < chance).astype(np.float64)
        results.append(np.where(met[which], right, np.nan))
    return results[0], results[1]


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
