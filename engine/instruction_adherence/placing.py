"""Where required words and phrases go: the positional ones first, then counted ones, each into the roomiest sentence.

A placement never breaks what is placed already: words keep to their paragraph, their order and their number of uses.
What finds no room raises `NoRoom`; the witness then starts over with another layout.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.instruction_adherence.compat import first_letter
from engine.instruction_adherence.constraint import Constraint, nfc
from engine.instruction_adherence.constraints.language import NoPassive, PresentTense, SecondPerson
from engine.instruction_adherence.constraints.lexical import ExactPhrase, WordExactK, WordOrder
from engine.instruction_adherence.constraints.positional import (
    DateAfterEvent,
    FinalParagraphStart,
    HoweverOnce,
    MentionRatio,
    NthSentenceContains,
    TopicOrder,
    WordInParagraph,
)
from engine.instruction_adherence.demands import Demands, of_kind
from engine.instruction_adherence.document import Document, Sentence
from engine.instruction_adherence.text import Reading, folded
from engine.instruction_adherence.usage import cap
from engine.randomness import Stream

Where = Callable[[Sentence], bool]


class NoRoom(Exception):
    """A required text cannot be placed in this layout."""


@dataclass
class Placer:
    """Puts required texts into the free slots of a document."""

    document: Document
    demands: Demands
    constraints: Sequence[Constraint]
    stream: Stream
    reserved: set[tuple[int, int]] = field(default_factory=set)
    """Slots, as id of the sentence and index, that are kept free."""
    _homes: dict[str, int] = field(default_factory=dict)
    """Words and the one paragraph that may hold them."""
    _after_paragraph: dict[str, int] = field(default_factory=dict)
    """Words and the paragraph only after which they may stand."""
    _after: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Words and the sentence and slot only after which they may stand."""

    def __post_init__(self) -> None:
        self.sentences = self.document.sentences()
        self._index = {id(sentence): index for index, sentence in enumerate(self.sentences)}
        self._homes = {folded(c.word): c.paragraph - 1 for c in of_kind(self.constraints, WordInParagraph)}
        self._caps: dict[str, int] = {}
        for index, letter in enumerate(self.demands.acrostic):
            self.document.paragraph(index)[0].letter = letter

    def place_all(self, keywords: Sequence[str]) -> None:
        """Place all required texts, and every keyword that finds room.

        Raises:
            NoRoom: one does not fit.
        """
        self._openings()
        for nth in of_kind(self.constraints, NthSentenceContains):
            self._ensure(folded(nth.word), self.sentences[nth.nth - 1 : nth.nth])
        self._order()
        for single in of_kind(self.constraints, WordInParagraph):
            self._ensure(folded(single.word), self.document.paragraph(single.paragraph - 1))
        for event in of_kind(self.constraints, DateAfterEvent):
            self._ensure(folded(event.word), self.sentences)
        for phrase in of_kind(self.constraints, ExactPhrase):
            self._phrase(nfc(phrase.phrase))
        for ratio in of_kind(self.constraints, MentionRatio):
            self._ratio(ratio)
        for exact in of_kind(self.constraints, WordExactK):
            self._top_up(folded(exact.word), exact.k)
        for person in of_kind(self.constraints, SecondPerson):
            self._top_up("you", person.min_you)
        for keyword in keywords:
            self._keyword(keyword)
        for ratio in of_kind(self.constraints, MentionRatio):
            self._ratio(ratio)

    def count(self, word: str) -> int:
        """Return the uses of a folded word in the whole document."""
        return sum(
            row.words.count(word) if isinstance(row, Sentence) else list(row).count(word) for row in self._rows()
        )

    def _rows(self) -> Sequence[Sentence | Sequence[str]]:
        return list(self.document.rows())

    def _openings(self) -> None:
        """Write the opening of the final paragraph, and choose the sentence with "however"."""
        paragraphs = 1 + max((s.home for s in self.sentences if s.home is not None), default=-1)
        for start in of_kind(self.constraints, FinalParagraphStart):
            head = self.document.paragraph(paragraphs - 1)[0]
            words = slots_of(nfc(start.phrase))
            if head.foreign or len(words) > len(head.words) or any(head.words[: len(words)]):
                if [w for w in head.words[: len(words)] if w] == words:
                    continue
                raise NoRoom(start.phrase)
            self._write(head, 0, words, fixed=True)
            head.letter = first_letter(start.phrase)
        if any(of_kind(self.constraints, HoweverOnce)):
            self._however()

    def _however(self) -> None:
        if any(s.words[0] is not None and folded(s.words[0]) == "however" for s in self.sentences):
            return
        heads = {id(s) for s in self.sentences if s.home is not None and s is self.document.paragraph(s.home)[0]}
        held = [s for s in self.sentences if self.demands.distinct and s.letter == "H"]
        open_ones = held or [s for s in self.sentences if s.letter in (None, "H")]
        open_ones = [s for s in open_ones if s.words[0] is None and not s.foreign and self._free(s, 0)]
        inner = [s for s in open_ones if s.home is not None and id(s) not in heads and len(s.words) > 1]
        choice = inner or [s for s in open_ones if len(s.words) > 1] or open_ones
        if not choice:
            raise NoRoom("however")
        sentence = self.stream.choice(choice)
        self._write(sentence, 0, ["however"])
        sentence.letter = "H"

    def _order(self) -> None:
        """Place the pairs whose order matters, and keep further uses of the later word behind the earlier one."""
        topics = _chained([(folded(c.first), folded(c.second)) for c in of_kind(self.constraints, TopicOrder)])
        for first, second in topics:
            self._topic(first, second)
        orders = _chained([(folded(c.first), folded(c.second)) for c in of_kind(self.constraints, WordOrder)])
        for first, second in orders:
            self._word_order(first, second)

    def _topic(self, first: str, second: str) -> None:
        last = max(s.home for s in self.sentences if s.home is not None)
        present = [s.home for s in self._with(second) if s.home is not None]
        limit = min([*present, self._homes.get(second, last), last])
        here = [s for s in self.sentences if s.home is not None and s.home < limit]
        early = self._ensure(first, self._roomy(here))
        assert early.home is not None
        earliest = min(s.home for s in self._with(first) if s.home is not None)
        self._after_paragraph[second] = earliest
        self._ensure(second, [s for s in self.sentences if s.home is not None and s.home > earliest])

    def _roomy(self, sentences: list[Sentence]) -> list[Sentence]:
        """Return the first part of the sentences, so that there is room behind."""
        native = [s for s in sentences if not s.foreign and s.free()]
        return native[: max(1, len(native) - len(native) // 3)] or sentences

    def _word_order(self, first: str, second: str) -> None:
        if self._heading_with(second) and not self._heading_with(first):
            raise NoRoom(first)
        if self._heading_with(first):
            self._ensure(second, self.sentences)
            return
        with_second = [self._index[id(s)] for s in self._with(second)]
        limit = min(with_second, default=len(self.sentences) - 1)
        sentence = self._ensure(first, self._roomy(self.sentences[:limit] or self.sentences[:1]))
        index = min(self._index[id(s)] for s in self._with(first))
        slot = self.sentences[index].words.index(first)
        self._after[second] = (index, slot)
        if not with_second:
            self._ensure(second, self.sentences[self._index[id(sentence)] :])

    def _heading_with(self, word: str) -> bool:
        return any(not isinstance(row, Sentence) and word in row for row in self._rows())

    def _ratio(self, ratio: MentionRatio) -> None:
        more, fewer = folded(ratio.more), folded(ratio.fewer)
        if not self._with(fewer):
            self._ensure(fewer, self.sentences)
        while len(self._with(more)) < ratio.ratio * len(self._with(fewer)):
            self._put([more], [s for s in self.sentences if more not in s.words])

    def _top_up(self, word: str, uses: int) -> None:
        while self.count(word) < uses:
            self._put([word], self.sentences)

    def _phrase(self, phrase: str) -> None:
        if any(phrase in s.text(capital=False) for s in self.sentences):
            return
        words = slots_of(phrase)
        if not words:
            self.stream.choice(self.sentences).date = phrase
        elif outside_sentences(phrase, self.constraints):
            self._put(words, self._titles(), fixed=True)
        else:
            self._put(words, self.sentences, fixed=True)

    def _titles(self) -> list[Sentence]:
        """Return the title and headings that nobody prescribed."""
        return [row for row in self._rows() if isinstance(row, Sentence) and id(row) not in self._index]

    def _keyword(self, keyword: str) -> None:
        words = slots_of(keyword)
        if not words or any(words in _runs(s, len(words)) for s in self.sentences):
            return
        try:
            self._put(words, [s for s in self.sentences if len(s.free()) > 1 or len(self.sentences) < 3])
        except NoRoom:
            return

    def _with(self, word: str) -> list[Sentence]:
        return [sentence for sentence in self.sentences if word in map(_folded, sentence.words)]

    def _ensure(self, word: str, sentences: Sequence[Sentence]) -> Sentence:
        """Return a sentence of these that has the word; one is placed if none has."""
        for sentence in sentences:
            if word in map(_folded, sentence.words):
                return sentence
        return self._put([word], sentences)

    def _put(self, words: list[str], sentences: Sequence[Sentence], *, fixed: bool = False) -> Sentence:
        """Write words into a run of free slots of the sentence that has most of them."""
        for word in map(folded, words):
            if self.count(word) >= self._cap(word):
                raise NoRoom(word)
        options = [(self._rank(s), s) for s in sentences if not s.foreign]
        for _, sentence in sorted(options, key=lambda option: option[0], reverse=True):
            starts = [start for start in range(len(sentence.words)) if self._run(sentence, start, words)]
            later = [start for start in starts if start > 0]
            if later or (starts and self._may_open(sentence, words[0])):
                start = self.stream.choice(later or starts)
                self._write(sentence, start, words, fixed=fixed)
                if start == 0:
                    sentence.letter = first_letter(words[0])
                return sentence
        raise NoRoom(" ".join(words))

    def _rank(self, sentence: Sentence) -> tuple[int, int]:
        free = len(sentence.free())
        return min(free, 4) if sentence.home is not None else min(free - 1, 1), self.stream.below(1000)

    def _cap(self, word: str) -> int:
        if word not in self._caps:
            self._caps[word] = cap(word, self.constraints)
        return self._caps[word]

    def _run(self, sentence: Sentence, start: int, words: list[str]) -> bool:
        slots = range(start, start + len(words))
        if slots.stop > len(sentence.words) or not all(
            sentence.words[slot] is None and self._free(sentence, slot) for slot in slots
        ):
            return False
        return all(self._legal(folded(word), sentence, slot) for word, slot in zip(words, slots, strict=True))

    def _free(self, sentence: Sentence, slot: int) -> bool:
        return (id(sentence), slot) not in self.reserved

    def _legal(self, word: str, sentence: Sentence, slot: int) -> bool:
        if sentence.home is not None:
            if self._homes.get(word, sentence.home) != sentence.home:
                return False
            if sentence.home <= self._after_paragraph.get(word, -1):
                return False
        return (self._index.get(id(sentence), -1), slot) > self._after.get(word, (-1, -1))

    def _may_open(self, sentence: Sentence, word: str) -> bool:
        """Whether a sentence may begin with this word."""
        letter = first_letter(word)
        if sentence.letter not in (None, letter) or folded(word) == "however":
            return False
        return not (self.demands.distinct and any(s.letter == letter for s in self.sentences if s is not sentence))

    def _write(self, sentence: Sentence, start: int, words: Sequence[str], *, fixed: bool = False) -> None:
        for slot, word in enumerate(words, start=start):
            sentence.words[slot] = word
            if fixed:
                sentence.fixed.add(slot)


def _runs(sentence: Sentence, size: int) -> list[list[str | None]]:
    """Return all runs of so many neighbouring words of a sentence."""
    return [sentence.words[start : start + size] for start in range(len(sentence.words) - size + 1)]


def slots_of(phrase: str) -> list[str]:
    """Cut a phrase into texts for slots, one for each of its words; a slot is empty where two words share a text."""
    places = Reading(phrase).word_places
    slots: list[str] = []
    start = 0
    for nth, (_, end) in enumerate(places):
        space = phrase.find(" ", end, places[nth + 1][0]) if nth + 1 < len(places) else len(phrase)
        if space < 0:
            continue
        text = phrase[start:space]
        slots += [text] + [""] * (nth - len(slots))
        start = space + 1
    return slots


def outside_sentences(phrase: str, constraints: Sequence[Constraint]) -> bool:
    """Whether a phrase breaks a constraint on sentences, so that it can stand in a title or heading alone."""
    reading = Reading(f"the {phrase} goes")  # the mildest context for both heuristics
    return not all(c.check(reading).passed for c in constraints if isinstance(c, PresentTense | NoPassive))


def _folded(word: str | None) -> str:
    return "" if word is None else folded(word.strip(".,;:!?"))


def _chained(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return pairs of earlier and later words so that a word is placed before what must follow it."""
    result: list[tuple[str, str]] = []
    rest = list(pairs)
    while rest:
        seconds = {second for _, second in rest}
        ready = next((pair for pair in rest if pair[0] not in seconds), rest[0])
        rest.remove(ready)
        result.append(ready)
    return result


def dated(document: Document, constraints: Sequence[Constraint], date: str) -> None:
    """Put a date at the end of every sentence that mentions an event."""
    forms = {folded(form) for c in of_kind(constraints, DateAfterEvent) for form in (c.word, *c.forms)}
    for sentence in document.sentences():
        if forms.intersection(Reading(" ".join(word or "" for word in sentence.words)).words):
            sentence.date = date
