"""Underlines of one's own in a text one reads, and how such a text is laid out; pure functions.

A mark is a range of whole words with a tick box before it. Nothing here knows what the words mean: a person underlines
and ticks by hand, which a collection allows too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from rich.cells import cell_len, chop_cells

from tui.places import Span
from tui.shown import shown_block
from tui.wrapping import TAB

_TOKEN = re.compile(r"[^ \t]+|[ \t]+")
BOXES = {False: "[ ] ", True: "[x] "}


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """An underline: code points of the text, and whether its box is ticked."""

    start: int
    end: int
    ticked: bool = False


class Piece(NamedTuple):
    """Cells of one line: a word or a part of one, the blanks after it, or the box of a mark."""

    text: str
    word: int
    """Index of the word; of the word before, for blanks; -1 before the first."""
    kind: str
    """`word`, `blank` or `box`."""


Line = list[Piece]


def word_spans(text: str) -> list[Span]:
    """Return where the words are: whatever stands between spaces, tabs and newlines."""
    return [(found.start(), found.end()) for found in re.finditer(r"[^ \t\n]+", text)]


def underlined(marks: Sequence[Mark], span: Span) -> tuple[Mark, ...]:
    """Return the marks with one more, which takes in those that it touches."""
    start, end = span
    apart = [mark for mark in marks if mark.end <= start or mark.start >= end]
    touched = [mark for mark in marks if mark not in apart]
    start, end = min([start, *(mark.start for mark in touched)]), max([end, *(mark.end for mark in touched)])
    return tuple(sorted([*apart, Mark(start=start, end=end)], key=lambda mark: mark.start))


def ticked(marks: Sequence[Mark], index: int) -> tuple[Mark, ...]:
    """Return the marks with one box turned over."""
    return tuple(
        Mark(start=mark.start, end=mark.end, ticked=mark.ticked != (nth == index)) for nth, mark in enumerate(marks)
    )


def without(marks: Sequence[Mark], index: int) -> tuple[Mark, ...]:
    return tuple(mark for nth, mark in enumerate(marks) if nth != index)


def marks_told(marks: Sequence[Mark]) -> str:
    """Return what is noted of a change of marks, such as `2, 1 ticked`."""
    return f"{len(marks)}, {sum(mark.ticked for mark in marks)} ticked"


def mark_at(marks: Sequence[Mark], offset: int) -> int | None:
    """Return the index of the mark that covers a code point."""
    return next((index for index, mark in enumerate(marks) if mark.start <= offset < mark.end), None)


def fitting(marks: Sequence[Mark], text: str) -> tuple[Mark, ...]:
    """Return the marks that lie in the text, in order, none over another: a stored draft is checked like any input."""
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: mark.start):
        if (kept[-1].end if kept else 0) <= mark.start < mark.end <= len(text):
            kept.append(mark)
    return tuple(kept)


def lay_out(text: str, marks: Sequence[Mark], width: int) -> list[Line]:
    """Return the text in lines of at most `width` cells, each mark's box before its first word."""
    width = max(width, len(BOXES[True]) + 2)
    starts = [start for start, _ in word_spans(text)]
    boxes = {bisect_right(starts, mark.start) - 1: BOXES[mark.ticked] for mark in marks}
    lines: list[Line] = []
    words = 0
    for paragraph in text.split("\n"):
        tokens = _TOKEN.findall(paragraph)
        lines += _paragraph(tokens, words, boxes, width)
        words += sum(token[0] not in " \t" for token in tokens)
    return lines


def _paragraph(tokens: Sequence[str], word: int, boxes: dict[int, str], width: int) -> Iterator[Line]:
    """Yield the lines of one paragraph, whose first word has the index `word`."""
    line: Line = []
    used = 0
    for token in tokens:
        if token[0] in " \t":
            blank = token.replace("\t", TAB)[: width - used]
            line.append(Piece(blank, word - 1, "blank"))
            used += len(blank)
            continue
        shown, box = shown_block(token), boxes.get(word, "")
        if used and used + len(box) + _cells(shown) > width:
            yield line
            line, used = [], 0
        if box:
            line.append(Piece(box, word, "box"))
            used += len(box)
        *full, last = _pieces(shown, width - len(box), width)
        for part in full:
            yield [*line, Piece(part, word, "word")]
            line, used = [], 0
        line.append(Piece(last, word, "word"))
        used += _cells(last)
        word += 1
    yield line


def _pieces(word: str, first: int, width: int) -> list[str]:
    """Cut a word that is wider than a line; the first part has less room where a box stands before it."""
    if _cells(word) <= first:
        return [word]
    head = word[:first] if word.isascii() else (chop_cells(word[: first + 1], first) or [""])[0]
    rest = word[len(head) :]
    if rest.isascii():
        return [head, *(rest[start : start + width] for start in range(0, len(rest), width))]
    return [head, *chop_cells(rest, width)]


def _cells(text: str) -> int:
    return len(text) if text.isascii() else cell_len(text)
