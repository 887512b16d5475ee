"""Constraints on length: numbers of words, sentences, paragraphs and bullets, and how paragraphs compare in size.

Readings 4 to 10 say what is counted; no paragraph or no sentence at all is a failure (reading 30).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Self

from engine.errors import counted
from engine.instruction_adherence.constraint import Constraint, Count, Tag, Verdict, ordinal, verdict
from engine.instruction_adherence.text import Paragraph, Place, Reading
from engine.randomness import Stream

SHAPED: frozenset[Tag] = frozenset({"paragraphs", "size"})


@dataclass(frozen=True, kw_only=True)
class WordRange(Constraint):
    """All words that are left after the removals, headings and title included."""

    id = "length.word_range"
    difficulty = 2
    tags = frozenset({"size", "json_safe"})
    phrasings = (
        "Write between {min} and {max} words in all.",
        "The whole response must have no fewer than {min} and no more than {max} words.",
        "Stay within {min} to {max} words from start to finish.",
    )
    min: Count
    max: Count

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min > self.max:
            raise self.refusal("max", self.max, f"at least min, which is {self.min}")

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        low = 10 * stream.between(6, 25)
        return cls(min=low, max=low + 10 * stream.between(3, 8))

    def check(self, reading: Reading) -> Verdict:
        size = len(reading.words)
        seen = f"{counted(size, 'word')}; {self.min} to {self.max} asked"
        return verdict(reading, self.min <= size <= self.max, seen, self._surplus(reading))

    def _surplus(self, reading: Reading) -> Iterator[Place]:
        if len(reading.words) > self.max:
            yield reading.word_places[self.max][0], reading.word_places[-1][1]


@dataclass(frozen=True, kw_only=True)
class SentenceCount(Constraint):
    """Sentences of prose and list items; a line break ends one (reading 8)."""

    id = "length.sentence_count"
    difficulty = 3
    tags = frozenset({"size", "sentences"})
    phrasings = (
        "Write exactly {n:sentence}; every line break and every '.', '!' or '?' before a space ends one.",
        "The response must come to {n:sentence}, no more and no fewer (each list item or line counts as its own).",
        "Use {n:sentence} in total, where each list item is one and every '.', '!' or '?' before a space ends one.",
    )
    n: Count

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(n=stream.between(6, 20))

    def check(self, reading: Reading) -> Verdict:
        size = len(reading.sentences)
        places = ((sentence.start, sentence.end) for sentence in reading.sentences[self.n :])
        return verdict(reading, size == self.n, f"{counted(size, 'sentence')}; {self.n} asked", places)


@dataclass(frozen=True, kw_only=True)
class ParagraphCount(Constraint):
    """Blocks of prose (reading 7)."""

    id = "length.paragraph_count"
    difficulty = 2
    tags = SHAPED
    phrasings = (
        "Write exactly {n:paragraph}, with a blank line between one and the next.",
        "The text must have {n:paragraph} set apart by blank lines, neither more nor fewer.",
        "Lay the answer out as {n:paragraph} divided by blank lines; headings and lists are not paragraphs.",
    )
    n: Count

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(n=stream.between(2, 6))

    def check(self, reading: Reading) -> Verdict:
        size = len(reading.paragraphs)
        places = (paragraph.place for paragraph in reading.paragraphs[self.n :])
        return verdict(reading, size == self.n, f"{counted(size, 'paragraph')}; {self.n} asked", places)


@dataclass(frozen=True, kw_only=True)
class BulletCount(Constraint):
    """Lines that begin with a hyphen and a space; nested ones count, other bullets fail (reading 18)."""

    id = "length.bullet_count"
    difficulty = 2
    tags = frozenset({"size", "extra_lines"})
    phrasings = (
        'Include exactly {n:bullet point}, each on a line of its own that begins with "- ".',
        'There must be {n:bullet point} in the text, no more and no fewer; write each as a line opening with "- ".',
        'List {n:thing} as bullet points, one a line, every one marked with "- " and none with another sign.',
    )
    n: Count

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(n=stream.between(3, 8))

    def check(self, reading: Reading) -> Verdict:
        bullets = [line for line in reading.items if line.marker in "-*•"]
        right = [line for line in bullets if reading.text.startswith("- ", line.start + len(line.indent))]
        seen = f"{counted(len(right), 'bullet point')} with '- '; {self.n} asked"
        if len(right) < len(bullets):
            seen += f"; {len(bullets) - len(right)} with another mark"
            wrong = ((line.start, line.end) for line in bullets if line not in right)
            return verdict(reading, False, seen, wrong)
        return verdict(reading, len(right) == self.n, seen, ((line.start, line.end) for line in right[self.n :]))


@dataclass(frozen=True, kw_only=True)
class ParagraphWordRange(Constraint):
    """Words of each paragraph's prose."""

    id = "length.paragraph_word_range"
    difficulty = 3
    tags = SHAPED
    phrasings = (
        "Give every paragraph between {min} and {max} words.",
        "No paragraph may have fewer than {min} or more than {max} words.",
        "Each paragraph must be {min} to {max} words long.",
    )
    min: Count
    max: Count

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min > self.max:
            raise self.refusal("max", self.max, f"at least min, which is {self.min}")

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        low = 5 * stream.between(3, 10)
        return cls(min=low, max=low + 5 * stream.between(4, 8))

    def check(self, reading: Reading) -> Verdict:
        sizes = reading.paragraph_sizes
        wrong = [paragraph for paragraph in reading.paragraphs if not self.min <= paragraph.size <= self.max]
        seen = f"{_sizes(sizes)}; {self.min} to {self.max} words each asked"
        return verdict(reading, bool(sizes) and not wrong, seen, (paragraph.place for paragraph in wrong))


