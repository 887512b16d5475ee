"""Reads what a model said: whether it said anything, then which label. What cannot be read is never a wrong answer.

Order of understanding:

    hear     content filter, refusal, cut by length, closed thoughts taken off (an open one: cut), nothing left
    parse    mode schema or grammar: strict JSON or the bare label, and nothing else is tried
             mode text: the last marker line decides (`ANSWER: label`, decorated or not); without one, the whole text is
             a label, or exactly one label occurs in it as shown, with no negation close before it

Never the first match, never the last label anywhere. Texts are compared on a compatibility-normalised copy without
zero-width characters. Time is linear in the text: every pattern is possessive or tried at one place only.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from engine.calls import Unread
from engine.hidden_systems.behavior import LABELS, Label
from engine.models.solver import OutputMode

PARSER_VERSION = "marker-line/1"
OPEN, CLOSE = "<think>", "</think>"
CHANGED, NO_MARKER = "changed", "no_marker"
"""Flags: an earlier marker line named the other label; the label was read without a marker line."""


@dataclass(frozen=True, kw_only=True)
class Labels:
    """The two answers as they were shown."""

    present: str = "PRESENT"
    absent: str = "ABSENT"

    def pairs(self) -> tuple[tuple[str, Label], ...]:
        return (self.present, LABELS[0]), (self.absent, LABELS[1])


CODES = Labels()


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What a model said, without its thoughts."""

    status: Literal["answered"] | Unread
    text: str
    """As it came, closed thoughts taken off."""
    thoughts: str
    """What stood in them; never parsed."""


@dataclass(frozen=True, kw_only=True)
class Parsed:
    """Which label a text gives."""

    status: Literal["read", "ambiguous", "unparsable"]
    label: Label | None = None
    flags: tuple[str, ...] = ()


AMBIGUOUS, UNPARSABLE = Parsed(status="ambiguous"), Parsed(status="unparsable")


def hear(text: str, *, finish_reason: str | None = None, refusal: str | None = None) -> Heard:
    """Tell apart what a model said from what it thought, and whether it came to say anything."""
    said, thoughts, is_open = _without_thoughts(text)
    status: Literal["answered"] | Unread = "answered"
    if finish_reason == "content_filter":
        status = "filtered"
    elif refusal:
        status = "refused"
    elif finish_reason == "length" or is_open:
        status = "truncated"
    elif not _plain(said).strip():
        status = "empty"
    return Heard(status=status, text=said, thoughts=thoughts)


def parse(text: str, labels: Labels = CODES, mode: OutputMode = "text") -> Parsed:
    """Return the label that a text without thoughts gives."""
    copy = _plain(text)
    match mode:
        case "schema":
            return _from_json(copy, labels)
        case "grammar":
            return _exact(copy.strip(), labels)
        case "text":
            lines = copy.splitlines()
            marked = [nth for nth, line in enumerate(lines) if _MARKER.match(line)]
            return _from_markers(lines, marked, labels) if marked else _from_prose(copy, labels)


def _plain(text: str) -> str:
    """Return a text compatibility-normalised and without characters that take no room."""
    copy = unicodedata.normalize("NFKC", text)
    if copy.isascii():
        return copy
    return "".join(letter for letter in copy if unicodedata.category(letter) != "Cf")


def _without_thoughts(text: str) -> tuple[str, str, bool]:
    """Return a text without closed thoughts, the thoughts, and whether one was left open."""
    said, thoughts, at = [], [], 0
    while (start := text.find(OPEN, at)) >= 0:
        said.append(text[at:start])
        end = text.find(CLOSE, start)
        if end < 0:
            thoughts.append(text[start + len(OPEN) :])
            return "".join(said), "\n".join(thoughts), True
        thoughts.append(text[start + len(OPEN) : end])
        at = end + len(CLOSE)
    return "".join((*said, text[at:])), "\n".join(thoughts), False


# Strict modes ---------------------------------------------------------------------------------------------------------

_FENCE = re.compile(r"\s*```[a-z]*\s*\n(?P<inside>.*?)\n\s*```\s*", re.S | re.I)


def _from_json(text: str, labels: Labels) -> Parsed:
    fenced = _FENCE.fullmatch(text)
    values: list[object] = []

    def top(pairs: list[tuple[str, object]]) -> list[tuple[str, object]]:
        values[:] = [value for key, value in pairs if key == "answer"]
        return pairs

    try:
        document = json.loads(fenced["inside"] if fenced else text, object_pairs_hook=top)
    except (ValueError, RecursionError):
        return UNPARSABLE
    # The hook runs inside out, so that the last call is the outermost object's; a list of pairs is an object.
    if not isinstance(document, list) or not values or not all(isinstance(value, str) for value in values):
        return UNPARSABLE
    found = {_exact(str(value), labels) for value in values}
    return UNPARSABLE if UNPARSABLE in found else found.pop() if len(found) == 1 else AMBIGUOUS


