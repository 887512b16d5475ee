"""Packs in which counts alone do not get far: puzzles are kept by strata of a frozen counts-only predictor.

The predictor (`counts_predictor.json`, fitted by `benchmarks/counts_predictor.py` on draws of its own) scores a payload
from its counts, blind to attributes. In each stratum of scores the commoner label is thinned until it is no more than a
set share; a pack is cut so that the predictor is right on at most the given share of either label. Both steps treat
the two labels alike, and every kept puzzle is a puzzle of the same seed that no selection would have changed.
PRIVATE: works on labels; nothing that a solver runs imports this module. Specification, "Evidence or shortcut?".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice

import msgspec
import numpy as np

from engine.errors import GenerationError, UsageError
from engine.hidden_systems.behavior import LABELS, Label, PublicPayload
from engine.hidden_systems.counts import columns, nested_inputs, rates_of
from engine.hidden_systems.program.generate import GENERATOR_VERSION, generate_skeleton
from engine.hidden_systems.program.skeleton import BehaviorSkeleton
from engine.private import Private
from engine.randomness import Stream

DEFAULT = 65
"""Accuracy, in percent, that counts alone may reach in a selected pack; a default from `DEFAULT_FROM` events on."""
DEFAULT_FROM = 6
LOWEST, HIGHEST = 62, 85
"""Legal accuracies in percent: below, counts would have to mislead; above, nothing is selected."""
SLACK, EVEN = 12, 50
"""Percent by which each stratum stays below the wanted accuracy, down to even: another learner sees what this one does
not."""
GRAINS = 1_000_000
"""Steps of a keeping probability, so that the draw is one of whole numbers."""
BATCH = 64
MOST_PER_KEPT = 100
"""Puzzles looked at for each one kept; about two are needed."""


class Predictor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A linear score over `nested_inputs(...)["full"]` of one complexity; above zero it calls PRESENT."""

    bias: float
    weights: tuple[float, ...]
    edges: tuple[float, ...]
    """Scores between the strata, ascending."""
    present: tuple[int, ...]
    """Share of PRESENT in each stratum, in steps of 1/`GRAINS`, on draws that the weights were not fitted on."""


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The frozen predictors and what they were fitted on."""

    generator_version: str
    draws: int
    seed: int
    complexities: dict[str, Predictor]


@dataclass(frozen=True, kw_only=True, repr=False)
class Chosen(Private):
    """A kept puzzle with the private index that it grew from."""

    index: int
    skeleton: BehaviorSkeleton


@cache
def card() -> Card:
    """Return the frozen predictors.

    Raises:
        GenerationError: they were fitted on another law than the generator's.
    """
    path = files("engine.hidden_systems") / "counts_predictor.json"
    found = msgspec.json.decode(path.read_bytes(), type=Card)
    if found.generator_version != GENERATOR_VERSION:
        raise GenerationError(
            f"the counts predictor is for {found.generator_version!r}, the generator is {GENERATOR_VERSION!r}",
            hint="fit it again: python benchmarks/counts_predictor.py",
        )
    return found


def read_accuracy(text: str, complexity: int) -> int:
    """Return the percent that counts alone may reach; an empty text means the default.

    Raises:
        UsageError: not a share from 0.55 to 0.85 in hundredths, or no default for so few events.
    """
    if not text:
        if complexity < DEFAULT_FROM:
            raise UsageError(f"--select at complexity {complexity} has no default; give an accuracy such as 0.75")
        return DEFAULT
    head, _, tail = text.partition(".")
    percent = int(tail.ljust(2, "0")) if head in ("", "0") and tail.isascii() and tail.isdigit() else 0
    if len(tail) > 2 or not LOWEST <= percent <= HIGHEST:
        raise UsageError(f"--select {text!r} is not legal; a share from 0.{LOWEST} to 0.{HIGHEST} in hundredths is")
    return percent


def scores(payloads: Iterable[PublicPayload]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the predictor's score of each payload, all of one complexity; above zero it calls PRESENT."""
    listed = list(payloads)
    predictor = card().complexities[str(listed[0].complexity)]
    inputs = nested_inputs(rates_of(columns(listed)))["full"]
    result: np.ndarray[tuple[int], np.dtype[np.float64]] = inputs @ np.array(predictor.weights) + predictor.bias
    return result


def thinned(complexity: int, seed: int, percent: int, indices: Iterable[int]) -> Iterator[tuple[Chosen, bool]]:
    """Yield the puzzles of these indices that the strata keep, and whether the predictor is right on each."""
    predictor = card().complexities[str(complexity)]
    numbers = iter(indices)
    while batch := [_drawn(complexity, seed, index) for index in islice(numbers, BATCH)]:
        told = scores(one.skeleton.payload for one in batch)
        strata = np.searchsorted(np.array(predictor.edges), told)
        for one, score, stratum in zip(batch, told, strata, strict=True):
            label = one.skeleton.gold_answer
            if _kept(predictor, int(stratum), label, percent, (complexity, seed, one.index, percent)):
                yield one, bool(score > 0) == (label == "PRESENT")


def _drawn(complexity: int, seed: int, index: int) -> Chosen:
    return Chosen(index=index, skeleton=generate_skeleton(complexity, seed, index))


def _kept(predictor: Predictor, stratum: int, label: Label, percent: int, key: tuple[int, ...]) -> bool:
    """Tell whether a stratum keeps a puzzle: its rarer label always, the commoner one as often as the share allows."""
    mine = predictor.present[stratum] if label == "PRESENT" else GRAINS - predictor.present[stratum]
    share = max(EVEN, percent - SLACK)
    wanted = (GRAINS - mine) * share * GRAINS // ((100 - share) * max(mine, 1))
    return Stream("hidden-systems/selection", *key).below(GRAINS) < wanted


def iterate_selected(count: int, complexity: int, seed: int, percent: int) -> Iterator[Chosen]:
    """Yield `count` puzzles of one seed, in index order, of which counts alone get at most `percent` in a hundred.

    Either label gets half of them (PRESENT the odd one), and on either the predictor is right at most that often.

    Raises:
        GenerationError: too few puzzles qualify (not seen).
    """
    places = dict(zip(LABELS, ((count + 1) // 2, count // 2), strict=True))
    rights = {label: places[label] * percent // 100 for label in LABELS}
    for one, right in thinned(complexity, seed, percent, range(MOST_PER_KEPT * max(count, 1))):
        label = one.skeleton.gold_answer
        if not places[label] or (right and not rights[label]):
            continue
        places[label] -= 1
        rights[label] -= right
        yield one
        if not any(places.values()):
            return
    if any(places.values()):
        raise GenerationError(f"{sum(places.values())} of {count} puzzles missing after {MOST_PER_KEPT} draws each")
