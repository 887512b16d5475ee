"""The one reading of a response: word, line, heading, rule, title, list item, paragraph, sentence, first letter.

A `Reading` is made once a response and shared by every checker, counter and reward; nothing else splits text.
Its parts are made on first use and kept. Positions of lines, words and sentences are offsets into `text`, the part
that is left after the removals; `spans` leads back to code points of the raw response.

Specification, "Text definitions", with the numbered readings 1 to 12.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, compress, count
from operator import ne
from typing import NamedTuple

from engine.instruction_adherence.cleaning import Claim, Cut, Offsets, Region, cleaned, cut, is_letter_or_mark
from engine.instruction_adherence.kept import kept
from engine.instruction_adherence.lettering import ASCII_WORD, any_of, blanked, latin, parts, word_pattern
from engine.instruction_adherence.lines import Line as Line
from engine.instruction_adherence.lines import read_lines

Place = tuple[int, int]
"""Start and end of a stretch of text, in code points."""

_PIECE = re.compile(r"\S[^.!?]*(?:[.!?](?!\s)[^.!?]*)*[.!?]?")
"""Text up to a sentence mark that whitespace follows directly, or to the end of the line (reading 8)."""
_RUN = re.compile("[^ ]+")
_JOINERS = {ord(char): "'" for char in "\u2019\u02bc\uff07"} | {ord(char): "-" for char in "\u2010\u2011"}
_MARKED = re.compile(r"""(?:\[[0-9]+\]|[\s"'“”„‘’‚«»‹›*_])*""")
"""What may stand before the first word of a paragraph: numbers in brackets, quotes, bold marks."""


class Sentence(NamedTuple):
    """A piece of a line with at least one word."""

    start: int
    end: int
    first: int
    """Index of its first word."""
    last: int
    """Index after its last word."""

    @property
    def size(self) -> int:
        return self.last - self.first


class Paragraph(NamedTuple):
    """The prose lines of a block, with at least one word in them."""

    lines: tuple[Line, ...]
    runs: tuple[Place, ...]
    """Word indices of each line: first, after the last."""
    size: int
    """Words."""

    @property
    def place(self) -> Place:
        return self.lines[0].start, self.lines[-1].end


def unified(text: str) -> str:
    """Return a text in NFC with every apostrophe and hyphen that joins letters in its ASCII shape."""
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_JOINERS)


def folded(word: str) -> str:
    """Return the form in which words are compared: joiners unified, full case folding (reading 3)."""
    return unified(word).casefold()


def is_word(text: str) -> bool:
    """Whether a text is exactly one word."""
    pattern = ASCII_WORD if text.isascii() else word_pattern()
    return pattern.fullmatch(unicodedata.normalize("NFC", text)) is not None


