"""A fake desk that leads through a study of a few stages, whatever each of them says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fake_desk import FakeDesk
from msgspec.structs import replace

from engine.public import Draft, Question, Receipt, Session, Stage, StageAnswer, StageWord

LONG = "\n".join(f"{nth}. This is line {nth} of what you agree to." for nth in range(1, 61))
"""As long as a usual consent form."""
LEAVING: tuple[StageWord, ...] = ("stop", "withdraw")
ON: tuple[StageWord, ...] = ("next", *LEAVING)


def questions(count: int = 3) -> tuple[Question, ...]:
    return tuple(
        Question(text=f"Question {nth}: which one is it?", options=tuple(f"option {nth}{letter}" for letter in "abcd"))
        for nth in range(1, count + 1)
    )


def consent(text: str = LONG) -> Stage:
    return Stage(key="consent", kind="consent", title="Before you begin", text=text, words=("agree", "decline"))


def stages(text: str = LONG) -> tuple[Stage, ...]:
    """Return one stage of each kind that a participant reads, each with this text."""
    return (
        consent(text),
        Stage(key="intake", kind="intake", title="About you", text=text, questions=questions(2), words=ON),
        Stage(key="instructions", kind="instructions", title="What you will do", text=text, words=ON),
        Stage(key="practice/1", kind="practice", title="Practice", text=text, puzzle_id="p4-1", words=LEAVING),
        Stage(key="check", kind="check", title="Is it clear?", text=text, questions=questions(), words=ON),
        Stage(key="break/1", kind="break", title="A break", text=text, words=ON),
        Stage(key="end", kind="end", title="The end", text=text, words=("next", "withdraw")),
    )  # fmt: skip


@dataclass(kw_only=True)
class FakeGuide(FakeDesk):
    """Shows one stage after the other; at the last it stays."""

    to_come: Sequence[Stage] = field(default_factory=stages)
    said: list[StageAnswer] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.collects, self.aid = True, "A0"

    def open(self) -> Session:
        return replace(super().open(), study="5d2f81")

    def stage(self) -> Stage:
        self._enter("stage")
        return self.to_come[min(len(self.said), len(self.to_come) - 1)]

    def take(self, answer: StageAnswer) -> Stage:
        self._enter("take")
        self.said.append(answer)
        return self.stage()

    def expire(self, draft: Draft) -> Receipt:
        raise AssertionError("no stage here has a limit")
