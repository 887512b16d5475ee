"""A text that passes, ready to be damaged: its judged core between what is removed before checking, and plain edits.

Edits insert, delete or replace at places of the core and never look at a checker. Inserted words stand between spaces,
so that they join no other word; deleted ones leave their spaces. Blocks are appended after a blank line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.text import Line, Paragraph, Place, Reading, folded
from engine.randomness import Stream

FILLERS = ("quartz", "ember", "violin", "harvest")
_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)*")


class Mutant(NamedTuple):
    """A text that must be rejected."""

    operator: str
    """What was done to it."""
    text: str
    times: int = 1
    """How often it was done; more than once where a range or a maximum leaves room."""


Operators: TypeAlias = Mapping[type[Constraint], Callable[..., Iterator[Mutant]]]
"""For each type of constraint what yields its mutants."""


class Edit(NamedTuple):
    """Put `by` where core[start:end] stands."""

    start: int
    end: int
    by: str = ""


@dataclass(frozen=True)
class Intact:
    """A text in three parts, of which the checkers but those of raw types judge the core alone."""

    head: str
    reading: Reading
    """Of the core."""
    tail: str

    @property
    def core(self) -> str:
        return self.reading.text

    @property
    def whole(self) -> str:
        return self.with_core(self.core)

    def with_core(self, core: str) -> str:
        return f"{self.head}{core}{self.tail}"

    def edited(self, *edits: Edit) -> str:
        """Return the whole text with edits that do not overlap."""
        core = self.core
        for edit in sorted(edits, reverse=True):
            core = f"{core[: edit.start]}{edit.by}{core[edit.end :]}"
        return self.with_core(core)

    def appended(self, text: str) -> str:
        return self.with_core(self.core + text)

    def prefixed(self, text: str) -> str:
        return self.with_core(text + self.core)

    def emptied(self) -> Mutant:
        return Mutant("nothing left", self.with_core(""))

    def inserted(self, stream: Stream, text: str, times: int = 1) -> str:
        """Return the whole with a text put, `times` in a row, after any one of its words."""
        places = self.reading.word_places
        at = stream.choice(places)[1] if places else len(self.core)
        return self.edited(Edit(at, at, f" {text}" * times))

    def without(self, indices: Iterable[int]) -> str:
        """Return the whole without the words of these indices."""
        return self.replaced(indices, "")

    def replaced(self, indices: Iterable[int], by: str) -> str:
        """Return the whole with other text for the words of these indices."""
        return self.edited(*(Edit(*self.reading.word_places[index], by) for index in set(indices)))

    def before_word(self, index: int, text: str) -> str:
        """Return the whole with a text and a space put in front of a word."""
        start = self.reading.word_places[index][0]
        return self.edited(Edit(start, start, f"{text} "))

    def grown(self, place: Place, times: int) -> str:
        """Return the whole with words added at the end of a line or paragraph."""
        return self.edited(Edit(place[1], place[1], " more" * times))

    def shrunk(self, paragraph: Paragraph, times: int) -> str:
        """Return the whole without the last words of a paragraph."""
        return self.without(words_of(paragraph)[-times:])

    def without_lines(self, lines: Iterable[Line]) -> str:
        return self.edited(*(Edit(line.start, line.end) for line in lines))


def intact(text: str) -> Intact | None:
    """Take a text apart; None if what is left in the middle would again be cut when read on its own."""
    whole = Reading(Reading(text).clean)
    start, end = whole.spans([(0, len(whole.text))])[0]
    body = whole.text
    match = _BLANK_LINES.match(body)
    lead = match.end() if match else 0
    if not whole.lines or whole.lines[0].kind != "item":
        lead = len(body) - len(body.lstrip())
    core = body[lead:].rstrip()
    reading = Reading(core)
    if reading.text != core:
        return None
    return Intact(whole.clean[: start + lead], reading, body[lead + len(core) :] + whole.clean[end:])


def words_of(paragraph: Paragraph) -> list[int]:
    """Return the indices of a paragraph's words."""
    return [index for first, last in paragraph.runs for index in range(first, last)]


def other_than(*words: str) -> str:
    """Return a word that differs from all of these."""
    taken = set(map(folded, words))
    return next(filler for filler in FILLERS if filler not in taken)


def any_index(items: Sequence[object], stream: Stream) -> int:
    return stream.below(len(items))
