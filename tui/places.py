"""Places in a text: code point ranges as lines and columns, and where a range is after the text was changed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import NamedTuple

Span = tuple[int, int]
"""First code point of a range, and the one after its last."""


class Place(NamedTuple):
    """A 0-based line and the code point in it; lines end at LF alone."""

    line: int
    column: int


class Lines:
    """Where the lines of one text start."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def place(self, offset: int) -> Place:
        """Return the place of a code point; one outside of the text is taken to its nearer end."""
        offset = min(max(offset, 0), len(self._text))
        line = bisect_right(self._starts, offset) - 1
        return Place(line, offset - self._starts[line])

    def parts(self, spans: Iterable[Span]) -> dict[int, list[Span]]:
        """Return the columns that the spans cover, by line."""
        found: dict[int, list[Span]] = {}
        for start, end in spans:
            first, last = self.place(start), self.place(end)
            for line in range(first.line, last.line + 1):
                begin = first.column if line == first.line else 0
                until = last.column if line == last.line else self._length(line)
                if begin < until:
                    found.setdefault(line, []).append((begin, until))
        return found

    def _length(self, line: int) -> int:
        after = self._starts[line + 1] - 1 if line + 1 < len(self._starts) else len(self._text)
        return after - self._starts[line]


def moved(spans: Iterable[Span], before: str, after: str) -> tuple[Span, ...]:
    """Return where the spans of `before` are in `after`, without those that the change touches."""
    head = _shared(min(len(before), len(after)), lambda count: before[:count] == after[:count])
    room = min(len(before), len(after)) - head
    tail = _shared(room, lambda count: before[len(before) - count :] == after[len(after) - count :])
    by, changed = len(after) - len(before), len(before) - tail
    kept = []
    for start, end in spans:
        if end <= head:
            kept.append((start, end))
        elif start >= changed:
            kept.append((start + by, end + by))
    return tuple(kept)


def _shared(most: int, same: Callable[[int], bool]) -> int:
    """Return the largest count up to `most` for which `same` holds, given that it holds for all smaller ones."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if same(middle) else (low, middle - 1)
    return low
