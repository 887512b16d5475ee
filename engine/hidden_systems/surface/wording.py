"""The words of a rendering that a model chose: a legend, and which other words its text may hold.

A wording is made from codes alone, checked, and frozen before any count is told; it is stored with the rendering, so
that whoever reads the text back has it. Everything here is public. This module must never import the program layer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import msgspec

from engine.errors import UsageError
from engine.hidden_systems.behavior import Public, PublicPayload
from engine.hidden_systems.surface.lexicon import FORBIDDEN, HINTING, INVERTING, NUMBER_WORD, plain
from engine.public import Legend

META = "wording/"
"""With a rendering's id behind it, the key in a pack's meta."""
MOST_WORDS = 200
PLAIN_WORDS = frozenset(
    {
        "a", "again", "all", "an", "and", "are", "at", "be", "been", "begins", "being", "but", "by", "came", "case",
        "cases", "combination", "combined", "counted", "counts", "did", "different", "do", "does", "done",
        "down", "each", "ended", "ends", "entries", "entry", "every", "experiment", "experiments", "for",
        "found", "from", "go", "goes", "going", "had", "has", "have", "held", "here", "how", "if", "in",
        "independent", "into", "is", "it", "its", "kept", "know", "known", "left", "lists", "looked", "looks",
        "made", "many", "more", "not", "noted", "now", "of", "often", "on", "or", "order", "other", "out",
        "over", "own", "put", "ran", "record", "recorded", "remained", "run", "running", "runs", "same", "see",
        "seen", "set", "shown", "so", "starts", "stay", "stayed", "stays", "still", "story", "such", "tell", "tells",
        "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "time",
        "times", "told", "took", "trial", "trials", "tried", "try", "turned", "up", "was", "watched", "were",
        "what", "when", "where", "whether", "which", "while", "whole", "with", "without", "world", "would",
        "yet",
    }
)  # fmt: skip
"""Words that any text may hold."""
_NAME = re.compile(r"[a-z]{2,16}(?: [a-z]{2,16}){0,2}")
_RECORD = re.compile(r"the(?: [a-z]{2,16}){1,3}")
_WORD = re.compile(r"[a-z']{1,20}")


class Wording(Public, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A legend and the other words of one rendering."""

    legend: Legend
    words: tuple[str, ...]
    """Sorted, in small letters; besides them a text may hold `PLAIN_WORDS`."""
    told_by_template: tuple[int, ...] = ()
    """Places of the blocks that the template told in these words, 0 being the introduction."""
    named_by_template: tuple[str, ...] = ()
    """Codes whose names are the template's; `record` for the record and both outcomes."""


def wording_text(wording: Wording) -> str:
    """Return a wording as JSON text, the same for equal ones."""
    return msgspec.json.encode(wording).decode()


def read_wording(text: str, *, where: str) -> Wording:
    """Read a wording from its JSON text.

    Raises:
        UsageError: it is not one.
    """
    try:
        return msgspec.json.decode(text, type=Wording)
    except msgspec.DecodeError as error:
        raise UsageError(f"{where}: {error}") from error


def wording_reasons(wording: Wording, payload: PublicPayload) -> tuple[str, ...]:
    """Return why a wording cannot tell a payload. Empty when it can."""
    legend = wording.legend
    reasons = list(_coverage(legend, payload))
    names = [*_names(legend), legend.record]
    reasons += [f"the record is {legend.record!r}; `the` and a noun"] if not _RECORD.fullmatch(legend.record) else []
    reasons += [f"name {name!r}: one to three words in small letters" for name in names if not _NAME.fullmatch(name)]
    for name in names:
        if found := FORBIDDEN.search(name) or HINTING.search(name) or NUMBER_WORD.search(name):
            reasons.append(f"name {name!r} holds {found.group()!r}; names hint at no law, order, number or valence")
    for one, other in combinations(sorted(map(plain, names), key=len), 2):
        if one == other or one in other:
            reasons.append(f"name {other!r} holds {one!r}; names are different and none holds another")
    reasons += _word_reasons(wording.words, names)
    return tuple(reasons)


def allowed_words(wording: Wording) -> frozenset[str]:
    """Return every word that a text may hold besides names of the legend and numbers."""
    record = re.findall(r"[a-z']+", plain(wording.legend.record))
    return frozenset((*wording.words, *PLAIN_WORDS, *record))


def _names(legend: Legend) -> Iterator[str]:
    yield from (item.name for item in (*legend.events, *legend.outcomes))
    for attribute in legend.attributes:
        yield attribute.name
        yield from (value.name for value in attribute.values)


def _coverage(legend: Legend, payload: PublicPayload) -> Iterator[str]:
    if [item.code for item in legend.events] != list(payload.event_vocabulary):
        yield "the legend does not name exactly the events"
    codes = {
        item.name: [value for value in item.values if isinstance(value, str)] for item in payload.attribute_vocabulary
    }
    told = {item.code: [value.code for value in item.values] for item in legend.attributes}
    if told != codes:
        yield "the legend does not name exactly the attributes and their values"


def _word_reasons(words: tuple[str, ...], names: list[str]) -> Iterator[str]:
    if len(words) > MOST_WORDS:
        yield f"{len(words)} other words; at most {MOST_WORDS}"
    parts = {part for name in names for part in name.split()} - {"the"}
    for word in words:
        if not _WORD.fullmatch(word):
            yield f"word {word!r}: one word in small letters"
        elif found := FORBIDDEN.search(word) or INVERTING.search(word) or NUMBER_WORD.search(word):
            yield f"word {word!r} is {found.group()!r}: a law, a hedge, a number or a cue that turns the order"
        elif word in parts:
            yield f"word {word!r} is part of a name; a name stands for its code alone"
