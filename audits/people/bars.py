"""What stands beside every score: chance, shortcuts, floors, a ceiling where there is one, and the hard items alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Literal

import numpy as np

from audits.ideal import ideal_ceiling
from audits.people.evidence import Evidence, Floats
from engine.models.baselines import BASELINES
from engine.references import FLOORS
from engine.statistics import wilson
from engine.study.manifest import Item
from engine.study.trials import Model
from engine.study.twoway import FEWEST_PEOPLE, two_way, weights

CHANCE = 0.5
RESAMPLES = 2000
BarKind = Literal["people", "person", "model", "chance", "shortcut", "floor", "ceiling"]


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One score on some items."""

    name: str
    kind: BarKind
    items: int
    value: float | None
    """None: not computed."""
    low: float | None = None
    high: float | None = None
    hard: float | None = None
    """On the items where the best shortcut is wrong; None for writing tasks or without such items."""
    hard_items: int = 0
    note: str = ""


def best_shortcut(evidence: Evidence, items: Sequence[Item]) -> tuple[str, Floats] | None:
    """Return the shortcut that is right most often on items, with its results; None for writing tasks."""
    found = [(name, evidence.reference(items, name)) for name in BASELINES]
    found = [(name, values) for name, values in found if np.isfinite(values).any()]
    return max(found, key=lambda one: (float(np.nanmean(one[1])), one[0]), default=None)


def bars(evidence: Evidence, family: str, aid: str) -> tuple[Bar, ...]:
    """Return all bars of a family in one arm: people, the best person, models, ceiling, shortcuts, chance or floors."""
    items = evidence.items(lambda item: item.family == family)
    shortcut = best_shortcut(evidence, items)
    hard = (shortcut[1] == 0) if shortcut is not None else np.zeros(len(items), dtype=bool)
    people = evidence.in_arm(aid, evidence.kept)
    matrix = evidence.people_matrix(items, people)
    found = [_people(evidence, matrix, hard, aid)] if len(people) else []
    found += [_model(evidence, items, model, hard, aid) for model in evidence.data.models]
    found.append(_ceiling(family, items))
    shown = {one.name for one in found if one.items}
    for name in (*BASELINES, *FLOORS):
        values = evidence.reference(items, name)
        if np.isfinite(values).any() and name not in shown:
            found.append(_plain(name, "shortcut" if name in BASELINES else "floor", values, hard))
    if family == "hidden-systems":
        found.append(
            Bar(name="chance", kind="chance", items=len(items), value=CHANCE, hard=CHANCE, hard_items=int(hard.sum()))
        )
    return tuple(one for one in found if one.items)


def _ceiling(family: str, items: Sequence[Item]) -> Bar:
    """Return the best that is possible, as far as it is known.

    Of writing tasks all, since each has a sealed text that meets everything. Of hidden systems what an observer who
    knows the law reaches on other puzzles of these sizes, weighted by the sizes at hand.
    """
    if family != "hidden-systems":
        return Bar(name="a text that meets everything", kind="ceiling", items=len(items), value=1.0)
    name = "observer who knows the law"
    found = [ideal_ceiling(item.complexity) for item in items]
    measured = [one for one in found if one is not None]
    if not measured or len(measured) < len(items):
        return Bar(name=name, kind="ceiling", items=len(items), value=None, note="not computed")
    spans = [wilson(one.right, one.trials) for one in measured]
    return Bar(
        name=name, kind="ceiling", items=len(items), value=mean(one.right / one.trials for one in measured),
        low=mean(span.low for span in spans), high=mean(span.high for span in spans), note="measured on other puzzles",
    )  # fmt: skip


def _people(evidence: Evidence, matrix: Floats, hard: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], aid: str) -> Bar:
    seen = np.isfinite(matrix)
    low = high = None
    if matrix.shape[0] >= FEWEST_PEOPLE and seen.any():
        span = two_way(
            matrix[seen.any(axis=1)], np.zeros(matrix.shape[1]), resamples=RESAMPLES,
            key=f"{evidence.frame.resampling_seed}/people/{aid}",
        )  # fmt: skip
        if span.high > span.low:
            low, high = max(0.0, span.low), min(1.0, span.high)
    return Bar(
        name=f"people ({matrix.shape[0]})", kind="people", items=int(seen.any(axis=0).sum()),
        value=float(matrix[seen].mean()) if seen.any() else None, low=low, high=high,
        hard=_mean(matrix[:, hard]), hard_items=int(hard.sum()),
        note="" if low is not None else "no interval: fewer than six people, or all alike",
    )  # fmt: skip


def _model(
    evidence: Evidence, items: Sequence[Item], model: Model, hard: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
    aid: str,
) -> Bar:  # fmt: skip
    name, means = model.name, evidence.model_means(items, model, aid)
    known = means[np.isfinite(means)]
    if not len(known):
        return Bar(name=name, kind="model", items=0, value=None)
    if np.isin(known, (0.0, 1.0)).all():
        low, high = wilson(round(float(known.sum())), len(known))
    else:
        drawn = (weights(len(known), RESAMPLES, evidence.frame.resampling_seed, name) @ known) / len(known)
        low, high = (float(np.quantile(drawn, share)) for share in (0.025, 0.975))
    return Bar(
        name=name, kind="model", items=len(known), value=float(known.mean()), low=low, high=high,
        hard=_mean(means[hard]), hard_items=int(hard.sum()),
    )  # fmt: skip


def _plain(name: str, kind: BarKind, values: Floats, hard: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Bar:
    known = values[np.isfinite(values)]
    low, high = wilson(round(float(known.sum())), len(known))
    return Bar(
        name=name, kind=kind, items=len(known), value=float(known.mean()), low=low, high=high,
        hard=_mean(values[hard]) if kind == "shortcut" else None, hard_items=int(hard.sum()),
    )  # fmt: skip


def _mean(values: Floats) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else None
