"""Aids against each other within the same people, where the study dealt each person's items to all of its aids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from audits.people.evidence import Evidence
from engine.canonical import digest
from engine.study.config import FAMILIES
from engine.study.manifest import Item
from engine.study.paired import enough, paired, person_differences
from engine.study.trials import Person
from engine.study.twoway import Difference


@dataclass(frozen=True, kw_only=True)
class OwnDifference:
    """One person under both aids."""

    person: str
    first_right: int
    first_items: int
    second_right: int
    second_items: int
    difference: float
    """Share right under the first aid minus that under the second."""


@dataclass(frozen=True, kw_only=True)
class AidContrast:
    """Two aids on the items of one family, person by person."""

    family: str
    first: str
    second: str
    people: tuple[OwnDifference, ...]
    """Who met items under both, by place."""
    items: int
    value: float
    """Mean of the people's differences."""
    found: Difference | None
    """None with too few people or items."""
    p_holm: float | None = None
    """Among all contrasts of the report that were not registered."""


def aid_contrasts(evidence: Evidence, people: Sequence[Person]) -> tuple[AidContrast, ...]:
    """Return every pair of aids that people met on each family; nothing outside of studies, where they choose them."""
    return tuple(_contrasts(evidence, people)) if evidence.manifest is not None else ()


def _contrasts(evidence: Evidence, people: Sequence[Person]) -> Iterator[AidContrast]:
    for family in FAMILIES:
        items = tuple(item for item in evidence.items() if item.family == family)
        for first, second in combinations(evidence.frame.aids, 2):
            found = _contrast(evidence, items, people, (first, second))
            if found is not None:
                yield found


def _contrast(
    evidence: Evidence, items: Sequence[Item], people: Sequence[Person], aids: tuple[str, str]
) -> AidContrast | None:
    """Compare two aids; None where nobody met both on these items."""
    everybody = sorted(people, key=lambda one: one.position)
    cells = [evidence.people_matrix(items, everybody, aid) for aid in aids]
    own = person_differences(*cells)
    both = np.isfinite(own)
    if not both.any():
        return None
    met = int((np.isfinite(cells[0][both]) | np.isfinite(cells[1][both])).any(axis=0).sum())
    key = digest(["aids", *aids, *(item.uid for item in items)])
    return AidContrast(
        family=items[0].family, first=aids[0], second=aids[1],
        people=tuple(
            OwnDifference(
                person=evidence.called(person), first_right=_right(cells[0][nth]), first_items=_count(cells[0][nth]),
                second_right=_right(cells[1][nth]), second_items=_count(cells[1][nth]), difference=float(own[nth]),
            )
            for nth, person in enumerate(everybody)
            if both[nth]
        ),
        items=met, value=float(own[both].mean()),
        found=paired(
            *cells, resamples=evidence.frame.resamples, key=f"{evidence.frame.resampling_seed}/{key}",
            level=1 - evidence.frame.alpha,
        )
        if enough(*cells)
        else None,
    )  # fmt: skip


def _right(cells: np.ndarray) -> int:
    return round(float(np.nansum(cells)))


def _count(cells: np.ndarray) -> int:
    return int(np.isfinite(cells).sum())
