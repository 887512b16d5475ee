"""Draws through the whole selection of study packs, for S06 at its lower ceiling."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count as numbers
from itertools import islice

from audits.draws import Draws, table
from engine.hidden_systems.selection import thinned
from engine.randomness import derive


def collect_selected(
    complexity: int,
    count: int,
    seed: int,
    percent: int,
    track: Callable[[Iterable[int]], Iterable[int]] = iter,
    *,
    texts: bool = False,
) -> Draws:
    """Draw puzzles of one complexity until the strata have kept `count` of them."""
    own = derive("audits/selected", complexity, seed)
    kept = islice(thinned(complexity, own, percent, numbers()), count)
    skeletons = (next(kept)[0].skeleton for _ in track(range(count)))
    return replace(table(complexity, seed, skeletons, texts=texts), percent=percent)
