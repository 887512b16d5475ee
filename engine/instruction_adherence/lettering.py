"""What words look like: patterns that find them, the letters that a reader sees, the parts of a compound."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from engine.instruction_adherence.wordlists import lookalikes

ASCII_WORD = re.compile(r"[A-Za-z]+(?:['-][A-Za-z]+)*")
_WORDY = "".join(char if char.isalpha() or char in "'-" else " " for char in map(chr, range(128)))
"""For `str.translate`: ASCII with a space for all that is in no word."""
_STRAY = re.compile("['-](?:(?![A-Za-z])|(?<![A-Za-z].))")
"""A joiner without a letter on both sides."""


def blanked(text: str, lettered: Sequence[int]) -> str:
    """Return an ASCII text with a space for each character outside its words, and for the letters at `lettered`."""
    wordy = text.translate(_WORDY)
    if "-" in wordy or "'" in wordy:
        wordy = _STRAY.sub(" ", wordy)
    if not lettered:
        return wordy
    ends = [*lettered, len(text)]
    starts = [0, *(start + 1 for start in lettered)]
    return " ".join([wordy[start:end] for start, end in zip(starts, ends, strict=True)])


@lru_cache(maxsize=4096)
def latin(char: str) -> str:
    """Return the plain lower-case letters that a character shows: no marks, no compatibility or look-alike shapes."""
    table = lookalikes()
    shown = [table.get(part, part) for part in unicodedata.normalize("NFKD", char)]
    return "".join(part for part in shown if not unicodedata.category(part).startswith("M")).lower()


@lru_cache(maxsize=256)
def any_of(characters: frozenset[str]) -> re.Pattern[str]:
    """Return a pattern for any one of these characters."""
    return re.compile(f"[{re.escape(''.join(sorted(characters)))}]")


@cache
def word_pattern() -> re.Pattern[str]:
    """Return the pattern of a word in any script."""
    import regex  # forty milliseconds, and only texts outside ASCII need it

    letters = r"(?:[\p{L}--\u02bc]\p{M}*)+"
    pattern: re.Pattern[str] = regex.compile(rf"(?V1){letters}(?:['\u2019\u02bc\uff07\-\u2010\u2011]{letters})*")
    return pattern


@lru_cache(maxsize=4096)
def parts(word: str) -> tuple[str, ...]:
    """Return a folded word, the parts of a hyphen compound, and each without a possessive ending."""
    pieces = [word, *word.split("-")]
    return tuple(dict.fromkeys([*pieces, *(piece.removesuffix("'s") for piece in pieces)]))


def each_of(character: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield where one character stands."""
    start = text.find(character)
    while start >= 0:
        yield start, start + 1
        start = text.find(character, start + 1)
