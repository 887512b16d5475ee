"""How far people agree: with raw shares and prevalence beside any coefficient, since one figure alone misleads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from audits.people.evidence import Evidence
from engine.statistics import Interval, wilson
from engine.study.manifest import Item
from engine.study.trials import Person

ALIKE = "not computed: everybody gave the same label"
NOT_COMPUTED = "not computed: needs the package krippendorff (extra analysis)"


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Agreement of people on the labels of hidden systems."""

    items: int
    """Items with two answers or more."""
    pairs: int
    """Pairs of answers to one item."""
    raw: float
    """Share of pairs that agree."""
    prevalence: float
    """Share of PRESENT among all answers."""
    alpha: float | None
    """Krippendorff's, nominal, missing cells allowed; None where it was not computed."""
    note: str


@dataclass(frozen=True, kw_only=True)
class Steadiness:
    """Items shown twice to the same person."""

    pairs: int
    same: int
    interval: Interval


def labels(people: Sequence[Person], items: Sequence[Item]) -> list[list[int | None]]:
    """Return P x I labels, 1 for PRESENT and 0 for ABSENT; None where there is none."""
    at = {item.uid: nth for nth, item in enumerate(items)}
    table: list[list[int | None]] = [[None] * len(items) for _ in people]
    for row, person in enumerate(people):
        for trial in person.main:
            if trial.item_uid in at and trial.status == "answered" and trial.answer in ("PRESENT", "ABSENT"):
                table[row][at[trial.item_uid]] = int(trial.answer == "PRESENT")
    return table


def agreement(table: Sequence[Sequence[int | None]]) -> Agreement | None:
    """Return the agreement of a P x I table of labels; None without two answers to one item."""
    columns = [[value for value in column if value is not None] for column in zip(*table, strict=True)]
    shared = [column for column in columns if len(column) > 1]
    if not shared:
        return None
    pairs = sum(len(column) * (len(column) - 1) // 2 for column in shared)
    equal = sum(
        sum(column) * (sum(column) - 1) // 2 + (len(column) - sum(column)) * (len(column) - sum(column) - 1) // 2
        for column in shared
    )
    values = [value for column in columns for value in column]
    alpha, note = _alpha(table) if len({value for column in shared for value in column}) > 1 else (None, ALIKE)
    return Agreement(
        items=len(shared), pairs=pairs, raw=equal / pairs, prevalence=sum(values) / len(values), alpha=alpha, note=note
    )


def _alpha(table: Sequence[Sequence[int | None]]) -> tuple[float | None, str]:
    if find_spec("krippendorff") is None:
        return None, NOT_COMPUTED
    import krippendorff

    matrix = np.array([[np.nan if value is None else float(value) for value in row] for row in table])
    return float(krippendorff.alpha(reliability_data=matrix, level_of_measurement="nominal")), ""


def steadiness(evidence: Evidence) -> Steadiness | None:
    """Return how often a repeated item got the same label; None without repeated items."""
    same = pairs = 0
    for person in evidence.kept:
        first = {trial.item_uid: trial.answer for trial in person.main if trial.status == "answered"}
        for trial in person.of_role("repeat"):
            if trial.status == "answered" and first.get(trial.item_uid) and trial.answer:
                pairs += 1
                same += trial.answer == first[trial.item_uid]
    return Steadiness(pairs=pairs, same=same, interval=wilson(same, pairs)) if pairs else None
