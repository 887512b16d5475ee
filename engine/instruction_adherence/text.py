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
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Literal, NamedTuple

from engine.instruction_adherence.cleaning import Claim, Cut, Offsets, Region, cleaned, cut, is_letter_or_mark
from engine.instruction_adherence.wordlists import lookalikes

LineKind = Literal["heading", "rule", "title", "item", "prose"]
Place = tuple[int, int]
"""Start and end of a stretch of text, in code points."""

_LINE = re.compile(
    r"""(?x)
      (?P<heading> [#]{1,6}[ ] )
    | (?P<rule> (?:-{3,}|\*{3,}|_{3,}) \s* \Z )
    | (?P<title> \s* << (?!<|\s*>>) (?:(?!<<|>>).)+ >> \s* \Z )
    | (?P<item> (?P<indent>\s*) (?P<marker> [-*•] | (?:[0-9]{1,3}|[a-z])[.)] ) \s+ )
    """
)
"""Line kinds by their start (readings 5 and 6); what matches nothing is prose."""
_PIECE = re.compile(r"\S(?:.*?[.!?](?=\s)|.*)")
"""Text up to a sentence mark that whitespace follows directly, or to the end of the line (reading 8)."""
_ASCII_WORD = re.compile(r"[A-Za-z]+(?:['-][A-Za-z]+)*")
_JOINERS = {ord(char): "'" for char in "\u2019\u02bc\uff07"} | {ord(char): "-" for char in "\u2010\u2011"}
_MARKED = re.compile(r"""(?:\[[0-9]+\]|[\s"'“”„‘’‚«»‹›*_])*""")
"""What may stand before the first word of a paragraph: numbers in brackets, quotes, bold marks."""


class Line(NamedTuple):
    """A non-empty line."""

    kind: LineKind
    start: int
    end: int
    content: int
    """Where the text begins: after the marker of a list item, else at the start of the line."""
    indent: str
    marker: str
    """The marker of a list item such as `-` or `12.`; empty for other kinds."""
    block: int
    """Lines with no blank line between them share a block."""


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
    pattern = _ASCII_WORD if text.isascii() else _word_pattern()
    return pattern.fullmatch(unicodedata.normalize("NFC", text)) is not None


@lru_cache(maxsize=4096)
def latin(char: str) -> str:
    """Return the plain lower-case letters that a character shows: no marks, no compatibility or look-alike shapes."""
    table = lookalikes()
    shown = [table.get(part, part) for part in unicodedata.normalize("NFKD", char)]
    return "".join(part for part in shown if not unicodedata.category(part).startswith("M")).lower()


@cache
def _word_pattern() -> re.Pattern[str]:
    import regex  # forty milliseconds, and only texts outside ASCII need it

    letters = r"(?:[\p{L}--\u02bc]\p{M}*)+"
    pattern: re.Pattern[str] = regex.compile(rf"(?V1){letters}(?:['\u2019\u02bc\uff07\-\u2010\u2011]{letters})*")
    return pattern