def _exact(text: str, labels: Labels) -> Parsed:
    return next((Parsed(status="read", label=label) for name, label in labels.pairs() if text == name), UNPARSABLE)


# Mode text ------------------------------------------------------------------------------------------------------------

_LATEX = r"\\(?:boxed|fbox|mbox|text[a-z]*|math[a-z]*)(?![a-z])|\\[()\[\]{},;!]"
_DECORATION = rf"""(?:[\s#>*_\-"'`“”„‘’«»()\[\]{{}}<$]|{_LATEX})*+"""
_MARKER = re.compile(rf"{_DECORATION}(?:final\s++)?answer[*_\s]*+:(?P<rest>.*)", re.I | re.S)
_LEADING = re.compile(_DECORATION, re.I)
_CLOSING = re.compile(r"""[\s*_"'`“”‘’«»)\]}>$]*+""")
_REASON = re.compile(r"(?:because|since)\b", re.I)
_OR = re.compile(r"[^\w/]*+or\b", re.I)
_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*+")
_SENTENCE_END = re.compile(r"[.!?\n]")
_NEGATIONS = frozenset(
    {
        "not", "no", "never", "neither", "nor", "none", "cannot", "without", "except", "excluding", "against", "hardly",
        "unlikely", "ruled", "rule", "ruling", "rejected", "reject", "wrong", "false", "incorrect", "impossible",
        "than", "instead",
    }
)  # fmt: skip
REACH = 3
"""How many words before a label may negate it."""


def _from_markers(lines: list[str], marked: list[int], labels: Labels) -> Parsed:
    *earlier, last = (_from_marker(lines, nth, labels) for nth in marked)
    if last.status != "read":
        return last
    changed = any(one.label not in (None, last.label) for one in earlier)
    return Parsed(status="read", label=last.label, flags=(CHANGED,) if changed else ())


def _from_marker(lines: list[str], nth: int, labels: Labels) -> Parsed:
    marker = _MARKER.match(lines[nth])
    assert marker is not None, "the line was chosen as a marker line"
    rest = marker["rest"]
    if not _LEADING.sub("", rest, count=1).strip():
        rest = next((line for line in lines[nth + 1 :] if line.strip()), "")
    return _from_rest(rest, labels)


def _from_rest(rest: str, labels: Labels) -> Parsed:
    """Read what stands after the marker: a label first, then nothing that takes it back."""
    leading = _LEADING.match(rest)
    bare = rest[leading.end() :] if leading else rest
    for name, label in labels.pairs():
        if bare[: len(name)].casefold() == name.casefold() and _ends_well(bare[len(name) :]):
            return Parsed(status="read", label=label)
    return AMBIGUOUS if any(_places(name, rest, re.I) for name, _ in labels.pairs()) else UNPARSABLE


def _ends_well(tail: str) -> bool:
    if tail[:1] == "-" and tail[1:2].isalnum():  # hyphens join words
        return False
    closing = _CLOSING.match(tail)
    after = tail[closing.end() :] if closing else tail
    if not after:
        return True
    if _OR.match(after) or after[0] in "/&":
        return False
    separated = closing is not None and closing.end() > 0
    return unicodedata.category(after[0]).startswith("P") or (separated and _REASON.match(after) is not None)


def _from_prose(text: str, labels: Labels) -> Parsed:
    """Read a text without a marker line."""
    whole = text.strip().strip("""#>*_-"'`“”„‘’«»()[]{}<$.!,;: \t\r\n""").casefold()
    for name, label in labels.pairs():
        if whole == name.casefold():
            return Parsed(status="read", label=label, flags=(NO_MARKER,))
    places = [(label, place) for name, label in labels.pairs() for place in _places(name, text)]
    if not places:
        return UNPARSABLE
    if len({label for label, _ in places}) > 1 or any(_negated(text, place) for _, place in places):
        return AMBIGUOUS
    return Parsed(status="read", label=places[0][0], flags=(NO_MARKER,))


def _places(name: str, text: str, flags: re.RegexFlag = re.NOFLAG) -> list[int]:
    """Return where a label stands as a whole word; hyphens join words."""
    pattern = rf"(?<![^\W_])(?<![^\W_]-){re.escape(name)}(?!-?[^\W_])"
    return [found.start() for found in re.finditer(pattern, text, flags)]


def _negated(text: str, place: int) -> bool:
    """Say whether one of the few words before a place in its sentence negates it."""
    before = text[max(0, place - 200) : place]
    sentence = _SENTENCE_END.split(before)[-1]
    return any(_negates(word) for word in _last_words(sentence))


def _last_words(sentence: str) -> Iterator[str]:
    yield from _WORD.findall(sentence)[-REACH:]


def _negates(word: str) -> bool:
    plain = word.casefold().replace("’", "'")
    return plain in _NEGATIONS or plain.endswith("n't")
