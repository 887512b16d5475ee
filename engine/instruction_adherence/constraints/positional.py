"""Constraints on where things stand: words in paragraphs and sentences, dates after events, order, ratio, openings.

Words are whole words (reading 15); every named word must be used at least once (reading 30).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Self

from engine.errors import counted, quoted
from engine.instruction_adherence.constraint import (
    Constraint,
    Count,
    Phrase,
    Verdict,
    Word,
    Words,
    in_numbers,
    nfc,
    ordinal,
    verdict,
)
from engine.instruction_adherence.text import Place, Reading, folded
from engine.instruction_adherence.wordlists import required
from engine.randomness import Stream

_DATE = re.compile(r"(?<!\d)([0-9]{4})-([0-9]{2})-([0-9]{2})(?!\d)")


@dataclass(frozen=True, kw_only=True)
class WordInParagraph(Constraint):
    """A word in one paragraph and in no other; headings and lists are no paragraphs."""

    id = "pos.word_in_paragraph"
    difficulty = 3
    hard_family = "positional"
    tags = frozenset({"paragraphs"})
    phrasings = (
        'Use the word "{word}" in the {paragraph:nth} paragraph and in none of the others.',
        'Only the {paragraph:nth} paragraph may, and must, contain the word "{word}".',
        'Let "{word}" appear in the {paragraph:nth} paragraph; no other paragraph may have it.',
    )
    word: Word
    paragraph: Count

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(word=stream.choice(required().placed), paragraph=stream.between(1, 3))

    @cached_property
    def _folded(self) -> str:
        return folded(self.word)

    def check(self, reading: Reading) -> Verdict:
        homes = {index: reading.paragraph_of(index) for index in reading.uses(self._folded)}
        found = sorted({home + 1 for home in homes.values() if home is not None})
        astray = (index for index, home in homes.items() if home is not None and home != self.paragraph - 1)
        where = f"paragraph {in_numbers(found)}" if found else "no paragraph"
        seen = f"{quoted(self.word)} in {where}; {self.paragraph} alone asked"
        return verdict(reading, found == [self.paragraph], seen, reading.places(astray))


@dataclass(frozen=True, kw_only=True)
class DateAfterEvent(Constraint):
    """An existing day in ISO form after every use of a word, in the same sentence (reading 31)."""

    id = "pos.date_after_event"
    difficulty = 3
    hard_family = "positional"
    tags = frozenset({"sentences"})
    phrasings = (
        'Use the word "{word}" at least once; wherever {forms:or} occurs, a date like 2031-05-17 must follow later in '
        "the same sentence.",
        'Mention "{word}" one time or more. After each {forms:or}, before the sentence ends, give a date in the form '
        "YYYY-MM-DD.",
        'The text must use "{word}", and every sentence with {forms:or} in it must name an ISO date (YYYY-MM-DD) after '
        "that word.",
    )
    word: Word
    forms: Words

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        forms = stream.choice(required().events)
        return cls(word=forms[0], forms=forms)

    @cached_property
    def _forms(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(map(folded, (self.word, *self.forms))))

    def check(self, reading: Reading) -> Verdict:
        uses = sorted(index for form in self._forms for index in reading.uses(form))
        homes = {index: home for index in uses if (home := reading.sentence_of(index)) is not None}
        undated = [index for index, home in homes.items() if not _dated(reading, index, home)]
        seen = f"{quoted(self.word)} used {counted(len(homes), 'time')}, {len(undated)} without a date after it"
        return verdict(reading, bool(homes) and not undated, f"{seen}; at least 1 use asked", reading.places(undated))


@dataclass(frozen=True, kw_only=True)
class TopicOrder(Constraint):
    """The first paragraph with one word stands before the first paragraph with the other."""

    id = "pos.topic_order"
    difficulty = 3
    hard_family = "positional"
    tags = frozenset({"paragraphs"})
    phrasings = (
        'Mention "{first}" and "{second}"; the earliest paragraph with "{first}" must come before the earliest one '
        'with "{second}".',
        'Both "{first}" and "{second}" must be mentioned, and "{first}" in an earlier paragraph than any "{second}".',
        'Bring up "{first}" in one paragraph and "{second}" for the first time only in a later paragraph.',
    )
    first: Word
    second: Word

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        first, second = stream.choice(required().topics)
        return cls(first=first, second=second)

    @cached_property
    def _folded(self) -> tuple[str, str]:
        return folded(self.first), folded(self.second)

    def check(self, reading: Reading) -> Verdict:
        early, late = (_first_in_prose(reading, word) for word in self._folded)
        if early is None or late is None:
            missing = self.first if early is None else self.second
            return verdict(reading, False, f"no paragraph mentions {quoted(missing)}; both words asked")
        order = f"{quoted(self.first)} from paragraph {early[1] + 1}, {quoted(self.second)} from {late[1] + 1}"
        return verdict(reading, early[1] < late[1], order, reading.places([late[0]]))


@dataclass(frozen=True, kw_only=True)
class MentionRatio(Constraint):
    """Sentences with one word against sentences with the other; a sentence may count for both."""

    id = "pos.mention_ratio"
    difficulty = 3
    hard_family = "positional"
    tags = frozenset({"sentences"})
    phrasings = (
        'Mention "{more}" and "{fewer}", each at least once, and let there be at least {ratio} sentences with "{more}" '
        'for every sentence with "{fewer}".',
        'Both "{more}" and "{fewer}" must be used; sentences that mention "{more}" must number {ratio} times those '
        'that mention "{fewer}", or more.',
        'Count the sentences with "{more}" and those with "{fewer}": neither may be none, and the first number must be '
        "at least {ratio} times the second.",
    )
    more: Word
    fewer: Word
    ratio: Count

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        more, fewer = stream.choice(required().topics)
        return cls(more=more, fewer=fewer, ratio=stream.between(2, 3))

    @cached_property
    def _folded(self) -> tuple[str, str]:
        return folded(self.more), folded(self.fewer)

    def check(self, reading: Reading) -> Verdict:
        many, few = ({reading.sentence_of(i) for i in reading.uses(word)} - {None} for word in self._folded)
        seen = f"{counted(len(many), 'sentence')} with {quoted(self.more)}, {len(few)} with {quoted(self.fewer)}; "
        seen += f"at least {self.ratio} to 1 asked, each at least once"
        uses = reading.uses(self._folded[1])
        return verdict(reading, bool(few) and len(many) >= self.ratio * len(few), seen, reading.places(uses))


@dataclass(frozen=True, kw_only=True)
class HoweverOnce(Constraint):
    """One sentence whose first word is however (reading 29)."""

    id = "pos.however_once"
    difficulty = 2
    hard_family = "positional"
    tags = frozenset({"sentences"})
    phrasings = (
        'Start exactly one sentence with the word "however".',
        'One sentence, and only one, must open with "however" (in any case).',
        'Let a single sentence begin with "however"; no other sentence may begin with it.',
    )

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls()

    def check(self, reading: Reading) -> Verdict:
        starts = [sentence.first for sentence in reading.sentences if reading.words[sentence.first] == "however"]
        seen = f"{counted(len(starts), 'sentence')} beginning with 'however'; 1 asked"
        return verdict(reading, len(starts) == 1, seen, reading.places(starts[1:]))


@dataclass(frozen=True, kw_only=True)
class FinalParagraphStart(Constraint):
    """The last paragraph opens with a phrase in exact case (reading 29)."""

    id = "pos.final_paragraph_start"
    difficulty = 2
    hard_family = "positional"
    tags = frozenset({"paragraphs", "start"})
    phrasings = (
        'The last paragraph must open with exactly these words: "{phrase}".',
        'Start your final paragraph with "{phrase}", capitals as shown.',
        'Let "{phrase}" be the first words of the closing paragraph, written just like that.',
    )
    phrase: Phrase

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(phrase=stream.choice(required().final_starts))

    def check(self, reading: Reading) -> Verdict:
        if not reading.paragraphs:
            return verdict(reading, False, f"no paragraph; {quoted(self.phrase)} asked")
        final = reading.paragraphs[-1]
        seen = f"final paragraph begins {quoted(reading.paragraph_text(final)[:40])}; {quoted(self.phrase)} asked"
        return verdict(reading, reading.opens_with(final, nfc(self.phrase)), seen, [final.place])


@dataclass(frozen=True, kw_only=True)
class NthSentenceContains(Constraint):
    """A whole word in one sentence, counted from the first."""

    id = "pos.nth_sentence_contains"
    difficulty = 2
    hard_family = "positional"
    tags = frozenset({"sentences"})
    phrasings = (
        'The {nth:nth} sentence must contain the word "{word}" (each list item or line is a sentence).',
        'Use the word "{word}" in your {nth:nth} sentence; list items and lines count as sentences.',
        'Counting every line and list item as a sentence, put "{word}" into the {nth:nth} one.',
    )
    nth: Count
    word: Word

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(nth=stream.between(2, 6), word=stream.choice(required().placed))

    @cached_property
    def _folded(self) -> str:
        return folded(self.word)

    def check(self, reading: Reading) -> Verdict:
        sentences = reading.sentences
        if len(sentences) < self.nth:
            return verdict(reading, False, f"{counted(len(sentences), 'sentence')}; no {ordinal(self.nth)} one")
        target = sentences[self.nth - 1]
        passed = any(target.first <= index < target.last for index in reading.uses(self._folded))
        seen = f"the {ordinal(self.nth)} sentence {'has' if passed else 'has no'} {quoted(self.word)}"
        return verdict(reading, passed, seen, [(target.start, target.end)])


def _dated(reading: Reading, index: int, home: int) -> bool:
    """Whether an existing day stands after a word in its sentence."""
    start, end = reading.word_places[index][1], reading.sentences[home].end
    return any(place[0] >= start for place in _dates(reading.text, start, end))


def _dates(text: str, start: int, end: int) -> Iterator[Place]:
    for match in _DATE.finditer(text, start):
        if match.end() > end:
            return
        try:
            date(int(match[1]), int(match[2]), int(match[3]))
        except ValueError:
            continue
        yield match.span()


def _first_in_prose(reading: Reading, word: str) -> tuple[int, int] | None:
    """Return the first use of a word in a paragraph: its index and the paragraph's."""
    for index in reading.uses(word):
        home = reading.paragraph_of(index)
        if home is not None:
            return index, home
    return None


TYPES: tuple[type[Constraint], ...] = (
    WordInParagraph, DateAfterEvent, TopicOrder, MentionRatio, HoweverOnce, FinalParagraphStart, NthSentenceContains,
)  # fmt: skip
