"""What the counts of payloads say without attribute values: rates by query position, fixed recipes, nested inputs.

Whoever predicts from these sees no attribute and tells no rule from another. Audits ask how far that gets (S06), and
`selection` keeps packs in which it does not get far. Everything here is read from public payloads; this module must
never import the program layer. NumPy is loaded with it, so import it only where counts are worked on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.hidden_systems.behavior import PublicPayload

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

SMALL = 1e-3
NO_EVENT = -1
"""Fills the places of a short case."""


class Counted(Protocol):
    """Puzzles of one complexity in columns. N puzzles, C cases, k events, L places a case."""

    @property
    def complexity(self) -> int: ...

    @property
    def trials(self) -> int: ...

    @property
    def events(self) -> Ints:
        """N x C x L: query positions of each case's events in the order of execution, `NO_EVENT` behind them."""

    @property
    def lengths(self) -> Ints:
        """N x C; 0 for a case that is not there."""

    @property
    def counts(self) -> Ints:
        """N x C: trials that ended present."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Columns:
    """The plainest `Counted`."""

    complexity: int
    trials: int
    events: Ints
    lengths: Ints
    counts: Ints


def columns(payloads: Sequence[PublicPayload]) -> Columns:
    """Put payloads of one complexity into columns, cases in payload order."""
    complexity = payloads[0].complexity
    rows = [case_columns(payload) for payload in payloads]
    most = max(len(lengths) for _, lengths, _ in rows)
    return Columns(
        complexity=complexity,
        trials=payloads[0].observation_protocol.trials_per_case,
        events=padded([events for events, _, _ in rows], (most, complexity), NO_EVENT),
        lengths=padded([lengths for _, lengths, _ in rows], (most,), 0),
        counts=padded([counts for _, _, counts in rows], (most,), 0),
    )


def case_columns(payload: PublicPayload) -> tuple[Ints, Ints, Ints]:
    """Return one payload's events (C x k), lengths and present counts (C each)."""
    place = {event: nth for nth, event in enumerate(payload.query_case.events)}
    cases = payload.support_cases
    events = np.full((len(cases), payload.complexity), NO_EVENT, dtype=np.int64)
    for nth, case in enumerate(cases):
        events[nth, : len(case.events)] = [place[event] for event in case.events]
    lengths = np.array([len(case.events) for case in cases], dtype=np.int64)
    return events, lengths, np.array([case.observed_present for case in cases], dtype=np.int64)


def padded(parts: Sequence[Ints], shape: tuple[int, ...], fill: int) -> Ints:
    """Stack arrays of different lengths."""
    result = np.full((len(parts), *shape), fill, dtype=np.int64)
    for nth, part in enumerate(parts):
        result[nth, : len(part)] = part
    return result


@dataclass(frozen=True, kw_only=True, repr=False)
class Rates:
    """Present rates in [0, 1] by query position, averaged over cases that show the same events in the same order."""

    cases: Floats
    """N x C; NaN where there is no case."""
    lengths: Floats
    singles: Floats
    """N x k."""
    pairs: Floats
    """N x k x k: first event, second event; where a pair is not shown, the mean of the pairs shown."""
    forward: Floats
    """N x k(k-1)/2: the pairs in query order."""
    backward: Floats
    last: Floats
    """N x k: mean rate of the longer cases that end with the event."""
    inside: Floats
    """N x k: mean rate of the longest cases that hold the event."""


def rates_of(draws: Counted) -> Rates:
    """Return the rates of every puzzle."""
    k = draws.complexity
    rates = np.where(draws.lengths > 0, draws.counts / draws.trials, np.nan)
    first, second = draws.events[:, :, 0], draws.events[:, :, 1]
    ending = np.take_along_axis(draws.events, np.maximum(draws.lengths - 1, 0)[:, :, None], axis=2)[:, :, 0]
    longest = draws.lengths == draws.lengths.max(axis=1, keepdims=True)
    pairs = _mean_by(first * k + second, draws.lengths == 2, rates, k * k).reshape(-1, k, k)
    upper = np.triu_indices(k, 1)
    members = np.stack([(draws.events == event).any(axis=2) & longest for event in range(k)], axis=1)
    inside = np.where(members, rates[:, None, :], np.nan).reshape(len(draws.lengths) * k, -1)
    return Rates(
        cases=rates,
        lengths=draws.lengths.astype(np.float64),
        singles=_mean_by(first, draws.lengths == 1, rates, k),
        pairs=pairs,
        forward=pairs[:, upper[0], upper[1]],
        backward=pairs[:, upper[1], upper[0]],
        last=_mean_by(ending, draws.lengths > 1, rates, k),
        inside=_filled(inside, len(draws.lengths)),
    )


def _mean_by(keys: object, chosen: Bools, rates: Floats, width: int) -> Floats:
    """Return N x width means of `rates` where `chosen`, grouped by key; an empty group gets its row's mean."""
    places = np.asarray(keys) + width * np.arange(len(rates))[:, None]
    size = len(rates) * width
    sums = np.bincount(places[chosen], weights=rates[chosen], minlength=size).reshape(-1, width)
    counts = np.bincount(places[chosen], minlength=size).reshape(-1, width)
    means = sums.sum(axis=1, keepdims=True) / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return np.where(counts > 0, sums / np.maximum(counts, 1), means)


def _filled(groups: Floats, puzzles: int) -> Floats:
    counts = (~np.isnan(groups)).sum(axis=1)
    means = np.where(counts > 0, np.nansum(groups, axis=1) / np.maximum(counts, 1), 0.5)
    return means.reshape(puzzles, -1)


