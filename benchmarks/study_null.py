"""Studies in which people and a model are equally good: how often does each test call them different?

Answers are drawn from a model of people and items (`engine.study.power`), in the designs of a human baseline. The
two-way bootstrap has to stay between 3 and 7 % at a nominal 5 %; what other tests do on the same studies stands beside.
The same people are then dealt to two aids that do the same: the paired test has to call no more than 7 % different.
Then the planner is checked: at the difference that it says a design finds with 80 % power, simulated studies find it.
Run: python benchmarks/study_null.py [STUDIES]
"""

from __future__ import annotations

import sys
from statistics import NormalDist

import numpy as np
from measure import ROOT  # noqa: F401  # puts the checkout on the path

from engine.public import Aid
from engine.study.ordering import dealt
from engine.study.paired import paired, person_differences
from engine.study.power import Assumed, Shape, detectable, detectable_within, simulate, simulate_within
from engine.study.twoway import inverted_p, two_way, weights

DESIGNS = (
    Shape(people=12, items=40, each=40),
    Shape(people=20, items=60, each=30),
    Shape(people=40, items=120, each=30),
    Shape(people=6, items=120, each=40),
)
PLANNED = (
    Shape(people=10, items=40, each=40),
    Shape(people=20, items=100, each=40),
    Shape(people=40, items=100, each=40),
)
STUDIES = 600
RESAMPLES = 400
ALPHA, POWER = 0.05, 0.8
AIDS: tuple[Aid, Aid] = ("A0", "A1")
LOW, HIGH = 0.03, 0.07
"""Where the rate of false alarms has to lie."""
NEAR = 0.06
"""How far simulated power may lie from the planned one: more than three standard errors of 600 studies."""


def pooled_z(people: np.ndarray, model: np.ndarray, rollouts: int) -> float:
    """Return the p of a z test that takes all answers for independent."""
    seen = np.isfinite(people)
    first, second = float(people[seen].mean()), float(model.mean())
    n, m = int(seen.sum()), model.size * rollouts
    joint = (first * n + second * m) / (n + m)
    error = (joint * (1 - joint) * (1 / n + 1 / m)) ** 0.5
    return 2 * (1 - NormalDist().cdf(abs(first - second) / error)) if error else 1.0


def item_bootstrap(people: np.ndarray, model: np.ndarray, key: str) -> float:
    """Return the p of a bootstrap that draws items alone."""
    means = np.nanmean(people, axis=0) - model
    drawn = weights(len(means), RESAMPLES, key, "items alone") @ means / len(means)
    return inverted_p(drawn)


def false_alarms(shape: Shape, studies: int) -> dict[str, float]:
    """Return the share of studies without a difference that each test calls significant."""
    assumed, hits = Assumed(), {"two-way": 0, "item bootstrap": 0, "pooled z": 0}
    for nth in range(studies):
        people, model = simulate(shape, assumed, nth)
        key = f"null/{nth}"
        hits["two-way"] += two_way(people, model, resamples=RESAMPLES, key=key).p < ALPHA
        hits["item bootstrap"] += item_bootstrap(people, model, key) < ALPHA
        hits["pooled z"] += pooled_z(people, model, assumed.rollouts) < ALPHA
    return {name: count / studies for name, count in hits.items()}


def dealt_to_two(people: np.ndarray, key: str) -> tuple[np.ndarray, np.ndarray]:
    """Return what each person saw, dealt to two aids as a study deals it."""
    cells = {aid: np.full(people.shape, np.nan) for aid in AIDS}
    for person, row in enumerate(people):
        seen = {f"{item:04d}": "one" for item in np.flatnonzero(np.isfinite(row))}
        for aid, mine in dealt(seen, AIDS, position=person, seed=key).items():
            for item in map(int, mine):
                cells[aid][person, item] = row[item]
    return cells[AIDS[0]], cells[AIDS[1]]


def false_alarms_within(shape: Shape, studies: int) -> dict[str, float]:
    """Return the share of studies in which each test tells two aids apart that do the same."""
    hits = {"paired": 0, "z of people's differences": 0}
    for nth in range(studies):
        first, second = dealt_to_two(simulate(shape, Assumed(), nth)[0], f"null/{nth}")
        hits["paired"] += paired(first, second, resamples=RESAMPLES, key=f"null/{nth}").p < ALPHA
        own = person_differences(first, second)
        z = abs(own.mean()) / (own.std(ddof=1) / len(own) ** 0.5)
        hits["z of people's differences"] += 2 * (1 - NormalDist().cdf(z)) < ALPHA
    return {name: count / studies for name, count in hits.items()}


def power(shape: Shape, gap: float, studies: int, *, within: bool) -> float:
    """Return the share of studies with this difference in which its test finds it.

    Args:
        within: between two aids, by the paired test; else between people and a model, by the two-way bootstrap.
    """
    draw, test = (simulate_within, paired) if within else (simulate, two_way)
    found = 0
    for nth in range(studies):
        one, other = draw(shape, Assumed(), 100_000 + nth, gap)
        found += test(one, other, resamples=RESAMPLES, key=f"power/{nth}").p < ALPHA
    return found / studies


def main() -> int:
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES
    held = True
    error = (ALPHA * (1 - ALPHA) / studies) ** 0.5
    print(f"false alarms at a nominal {ALPHA:.0%}, {studies} studies each (standard error about {error:.3f})")
    for shape in DESIGNS:
        found = false_alarms(shape, studies)
        ok = LOW <= found["two-way"] <= HIGH
        held &= ok
        others = ", ".join(f"{name} {rate:.3f}" for name, rate in found.items() if name != "two-way")
        name = f"{shape.people} people x {shape.items} items ({shape.each} each)"
        print(
            f"{'holds ' if ok else 'MISSED'}  {name}: two-way {found['two-way']:.3f}, claimed {LOW} to {HIGH}; {others}"
        )
    print("within people: two aids that do the same")
    for shape in DESIGNS:
        found = false_alarms_within(shape, studies)
        ok = found["paired"] <= HIGH
        held &= ok
        name = f"{shape.people} people x {shape.items} items ({shape.each} each)"
        z = found["z of people's differences"]
        print(
            f"{'holds ' if ok else 'MISSED'}  {name}: paired {found['paired']:.3f}, claimed up to {HIGH};"
            f" z of people's differences {z:.3f}"
        )
    print(f"planner: power at the difference that it prints, {studies} studies each")
    for kind, plan, within in (
        ("people and a model", detectable, False),
        ("two aids within people", detectable_within, True),
    ):
        for shape in PLANNED:
            planned = plan(shape, Assumed(), studies=400)
            found_power = power(shape, planned.difference, studies, within=within)
            ok = abs(found_power - POWER) <= NEAR
            held &= ok
            name = f"{kind}, {shape.people} people x {shape.each} of {shape.items} items"
            said = f"{planned.difference:.3f} is found by {found_power:.2f}, planned {POWER}"
            print(f"{'holds ' if ok else 'MISSED'}  {name}: {said}")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
