"""Constraints on structure: headers, lists, wrapper, JSON, first and last word, lines, sections, title, bold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import Annotated, Self

from engine.errors import counted, quoted
from engine.instruction_adherence.bold import bold_phrases
from engine.instruction_adherence.cleaning import WRAPPERS, unwrapped
from engine.instruction_adherence.constraint import (
    Constraint,
    Count,
    Verdict,
    in_numbers,
    named,
    nfc,
    ordinal,
    text,
    texts,
    verdict,
)
from engine.instruction_adherence.json_object import top_keys
from engine.instruction_adherence.text import Line, Place, Reading
from engine.instruction_adherence.wordlists import shapes
from engine.randomness import Stream

_HEADER = re.compile(r"#{1,6} .*\S.*")
Titles = Annotated[
    tuple[str, ...],
    texts(
        "a list of at least one header, each 1 to 6 hashes, a space and a text on one line",
        lambda value: _HEADER.fullmatch(value) is not None,
    ),
]
Keys = Annotated[
    tuple[str, ...],
    texts("a list of at least one key, none empty, none twice", lambda value: value.strip() != "", unique=True),
]
Mark = Annotated[str, text(f"a mark of one of {WRAPPERS}", lambda value: value in chain(*WRAPPERS))]
Separator = Annotated[str, text("'---'", lambda value: value == "---")]


@dataclass(frozen=True, kw_only=True)
class Headers(Constraint):
    """Given headings in the given order and no other heading (readings 5 and 19)."""

    id = "struct.headers"
    difficulty = 2
    tags = frozenset({"extra_lines"})
    phrasings = (
        "Use markdown headers exactly as follows, in this order and no others: {headers:and}.",
        "The only headers in the response must be {headers:and}, in that order and spelled like that.",
        "Structure the text with these headers, hashes included, one after the other and without any further: "
        "{headers:and}.",
    )
    headers: Titles

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        hashes = stream.choice(("##", "###"))
        names = stream.sample(shapes().headers, stream.between(2, 4))
        return cls(headers=tuple(f"{hashes} {name}" for name in names))

    @cached_property
    def _wanted(self) -> list[str]:
        return [nfc(header).rstrip() for header in self.headers]

    def check(self, reading: Reading) -> Verdict:
        wanted = self._wanted
        found = [reading.text[line.start : line.end].rstrip() for line in reading.headings]
        shown = f": {named(found)}" if found else ""
        seen = f"{counted(len(found), 'header')}{shown}; {named(wanted)} asked"
        wrong = (line for i, line in enumerate(reading.headings) if wanted[i : i + 1] != [found[i]])
        return verdict(reading, found == wanted, seen, ((line.start, line.end) for line in wrong))


@dataclass(frozen=True, kw_only=True)
class NumberedSublist(Constraint):
    """A numbered list at the left margin with an indented list under one item alone (reading 20)."""

    id = "struct.numbered_sublist"
    difficulty = 3
    tags = frozenset({"extra_lines", "size"})
    phrasings = (
        "Include one numbered list of {items:item}; put an indented sub-list of {min_entries} or more entries under "
        "item {item_with_sublist} and under no other item.",
        "There must be a list numbered from 1 to {items} in which item {item_with_sublist} alone has an indented "
        "sub-list, with no fewer than {min_entries:entry|entries}.",
        "Write a numbered list with exactly {items:item}. Only item {item_with_sublist} gets indented sub-items, at "
        "least {min_entries} of them.",
    )
    items: Count
    item_with_sublist: Count
    min_entries: Count

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.item_with_sublist > self.items:
            raise self.refusal("item_with_sublist", self.item_with_sublist, f"at most items, which is {self.items}")

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        items = stream.between(3, 6)
        return cls(items=items, item_with_sublist=stream.between(1, items), min_entries=stream.between(2, 3))

    def check(self, reading: Reading) -> Verdict:
        tops, entries = _numbered(reading.lines) if reading.items else ([], [])
        asked = f"{self.items} asked, at least {self.min_entries} under the {ordinal(self.item_with_sublist)} alone"
        if not tops:
            return verdict(reading, False, f"0 numbered items; {asked}")
        numbers = [line.marker[:-1] for line in tops]
        wanted = [str(number) for number in range(1, self.items + 1)]
        with_entries = [index for index, below in enumerate(entries) if below]
        target = self.item_with_sublist - 1
        passed = numbers == wanted and with_entries == [target] and len(entries[target]) >= self.min_entries
        sizes = in_numbers([len(below) for below in entries])
        seen = f"{counted(len(tops), 'numbered item')} with {sizes} sub-entries; {asked}"
        wrong = [line for line, number in zip(tops, wanted[: len(tops)], strict=False) if line.marker[:-1] != number]
        astray = chain.from_iterable(below for index, below in enumerate(entries) if index != target)
        lines = chain(wrong, tops[self.items :], astray, tops[target : target + 1])
        return verdict(reading, passed, seen, ((line.start, line.end) for line in lines))


@dataclass(frozen=True, kw_only=True)
class Wrapped(Constraint):
    """Marks around all of the raw response, with at least one word inside (reading 39)."""

    id = "struct.wrapped"
    difficulty = 1
    tags = frozenset({"raw"})
    phrasings = (
        "Put {open} before and {close} after your whole response, with nothing outside the two.",
        "The very first thing you write must be {open} and the very last {close}.",
        "Enclose everything that you write between {open} and {close}.",
    )
    open: Mark
    close: Mark

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.open, self.close) not in WRAPPERS:
            raise self.refusal("close", self.close, f"the mark that goes with {self.open!r} in {WRAPPERS}")

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        before, after = stream.choice(WRAPPERS)
        return cls(open=before, close=after)

    def check(self, reading: Reading) -> Verdict:
        clean = reading.clean
        inside = unwrapped(clean, 0, len(clean), ((self.open, self.close),))
        if inside is None:
            seen = f"starts with {quoted(clean.lstrip()[:20])}, ends with {quoted(clean.rstrip()[-20:])}; "
            return Verdict(False, f"{seen}{self.open} and {self.close} asked", reading.clean_spans(self._ends(clean)))
        passed = any(map(str.isalpha, clean[inside.start : inside.end]))
        return Verdict(passed, f"wrapped, {'with text' if passed else 'without a word'} inside", ())

    def _ends(self, clean: str) -> Iterator[Place]:
        """Yield the first and the last characters where a mark should stand."""
        first, last = len(clean) - len(clean.lstrip()), len(clean.rstrip())
        if first >= last:
            return
        if not clean.startswith(self.open, first):
            yield first, min(first + len(self.open), last)
        if not clean.endswith(self.close, first, last):
            yield max(last - len(self.close), first), last


@dataclass(frozen=True, kw_only=True)
class JsonKeys(Constraint):
    """Nothing but a strict JSON object with the given top-level keys in order (reading 24)."""

    id = "struct.json_keys"
    difficulty = 3
    tags = frozenset({"json"})
    phrasings = (
        "Answer with one JSON object and nothing around it; its keys, in this order, are exactly {keys:and}.",
        "The response must be valid JSON: an object with the keys {keys:and}, in that order, and no text outside it.",
        "Return only a JSON object (no code fence) that has the keys {keys:and} in this order and no more.",
    )
    keys: Keys

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(keys=tuple(stream.sample(shapes().keys, stream.between(2, 4))))

    def check(self, reading: Reading) -> Verdict:
        found = top_keys(reading.text)
        if isinstance(found, str):
            return verdict(reading, False, f"{found}; one JSON object asked", [(0, len(reading.text))])
        wanted = list(map(nfc, self.keys))
        seen = f"keys: {named(found)}; {named(wanted)} asked"
        return verdict(reading, list(map(nfc, found)) == wanted, seen, [(0, len(reading.text))])


@dataclass(frozen=True, kw_only=True)
class FirstLastWord(Constraint):
    """At least two words, the first equal to the last (reading 39)."""

    id = "struct.first_last_word"
    difficulty = 3
    tags = frozenset({"start", "end"})
    phrasings = (
        "Begin and finish with the same word, capitals aside.",
        "The response's last word must repeat its first word (upper and lower case are the same).",
        "Let the word that opens the response also be the one that closes it, in any case.",
    )

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls()

    def check(self, reading: Reading) -> Verdict:
        words = reading.words
        if len(words) < 2:
            return verdict(reading, False, f"{counted(len(words), 'word')}; at least 2 asked")
        seen = f"first word {quoted(reading.written[0])}, last word {quoted(reading.written[-1])}"
        return verdict(reading, words[0] == words[-1], seen, reading.places((0, -1)))


@dataclass(frozen=True, kw_only=True)
class EndsQuestion(Constraint):
    """The last character but whitespace is an ASCII question mark (reading 25)."""

    id = "struct.ends_question"
    difficulty = 1
    tags = frozenset({"end"})
    phrasings = (
        'Close with a question, so that the last character of the response is "?".',
        'The response must end in a question whose "?" is the very last character.',
        'Let the final sentence be a question; nothing may follow its "?".',
    )

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls()

    def check(self, reading: Reading) -> Verdict:
        body = reading.text.rstrip()
        passed = body.endswith("?") and bool(reading.words)
        places = [(len(body) - 1, len(body))] if body else []
        return verdict(reading, passed, f"last character {quoted(body[-1:])}; '?' after a question asked", places)


@dataclass(frozen=True, kw_only=True)
class AlternatingLines(Constraint):
    """Every non-empty line takes part, the first is long (reading 26)."""

    id = "struct.alternating_lines"
    difficulty = 4
    tags = frozenset({"uniform_lines", "size"})
    phrasings = (
        "Write {min_lines} or more lines that take turns, starting with a long one: long lines have at least "
        "{long_min:word}, short ones 1 to {short_max}.",
        "All lines must alternate between long ({long_min} words or more) and short ({short_max} words or fewer, but "
        "not none), long first, with at least {min_lines:line} in all.",
        "Use at least {min_lines:line}; the first, third and so on need no fewer than {long_min:word}, the others "
        "between 1 and {short_max}.",
    )
    min_lines: Count
    long_min: Count
    short_max: Count

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(min_lines=stream.between(4, 8), long_min=stream.between(8, 12), short_max=stream.between(3, 5))

    def check(self, reading: Reading) -> Verdict:
        sizes = [last - first for first, last in reading.line_runs]
        wrong = [index for index, size in enumerate(sizes) if not self._fits(index, size)]
        seen = f"{counted(len(sizes), 'line')}, {len(wrong)} out of turn; at least {self.min_lines} asked, "
        seen += f"{self.long_min}+ and 1-{self.short_max} words by turns"
        places = ((reading.lines[index].start, reading.lines[index].end) for index in wrong)
        return verdict(reading, len(sizes) >= self.min_lines and not wrong, seen, places)

    def _fits(self, index: int, size: int) -> bool:
        return 1 <= size <= self.short_max if index % 2 else size >= self.long_min


@dataclass(frozen=True, kw_only=True)
class Sections(Constraint):
    """Separator lines with at least one word before, between and after them (reading 21)."""

    id = "struct.sections"
    difficulty = 2
    tags = frozenset({"extra_lines", "size"})
    phrasings = (
        "Split the response into exactly {n:section}, with a line of nothing but {separator} between each two.",
        "There must be {n:section}, no more and no fewer, divided by lines that hold only {separator}.",
        "Use lines consisting of {separator} alone to separate the text into {n:section}.",
    )
    n: Count
    separator: Separator

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(n=stream.between(2, 4), separator="---")

    def check(self, reading: Reading) -> Verdict:
        rules = [
            (line, run[0])
            for line, run in zip(reading.lines, reading.line_runs, strict=True)
            if line.kind == "rule" and reading.text[line.start : line.end].rstrip() == self.separator
        ]
        sizes = [after - before for before, after in pairwise([0, *(at for _, at in rules), len(reading.words)])]
        seen = f"{counted(len(sizes), 'section')}, {sizes.count(0)} without a word; {self.n} asked"
        places = ((line.start, line.end) for line, _ in rules)
        return verdict(reading, len(sizes) == self.n and 0 not in sizes, seen, places)


@dataclass(frozen=True, kw_only=True)
class Title(Constraint):
    """The first non-empty line is a title (reading 22)."""

    id = "struct.title"
    difficulty = 1
    tags = frozenset({"extra_lines", "start"})
    phrasings = (
        "Open with a title alone on the first line, in double angle brackets: <<a title>>.",
        "The first line must be a title written like <<this>>, with nothing else on it.",
        "Give the text a title; it stands on the first line, between << and >>.",
    )

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls()

    def check(self, reading: Reading) -> Verdict:
        if not reading.lines:
            return verdict(reading, False, "no line; <<a title>> asked")
        first = reading.lines[0]
        seen = f"first line {quoted(reading.text[first.start : first.end])}; <<a title>> asked"
        return verdict(reading, first.kind == "title", seen, [(first.start, first.end)])


@dataclass(frozen=True, kw_only=True)
class BoldCount(Constraint):
    """Phrases between double asterisks and no other bold mark of any sort (reading 23)."""

    id = "struct.bold_count"
    difficulty = 2
    phrasings = (
        "Set exactly {n:phrase} in bold with **double asterisks**, and nothing else in any sort of bold.",
        "Mark {n:phrase}, no more and no fewer, as bold: **like this**.",
        "The text must have {n:bold phrase}, each between two pairs of asterisks as in **these words**.",
    )
    n: Count

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(n=stream.between(2, 6))

    def check(self, reading: Reading) -> Verdict:
        phrases, strays = bold_phrases(reading)
        seen = f"{counted(len(phrases), 'bold phrase')}, {counted(len(strays), 'other bold mark')}; {self.n} asked"
        passed = len(phrases) == self.n and not strays
        return verdict(reading, passed, seen, chain(strays, phrases[self.n :]))


def _numbered(lines: tuple[Line, ...]) -> tuple[list[Line], list[list[Line]]]:
    """Return the numbered items at the left margin and the indented entries under each."""
    tops: list[Line] = []
    entries: list[list[Line]] = []
    below: list[Line] | None = None
    block = -1
    for line in lines:
        if line.kind == "item" and not line.indent and line.marker[0].isdigit():
            tops.append(line)
            below = []
            entries.append(below)
        elif line.kind == "item" and line.indent:
            if below is not None and (len(line.indent) >= 2 or "\t" in line.indent):
                below.append(line)
        elif line.kind != "prose" or line.block != block:
            below = None  # another kind of line, or prose after a blank line, ends the item
        block = line.block
    return tops, entries


TYPES: tuple[type[Constraint], ...] = (
    Headers, NumberedSublist, Wrapped, JsonKeys, FirstLastWord, EndsQuestion, AlternatingLines, Sections, Title,
    BoldCount,
)  # fmt: skip
