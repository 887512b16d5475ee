"""A study in the line mode: the stage at hand is told, what the participant says to it is committed, until the end.

The desk decides what comes. What cannot be undone is asked for twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

from engine.errors import UsageError, quoted
from engine.public import Desk, Draft, Guide, Receipt, Stage, StageAnswer, StageWord
from tui.plain.ends import Ended
from tui.plain.talk import Command, Place, Talk, number

LETTERS = "abcdefghijklmnopqrstuvwxyz"
ITEMS = ("item", "practice")
WORDS: dict[StageWord, str] = {
    "next": "go on", "agree": "agree, and begin", "decline": "do not agree; nothing is stored",
    "stop": "stop for good; what was answered is kept", "withdraw": "withdraw; all that was stored of you is deleted",
}  # fmt: skip
FINAL = ("stop", "withdraw", "decline")


def stage_at_hand(desk: Desk) -> Stage:
    return cast("Guide", desk).stage()


def take(desk: Desk, answer: StageAnswer) -> Stage:
    return cast("Guide", desk).take(answer)


def expire(desk: Desk, draft: Draft) -> Receipt:
    return cast("Guide", desk).expire(draft)


class StageTalk(Talk):
    """One stage that is no puzzle, or an item that waits."""

    PROMPT = "study> "

    def __init__(self, place: Place, stage: Stage) -> None:
        self.stage = stage
        self.opens = False
        """Whether the item is to be opened now."""
        self._chosen: list[int | None] = [None] * len(stage.questions)
        self._asked_twice: StageWord | None = None
        super().__init__(place)

    def commands(self) -> Sequence[Command]:
        choose = Command(name="choose", usage="1 a", tells="answer question 1 with a", run=self._choose)
        return (*((choose,) if self.stage.questions else ()), *(self._word(word) for word in self._words()))

    def _words(self) -> tuple[StageWord, ...]:
        return ("next", *self.stage.words) if self.stage.puzzle_id else self.stage.words

    def _word(self, word: StageWord) -> Command:
        return Command(name=word, tells=WORDS[word], run=lambda rest: self._say(word))

    def greet(self) -> None:
        stage = self.stage
        place = f" {stage.nth} of {stage.total}" if stage.total else ""
        self.say(f"COLLECT  study {self.place.session.study}  {stage.kind}{place}  {stage.title}")
        waits = bool(stage.puzzle_id) and not stage.text
        if text := "This item waits for you. What you had so far is kept." if waits else stage.text.strip():
            self.say(text)
        for nth, question in enumerate(stage.questions, start=1):
            self.say(f"{nth}. {question.text}")
            for letter, option in zip(LETTERS, question.options, strict=False):
                self.say(f"   {letter} {option}")
        self.say("; ".join(f"{word}: {WORDS[word]}" for word in self._words()))

    def _choose(self, rest: str) -> None:
        nth, _, letter = rest.partition(" ")
        index = number(nth, 1, len(self.stage.questions), "question") - 1
        letters = LETTERS[: len(self.stage.questions[index].options)]
        if len(letter.strip()) != 1 or letter.strip() not in letters:
            raise UsageError(f"answer {quoted(letter.strip())}: one of {', '.join(letters)} is right, as in choose 1 a")
        self._chosen[index] = letters.index(letter.strip())
        self.say(f"{nth}. {self.stage.questions[index].options[letters.index(letter.strip())]}")

    def _say(self, word: StageWord) -> None:
        if word in FINAL and self._asked_twice != word:
            self._asked_twice = word
            self.say(f"type {word} once more to confirm; anything else takes it back")
            return
        if word == "next" and None in self._chosen:
            raise UsageError("every question needs an answer first, as in choose 1 a")
        if word == "next" and self.stage.kind == "end":
            raise Ended(0)
        self.opens = word == "next" and bool(self.stage.puzzle_id)
        if not self.opens:
            chosen = tuple(one for one in self._chosen if one is not None)
            answer = StageAnswer(key=self.stage.key, word=word, chosen=chosen)
            self.place.counter.ask(partial(take, answer=answer))
        self.over = True

    def hear(self, line: str) -> None:
        if self._asked_twice is not None and line.strip() != self._asked_twice:
            self._asked_twice = None
        super().hear(line)