@dataclass(frozen=True)
class Reading:
    """A response, parsed once."""

    raw: str

    @cached_property
    def clean(self) -> str:
        """The whole response with LF line ends, without invisible characters, in NFC; nothing removed."""
        return cleaned(self.raw)

    @cached_property
    def _cut(self) -> Cut:
        return cut(self.clean)

    @cached_property
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

    @cached_property
    def text(self) -> str:
        """What is left after the removals."""
        start, end = self._cut.body
        return self.clean[start:end]

    def spans(self, places: Iterable[Place]) -> tuple[Place, ...]:
        """Return stretches of `text` as stretches of the raw response."""
        shift = self._cut.body.start
        return self.clean_spans([(start + shift, end + shift) for start, end in places])

    def clean_spans(self, places: Iterable[Place]) -> tuple[Place, ...]:
        """Return stretches of `clean` as stretches of the raw response."""
        if self.raw == self.clean:
            return tuple(places)
        return tuple([self._offsets.span(start, end) for start, end in places])

    @cached_property
    def characters(self) -> frozenset[str]:
        return frozenset(self.text)

    def places_of(self, characters: Collection[str]) -> Iterator[Place]:
        """Yield where any of these characters stands, in order."""
        if characters:
            pattern = re.compile(f"[{re.escape(''.join(sorted(characters)))}]")
            yield from (match.span() for match in pattern.finditer(self.text))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines that are not blank; a line of whitespace alone is blank and ends a block (reading 4)."""
        lines: list[Line] = []
        block = start = 0
        for line in self.text.split("\n"):
            end = start + len(line)
            if line and not line.isspace():
                lines.append(_read_line(line, start, end, block))
            else:
                block += 1
            start = end + 1
        return tuple(lines)

    @cached_property
    def word_places(self) -> tuple[Place, ...]:
        """Where each word stands, headings and title included; a list marker is no word."""
        text = self.text
        pattern = _ASCII_WORD if text.isascii() else _word_pattern()
        places = [match.span() for match in pattern.finditer(text)]
        lettered = {line.start + len(line.indent) for line in self.lines if line.marker[:1].isalpha()}
        if lettered:
            places = [place for place in places if place[0] not in lettered]
        return tuple(places)

    @cached_property
    def written(self) -> tuple[str, ...]:
        """The words in their own case, joiners unified."""
        text = self.text
        if text.isascii():
            return tuple([text[start:end] for start, end in self.word_places])
        return tuple([unified(text[start:end]) for start, end in self.word_places])

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words in the form in which they are compared."""
        return tuple([word.casefold() for word in self.written])

    @cached_property
    def positions(self) -> dict[str, list[int]]:
        """The indices at which each word stands."""
        found: dict[str, list[int]] = {}
        for index, word in enumerate(self.words):
            found.setdefault(word, []).append(index)
        return found

    def uses(self, word: str) -> Sequence[int]:
        """Return the indices of the words that equal `word`, which is folded."""
        return self.positions.get(word, ())

    def places(self, indices: Iterable[int]) -> Iterable[Place]:
        """Return where the words of these indices stand."""
        return (self.word_places[index] for index in indices)

    @cached_property
    def _word_starts(self) -> tuple[int, ...]:
        return tuple([place[0] for place in self.word_places])

    @cached_property
    def line_runs(self) -> tuple[Place, ...]:
        """The word indices of each line: first, after the last."""
        starts = self._word_starts
        return tuple([(bisect_left(starts, line.start), bisect_left(starts, line.end)) for line in self.lines])

    @cached_property
    def headings(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.kind == "heading")

    @cached_property
    def items(self) -> tuple[Line, ...]:
        """The list items."""
        return tuple(line for line in self.lines if line.kind == "item")

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences of prose lines and list items, in order (reading 8)."""
        text, starts = self.text, self._word_starts
        sentences: list[Sentence] = []
        for line, (index, last) in zip(self.lines, self.line_runs, strict=True):
            if index == last or line.kind not in ("prose", "item"):
                continue
            for match in _PIECE.finditer(text, line.content, line.end):
                after = bisect_left(starts, match.end(), index, last)
                if after > index:
                    sentences.append(Sentence(match.start(), match.end(), index, after))
                    index = after
        return tuple(sentences)

    @cached_property
    def _sentence_firsts(self) -> tuple[int, ...]:
        return tuple([sentence.first for sentence in self.sentences])

    def sentence_of(self, index: int) -> int | None:
        """Return which sentence the word of this index stands in; None in a heading or title."""
        nth = bisect_right(self._sentence_firsts, index) - 1
        return nth if nth >= 0 and index < self.sentences[nth].last else None

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """The blocks with prose (reading 7); their text is the prose lines alone."""
        blocks: dict[int, list[tuple[Line, Place]]] = {}
        for line, run in zip(self.lines, self.line_runs, strict=True):
            if line.kind == "prose":
                blocks.setdefault(line.block, []).append((line, run))
        paragraphs: list[Paragraph] = []
        for block in blocks.values():
            size = sum(last - first for _, (first, last) in block)
            if size:
                lines = tuple([line for line, _ in block])
                paragraphs.append(Paragraph(lines, tuple([run for _, run in block]), size))
        return tuple(paragraphs)

    @cached_property
    def _prose_runs(self) -> tuple[tuple[int, int, int], ...]:
        """First word, after the last, paragraph: of each prose line in order."""
        return tuple([(*run, nth) for nth, paragraph in enumerate(self.paragraphs) for run in paragraph.runs])

    @cached_property
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
        base = unicodedata.normalize("NFKD", self.written[index][0])[0]
        return base.upper() if base.isascii() and base.isalpha() else None

    def paragraph_letter(self, paragraph: Paragraph) -> str | None:
        """Return the first letter of a paragraph as one of A-Z."""
        return self.first_letter(next(first for first, last in paragraph.runs if last > first))

    def paragraph_text(self, paragraph: Paragraph) -> str:
        """Return the prose lines of a paragraph, joined by LF."""
        return "\n".join(self.text[line.start : line.end] for line in paragraph.lines)

    def opens_with(self, paragraph: Paragraph, phrase: str) -> bool:
        """Whether a paragraph begins with the phrase, after a number in brackets, quotes and bold marks."""
        text = self.paragraph_text(paragraph)
        match = _MARKED.match(text)
        start = match.end() if match else 0
        return text.startswith(phrase, start) and stands_whole(text, start, start + len(phrase))

    @cached_property
    def shown_words(self) -> tuple[str, ...]:
        """The words as a reader sees them: without marks, look-alikes replaced (reading 13); for bans only."""
        return tuple(
            [word.lower() if word.isascii() else "".join(map(latin, word)).casefold() for word in self.written]
        )

    @cached_property
    def shown_parts(self) -> frozenset[str]:
        """Every word as shown, without a possessive ending, and every part of a hyphen compound (reading 14)."""
        found = set(self.shown_words)
        for word in self.shown_words:
            if "'" in word or "-" in word:
                found.update(parts(word))
        return frozenset(found)

    @cached_property
    def shown_letters(self) -> str:
        """The text in the plain letters that it shows; its length is not that of `text`."""
        text = self.text
        return text.lower() if text.isascii() else "".join(map(latin, text))


def parts(word: str) -> tuple[str, ...]:
    """Return a folded word, the parts of a hyphen compound, and each without a possessive ending."""
    pieces = [word, *word.split("-")]
    return tuple(dict.fromkeys([*pieces, *(piece.removesuffix("'s") for piece in pieces)]))


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


def _read_line(line: str, start: int, end: int, block: int) -> Line:
    match = _LINE.match(line)
    if match is None:
        return Line("prose", start, end, start, "", "", block)
    if match["item"] is not None:
        return Line("item", start, end, start + match.end(), match["indent"], match["marker"], block)
    kind: LineKind = "heading" if match["heading"] else "rule" if match["rule"] else "title"
    return Line(kind, start, end, start, "", "", block)
