"""How far people agree: with raw shares and prevalence beside any coefficient, since one figure alone misleads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from audits.people.evidence import Evidence
from engine.statistics import Interval, wilson
from engine.study.config import FAMILIES
from engine.study.manifest import Item
from engine.study.trials import Person, Trial

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
    """Items of one family shown twice to the same person, both times answered."""

    family: str
    pairs: int
    """Items with two answers."""
    judged: int
    """What is compared: of a hidden system its label, of a writing task each requirement's verdict."""
    same: int
    interval: Interval | None
    """Of `same` in `judged`; None for writing tasks, since the verdicts on one text are no independent trials."""


@dataclass(frozen=True, kw_only=True)
class Attention:
    """Attention items of one family."""

    family: str
    met: int
    """Shown and not left open: answered, skipped or out of time."""
    passed: int


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


def steadiness(evidence: Evidence) -> tuple[Steadiness, ...]:
    """Return how often a repeated item got the same label, or its requirements the same verdicts, by family."""
    found: dict[str, list[list[bool]]] = defaultdict(list)
    for person in evidence.kept:
        first = {trial.item_uid: trial for trial in person.main if _counts(trial)}
        for again in person.of_role("repeat"):
            if _counts(again) and again.item_uid in first:
                found[again.family].append(_same(evidence, first[again.item_uid], again))
    return tuple(_steadiness(family, found[family]) for family in FAMILIES if any(found[family]))


def _counts(trial: Trial) -> bool:
    return trial.status == "answered" and trial.prompt_matches


def _same(evidence: Evidence, first: Trial, again: Trial) -> list[bool]:
    """Return, for all that is judged of an item, whether both answers came out alike."""
    if again.family == "hidden-systems":
        return [first.answer == again.answer]
    verdicts = [
        {
            (check.turn, check.position): check.passed
            for check in evidence.checks.get(trial.attempt, ())
            if check.scored and check.expect
        }
        for trial in (first, again)
    ]
    return [verdicts[0][place] == verdicts[1][place] for place in verdicts[0].keys() & verdicts[1].keys()]


def _steadiness(family: str, pairs: Sequence[Sequence[bool]]) -> Steadiness:
    judged, same = sum(map(len, pairs)), sum(map(sum, pairs))
    return Steadiness(
        family=family, pairs=len(pairs), judged=judged, same=same,
        interval=wilson(same, judged) if family == "hidden-systems" else None,
    )  # fmt: skip


def attention(people: Sequence[Person]) -> tuple[Attention, ...]:
    """Return how many attention items were passed, by family."""
    trials = [trial for person in people for trial in person.of_role("attention")]
    groups = {family: [t.attention_passed for t in trials if t.family == family] for family in FAMILIES}
    met = {family: [one for one in verdicts if one is not None] for family, verdicts in groups.items()}
    return tuple(
        Attention(family=family, met=len(verdicts), passed=sum(verdicts))
        for family, verdicts in met.items()
        if verdicts
    )
