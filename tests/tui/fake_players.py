"""The side door of the fake desk: three hand-made puzzles behind daily, ladder and a code, and made-up figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import UsageError
from engine.public import Presented, PresentedTask, Standing, Statistics, Sureness, Tally

if TYPE_CHECKING:
    from fake_desk import FakeDesk

CODE = "6-K7QX2M-G"
DAY = "2025-06-01"
NO_ANSWERS = Tally(answers=0, correct=0, brier=None, middle_ms=0)


class FakePlayers:
    """Knows no more than the fake desk it belongs to."""

    def __init__(self, desk: FakeDesk, made: dict[str, Presented]) -> None:
        self._desk, self._made = desk, made
        self.told = Statistics(whole=NO_ANSWERS, by_aid=(), by_length=(), curve=(), texts=0)

    def standing(self) -> Standing:
        self._desk._enter("standing")
        daily = self._made["daily"].puzzle_id in {one.puzzle_id for one in self._desk.answers}
        return Standing(
            day=DAY, daily_done=daily, streak=4 + daily, frozen=False, step=5, answers=3, brier=0.23, top=False
        )

    def statistics(self) -> Statistics:
        self._desk._enter("statistics")
        return self.told

    def daily(self) -> Presented:
        self._desk._enter("daily")
        return self._made["daily"]

    def ladder(self) -> Presented:
        self._desk._enter("ladder")
        given = {one.puzzle_id for one in self._desk.answers}
        steps = (self._made["ladder"], self._made["ladder again"])
        return next((one for one in steps if one.puzzle_id not in given), steps[-1])

    def by_code(self, code: str) -> Presented | PresentedTask:
        self._desk._enter("by_code")
        if code.upper() != CODE:
            raise UsageError(f"code {code!r} is not one; a code looks like {CODE}")
        return self._made["code"]

    def code(self, puzzle_id: str) -> str:
        return CODE if puzzle_id == self._made["code"].puzzle_id else ""


SOME = Statistics(
    whole=Tally(answers=24, correct=17, brier=0.1834, middle_ms=83_000),
    by_aid=(
        Tally(answers=4, correct=2, brier=0.25, middle_ms=120_000, aid="A0"),
        Tally(answers=20, correct=15, brier=0.17, middle_ms=80_000, aid="A3"),
    ),
    by_length=(
        Tally(answers=14, correct=10, brier=0.19, middle_ms=71_000, complexity=4),
        Tally(answers=10, correct=7, brier=0.174, middle_ms=95_000, complexity=6),
    ),
    curve=(
        Sureness(confidence=50, answers=6, correct=3, low=0.188, high=0.812),
        Sureness(confidence=70, answers=10, correct=7, low=0.397, high=0.892),
        Sureness(confidence=90, answers=7, correct=6, low=0.487, high=0.974),
        Sureness(confidence=100, answers=1, correct=1, low=0.207, high=1.0),
    ),
    texts=2,
)
"""Figures as they could be."""
