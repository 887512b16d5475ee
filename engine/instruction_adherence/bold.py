"""Bold text: the phrases between double asterisks, and whatever makes their number unclear (reading 23)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.instruction_adherence.text import Place, Reading

_STARS = re.compile(r"\*{2,}")
_UNDERSCORES = re.compile(r"_{2,}")
_TAG = re.compile(r"</?(?:b|strong)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_BLANK = re.compile(r"\n\s*\n")


def bold_phrases(reading: Reading) -> tuple[list[Place], list[Place]]:
    """Return where bold phrases stand, and where bold marks that are none: stray, tripled, underscores, tags."""
    if not any(mark in reading.text for mark in "*_<"):
        return [], []
    text = _masked(reading)
    phrases: list[Place] = []
    strays: list[Place] = [match.span() for match in _TAG.finditer(text)]
    for start, end in _blocks(text):
        found, wrong = _paired([match.span() for match in _STARS.finditer(text, start, end)], text, end)
        phrases += found
        strays += wrong
        strays += _underscored([match.span() for match in _UNDERSCORES.finditer(text, start, end)], text)
    return phrases, sorted(strays)


def _masked(reading: Reading) -> str:
    """Return the text with rule lines blanked out, so that `***` alone on a line is no mark; every offset stays."""
    pieces: list[str] = []
    position = 0
    for line in reading.lines:
        if line.kind == "rule":
            pieces += [reading.text[position : line.start], " " * (line.end - line.start)]
            position = line.end
    return "".join([*pieces, reading.text[position:]])


def _blocks(text: str) -> Iterator[Place]:
    start = 0
    for match in _BLANK.finditer(text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _paired(marks: list[Place], text: str, end: int) -> tuple[list[Place], list[Place]]:
    """Pair the asterisk marks of one block: text must touch both from inside, across one line break at most."""
    phrases: list[Place] = []
    strays = [mark for mark in marks if mark[1] - mark[0] > 2]
    opened: Place | None = None
    for mark in (mark for mark in marks if mark[1] - mark[0] == 2):
        if opened is None:
            opened = mark
            continue
        inside = text[opened[1] : mark[0]]
        if inside == inside.strip() and inside and inside.count("\n") <= 1:
            phrases.append((opened[0], mark[1]))
            opened = None
        else:
            strays.append(opened)
            opened = mark
    return phrases, strays if opened is None else [*strays, opened]


def _underscored(marks: list[Place], text: str) -> list[Place]:
    """Return the marks of one block that make something bold: one that can open, and a later one that can close."""
    openers = [m for m in marks if not _touches(text[m[0] - 1 : m[0]]) and text[m[1] : m[1] + 1].strip()]
    closers = [m for m in marks if text[m[0] - 1 : m[0]].strip() and not _touches(text[m[1] : m[1] + 1])]
    return [openers[0], closers[-1]] if openers and closers and openers[0][1] <= closers[-1][0] else []


def _touches(neighbour: str) -> bool:
    return neighbour.isalnum()
