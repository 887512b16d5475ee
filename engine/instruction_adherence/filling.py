"""Words for the slots that are still free: first letters by what is asked, the rest from the lexicon, none banned.

Every word of the lexicon is used once before any is used again, and never beyond a repetition limit. Words that a
constraint names are left to the placing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.language import JUDGED_WORDS
from engine.instruction_adherence.constraints.lexical import ForbiddenWords, Lipogram, SynonymBan
from engine.instruction_adherence.constraints.positional import DateAfterEvent
from engine.instruction_adherence.demands import Demands, literals
from engine.instruction_adherence.detection import CODES, detect
from engine.instruction_adherence.document import Document, Sentence
from engine.instruction_adherence.inflection import forms
from engine.instruction_adherence.lexicon import glue, words
from engine.instruction_adherence.placing import NoRoom
from engine.instruction_adherence.text import Reading, folded
from engine.instruction_adherence.usage import cap_of_others, free_words
from engine.randomness import Stream

MOST_REDRAWS = 30
"""Fillings of one sentence until the detector takes it for English."""


def banned_forms(constraints: Iterable[Constraint]) -> frozenset[str]:
    """Return every form of every forbidden word."""
    bans = [c.words for c in constraints if isinstance(c, ForbiddenWords | SynonymBan)]
    return frozenset(form for group in bans for word in group for form in forms(folded(word)))


def named_words(constraints: Iterable[Constraint]) -> frozenset[str]:
    """Return the words that constraints speak of, so that a chance use could break one."""
    named: set[str] = set()
    for constraint in constraints:
        for literal in literals(constraint):
            named.update(Reading(literal.text).words)
        if isinstance(constraint, DateAfterEvent):
            named.update(map(folded, constraint.forms))
        if word := getattr(constraint, "word", ""):
            named.add(folded(word))
    return frozenset(named)


@dataclass
class Filler:
    """Gives out words."""

    constraints: Sequence[Constraint]
    revoked: Sequence[Constraint]
    stream: Stream
    _given: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._banned = banned_forms((*self.constraints, *self.revoked)) | named_words(
            (*self.constraints, *self.revoked)
        )
        self._letters = {c.letter.lower() for c in self.constraints if isinstance(c, Lipogram)}
        usable = [word for word in words() if self._usable(word)]
        self._rest = self.stream.shuffled(usable)
        self._by_letter: dict[str, list[str]] = {}
        for word in self._rest:
            self._by_letter.setdefault(word[0], []).append(word)
        self._most = cap_of_others(self.constraints)
        self._free = free_words(self.constraints)
        self._glue = [w for w in glue() if self._usable(w) and (w in self._free or self._most > 50)]

    def _usable(self, word: str) -> bool:
        return word not in self._banned and self._letters.isdisjoint(word)

    def has(self, letter: str) -> bool:
        """Whether a word begins with this letter."""
        return letter.lower() in self._by_letter

    def richness(self, letter: str) -> int:
        return len(self._by_letter.get(letter.lower(), ()))

    def take(self, letter: str | None = None) -> str:
        """Return the word that was given out least, beginning with the letter if there is one.

        Raises:
            NoRoom: no word is left.
        """
        pool = self._rest if letter is None else self._by_letter.get(letter.lower(), [])
        for position in range(len(pool) - 1, -1, -1):
            word = pool[position]
            if self._given[word] == 0:
                self._given[word] += 1
                if letter is None:
                    pool.pop()
                return word
            if letter is None:
                pool.pop()
        return self._again(letter)

    def _again(self, letter: str | None) -> str:
        pools = self._by_letter.values() if letter is None else [self._by_letter.get(letter.lower(), [])]
        options = [word for pool in pools for word in pool if self._given[word] < self._most]
        if not options:
            raise NoRoom(letter or "a word")
        word = min(self.stream.sample(options, 20), key=lambda option: self._given[option])
        self._given[word] += 1
        return word

    def unlimited(self, letter: str | None) -> str:
        """Return a word that no repetition limit bounds.

        Raises:
            NoRoom: there is none.
        """
        options = [word for word in sorted(self._free) if self._usable(word) and letter in (None, word[0].upper())]
        if not options:
            raise NoRoom("a word without a limit")
        return self.stream.choice(options)

    def joiner(self) -> str | None:
        """Return a function word, or None where none is free of limits."""
        return self.stream.choice(self._glue) if self._glue else None


def fill(document: Document, demands: Demands, filler: Filler, stream: Stream, *, english: bool) -> None:
    """Fill all free slots.

    Args:
        english: whether the detector must take every sentence of a paragraph for English.

    Raises:
        NoRoom: no word fits a slot.
    """
    _assign_letters(document.sentences(), demands, filler, stream)
    for row in document.rows():
        if isinstance(row, Sentence) and row.free():
            if english and row.home is not None and len(row.words) >= JUDGED_WORDS:
                _fill_in_english(row, filler)
            else:
                _fill_slots(row, row.free(), filler)


def _assign_letters(sentences: list[Sentence], demands: Demands, filler: Filler, stream: Stream) -> None:
    """Give every sentence that needs one a first letter of its own; rich letters go first."""
    if not demands.distinct:
        return
    for sentence in sentences:
        if sentence.words[0] is not None and sentence.letter is None:
            reading = Reading(sentence.words[0])
            sentence.letter = reading.first_letter(0) if reading.words else None
    used = {s.letter for s in sentences if s.letter is not None}
    free = [letter for letter in demands.letters if letter not in used and filler.has(letter)]
    waiting = [s for s in sentences if s.letter is None]
    if len(free) < len(waiting):
        raise NoRoom("a first letter")
    ranked = sorted(free, key=lambda letter: filler.richness(letter) + stream.below(200), reverse=True)
    for sentence, letter in zip(waiting, stream.shuffled(ranked[: len(waiting)]), strict=True):
        sentence.letter = letter


def _fill_slots(sentence: Sentence, slots: list[int], filler: Filler) -> None:
    for slot in slots:
        sentence.words[slot] = filler.take(sentence.letter if slot == 0 else None)


def _fill_in_english(sentence: Sentence, filler: Filler) -> None:
    """Mix in function words, and draw again until the detector takes the sentence for English."""
    slots = sentence.free()
    for _ in range(MOST_REDRAWS):
        for slot in slots:
            joiner = filler.joiner() if slot % 2 and slot < len(sentence.words) - 1 else None
            sentence.words[slot] = joiner or filler.take(sentence.letter if slot == 0 else None)
        if detect(sentence.text(capital=True)) == CODES["English"]:
            return
    raise NoRoom("an English sentence")
