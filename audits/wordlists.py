"""Words that no rendering may hold, in all their inflections, listed here apart from the renderers' own list.

Lemmas are inflected by LemmInflect, so that "caused" and "vetoing" are found without anybody having thought of them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from lemminflect import getAllInflections, getAllInflectionsOOV

LAWS = ("always", "never", "must", "cause", "prevent", "because", "unless", "ensure", "guarantee", "require")
INTERNALS = (
    "flag", "veto", "rule", "trigger", "probability", "probable", "percent", "chance", "invalidate", "latent",
)  # fmt: skip
HEDGES = (
    "most", "mostly", "usual", "usually", "half", "rare", "rarely", "almost", "nearly", "reliable", "reliably",
    "likely", "unlikely", "sometimes", "seldom", "typical", "typically", "certainly", "surely", "roughly",
)  # fmt: skip
ASKED = {"likelier"}
"""What the question itself asks for."""
PHRASES = ("only if", "as long as", "due to", "leads to", "makes sure")
ORDERS = (
    "start", "begin", "end", "first", "second", "third", "last", "final", "early", "late", "initial", "next", "primary",
)  # fmt: skip
ROLES = (
    "lock", "unlock", "open", "close", "shut", "block", "guard", "gate", "seal", "reset", "stop", "cancel", "kill",
    "clear", "enable", "disable", "add", "remove", "erase", "boost", "switch", "key", "arm", "prime",
)  # fmt: skip
VALENCES = ("good", "bad", "best", "worst", "high", "low", "strong", "weak", "lucky", "fatal")
NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "dozen",
    "several", "many", "few", "twenty", "thirty", "forty", "fifty", "sixty", "hundred",
)  # fmt: skip
CUES = re.compile(r"\b(?:after\w*|before\w*|having|once|since|until|preced\w*|follow\w*|previous\w*|prior|upon)\b")
"""What would let a later event be told ahead of an earlier one."""


def plain(text: str) -> str:
    """Return a text without case and compatibility forms."""
    return unicodedata.normalize("NFKC", text).casefold()


@cache
def forbidden() -> re.Pattern[str]:
    """Return what matches laws, internals and hedges in `plain` text."""
    words = sorted({form for lemma in (*LAWS, *INTERNALS, *HEDGES) for form in inflected(lemma)} - ASKED)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, (*words, *PHRASES)))})\b|[%*!]")


@cache
def hinting() -> re.Pattern[str]:
    """Return what matches hints at an order, a role or a valence in a name."""
    words = {form for lemma in (*ORDERS, *ROLES, *VALENCES) for form in inflected(lemma)}
    words |= {agent for lemma in (*ORDERS, *ROLES) for agent in agents(lemma)}
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})\b")


@cache
def number_words() -> re.Pattern[str]:
    """Return what matches a number in words."""
    return re.compile(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b")


def inflected(lemma: str) -> set[str]:
    """Return a lemma with all its inflections as verb, noun and adjective."""
    known = getAllInflections(lemma) or {**getAllInflectionsOOV(lemma, "VERB"), **getAllInflectionsOOV(lemma, "NOUN")}
    return {lemma, *(form.casefold() for forms in known.values() for form in forms if form.isalpha() and len(form) > 2)}


def agents(verb: str) -> set[str]:
    """Return who does it: opener, remover, stopper, with the plural."""
    stems = {verb if verb.endswith("e") else f"{verb}e", f"{verb}{verb[-1]}e"}
    return {f"{stem}r{ending}" for stem in stems for ending in ("", "s")}
