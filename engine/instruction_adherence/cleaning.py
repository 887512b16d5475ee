"""From a raw response to the text that is judged: normalisation, removals, and the way back to raw offsets.

Order (reading 1): line ends become LF, invisible characters go, NFC; then a wrapper, a trailing SELF-AUDIT block, a
leading REQUIREMENTS block, and once more a wrapper are cut off. Every cut is at an end, so what is left is one slice.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

WRAPPERS = (("<<<", ">>>"), ("[[START]]", "[[END]]"), ("BEGIN RESPONSE", "END RESPONSE"))
AUDIT_HEADS = ("SELF-AUDIT", "SELF-AUDIT:")
RESTATED_HEAD, RESTATED_END = "REQUIREMENTS:", "END REQUIREMENTS"

_OPENINGS = (*(before for before, _ in WRAPPERS), RESTATED_HEAD)
"""With one of these a response begins from which something is cut at the start."""
_JOINER = "\u200d"
_RAW = re.compile("\r\n?|[\u200b\u200c\u200d\u2060\ufeff\u00ad]+")
"""What a raw response loses: carriage returns and runs of invisible characters."""
_CLAIM = re.compile(r"R([0-9]+):[ \t]*(yes|no)", re.IGNORECASE | re.ASCII)


class Claim(NamedTuple):
    """One line of a SELF-AUDIT block."""

    label: str
    yes: bool
    start: int
    end: int


class Region(NamedTuple):
    """A stretch of the cleaned response."""

    start: int
    end: int


class Cut(NamedTuple):
    """Which part of the cleaned response is judged, and the two blocks that were cut off."""

    body: Region
    audit: tuple[Claim, ...] | None
    """None without a SELF-AUDIT block."""
    restated: Region | None
    """What stands between REQUIREMENTS: and END REQUIREMENTS; None without such a block."""


def is_letter_or_mark(char: str) -> bool:
    """Whether one character (or an empty text) is a letter or a combining mark."""
    return char.isalpha() or (char != "" and unicodedata.category(char).startswith("M"))


def _kept(match: re.Match[str]) -> str:
    """Return what stays of a stretch that `_RAW` found; a zero-width joiner stays except between letters."""
    run, text = match.group(), match.string
    if run[0] == "\r":
        return "\n"
    if _JOINER not in run:
        return ""
    joins = is_letter_or_mark(text[: match.start()][-1:]) and text[match.end() : match.end() + 1].isalpha()
    return "" if joins else _JOINER * run.count(_JOINER)


def cleaned(raw: str) -> str:
    """Return the response with LF line ends, without invisible characters, in NFC."""
    if raw.isascii():
        return raw if "\r" not in raw else _RAW.sub(_kept, raw)
    return unicodedata.normalize("NFC", _RAW.sub(_kept, raw))


class Offsets:
    """Where each character of a cleaned response stands in the raw one."""

    def __init__(self, raw: str, clean: str) -> None:
        self._starts: list[int] | None = None
        self._ends: list[int] = []
        if raw != clean:
            self._align(raw, clean)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the raw code points that became clean[start:end]; an empty stretch stays empty."""
        if self._starts is None:
            return start, end
        if start >= end:
            place = self._starts[start] if start < len(self._starts) else (self._ends or [0])[-1]
            return place, place
        return self._starts[start], self._ends[end - 1]

    def _align(self, raw: str, clean: str) -> None:
        chars: list[str] = []
        starts: list[int] = []
        ends: list[int] = []

        def copy(begin: int, end: int) -> None:
            chars.extend(raw[begin:end])
            starts.extend(range(begin, end))
            ends.extend(range(begin + 1, end + 1))

        position = 0
        for match in _RAW.finditer(raw):
            copy(position, match.start())
            for char in _kept(match):
                chars.append(char)
                starts.append(match.start())
                ends.append(match.end())
            position = match.end()
        copy(position, len(raw))
        self._compose("".join(chars), starts, ends, clean)

    def _compose(self, text: str, starts: list[int], ends: list[int], clean: str) -> None:
        """Follow NFC piece by piece: a piece is a character with all that may join it."""
        self._starts, made = [], []
        for match in _composing().finditer(text):
            begin, end = match.span()
            piece = unicodedata.normalize("NFC", match.group())
            made.append(piece)
            if piece == match.group():
                self._starts += starts[begin:end]
                self._ends += ends[begin:end]
            else:
                self._starts += [starts[begin]] * len(piece)
                self._ends += [ends[end - 1]] * len(piece)
        if "".join(made) != clean:  # a script whose vowel signs compose across pieces: the whole text is one place
            self._starts, self._ends = [0] * len(clean), [ends[-1]] * len(clean)


