"""People minus a model on the same items: the one registered contrast, and every other one with Holm's correction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from audits.comparison import mcnemar
from audits.people.aids import AidContrast, aid_contrasts
from audits.people.evidence import Evidence, ItemTest, every
from audits.statistics import holm
from engine.canonical import digest
from engine.study.manifest import Item
from engine.study.trials import Model, Person
from engine.study.twoway import FEWEST_ITEMS, FEWEST_PEOPLE, Difference, two_way


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """One comparison of people with one model."""

    name: str
    """Which items, such as `hidden-systems` or `6 events`."""
    model: str
    aid: str
    people: int
    items: int
    human: float | None
    """Mean over cells; None without any."""
    model_mean: float | None
    """The model's mean on the same cells."""
    found: Difference | None
    """None with too few people or items: no claim beyond them is made then."""
    registered: bool
    taken_sha: str
    """Digest of the items, so that one group under two names is one contrast."""
    p_holm: float | None = None
    """Among all contrasts that were not registered, those of aids with each other among them."""


@dataclass(frozen=True, kw_only=True)
class OneAgainstOne:
    """One person against one model, exactly: a statement about these two on these items."""

    person: str
    model: str
    items: int
    person_only: int
    """Items that only the person got right."""
    model_only: int
    p: float
    """Exact McNemar."""


def contrast(
    evidence: Evidence, model: Model, *, name: str, test: ItemTest, aid: str, people: Sequence[Person],
    registered: bool = False,
) -> Contrast:  # fmt: skip
    """Compare people of one arm with a model on the items that both met."""
    items = evidence.items(test)
    arm = evidence.in_arm(aid, people)
    means = evidence.model_means(items, model, aid)
    matrix = evidence.people_matrix(items, arm)
    common = np.isfinite(means) & np.isfinite(matrix).any(axis=0) if len(arm) else np.zeros(len(items), dtype=bool)
    matrix, means = matrix[:, common], means[common]
    some = np.isfinite(matrix).any(axis=1) if matrix.size else np.zeros(len(arm), dtype=bool)
    matrix = matrix[some]
    found = None
    taken = [item.uid for item, here in zip(items, common, strict=True) if here]
    if matrix.shape[0] >= FEWEST_PEOPLE and len(taken) >= FEWEST_ITEMS:
        # The same people, items and model are the same resamples, whatever the group is called.
        key = f"{evidence.frame.resampling_seed}/{digest([model.name, aid, taken])}"
        found = two_way(
            matrix, means, resamples=evidence.frame.resamples, key=key,
            level=1 - evidence.frame.alpha,
        )  # fmt: skip
    seen = np.isfinite(matrix)
    return Contrast(
        name=name, model=model.name, aid=aid, people=int(matrix.shape[0]), items=int(common.sum()),
        human=float(matrix[seen].mean()) if seen.any() else None,
        model_mean=float(np.broadcast_to(means, matrix.shape)[seen].mean()) if seen.any() else None,
        found=found, registered=registered, taken_sha=digest([*taken]),
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Contrasts:
    """All comparisons of a report; Holm's correction runs over both kinds together."""

    models: tuple[Contrast, ...]
    aids: tuple[AidContrast, ...]


def contrasts(evidence: Evidence, people: Sequence[Person]) -> Contrasts:
    """Return the registered contrast first, then one for each model, group of items and arm; and aids by pairs."""
    against, between = _against_models(evidence, people), aid_contrasts(evidence, people)
    tested = {id(one): one.found.p for one in against if one.found is not None and not one.registered}
    tested |= {id(one): one.found.p for one in between if one.found is not None}
    adjusted = dict(zip(tested, holm(list(tested.values())), strict=True))
    return Contrasts(
        models=tuple(replace(one, p_holm=adjusted.get(id(one))) for one in against),
        aids=tuple(replace(one, p_holm=adjusted.get(id(one))) for one in between),
    )


def _against_models(evidence: Evidence, people: Sequence[Person]) -> tuple[Contrast, ...]:
    primary = evidence.frame.primary
    found: list[Contrast] = []
    for model in evidence.data.models:
        for aid in evidence.frame.aids:
            for name, test in subsets(evidence.items()):
                registered = primary is not None and (model.name, name, aid) == (
                    primary.model, primary.family, primary.aid,
                )  # fmt: skip
                found.append(
                    contrast(evidence, model, name=name, test=test, aid=aid, people=people, registered=registered)
                )
    found.sort(key=lambda one: not one.registered)
    found = list({(one.model, one.aid, one.taken_sha): one for one in reversed(found)}.values())[::-1]
    return tuple(one for one in found if one.items)


def subsets(items: Sequence[Item]) -> Iterator[tuple[str, ItemTest]]:
    """Yield the groups of items that are compared: each family, each size, each domain, and all; none twice."""
    families = sorted({item.family for item in items})
    for family in families:
        yield family, partial(_has, {"family": family})
        inside = [item for item in items if item.family == family]
        for field in ("complexity", "domain"):
            values = sorted({getattr(item, field) for item in inside})
            for value in values if len(values) > 1 else ():
                yield f"{family}, {field} {value}", partial(_has, {"family": family, field: value})
    # Last, since a model that answered one family alone is to be named with that family.
    if len(families) > 1:
        yield "all", every


def _has(wanted: Mapping[str, object], item: Item) -> bool:
    """Say whether an item has these values in these fields."""
    return all(getattr(item, field) == value for field, value in wanted.items())


def single_contrasts(evidence: Evidence) -> tuple[OneAgainstOne, ...]:
    """Return each person against the registered model on the registered items that it answered once."""
    primary = evidence.frame.primary
    model = next((one for one in evidence.data.models if primary and one.name == primary.model), None)
    if primary is None or model is None:
        return ()
    items = evidence.items(lambda item: primary.family in ("all", item.family))
    means = evidence.model_means(items, model, primary.aid)
    found = []
    for person in sorted(evidence.in_arm(primary.aid, evidence.kept), key=lambda one: one.position):
        own = evidence.people_matrix(items, [person])[0]
        both = np.isfinite(own) & np.isin(means, (0.0, 1.0))
        first = int(((own == 1) & (means == 0) & both).sum())
        second = int(((own == 0) & (means == 1) & both).sum())
        found.append(
            OneAgainstOne(
                person=evidence.called(person), model=model.name, items=int(both.sum()), person_only=first,
                model_only=second, p=mcnemar(first, second),
            )
        )  # fmt: skip
    return tuple(found)
