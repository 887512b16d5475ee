"""A set of constraints in the making: each value is chosen among those that the earlier ones leave.

Prohibitions come first, then openings and paragraphs, lists, required words, bans. Counts that depend on the finished
shape (total words, sentences, words a paragraph, the nth sentence) stay open; `closing` sets them from a layout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from engine.instruction_adherence.compat import forbidding, required_texts
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.language import (
    Lowercase,
    NoPassive,
    ParagraphLanguage,
    PresentTense,
)
from engine.instruction_adherence.constraints.length import (
    IncreasingParagraphs,
    NthLongest,
    NthShortest,
    ParagraphCount,
    ParagraphWordRange,
    SentenceCount,
    WordRange,
)
from engine.instruction_adherence.constraints.meta import Restate, SelfAudit
from engine.instruction_adherence.constraints.positional import (
    DateAfterEvent,
    TopicOrder,
    WordInParagraph,
)
from engine.instruction_adherence.constraints.structure import (
    AlternatingLines,
)
from engine.instruction_adherence.demands import demands_of, of_kind, required_words
from engine.instruction_adherence.text import Reading, folded
from engine.instruction_adherence.usage import usage_faults
from engine.instruction_adherence.wordlists import grammar
from engine.randomness import Stream

OPEN = (WordRange, SentenceCount, ParagraphWordRange)
"""Types whose parameters come from the layout alone."""
ConstraintType = type[Constraint]
Option = TypeVar("Option")


Maker = Callable[["Draft"], Constraint]
"""Draws the parameters of one type."""


class NoChoice(Exception):
    """No value of a parameter goes with those drawn before."""


@dataclass
class Draft:
    """Constraints drawn so far."""

    types: tuple[ConstraintType, ...]
    stream: Stream
    keywords: tuple[str, ...]
    letter: str
    """Of a lipogram, if there is one."""
    closed: list[Constraint]
    revoked: tuple[Constraint, ...] = ()
    """Constraints whose words must not be required."""
    paragraphs: int = 0
    """Planned."""
    _used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._used = {folded(word) for word in self.keywords}
        self._used.update(word for c in (*self.closed, *self.revoked) for word in _content(c))

    def has(self, *kinds: ConstraintType) -> bool:
        """Whether one of these types is drawn or to be drawn."""
        return any(kind in self.types or any(of_kind(self.closed, kind)) for kind in kinds)

    def get(self, kind: ConstraintType) -> Constraint | None:
        return next(of_kind(self.closed, kind), None)

    def run(self, turns: Sequence[ConstraintType], makers: Mapping[ConstraintType, Maker]) -> list[Constraint]:
        """Return the constraints with their parameters, the open ones left out.

        Raises:
            NoChoice: the types leave no value for one of them.
        """

        def turn(kind: ConstraintType) -> int:
            return turns.index(kind) if kind in turns else -1

        for kind in sorted(self.types, key=turn):
            if not self.paragraphs and turn(kind) >= turn(ParagraphCount):
                self._plan()
            if kind in OPEN or kind in (SelfAudit, Restate):
                continue
            make = makers.get(kind)
            constraint = make(self) if make is not None else kind.sample(self.stream)
            self.closed.append(constraint)
            self._used.update(_content(constraint))
        if not self.paragraphs:
            self._plan()
        return self.closed

    def pick(self, kind: ConstraintType, options: Iterable[Constraint]) -> Constraint:
        """Return the first option that goes with everything drawn before."""
        for option in options:
            if self.fits(option):
                return option
        raise NoChoice(f"{kind.id}: no value goes with the other constraints")

    def fits(self, option: Constraint) -> bool:
        if not self._used.isdisjoint(_content(option)):
            return False
        for literal in required_texts([option]):
            if forbidding(literal, self.closed) is not None or not self._in_form(literal.text):
                return False
        return next(usage_faults([*self.closed, option]), None) is None

    def _in_form(self, text: str) -> bool:
        reading = Reading(text)
        judges = (c for c in self.closed if isinstance(c, PresentTense | NoPassive))
        return all(judge.check(reading).passed for judge in judges)

    def _plan(self) -> None:
        """Choose the number of paragraphs."""
        low, high = demands_of(self.closed).paragraphs
        if self.has(NthLongest, NthShortest, IncreasingParagraphs, TopicOrder, ParagraphLanguage, ParagraphCount):
            low = max(low, 2)
        if self.has(ParagraphLanguage) and self.has(TopicOrder, WordInParagraph):
            low = max(low, 3)
        if high < low:
            raise NoChoice(f"{ParagraphCount.id}: at most {high} paragraphs, {low} needed")
        usual = 3 if self.has(AlternatingLines) else 5
        self.paragraphs = self.stream.between(low, max(low, min(high, usual)))

    def case(self, text: str) -> str:
        """Return a text in the case that is allowed."""
        return text.lower() if self.get(Lowercase) else text

    def native(self) -> list[int]:
        """Return the paragraphs that are in English, from 1."""
        foreign = {c.paragraph for c in of_kind(self.closed, ParagraphLanguage)}
        return [nth for nth in range(1, self.paragraphs + 1) if nth not in foreign]

    def shuffled(self, items: Sequence[Option]) -> list[Option]:
        return self.stream.shuffled(items)


def _content(constraint: Constraint) -> set[str]:
    """Return the words that a constraint speaks of and that no other one should."""
    named = set(map(folded, required_words(constraint)))
    for literal in required_texts([constraint]):
        named.update(word for word in Reading(literal.text).words if word not in grammar().common)
    if isinstance(constraint, DateAfterEvent):
        named.update(map(folded, constraint.forms))
    return named - {"you"}