@cache
def _composing() -> re.Pattern[str]:
    import regex  # forty milliseconds, and only texts outside ASCII need it

    pattern: re.Pattern[str] = regex.compile(r"(?s).[\p{M}\u1160-\u11ff]*")
    return pattern


def cut(clean: str) -> Cut:
    """Return the judged part of a cleaned response with the blocks cut off around it."""
    start, end = 0, len(clean)
    if AUDIT_HEADS[0] not in clean and not clean.lstrip().startswith(_OPENINGS):  # most responses: nothing to cut
        return Cut(Region(start, end), None, None)
    start, end = unwrapped(clean, start, end) or (start, end)
    audit, end = _without_audit(clean, start, end)
    restated, start = _without_restated(clean, start, end)
    start, end = unwrapped(clean, start, end) or (start, end)
    return Cut(Region(start, end), audit, restated)


def unwrapped(clean: str, start: int, end: int, wrappers: tuple[tuple[str, str], ...] = WRAPPERS) -> Region | None:
    """Return what stands inside a wrapper that spans all text of clean[start:end]; None without one."""
    text = clean[start:end]
    inner = text.strip()
    for before, after in wrappers:
        if inner.startswith(before) and inner.endswith(after) and len(inner) >= len(before) + len(after):
            begin = start + len(text) - len(text.lstrip()) + len(before)
            finish = start + len(text.rstrip()) - len(after)
            if _stands_alone(clean, begin, finish, before[-1].isalpha()):
                return Region(begin, finish)
    return None


def _stands_alone(clean: str, begin: int, finish: int, worded: bool) -> bool:
    """Whether marks made of letters do not run on into other letters."""
    return not worded or not (
        is_letter_or_mark(clean[begin : begin + 1]) or is_letter_or_mark(clean[max(finish - 1, 0) : finish])
    )


def _without_audit(clean: str, start: int, end: int) -> tuple[tuple[Claim, ...] | None, int]:
    """Read the trailing SELF-AUDIT block upwards; return its claims and where the text before it ends."""
    claims: list[Claim] = []
    last = end if AUDIT_HEADS[0] in clean else start
    while last > start:
        first = max(clean.rfind("\n", start, last) + 1, start)
        line = clean[first:last]
        stripped = line.strip()
        if stripped in AUDIT_HEADS:
            return tuple(reversed(claims)), first
        match = _CLAIM.fullmatch(stripped)
        if match:
            begin = first + line.index(stripped)
            claims.append(Claim(f"R{match[1]}", match[2].lower() == "yes", begin, begin + len(stripped)))
        elif stripped:
            break
        last = first - 1
    return None, end


def _without_restated(clean: str, start: int, end: int) -> tuple[Region | None, int]:
    """Find the leading REQUIREMENTS block; return its inside and where the text after it starts."""
    begin = start + len(clean[start:end]) - len(clean[start:end].lstrip())
    if not clean.startswith(RESTATED_HEAD, begin, end):
        return None, start
    inside = begin + len(RESTATED_HEAD)
    first = inside
    while (first := clean.find("\n", first, end) + 1) > 0:
        last = clean.find("\n", first, end)
        last = end if last < 0 else last
        if clean[first:last].strip() == RESTATED_END:
            return Region(inside, first), last
    return None, start
