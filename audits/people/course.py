"""How people fare over the course of a session: learning by place in the list, and time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from statistics import mean, median

import numpy as np

from audits.people.evidence import Evidence
from engine.study.trials import Person, Trial
from engine.study.twoway import weights

RESAMPLES = 2000
THIRDS = ("fastest third", "middle third", "slowest third")


@dataclass(frozen=True, kw_only=True)
class Point:
    """All answers at one place of the list."""

    nth: int
    """From 1, among main items."""
    answers: int
    right: float
    """Share of right ones among those presented."""
    log_ms: float | None
    """Mean log of the active time; None without an answer."""


@dataclass(frozen=True, kw_only=True)
class Learning:
    """First and last items of the same people."""

    points: tuple[Point, ...]
    ends: int
    """How many items make an end."""
    people: int
    """With enough items for both ends."""
    first: float
    last: float
    """Mean share of right ones at the ends."""
    first_s: float | None
    last_s: float | None
    """Geometric mean of the active time, in seconds."""


@dataclass(frozen=True, kw_only=True)
class Speed:
    """Active time of answered items."""

    answers: int
    median_s: float
    low_s: float
    high_s: float
    """95 % range, people drawn again."""
    minutes_a_person: float
    """Mean active time of a person on all main items."""
    thirds: tuple[tuple[str, int, float], ...]
    """Name, answers and share of right ones, from the fastest third of answers to the slowest."""


def ordered(person: Person) -> list[Trial]:
    """Return a person's main items that were presented, in the order in which they were met."""
    return sorted(
        (trial for trial in person.main if trial.status not in ("missing", "error")), key=lambda trial: trial.position
    )


def learning(evidence: Evidence, ends: int) -> Learning | None:
    """Return accuracy and time by place; None when nobody has two ends of items."""
    lists = [ordered(person) for person in evidence.kept]
    long = [trials for trials in lists if len(trials) >= 2 * ends]
    if not long:
        return None
    first, last = [trials[:ends] for trials in long], [trials[-ends:] for trials in long]
    return Learning(
        points=tuple(_point(evidence, nth, [t[nth - 1] for t in lists if len(t) >= nth]) for nth in _places(lists)),
        ends=ends, people=len(long),
        first=mean(_share(evidence, trials) for trials in first),
        last=mean(_share(evidence, trials) for trials in last), first_s=_seconds(first), last_s=_seconds(last),
    )  # fmt: skip


def speed(evidence: Evidence) -> Speed | None:
    """Return the times of answered items; None without any."""
    by_person = [[t for t in person.main if _timed(t)] for person in evidence.kept]
    by_person = [trials for trials in by_person if trials]
    if not by_person:
        return None
    logs = [[log(max(trial.rt_ms_active or 1, 1)) for trial in trials] for trials in by_person]
    flat = sorted((trial for trials in by_person for trial in trials), key=lambda t: (t.rt_ms_active or 0, t.attempt))
    drawn = []
    for row in weights(len(logs), RESAMPLES, evidence.frame.resampling_seed, "speed"):
        drawn.append(median(value for times, count in zip(logs, row, strict=True) for value in times * int(count)))
    low, high = (float(np.quantile(drawn, share)) for share in (0.025, 0.975))
    cuts = [round(len(flat) * nth / 3) for nth in range(4)]
    return Speed(
        answers=len(flat), median_s=exp(median(value for times in logs for value in times)) / 1000,
        low_s=exp(low) / 1000, high_s=exp(high) / 1000,
        minutes_a_person=mean(sum(t.rt_ms_active or 0 for t in person.main) for person in evidence.kept) / 60_000,
        thirds=tuple(
            (name, stop - start, _share(evidence, flat[start:stop]))
            for name, start, stop in zip(THIRDS, cuts, cuts[1:], strict=False)
            if stop > start
        ),
    )  # fmt: skip


def _timed(trial: Trial) -> bool:
    return trial.status == "answered" and trial.rt_ms_active is not None and trial.prompt_matches


def _places(lists: Sequence[Sequence[Trial]]) -> range:
    return range(1, max(map(len, lists), default=0) + 1)


def _point(evidence: Evidence, nth: int, trials: Sequence[Trial]) -> Point:
    times = [log(max(trial.rt_ms_active or 1, 1)) for trial in trials if _timed(trial)]
    return Point(nth=nth, answers=len(trials), right=_share(evidence, trials), log_ms=mean(times) if times else None)


def _share(evidence: Evidence, trials: Sequence[Trial]) -> float:
    values = [value for trial in trials if np.isfinite(value := evidence.success(trial))]
    return mean(values) if values else float("nan")


def _seconds(groups: Sequence[Sequence[Trial]]) -> float | None:
    times = [log(max(trial.rt_ms_active or 1, 1)) for trials in groups for trial in trials if _timed(trial)]
    return exp(mean(times)) / 1000 if times else None
