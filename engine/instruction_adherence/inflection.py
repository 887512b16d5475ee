"""Inflected forms by dictionary alone; no rule ever makes one up.

The dictionary takes half a second to load, so it is imported when the first form is asked for.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

_LOADING = Lock()
"""The library fills its tables without a lock of its own."""
VerbForm = Literal["base", "third", "past", "unchanged", "participle"]
"""A past form that is its base form too, such as `cut`, is `unchanged` and not `past`."""


def _inflections(lemma: str) -> Mapping[str, tuple[str, ...]]:
    """Return the forms of a lemma by Penn tag; empty if the dictionary has no such lemma."""
    with _LOADING:
        import lemminflect

        found: Mapping[str, tuple[str, ...]] = lemminflect.getAllInflections(lemma)
    return found


def _lemmas(word: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lemmas of a word by part of speech; empty if the dictionary does not have it."""
    with _LOADING:
        import lemminflect

        found: Mapping[str, tuple[str, ...]] = lemminflect.getAllLemmas(word)
    return found


def is_known(word: str) -> bool:
    """Whether the dictionary has a folded word as a lemma or a form."""
    return bool(_inflections(word) or _lemmas(word))


@lru_cache(maxsize=4096)
def forms(word: str) -> frozenset[str]:
    """Return a folded word and all its inflected forms in any part of speech (reading 14).

    A word that is itself only a form, such as `children`, brings the forms of what it is a form of.
    """
    found = _inflections(word)
    families = [found] if found else [_inflections(lemma) for lemmas in _lemmas(word).values() for lemma in lemmas]
    return frozenset({word, *(form for family in families for shapes in family.values() for form in shapes)})


@lru_cache(maxsize=65536)
def verb_forms(word: str) -> frozenset[VerbForm]:
    """Return what a folded word can be as a verb; empty if it is no verb form."""
    found: set[VerbForm] = set()
    for lemma in _lemmas(word).get("VERB", ()):
        shapes = _inflections(lemma)
        past = shapes.get("VBD", ())
        if word in past:
            found.add("unchanged" if word == lemma else "past")
        if word in shapes.get("VBN", past):  # the dictionary names a participle only where it differs
            found.add("participle")
        if word in shapes.get("VBZ", ()):
            found.add("third")
        if word == lemma:
            found.add("base")
    return frozenset(found)


@lru_cache(maxsize=65536)
def is_noun(word: str) -> bool:
    """Whether a folded word can be a noun."""
    return "NOUN" in _lemmas(word)
