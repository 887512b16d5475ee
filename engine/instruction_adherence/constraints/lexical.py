"""Constraints on words and letters: bans, exact uses, order, repetition, first letters, phrases, commas.

Word counts and bans run over all that is left after the removals, headings and title included (reading 10). Pure
prohibitions pass on a text with nothing to object to; whatever is demanded must be there (reading 30).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, count, islice
from string import ascii_uppercase
from typing import Annotated, Self

from engine.errors import counted, quoted
from engine.instruction_adherence.constraint import (
    MOST_NAMED,
    AnyWords,
    Constraint,
    Count,
    CountOrNone,
    Phrase,
    Verdict,
    Word,
    Words,
    few,
    nfc,
    text,
    verdict,
)
from engine.instruction_adherence.inflection import forms
from engine.instruction_adherence.lettering import each_of, latin, parts
from engine.instruction_adherence.text import Reading, folded, stands_whole
from engine.instruction_adherence.wordlists import bans, grammar, required
from engine.randomness import Stream

Letter = Annotated[str, text("one capital letter of A-Z", lambda value: len(value) == 1 and value in ascii_uppercase)]
Letters = Annotated[str, text("one or more letters of A-Z", lambda value: value.isascii() and value.isalpha())]


@dataclass(frozen=True, kw_only=True)
class Lipogram(Constraint):
    """A letter in any case, with any accent, in any shape that looks like it (reading 13)."""

    id = "lex.lipogram"
    difficulty = 5
    hard_family = "lipogram"
    tags = frozenset({"json_safe"})
    phrasings = (
        'The letter "{letter}" must not occur at all, neither as a capital nor in lower case.',
        'Write without a single "{letter}": no word anywhere may contain that letter, capital or small.',
        'Leave out the letter "{letter}" completely (upper case, lower case, with or without accents).',
    )
    letter: Letter

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(letter=stream.choice(ascii_uppercase))

    def check(self, reading: Reading) -> Verdict:
        letter = self.letter.lower()
        uses = reading.shown_letters.count(letter)
        seen = f"{self.letter} used {counted(uses, 'time')}; 0 asked"
        if uses == 0:
            return verdict(reading, True, seen)
        if reading.text.isascii():  # then the letters that it shows stand where they are written
            return verdict(reading, False, seen, each_of(letter, reading.shown_letters))
        shapes = [char for char in reading.characters if letter in latin(char)]
        return verdict(reading, False, seen, reading.places_of(shapes))


@dataclass(frozen=True, kw_only=True)
class _Ban(Constraint):
    """Words that may not be used in any inflected form, possessive or part of a hyphen compound (reading 14)."""

    tags = frozenset({"json_safe"})
    words: Words

    @cached_property
    def _banned(self) -> frozenset[str]:
        return frozenset().union(*(forms(folded(nfc(word))) for word in self.words))

    def check(self, reading: Reading) -> Verdict:
        banned = self._banned
        if banned.isdisjoint(reading.shown_parts):
            return verdict(reading, True, "none of the forbidden words used")
        uses = [index for index, word in enumerate(reading.shown_words) if not banned.isdisjoint(parts(word))]
        seen = f"forbidden: {few([reading.written[index] for index in uses[:MOST_NAMED]], len(uses))}"
        return verdict(reading, False, seen, reading.places(uses))


@dataclass(frozen=True, kw_only=True)
class ForbiddenWords(_Ban):
    """Unrelated words."""

    id = "lex.forbidden_words"
    difficulty = 2
    phrasings = (
        "Avoid the words {words:and} altogether, and all their inflected forms.",
        "None of these words may appear, in any inflected form: {words:and}.",
        "Write without {words:or}; plurals, verb forms and comparisons of them are ruled out too.",
    )

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(words=tuple(stream.sample(bans().forbidden, stream.between(2, 4))))


@dataclass(frozen=True, kw_only=True)
class WordExactK(Constraint):
    """The whole word; compounds and possessives are other words (reading 15)."""

    id = "lex.word_exact_k"
    difficulty = 3
    tags = frozenset({"json_safe"})
    phrasings = (
        'The word "{word}" must occur exactly {k:time}, in any case; its other forms are not counted.',
        'Use "{word}" {k:time}, no more and no fewer (capitals do not matter, plurals and compounds do not count).',
        'Let the exact word "{word}" stand in the text {k:time} in total, however it is capitalised.',
    )
    word: Word
    k: CountOrNone

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(word=stream.choice(required().counted), k=stream.between(2, 5))

    @cached_property
    def _folded(self) -> str:
        return folded(self.word)

    def check(self, reading: Reading) -> Verdict:
        uses = reading.uses(self._folded)
        seen = f"{quoted(self.word)} used {counted(len(uses), 'time')}; {self.k} asked"
        return verdict(reading, len(uses) == self.k, seen, reading.places(uses[self.k :]))


@dataclass(frozen=True, kw_only=True)
class WordOrder(Constraint):
    """Both words used, the first use of one before the first use of the other."""

    id = "lex.word_order"
    difficulty = 2
    phrasings = (
        'Use both "{first}" and "{second}"; the first "{first}" must come before the first "{second}".',
        'The words "{first}" and "{second}" must both occur, with "{first}" mentioned earlier than any "{second}".',
        'Bring in the word "{first}" and only after it the word "{second}"; both are needed.',
    )
    first: Word
    second: Word

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        first, second = stream.choice(required().ordered)
        return cls(first=first, second=second)

    @cached_property
    def _folded(self) -> tuple[str, str]:
        return folded(self.first), folded(self.second)

    def check(self, reading: Reading) -> Verdict:
        early, late = (reading.uses(word) for word in self._folded)
        if not early or not late:
            missing = self.second if early else self.first
            return verdict(reading, False, f"{quoted(missing)} is not used; both words asked")
        order = f"first {quoted(self.first)} is word {early[0] + 1}, first {quoted(self.second)} word {late[0] + 1}"
        return verdict(reading, early[0] < late[0], order, reading.places(late[:1]))


@dataclass(frozen=True, kw_only=True)
class NoRepeat(Constraint):
    """A cap on the uses of every word that is not listed."""

    id = "lex.no_repeat"
    difficulty = 4
    phrasings = (
        "Use no word more than {max_times:time}, whatever its case; only these words are free: {allowed:plain}.",
        "Apart from the words {allowed:plain}, each word may occur at most {max_times:time} (case does not matter).",
        "A word may stand in the text {max_times:time} at most, except that these are not limited: {allowed:plain}.",
    )
    max_times: Count
    allowed: AnyWords

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(max_times=stream.between(2, 4), allowed=grammar().common)

    @cached_property
    def _free(self) -> frozenset[str]:
        return frozenset(map(folded, self.allowed))

    def check(self, reading: Reading) -> Verdict:
        most, free = self.max_times, self._free
        left = {word: most for word, uses in reading.counts.items() if uses > most and word not in free}
        if not left:
            return verdict(reading, True, f"no word more than {counted(most, 'time')}")
        shown = [f"{word} {reading.counts[word]} times" for word in islice(left, MOST_NAMED)]
        places = reading.places(_beyond(reading.words, left))
        return verdict(reading, False, f"{few(shown, len(left))}; at most {most} asked", places)


@dataclass(frozen=True, kw_only=True)
class DistinctSentenceStarts(Constraint):
    """First letters of sentences, all different and all of A-Z (reading 9), so that 26 sentences are the most."""

    id = "lex.distinct_sentence_starts"
    difficulty = 4
    hard_family = "distinct_sentence_starts"
    tags = frozenset({"sentences", "start"})
    phrasings = (
        "Begin every sentence with a different letter of the English alphabet; list items are sentences too.",
        "No two sentences may start with the same letter (A-Z, case ignored; each list item or line is a sentence).",
        "Each sentence, list items included, needs its own first letter from A to Z, used by no other sentence.",
    )

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls()

    def check(self, reading: Reading) -> Verdict:
        first: dict[str, int] = {}
        wrong: list[int] = []
        for index, sentence in enumerate(reading.sentences):
            letter = reading.first_letter(sentence.first)
            if letter is None or letter in first:
                wrong.append(index)
            else:
                first[letter] = index
        seen = f"{counted(len(reading.sentences), 'sentence')}, {len(first)} with a first letter of their own"
        places = reading.places(reading.sentences[index].first for index in wrong)
        return verdict(reading, bool(first) and not wrong, seen, places)


@dataclass(frozen=True, kw_only=True)
class Acrostic(Constraint):
    """First letters of paragraphs spell a word, one paragraph a letter."""

    id = "lex.acrostic"
    difficulty = 5
    hard_family = "acrostic"
    tags = frozenset({"paragraphs", "size", "start"})
    phrasings = (
        'Write one paragraph for each letter of "{word}" and no other: their first letters must spell it in order.',
        'The first letters of the paragraphs, read from top to bottom, must spell "{word}" and nothing more.',
        'Let the paragraphs form an acrostic of "{word}": as many paragraphs as letters, each beginning with its own.',
    )
    word: Letters

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(word=stream.choice(required().acrostics))

    def check(self, reading: Reading) -> Verdict:
        wanted = self.word.upper()
        found = [reading.paragraph_letter(paragraph) or "?" for paragraph in reading.paragraphs]
        wrong = [i for i, letter in enumerate(found) if wanted[i : i + 1] != letter]
        seen = f"paragraphs spell {quoted(''.join(found))}; {quoted(wanted)} asked"
        return verdict(reading, "".join(found) == wanted, seen, (reading.paragraphs[i].place for i in wrong))


@dataclass(frozen=True, kw_only=True)
class ExactPhrase(Constraint):
    """The same characters, with a word border at both ends (reading 16)."""

    id = "lex.exact_phrase"
    difficulty = 1
    tags = frozenset({"json_safe"})
    phrasings = (
        'Somewhere in the response, use the phrase "{phrase}" exactly as written here.',
        'The exact words "{phrase}" must occur at least once, letter for letter and on one line.',
        'Work in "{phrase}" word for word, with the same capitals and spaces as shown.',
    )
    phrase: Phrase

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(phrase=stream.choice(required().phrases))

    def check(self, reading: Reading) -> Verdict:
        wanted = nfc(self.phrase)
        start = reading.text.find(wanted)
        while start >= 0:
            if stands_whole(reading.text, start, start + len(wanted)):
                return verdict(reading, True, f"{quoted(self.phrase)} found")
            start = reading.text.find(wanted, start + 1)
        return verdict(reading, False, f"{quoted(self.phrase)} not found")


@dataclass(frozen=True, kw_only=True)
class SynonymBan(_Ban):
    """Words of one meaning."""

    id = "lex.synonym_ban"
    difficulty = 3
    phrasings = (
        "Do without {words:and} and every form of them; find another way to say it.",
        "These words and all their forms are banned: {words:and}.",
        "You may not use {words:or} in any form.",
    )

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        group = stream.choice(bans().synonyms)
        return cls(words=tuple(stream.sample(group, stream.between(3, len(group)))))


@dataclass(frozen=True, kw_only=True)
class NoCommas(Constraint):
    """Every punctuation mark that Unicode names a comma (reading 17)."""

    id = "lex.no_commas"
    difficulty = 2
    phrasings = (
        "Write without commas.",
        "There must be no comma anywhere in the response.",
        "Commas are not allowed; use other punctuation or shorter sentences.",
    )

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls()

    def check(self, reading: Reading) -> Verdict:
        if reading.text.isascii():
            uses = reading.text.count(",")
            return verdict(reading, uses == 0, f"{counted(uses, 'comma')}; 0 asked", each_of(",", reading.text))
        commas = {char for char in reading.characters if is_comma(char)}
        uses = sum(map(reading.text.count, commas))
        return verdict(reading, not commas, f"{counted(uses, 'comma')}; 0 asked", reading.places_of(commas))


def is_comma(char: str) -> bool:
    """Whether a character is a comma of any script."""
    if char.isascii():
        return char == ","
    return unicodedata.category(char) == "Po" and "COMMA" in unicodedata.name(char, "")


def _beyond(words: Sequence[str], left: dict[str, int]) -> Iterator[int]:
    """Yield the indices of the uses that go beyond those left for each word."""
    for index in compress(count(), map(left.__contains__, words)):
        word = words[index]
        if left[word]:
            left[word] -= 1
        else:
            yield index


TYPES: tuple[type[Constraint], ...] = (
    Lipogram, ForbiddenWords, WordExactK, WordOrder, NoRepeat, DistinctSentenceStarts, Acrostic, ExactPhrase,
    SynonymBan, NoCommas,
)  # fmt: skip
