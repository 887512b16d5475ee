"""What witnesses are filled with: English nouns and adjectives, and banks of foreign sentences."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec


class Bank(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Sentences of one language, in lower case and without end marks."""

    sentences: tuple[str, ...]
    short: tuple[str, ...]
    """Pieces of one to three words, which are not judged alone."""


class _Lexicon(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    words: Mapping[str, str]
    glue: tuple[str, ...]


@cache
def words() -> tuple[str, ...]:
    """Return the words to fill sentences with, in alphabetical order."""
    return tuple(word for line in _lexicon().words.values() for word in line.split())


@cache
def glue() -> tuple[str, ...]:
    """Return function words that make a row of nouns look like English."""
    return _lexicon().glue


@cache
def banks() -> Mapping[str, Bank]:
    """Return the bank of each foreign language by its English name."""
    return msgspec.yaml.decode(_text("foreign"), type=dict[str, Bank])


@cache
def _lexicon() -> _Lexicon:
    return msgspec.yaml.decode(_text("lexicon"), type=_Lexicon)


def _text(name: str) -> bytes:
    return files("engine.instruction_adherence").joinpath(f"vocabulary/{name}.yaml").read_bytes()
