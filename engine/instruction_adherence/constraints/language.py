"""Constraints on language: paragraphs in another language, case, contractions, person, tense, voice, capitals.

Tense and voice are judged by heuristics over a dictionary and closed lists; they are for evaluation only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from string import ascii_uppercase
from typing import Annotated, Self

from engine.errors import counted, quoted
from engine.instruction_adherence.constraint import (
    AnyWords,
    Constraint,
    Count,
    CountOrNone,
    Verdict,
    named,
    text,
    verdict,
)
from engine.instruction_adherence.detection import CODES, detect
from engine.instruction_adherence.grammar import passives, past_and_future
from engine.instruction_adherence.text import Paragraph, Place, Reading, unified
from engine.instruction_adherence.wordlists import grammar, shapes
from engine.randomness import Stream

FOREIGN = tuple(sorted(set(CODES) - {"English"}))
Foreign = Annotated[str, text(f"one of {list(FOREIGN)}", lambda value: value in FOREIGN)]
_ASCII_CAPITALS = frozenset(ascii_uppercase)
JUDGED_WORDS = 4
"""Words from which on a sentence is judged on its own (reading 33)."""


@dataclass(frozen=True, kw_only=True)
class ParagraphLanguage(Constraint):
    """One paragraph in another language, the others in English, as wholes and sentence by sentence (reading 33)."""

    id = "lang.paragraph_language"
    difficulty = 3
    tags = frozenset({"foreign", "paragraphs"})
    phrasings = (
        "Write the {paragraph:nth} paragraph in {language} and all others in English; every sentence of four or more "
        "words is judged.",
        "The {paragraph:nth} paragraph must be entirely in {language}, and the rest of the paragraphs in English "
        "(sentences of four or more words are judged one by one).",
        "Use {language} for the whole {paragraph:nth} paragraph, English for any other; this holds for all sentences "
        "of four or more words.",
    )
    paragraph: Count
    language: Foreign

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(paragraph=stream.between(1, 3), language=stream.choice(FOREIGN))

    def check(self, reading: Reading) -> Verdict:
        paragraphs = reading.paragraphs
        if len(paragraphs) < self.paragraph:
            return verdict(reading, False, f"{counted(len(paragraphs), 'paragraph')}; {self.paragraph} needed")
        homes = _judged_alone(reading)
        for index, paragraph in enumerate(paragraphs):
            wanted = self.language if index == self.paragraph - 1 else "English"
            place = _not_in(reading, paragraph, homes.get(index, []), CODES[wanted])
            if place is not None:
                seen = f"paragraph {index + 1}: {quoted(reading.text[place[0] : place[1]])} is not in {wanted}"
                return verdict(reading, False, seen, [place])
        return verdict(reading, True, f"paragraph {self.paragraph} in {self.language}, all others in English")


@dataclass(frozen=True, kw_only=True)
class Lowercase(Constraint):
    """Upper and title case only in the given names as given, or their possessives (reading 27)."""

    id = "lang.lowercase"
    difficulty = 3
    tags = frozenset({"json_safe"})
    phrasings = (
        "Use lower-case letters throughout; capitals are allowed only in these names, spelled like this: "
        "{allowed:plain}.",
        "No capital letters, please, except in the following proper nouns as they are written here: {allowed:plain}.",
        "Everything must be in lower case. Words that may keep their capitals: {allowed:plain}.",
    )
    allowed: AnyWords

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(allowed=tuple(stream.sample(shapes().names, stream.between(0, 2))))

    @cached_property
    def _names(self) -> frozenset[str]:
        names = map(unified, self.allowed)
        return frozenset(form for name in names for form in (name, f"{name}'s"))

    def check(self, reading: Reading) -> Verdict:
        capitals = _capitals(reading)
        if not capitals:
            return verdict(reading, True, "no capital letter")
        wrong = (index for index in reading.cased if self._is_wrong(reading.written[index], capitals))
        others = (char for char in capitals - _ASCII_CAPITALS if not char.isalpha())
        places = chain(reading.places(wrong), reading.places_of(set(others)))
        first = next(places, None)
        if first is None:
            return verdict(reading, True, "capitals in the allowed names alone")
        seen = f"capital in {quoted(reading.text[first[0] : first[1]])}; allowed: {named(self.allowed)}"
        return verdict(reading, False, seen, chain([first], places))

    def _is_wrong(self, word: str, capitals: frozenset[str]) -> bool:
        return word not in self._names and not capitals.isdisjoint(word)


@dataclass(frozen=True, kw_only=True)
class NoContractions(Constraint):
    """No apostrophe between letters (reading 39)."""

    id = "lang.no_contractions"
    difficulty = 2
    tags = frozenset({"json_safe"})
    phrasings = (
        "Write every word in full: no apostrophe may stand inside a word, which rules out contractions and 's.",
        "Avoid contractions and possessive 's alike; there must be no apostrophe inside a word.",
        "No word may have an apostrophe inside it, whether from a contraction or from a possessive.",
    )

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls()

    def check(self, reading: Reading) -> Verdict:
        wrong = reading.contracted
        shown = f": {quoted(reading.written[wrong[0]])}" if wrong else ""
        seen = f"{counted(len(wrong), 'word')} with an apostrophe{shown}; 0 asked"
        return verdict(reading, not wrong, seen, reading.places(wrong))


@dataclass(frozen=True, kw_only=True)
class SecondPerson(Constraint):
    """Enough of "you" and no first person (reading 28)."""

    id = "lang.second_person"
    difficulty = 3
    tags = frozenset({"english"})
    phrasings = (
        'Speak to the reader: use the word "you" at least {min_you:time}, and none of I, me, my, mine, myself, we, us, '
        "our, ours, ourselves or let's, contracted or not.",
        'Address the reader as "you" {min_you:time} or more and leave out the first person entirely (I, me, my, mine, '
        "myself, we, us, our, ours, ourselves, let's and all contractions of them).",
        'The word "you" must occur no fewer than {min_you:time}. Forbidden, with their contractions: I, me, my, mine, '
        "myself, we, us, our, ours, ourselves, let's.",
    )
    min_you: Count

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(min_you=stream.between(2, 6))

    def check(self, reading: Reading) -> Verdict:
        you = len(reading.uses("you"))
        wrong = sorted(_first_person(reading))
        shown = f" such as {quoted(reading.written[wrong[0]])}" if wrong else ""
        seen = f"'you' {counted(you, 'time')}, at least {self.min_you} asked; "
        seen += f"{counted(len(wrong), 'first-person word')}{shown}, 0 asked"
        return verdict(reading, you >= self.min_you and not wrong, seen, reading.places(wrong))


@dataclass(frozen=True, kw_only=True)
class PresentTense(Constraint):
    """No past, perfect or future, judged by a heuristic (reading 34)."""

    id = "lang.present_tense"
    difficulty = 4
    eval_only = True
    tags = frozenset({"english"})
    phrasings = (
        "Keep to the present tense from start to finish: no past, perfect or future.",
        "Every verb must be in the present tense; past, perfect and future forms are not allowed.",
        "Tell everything in the present tense, with no past, perfect or future anywhere.",
    )

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls()

    def check(self, reading: Reading) -> Verdict:
        return _judged(reading, past_and_future(reading), "past, perfect or future")


@dataclass(frozen=True, kw_only=True)
class NoPassive(Constraint):
    """No form of be or get with a participle, judged by a heuristic (reading 34)."""

    id = "lang.no_passive"
    difficulty = 4
    eval_only = True
    tags = frozenset({"english"})
    phrasings = (
        "Write in the active voice only; no verb may be passive.",
        "Avoid the passive voice in every sentence.",
        "There must be no passive construction anywhere in the text.",
    )

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls()

    def check(self, reading: Reading) -> Verdict:
        return _judged(reading, passives(reading), "passive")


@dataclass(frozen=True, kw_only=True)
class CapsLimit(Constraint):
    """Uses of words of two letters or more that are all capitals (reading 29)."""

    id = "lang.caps_limit"
    difficulty = 1
    tags = frozenset({"json_safe"})
    phrasings = (
        "Write at most {max:word} entirely in capitals (of two letters or more), every use counted.",
        "Words in ALL CAPS with two or more letters may occur {max:time} at the most.",
        "No more than {max:word} of two or more letters may be fully capitalised, counting each use.",
    )
    max: CountOrNone

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(max=stream.between(0, 3))

    def check(self, reading: Reading) -> Verdict:
        cased = [(index, reading.written[index]) for index in reading.cased]
        found = [index for index, word in cased if word.isupper() and sum(map(str.isalpha, word)) > 1]
        seen = f"{counted(len(found), 'word')} in capitals; at most {self.max} asked"
        return verdict(reading, len(found) <= self.max, seen, reading.places(found[self.max :]))


def _capitals(reading: Reading) -> frozenset[str]:
    """Return all characters of a response that are upper or title case; for ASCII, at least these."""
    if reading.text.isascii():
        return frozenset() if reading.text == reading.shown_letters else _ASCII_CAPITALS
    return frozenset(char for char in reading.characters if char.isupper() or char.istitle())


def _judged_alone(reading: Reading) -> dict[int, list[Place]]:
    """Return the sentences of each paragraph that are long enough to be judged on their own."""
    homes: dict[int, list[Place]] = {}
    for sentence in reading.sentences:
        home = reading.paragraph_of(sentence.first)
        if home is not None and sentence.size >= JUDGED_WORDS:
            homes.setdefault(home, []).append((sentence.start, sentence.end))
    return homes


def _not_in(reading: Reading, paragraph: Paragraph, sentences: list[Place], code: str) -> Place | None:
    """Return the first sentence of a paragraph that is not in a language, else the paragraph if it is not."""
    for start, end in sentences:
        if detect(reading.text[start:end]) != code:
            return start, end
    return None if detect(reading.paragraph_text(paragraph)) == code else paragraph.place


def _first_person(reading: Reading) -> Iterator[int]:
    """Yield the index of every first-person word; the country US and the i of "i.e." are none."""
    first_person = grammar().first_person
    for word in first_person & reading.counts.keys():
        yield from (index for index in reading.uses(word) if not _means_other(reading, index))
    for index in reading.contracted:
        word = reading.words[index]
        if word not in first_person and (word == "let's" or word.partition("'")[0] in first_person):
            yield index


def _means_other(reading: Reading, index: int) -> bool:
    word = reading.written[index]
    if word == "US":
        return any(map(str.islower, reading.characters))
    if word not in ("i", "I"):
        return False
    end = reading.word_places[index][1]
    following = reading.text[end : end + 3].casefold()
    return following == ".e." or (following[:2] == ".e" and not following[2:].isalnum())


def _judged(reading: Reading, wrong: list[int], fault: str) -> Verdict:
    """Return the verdict on a text with at least one sentence in which some words are at fault."""
    if not reading.sentences:
        return verdict(reading, False, "no sentence; at least one asked")
    shown = f" such as {quoted(reading.written[wrong[0]])}" if wrong else ""
    seen = f"{counted(len(wrong), 'word')} judged {fault}{shown}; 0 asked (a heuristic)"
    return verdict(reading, not wrong, seen, reading.places(wrong))


TYPES: tuple[type[Constraint], ...] = (
    ParagraphLanguage, Lowercase, NoContractions, SecondPerson, PresentTense, NoPassive, CapsLimit,
)  # fmt: skip