@dataclass(frozen=True, kw_only=True)
class SentenceMaxWords(Constraint):
    """A strict upper bound for each sentence."""

    id = "length.sentence_max_words"
    difficulty = 3
    tags = frozenset({"size", "sentences"})
    phrasings = (
        "Every sentence must have fewer than {fewer_than:word}; list items count as sentences.",
        "Keep each sentence below {fewer_than:word} (a list item or a line is a sentence of its own).",
        "No sentence or list item may reach {fewer_than:word}.",
    )
    fewer_than: Count

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(fewer_than=stream.between(12, 25))

    def check(self, reading: Reading) -> Verdict:
        sentences = reading.sentences
        sizes = [last - first for _, _, first, last in sentences]
        longest = max(sizes, default=0)
        seen = f"longest of {counted(len(sentences), 'sentence')}: {counted(longest, 'word')}; fewer than "
        seen += f"{self.fewer_than} asked"
        places = ((s.start, s.end) for s, size in zip(sentences, sizes, strict=True) if size >= self.fewer_than)
        return verdict(reading, 0 < longest < self.fewer_than, seen, places)


@dataclass(frozen=True, kw_only=True)
class NthLongest(Constraint):
    """At least two paragraphs and a strict winner (reading 39)."""

    id = "length.nth_longest"
    difficulty = 3
    tags = SHAPED
    phrasings = (
        "Make the {nth:nth} paragraph longer, in words, than every other paragraph.",
        "Of all paragraphs the {nth:nth} must have the most words, with no tie; write at least two.",
        "The {nth:nth} paragraph must be strictly the longest one, counted in words.",
    )
    nth: Count

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(nth=stream.between(1, 4))

    def check(self, reading: Reading) -> Verdict:
        sizes = reading.paragraph_sizes
        own = sizes[self.nth - 1] if self.nth <= len(sizes) else 0
        rivals = [index for index, size in enumerate(sizes) if size >= own and index != self.nth - 1]
        return _compared(reading, self.nth, "longest", rivals)


@dataclass(frozen=True, kw_only=True)
class NthShortest(Constraint):
    """At least two paragraphs and a strict winner (reading 39)."""

    id = "length.nth_shortest"
    difficulty = 3
    tags = SHAPED
    phrasings = (
        "Make the {nth:nth} paragraph shorter, in words, than every other paragraph.",
        "Of all paragraphs the {nth:nth} must have the fewest words, with no tie; write at least two.",
        "The {nth:nth} paragraph must be strictly the shortest one, counted in words.",
    )
    nth: Count

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(nth=stream.between(1, 4))

    def check(self, reading: Reading) -> Verdict:
        sizes = reading.paragraph_sizes
        own = sizes[self.nth - 1] if self.nth <= len(sizes) else 0
        rivals = [index for index, size in enumerate(sizes) if size <= own and index != self.nth - 1]
        return _compared(reading, self.nth, "shortest", rivals)


@dataclass(frozen=True, kw_only=True)
class IncreasingParagraphs(Constraint):
    """Each paragraph has more words than the one before it."""

    id = "length.increasing_paragraphs"
    difficulty = 3
    tags = SHAPED
    phrasings = (
        "Write {min_paragraphs:paragraph} or more, and let each have more words than the one before.",
        "Use at least {min_paragraphs:paragraph}; their word counts must rise strictly from first to last.",
        "There must be no fewer than {min_paragraphs:paragraph}, every next one longer in words than the previous.",
    )
    min_paragraphs: Count

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(min_paragraphs=stream.between(2, 4))

    def check(self, reading: Reading) -> Verdict:
        paragraphs = reading.paragraphs
        wrong = [after for before, after in pairwise(paragraphs) if after.size <= before.size]
        seen = f"{_sizes(reading.paragraph_sizes)}; at least {self.min_paragraphs}, rising, asked"
        enough = len(paragraphs) >= self.min_paragraphs
        return verdict(reading, enough and not wrong, seen, (paragraph.place for paragraph in wrong))


MOST_SIZES = 12
"""Paragraphs whose sizes a verdict spells out."""


@lru_cache(maxsize=4)
def _sizes(sizes: tuple[int, ...]) -> str:
    """Return the sizes for a verdict; four types ask for those of one response."""
    if not sizes:
        return "no paragraph"
    shown = ", ".join(map(str, sizes[:MOST_SIZES])) + (", ..." if len(sizes) > MOST_SIZES else "")
    return f"{counted(len(sizes), 'paragraph')} of {shown} words"


def _compared(reading: Reading, nth: int, rank: str, rivals: list[int]) -> Verdict:
    """Return the verdict on a comparison; its places are the paragraphs that spoil it."""
    sizes = reading.paragraph_sizes
    seen = f"{_sizes(sizes)}; {ordinal(nth)} strictly {rank} asked"
    there = nth <= len(sizes)
    spoilers: list[Paragraph] = [reading.paragraphs[index] for index in rivals] if there else []
    passed = there and len(sizes) > 1 and not rivals
    return verdict(reading, passed, seen, (paragraph.place for paragraph in spoilers))


TYPES: tuple[type[Constraint], ...] = (
    WordRange, SentenceCount, ParagraphCount, BulletCount, ParagraphWordRange, SentenceMaxWords, NthLongest,
    NthShortest, IncreasingParagraphs,
)  # fmt: skip