# Fixed recipes: a score for each puzzle, PRESENT above one half ------------------------------------------------------


def _noisy_or(rates: Rates) -> Any:
    return 1 - np.prod(1 - rates.singles, axis=1)


def _veto_ratios(rates: Rates) -> Any:
    """Return, for each event, what its pairs keep of the noisy-or of their singles, both orders taken together."""
    alone = rates.singles
    expected = 1 - (1 - alone[:, :, None]) * (1 - alone[:, None, :])
    off = ~np.eye(alone.shape[1], dtype=bool)
    shown, wanted = (np.where(off, grid, 0.0) for grid in (rates.pairs, expected))
    kept = (shown.sum(axis=1) + shown.sum(axis=2)) / np.maximum(wanted.sum(axis=1) + wanted.sum(axis=2), SMALL)
    return np.minimum(kept, 1.0)


def _noisy_or_vetoed(rates: Rates) -> Any:
    return _noisy_or(rates) * np.prod(_veto_ratios(rates), axis=1)


def _noisy_or_worst_veto(rates: Rates) -> Any:
    return _noisy_or(rates) * _veto_ratios(rates).min(axis=1)


def _strongest_vetoed(rates: Rates) -> Any:
    """Take the strongest single event and multiply by what each other event leaves of it."""
    rows = np.arange(len(rates.singles))
    best = rates.singles.argmax(axis=1)
    alone = np.maximum(rates.singles[rows, best], SMALL)
    either = (rates.pairs[rows, best, :] + rates.pairs[rows, :, best]) / 2
    ratios = np.minimum(either / alone[:, None], 1.0)
    ratios[rows, best] = 1.0
    return alone * ratios.prod(axis=1)


def _strongest_worst_pair(rates: Rates) -> Any:
    rows = np.arange(len(rates.singles))
    best = rates.singles.argmax(axis=1)
    either = (rates.pairs[rows, best, :] + rates.pairs[rows, :, best]) / 2
    either[rows, best] = 1.0
    return either.min(axis=1)


def _pooled(rates: Rates) -> Any:
    return np.nanmean(rates.cases, axis=1)


def _most_cases(rates: Rates) -> Any:
    return (np.where(np.isnan(rates.cases), -1.0, rates.cases) > 0.5).sum(axis=1) / (rates.lengths > 0).sum(axis=1)


def _longest(rates: Rates) -> Any:
    return rates.inside.mean(axis=1)


def _order_excess(rates: Rates) -> Any:
    return 0.5 + rates.forward.mean(axis=1) - rates.backward.mean(axis=1)


def _chain(rates: Rates) -> Any:
    """Walk through the query: each neighbour pair says what the later event makes of the earlier one's rate."""
    k = rates.singles.shape[1]
    value = rates.singles[:, 0].copy()
    for event in range(1, k):
        before, pair = rates.singles[:, event - 1], rates.pairs[:, event - 1, event]
        gain = np.clip((pair - before) / np.maximum(1 - before, SMALL), 0.0, 1.0)
        keep = np.clip(pair / np.maximum(before, SMALL), 0.0, 1.0)
        value = np.where(pair >= before, value + (1 - value) * gain, value * keep)
    return value


def _last_event(rates: Rates) -> Any:
    return rates.last[:, -1]


RECIPES: tuple[tuple[str, Callable[[Rates], Any]], ...] = (
    ("largest single rate", lambda rates: rates.singles.max(axis=1)),
    ("noisy-or of singles with pair veto ratios", _noisy_or_vetoed),
    ("pooled rate", _pooled),
    ("noisy-or of singles", _noisy_or),
    ("noisy-or of singles with the worst veto ratio", _noisy_or_worst_veto),
    ("strongest event with pair veto ratios", _strongest_vetoed),
    ("worst pair of the strongest event", _strongest_worst_pair),
    ("most cases", _most_cases),
    ("mean pair", lambda rates: (rates.forward.mean(axis=1) + rates.backward.mean(axis=1)) / 2),
    ("median pair in query order", lambda rates: np.median(rates.forward, axis=1)),
    ("largest pair in query order", lambda rates: rates.forward.max(axis=1)),
    ("longest cases", _longest),
    ("order excess", _order_excess),
    ("chain of neighbours", _chain),
    ("cases that end like the query", _last_event),
)
"""Name and score; the first three are the baselines that every report shows."""
BASELINES = 3


def recipe_scores(rates: Rates) -> Floats:
    """Return N x recipes."""
    return np.stack([score(rates) for _, score in RECIPES], axis=1)


# Nested inputs ------------------------------------------------------------------------------------------------------


def nested_inputs(rates: Rates) -> dict[str, Floats]:
    """Return the four feature tables, each holding the one before it."""
    marginals = np.hstack([_by_length(rates), np.sort(rates.singles, axis=1), _pooled(rates)[:, None]])
    singles = np.hstack([marginals, rates.singles])
    pairs = np.hstack([singles, rates.forward, rates.backward])
    full = np.hstack([pairs, rates.last, rates.inside, _veto_ratios(rates), recipe_scores(rates)])
    return {"marginals": marginals, "singles": singles, "pairs": pairs, "full": full}


def _by_length(rates: Rates) -> Floats:
    columns = []
    for length in range(1, int(rates.lengths.max()) + 1):
        chosen = rates.lengths == length
        if not chosen.any(axis=1).all():
            continue
        group = np.where(chosen, rates.cases, np.nan)
        columns += [np.nanmean(group, axis=1), np.nanstd(group, axis=1)]
        columns += list(np.nanquantile(group, (0.0, 0.25, 0.5, 0.75, 1.0), axis=1))
    return np.stack(columns, axis=1)
