"""The word lists of `vocabulary/`, read once each when they are first needed."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec


class Bans(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words to forbid."""

    forbidden: tuple[str, ...]
    synonyms: tuple[tuple[str, ...], ...]
    """Groups of words with one meaning."""


class Required(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words and phrases to demand."""

    counted: tuple[str, ...]
    """Words to be used an exact number of times."""
    placed: tuple[str, ...]
    """Words for one sentence or one paragraph."""
    ordered: tuple[tuple[str, str], ...]
    topics: tuple[tuple[str, str], ...]
    """Nouns that one text can well mention both."""
    events: tuple[tuple[str, ...], ...]
    """A noun for a happening, then all its forms."""
    phrases: tuple[str, ...]
    """All in lower case."""
    final_starts: tuple[str, ...]
    acrostics: tuple[str, ...]
    restated: tuple[str, ...]
    """Requirements to restate where no set gives any."""


class Shapes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Texts for structure: headers without hashes, JSON keys, proper names."""

    headers: tuple[str, ...]
    keys: tuple[str, ...]
    names: tuple[str, ...]


class Grammar(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Closed word classes of English."""

    common: tuple[str, ...]
    """Words that a repetition limit leaves free."""
    first_person: frozenset[str]
    subjects: frozenset[str]
    auxiliaries: frozenset[str]
    """Forms of be and get."""
    not_present: frozenset[str]
    """Words that alone put a sentence into the past, the perfect or the future."""
    adverbs: frozenset[str]
    adjectives: frozenset[str]
    """Participles in form that are adjectives after `be`."""
    nominal: frozenset[str]
    """Past forms that are more often nouns, adjectives or present forms."""
    openers: frozenset[str]
    """Words after which a participle is no verb of its own: determiners, prepositions, degree words."""


@cache
def bans() -> Bans:
    return msgspec.yaml.decode(_text("bans"), type=Bans)


@cache
def required() -> Required:
    return msgspec.yaml.decode(_text("required"), type=Required)


@cache
def shapes() -> Shapes:
    return msgspec.yaml.decode(_text("shapes"), type=Shapes)


@cache
def grammar() -> Grammar:
    return msgspec.yaml.decode(_text("grammar"), type=Grammar)


@cache
def lookalikes() -> dict[str, str]:
    """Return the Latin letter that each Cyrillic or Greek look-alike, and dotless i, is read as (reading 13)."""
    return {
        char: letter
        for letter, chars in msgspec.yaml.decode(_text("lookalikes"), type=dict[str, str]).items()
        for char in chars
    }


def _text(name: str) -> bytes:
    return files("engine.instruction_adherence").joinpath(f"vocabulary/{name}.yaml").read_bytes()
