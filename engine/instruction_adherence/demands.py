"""What a set of constraints asks for together: ranges of counts, order of paragraphs, blocks, letters, required texts.

Merging takes every bound at its strictest. Whether the result can be met is not decided here: `compat` finds what
cannot be, `layout` finds a shape that can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import NamedTuple, TypeVar

from engine.instruction_adherence.constraint import Constraint, nfc
from engine.instruction_adherence.constraints.language import ParagraphLanguage, SecondPerson
from engine.instruction_adherence.constraints.length import (
    BulletCount,
    IncreasingParagraphs,
    NthLongest,
    NthShortest,
    ParagraphCount,
    ParagraphWordRange,
    SentenceCount,
    SentenceMaxWords,
    WordRange,
)
from engine.instruction_adherence.constraints.lexical import (
    Acrostic,
    DistinctSentenceStarts,
    ExactPhrase,
    Lipogram,
    WordExactK,
    WordOrder,
)
from engine.instruction_adherence.constraints.positional import (
    DateAfterEvent,
    FinalParagraphStart,
    HoweverOnce,
    MentionRatio,
    NthSentenceContains,
    TopicOrder,
    WordInParagraph,
)
from engine.instruction_adherence.constraints.structure import (
    AlternatingLines,
    Headers,
    JsonKeys,
    NumberedSublist,
    Sections,
    Title,
)
from engine.instruction_adherence.text import Reading, folded

MANY = 10**60
"""More than any count that is asked for."""
Kind = TypeVar("Kind", bound=Constraint)


class Range(NamedTuple):
    """Whole numbers from low to high, both included; empty if low is above high."""

    low: int
    high: int

    def meet(self, low: int = 0, high: int = MANY) -> Range:
        return Range(max(self.low, low), min(self.high, high))


class Lines(NamedTuple):
    """Alternating lines."""

    fewest: int
    long: int
    """Fewest words of a long line."""
    short: int
    """Most words of a short line."""


class Literal(NamedTuple):
    """A text that the response must contain."""

    text: str
    owner: str
    """Id of the constraint that requires it."""
    exact: bool
    """Whether its case is fixed too."""


@dataclass(frozen=True, kw_only=True)
class Demands:
    """The merged counts and blocks of a set."""

    paragraphs: Range
    sentences: Range
    words: Range
    paragraph_words: Range
    sentence_words: Range
    longest: tuple[int, ...]
    """Paragraphs, from 0, that must be strictly the longest; more than one cannot be met. `shortest` alike."""
    shortest: tuple[int, ...]
    rising: bool
    bullets: int
    """Lines with a hyphen; 0 if none are asked for, which leaves them free."""
    numbered: NumberedSublist | None
    headers: tuple[str, ...]
    titled: bool
    sections: int
    lines: Lines | None
    distinct: bool
    letters: str
    """Letters that a sentence may begin with."""
    acrostic: str
    foreign: ParagraphLanguage | None
    keys: tuple[str, ...]
    """Of a JSON object; empty if the response is none."""

    @property
    def items(self) -> int:
        """The fewest list items: sub-entries may be bullets too."""
        if self.numbered is None:
            return self.bullets
        return self.numbered.items + max(self.bullets, self.numbered.min_entries)

    @property
    def heading_words(self) -> int:
        return sum(len(Reading(header).words) for header in self.headers)


def of_kind(constraints: Sequence[Constraint], kind: type[Kind]) -> Iterator[Kind]:
    """Yield the constraints of one type."""
    return (constraint for constraint in constraints if isinstance(constraint, kind))


def demands_of(constraints: Sequence[Constraint]) -> Demands:
    """Return what the constraints ask for together."""
    alternating = list(of_kind(constraints, AlternatingLines))
    lines = None
    if alternating:
        fewest, long = max(c.min_lines for c in alternating), max(c.long_min for c in alternating)
        lines = Lines(fewest, long, min(c.short_max for c in alternating))
    banned = {lipogram.letter for lipogram in of_kind(constraints, Lipogram)}
    keys = [c.keys for c in of_kind(constraints, JsonKeys)]
    headers = [c.headers for c in of_kind(constraints, Headers)]
    words = Range(1, MANY)
    for c in of_kind(constraints, WordRange):
        words = words.meet(c.min, c.max)
    return Demands(
        paragraphs=_paragraphs(constraints),
        sentences=_sentences(constraints),
        words=words,
        paragraph_words=_paragraph_words(constraints),
        sentence_words=Range(1, min((c.fewer_than - 1 for c in of_kind(constraints, SentenceMaxWords)), default=MANY)),
        longest=tuple({c.nth - 1 for c in of_kind(constraints, NthLongest)}),
        shortest=tuple({c.nth - 1 for c in of_kind(constraints, NthShortest)}),
        rising=any(of_kind(constraints, IncreasingParagraphs)),
        bullets=max((c.n for c in of_kind(constraints, BulletCount)), default=0),
        numbered=next(of_kind(constraints, NumberedSublist), None),
        headers=tuple(nfc(header).rstrip() for header in headers[0]) if headers else (),
        titled=any(of_kind(constraints, Title)),
        sections=max((c.n for c in of_kind(constraints, Sections)), default=1),
        lines=lines,
        distinct=any(of_kind(constraints, DistinctSentenceStarts)),
        letters="".join(letter for letter in ascii_uppercase if letter not in banned),
        acrostic=next((c.word.upper() for c in of_kind(constraints, Acrostic)), ""),
        foreign=next(of_kind(constraints, ParagraphLanguage), None),
        keys=keys[0] if keys else (),
    )


def _paragraphs(constraints: Sequence[Constraint]) -> Range:
    found = Range(1, MANY)
    for constraint in constraints:
        match constraint:
            case ParagraphCount():
                found = found.meet(constraint.n, constraint.n)
            case Acrostic():
                found = found.meet(len(constraint.word), len(constraint.word))
            case NthLongest() | NthShortest():
                found = found.meet(max(2, constraint.nth))
            case IncreasingParagraphs():
                found = found.meet(constraint.min_paragraphs)
            case ParagraphLanguage() | WordInParagraph():
                found = found.meet(constraint.paragraph)
            case TopicOrder():
                found = found.meet(2)
    return found


def _sentences(constraints: Sequence[Constraint]) -> Range:
    found = Range(1, MANY)
    for constraint in constraints:
        match constraint:
            case SentenceCount():
                found = found.meet(constraint.n, constraint.n)
            case NthSentenceContains():
                found = found.meet(constraint.nth)
            case MentionRatio():
                found = found.meet(constraint.ratio)
            case DistinctSentenceStarts():
                found = found.meet(high=26 - len({c.letter for c in of_kind(constraints, Lipogram)}))
    return found


def _paragraph_words(constraints: Sequence[Constraint]) -> Range:
    found = Range(1, MANY)
    for constraint in of_kind(constraints, ParagraphWordRange):
        found = found.meet(constraint.min, constraint.max)
    return found


def literals(constraint: Constraint) -> tuple[Literal, ...]:
    """Return the texts that a constraint requires; where case is free, in the form in which words are compared."""
    owner = constraint.id
    match constraint:
        case Headers():
            return tuple(Literal(header.lstrip("#").strip(), owner, True) for header in constraint.headers)
        case JsonKeys():
            return tuple(Literal(key, owner, True) for key in constraint.keys)
        case ExactPhrase() | FinalParagraphStart():
            return (Literal(nfc(constraint.phrase), owner, True),)
    return tuple(Literal(folded(word), owner, False) for word in required_words(constraint))


def required_words(constraint: Constraint) -> tuple[str, ...]:
    """Return the single words that a constraint requires."""
    match constraint:
        case WordExactK():
            return (constraint.word,) if constraint.k else ()
        case WordOrder() | TopicOrder():
            return (constraint.first, constraint.second)
        case MentionRatio():
            return (constraint.more, constraint.fewer)
        case WordInParagraph() | NthSentenceContains() | DateAfterEvent():
            return (constraint.word,)
        case HoweverOnce():
            return ("however",)
        case SecondPerson():
            return ("you",)
    return ()