@dataclass(frozen=True)
class Reading:
    """A response, parsed once."""

    raw: str

    @kept
    def clean(self) -> str:
        """The whole response with LF line ends, without invisible characters, in NFC; nothing removed."""
        return cleaned(self.raw)

    @kept
    def _cut(self) -> Cut:
        return cut(self.clean)

    @kept
    def _offsets(self) -> Offsets:
        return Offsets(self.raw, self.clean)

    @property
    def audit(self) -> tuple[Claim, ...] | None:
        """The claims of a trailing SELF-AUDIT block (offsets into `clean`); None without one."""
        return self._cut.audit

    @property
    def restated(self) -> Region | None:
        """The inside of a leading REQUIREMENTS block (offsets into `clean`); None without one."""
        return self._cut.restated

    @kept
    def text(self) -> str:
        """What is left after the removals."""
        start, end = self._cut.body
        return self.clean[start:end]

    @kept
    def _as_written(self) -> bool:
        """Whether offsets into `text` are offsets into the raw response."""
        return self._cut.body.start == 0 and self.raw == self.clean

    def spans(self, places: Iterable[Place]) -> tuple[Place, ...]:
        """Return stretches of `text` as stretches of the raw response."""
        if self._as_written:
            return tuple(places)
        shift = self._cut.body.start
        return self.clean_spans((start + shift, end + shift) for start, end in places)

    def clean_spans(self, places: Iterable[Place]) -> tuple[Place, ...]:
        """Return stretches of `clean` as stretches of the raw response."""
        if self.raw == self.clean:
            return tuple(places)
        return tuple([self._offsets.span(start, end) for start, end in places])

    @kept
    def characters(self) -> frozenset[str]:
        return frozenset(self.text)

    def places_of(self, characters: Collection[str]) -> Iterator[Place]:
        """Yield where any of these characters stands, in order."""
        if characters:
            for match in any_of(frozenset(characters)).finditer(self.text):
                yield match.span()

    @kept
    def lines(self) -> tuple[Line, ...]:
        """The lines that are not blank; a line of whitespace alone is blank and ends a block (reading 4)."""
        return tuple(read_lines(self.text))

    @kept
    def _blanked(self) -> str | None:
        """An ASCII text with spaces for all but its words, so that splitting it gives them; None for other texts."""
        return blanked(self.text, self._lettered) if self.text.isascii() else None

    @property
    def _lettered(self) -> list[int]:
        """Where list markers of one letter stand; these are no words."""
        return [line.start + len(line.indent) for line in self.lines if line.marker[:1].isalpha()]

    @kept
    def word_places(self) -> tuple[Place, ...]:
        """Where each word stands, headings and title included; a list marker is no word."""
        if self._blanked is not None:
            return tuple(map(re.Match.span, _RUN.finditer(self._blanked)))
        places = [match.span() for match in word_pattern().finditer(self.text)]
        lettered = set(self._lettered)
        return tuple([place for place in places if place[0] not in lettered] if lettered else places)

    @kept
    def written(self) -> tuple[str, ...]:
        """The words in their own case, joiners unified."""
        if self._blanked is not None:
            return tuple(self._blanked.split())
        return tuple([unified(self.text[start:end]) for start, end in self.word_places])

    @kept
    def words(self) -> tuple[str, ...]:
        """The words in the form in which they are compared."""
        if self._blanked is not None:
            return tuple(self._blanked.lower().split())
        return tuple([word.casefold() for word in self.written])

    @kept
    def counts(self) -> Counter[str]:
        """How often each word is used, in the order of first uses."""
        return Counter(self.words)

    @kept
    def contracted(self) -> tuple[int, ...]:
        """The indices of the words with an apostrophe."""
        if self._blanked is not None and "'" not in self._blanked:
            return ()
        return tuple([index for index, word in enumerate(self.written) if "'" in word])

    @kept
    def cased(self) -> tuple[int, ...]:
        """The indices of the words that are not all lower case."""
        if self._blanked is not None:
            return tuple(compress(count(), map(ne, self.written, self.words)))
        return tuple([index for index, word in enumerate(self.written) if not word.islower()])

    def uses(self, word: str) -> Sequence[int]:
        """Return the indices of the words that equal `word`, which is folded."""
        if word not in self.counts:
            return ()
        found = [self.words.index(word)]
        for _ in range(self.counts[word] - 1):
            found.append(self.words.index(word, found[-1] + 1))
        return found

    def places(self, indices: Iterable[int]) -> Iterable[Place]:
        """Return where the words of these indices stand."""
        return map(self.word_places.__getitem__, indices)

    @kept
    def line_runs(self) -> tuple[Place, ...]:
        """The word indices of each line: first, after the last."""
        runs: list[Place] = []
        index = 0
        for line in self.lines:
            after = bisect_left(self.word_places, (line.end, 0), index)
            runs.append((index, after))
            index = after
        return tuple(runs)

    @kept
    def headings(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.kind == "heading")

    @kept
    def items(self) -> tuple[Line, ...]:
        """The list items."""
        return tuple(line for line in self.lines if line.kind == "item")

    @kept
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences of prose lines and list items, in order (reading 8)."""
        sentences: list[Sentence] = []
        for line, (index, last) in zip(self.lines, self.line_runs, strict=True):
            if index == last or line.kind not in ("prose", "item"):
                continue
            for match in _PIECE.finditer(self.text, line.content, line.end):
                start, end = match.span()
                after = bisect_left(self.word_places, (end, 0), index, last)
                if after > index:
                    sentences.append(Sentence(start, end, index, after))
                    index = after
        return tuple(sentences)

    @kept
    def _sentence_firsts(self) -> tuple[int, ...]:
        return tuple([sentence.first for sentence in self.sentences])

    def sentence_of(self, index: int) -> int | None:
        """Return which sentence the word of this index stands in; None in a heading or title."""
        nth = bisect_right(self._sentence_firsts, index) - 1
        return nth if nth >= 0 and index < self.sentences[nth].last else None

    @kept
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """The blocks with prose (reading 7); their text is the prose lines alone."""
        blocks: dict[int, tuple[list[Line], list[Place]]] = {}
        for line, run in zip(self.lines, self.line_runs, strict=True):
            if line.kind == "prose":
                lines, runs = blocks.setdefault(line.block, ([], []))
                lines.append(line)
                runs.append(run)
        paragraphs: list[Paragraph] = []
        for lines, runs in blocks.values():
            size = sum([last - first for first, last in runs])
            if size:
                paragraphs.append(Paragraph(tuple(lines), tuple(runs), size))
        return tuple(paragraphs)

    @kept
    def paragraph_sizes(self) -> tuple[int, ...]:
        return tuple([paragraph.size for paragraph in self.paragraphs])

    @kept
    def _prose_runs(self) -> tuple[tuple[int, int, int], ...]:
        """First word, after the last, paragraph: of each prose line in order."""
        return tuple([(*run, nth) for nth, paragraph in enumerate(self.paragraphs) for run in paragraph.runs])

    @kept
    def _prose_firsts(self) -> tuple[int, ...]:
        return tuple([run[0] for run in self._prose_runs])

    def paragraph_of(self, index: int) -> int | None:
        """Return which paragraph the word of this index stands in; None in a heading, title or list item."""
        nth = bisect_right(self._prose_firsts, index) - 1
        if nth < 0 or index >= self._prose_runs[nth][1]:
            return None
        return self._prose_runs[nth][2]

    def first_letter(self, index: int) -> str | None:
        """Return the first letter of a word as one of A-Z; None if it has no such base letter (reading 9)."""
        first = self.written[index][0]
        base = first if first.isascii() else unicodedata.normalize("NFKD", first)[0]
        return base.upper() if base.isascii() and base.isalpha() else None

    def paragraph_letter(self, paragraph: Paragraph) -> str | None:
        """Return the first letter of a paragraph as one of A-Z."""
        for first, last in paragraph.runs:
            if last > first:
                return self.first_letter(first)
        return None

    def paragraph_text(self, paragraph: Paragraph) -> str:
        """Return the prose lines of a paragraph, joined by LF."""
        return "\n".join(self.text[line.start : line.end] for line in paragraph.lines)

    def opens_with(self, paragraph: Paragraph, phrase: str) -> bool:
        """Whether a paragraph begins with the phrase, after a number in brackets, quotes and bold marks."""
        text = self.paragraph_text(paragraph)
        match = _MARKED.match(text)
        start = match.end() if match else 0
        return text.startswith(phrase, start) and stands_whole(text, start, start + len(phrase))

    @kept
    def shown_words(self) -> tuple[str, ...]:
        """The words as a reader sees them: without marks, look-alikes replaced (reading 13); for bans only."""
        if self.text.isascii():
            return self.words
        return tuple(
            [word.lower() if word.isascii() else "".join(map(latin, word)).casefold() for word in self.written]
        )

    @kept
    def shown_parts(self) -> frozenset[str]:
        """Every word as shown, without a possessive ending, and every part of a hyphen compound (reading 14)."""
        distinct = self.counts if self.text.isascii() else dict.fromkeys(self.shown_words)
        if self._blanked is not None and "'" not in self._blanked and "-" not in self._blanked:
            return frozenset(distinct)
        joined = [word for word in distinct if not word.isalpha() and ("'" in word or "-" in word)]
        return frozenset(chain(distinct, chain.from_iterable(map(parts, joined))))

    @kept
    def shown_letters(self) -> str:
        """The text in the plain letters that it shows; its length is not that of `text`."""
        text = self.text
        return text.lower() if text.isascii() else "".join(map(latin, text))


def stands_whole(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] neither begins nor ends inside a word (digits may touch it: reading 3)."""
    if start >= end:
        return False
    before, after = unified(text[max(start - 2, 0) : start]), unified(text[end : end + 2])
    open_start = not is_letter_or_mark(text[start]) or not _runs_on(before[::-1])
    return open_start and (not is_letter_or_mark(text[end - 1]) or not _runs_on(after))


def _runs_on(neighbours: str) -> bool:
    """Whether the nearest character joins a word directly, or as a joiner with a letter behind it."""
    nearest = neighbours[:1]
    if nearest in ("'", "-"):
        return is_letter_or_mark(neighbours[1:2])
    return is_letter_or_mark(nearest)
