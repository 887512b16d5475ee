"""Text cut into lines of at most a given width; fast on long plain text, so that a pane can wrap whole stories."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len, chop_cells

TAB = " " * 4
_WORD = re.compile(r"[^ ]+ *| +")


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of `text`, none wider than `width` cells, broken at spaces where there are any.

    The lines of one paragraph joined together are the paragraph, except for spaces at the breaks; tabs become spaces.
    """
    width = max(width, 2)
    return [line for paragraph in text.split("\n") for line in _lines(paragraph.replace("\t", TAB), width)]


def _lines(paragraph: str, width: int) -> Iterator[str]:
    line, used = "", 0
    for word in _WORD.findall(paragraph):
        bare = word.rstrip(" ")
        if used + _cells(bare) > width and line:
            yield line.rstrip(" ")
            line, used = "", 0
        *full, word = _pieces(word, width)
        for piece in full:
            yield piece.rstrip(" ")
        line, used = line + word, used + _cells(word)
    yield line.rstrip(" ")


def _pieces(word: str, width: int) -> list[str]:
    """Cut a word that is wider than a line."""
    if _cells(word.rstrip(" ")) <= width:
        return [word]
    if word.isascii():
        return [word[start : start + width] for start in range(0, len(word), width)]
    return chop_cells(word, width)


def _cells(text: str) -> int:
    return len(text) if text.isascii() else cell_len(text)
