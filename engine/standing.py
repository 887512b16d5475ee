"""How a player did and stands: pure functions of the answers that practice revealed. Nothing here opens a file.

Scores are sums of whole numbers, (confidence - 100 or 0) squared, so that whether a step is passed never hangs on
rounding; a Brier score is their mean over 10,000.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from statistics import median
from typing import NamedTuple, TypeVar

from engine.public import LADDER_ANSWERS, LADDER_BRIER, Aid, Statistics, Sureness, Tally
from engine.puzzle_codes import FEWEST, MOST
from engine.statistics import wilson

UNIT = 10_000
"""The loss of the worst answer: sure of the wrong outcome."""
DAY = timedelta(days=1)
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, kw_only=True)
class Played:
    """One revealed answer to a hidden system."""

    answered_at: str
    complexity: int
    confidence: int
    """Percent."""
    correct: bool
    response_ms: int
    aid: Aid

    @property
    def loss(self) -> int:
        """The squared error of the confidence, in 0..UNIT."""
        return (self.confidence - (100 if self.correct else 0)) ** 2


class Step(NamedTuple):
    """A place on the ladder."""

    complexity: int
    losses: tuple[int, ...]
    """Of the last answers of that length, oldest first, at most LADDER_ANSWERS."""
    top: bool
    """Whether the last step was passed as well."""


class Streak(NamedTuple):
    """Days in a row."""

    days: int
    frozen: bool
    """Whether this week's day off is used."""


def statistics(played: Sequence[Played], texts: int) -> Statistics:
    """Return all tallies of a player's answers."""
    return Statistics(
        whole=tally(played),
        by_aid=tuple(tally(those, aid=aid) for aid, those in _grouped(played, lambda one: one.aid)),
        by_length=tuple(tally(those, complexity=size) for size, those in _grouped(played, lambda one: one.complexity)),
        curve=tuple(_sureness(level, those) for level, those in _grouped(played, lambda one: one.confidence)),
        texts=texts,
    )


def tally(played: Sequence[Played], *, aid: Aid | None = None, complexity: int | None = None) -> Tally:
    """Return the sums of some answers."""
    return Tally(
        answers=len(played),
        correct=sum(one.correct for one in played),
        brier=brier([one.loss for one in played]),
        middle_ms=round(median(one.response_ms for one in played)) if played else 0,
        aid=aid,
        complexity=complexity,
    )


def brier(losses: Collection[int]) -> float | None:
    """Return the mean Brier score; None without answers."""
    return sum(losses) / (UNIT * len(losses)) if losses else None


def step(played: Iterable[Played]) -> Step:
    """Return the first length of the ladder that was not passed yet.

    A length is passed for good once any LADDER_ANSWERS answers of it in a row had a mean Brier score of at most
    LADDER_BRIER: what counts is how well one knows what one knows, not how often one is right.
    """
    by_length: dict[int, list[int]] = {}
    for one in sorted(played, key=lambda one: one.answered_at):
        by_length.setdefault(one.complexity, []).append(one.loss)
    open_steps = (size for size in range(FEWEST, MOST + 1) if not _passed(by_length.get(size, [])))
    here = next(open_steps, None)
    losses = by_length.get(MOST if here is None else here, [])
    return Step(MOST if here is None else here, tuple(losses[-LADDER_ANSWERS:]), here is None)


def _passed(losses: Sequence[int]) -> bool:
    most = round(LADDER_BRIER * UNIT) * LADDER_ANSWERS
    starts = range(len(losses) - LADDER_ANSWERS + 1)
    return any(sum(losses[start : start + LADDER_ANSWERS]) <= most for start in starts)


def streak(days: Collection[date], today: date) -> Streak:
    """Return the days in a row up to today with something finished.

    A missed day does not end the row if it is the only one of its week, Monday to Sunday, that was missed within the
    row; and today is not missed before it is over.
    """
    count, off, pending = 0, set[tuple[int, int]](), set[tuple[int, int]]()
    day = today if today in days else today - DAY
    while days and day >= min(days):
        if day in days:
            count, off = count + 1, off | pending
            pending = set()
        elif _week(day) in off | pending:
            break
        else:
            pending.add(_week(day))
        day -= DAY
    return Streak(count, _week(today) in off)


def _week(day: date) -> tuple[int, int]:
    year, week, _ = day.isocalendar()
    return year, week


def _sureness(confidence: int, played: Sequence[Played]) -> Sureness:
    correct = sum(one.correct for one in played)
    low, high = wilson(correct, len(played))
    return Sureness(confidence=confidence, answers=len(played), correct=correct, low=low, high=high)


def _grouped(played: Iterable[Played], key: Callable[[Played], Key]) -> list[tuple[Key, list[Played]]]:
    ordered = sorted(played, key=key)  # type: ignore[arg-type]  # keys are texts or whole numbers
    return [(value, list(those)) for value, those in groupby(ordered, key)]
