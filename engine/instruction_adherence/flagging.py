"""Whether a response says that two requirements contradict each other.

One sentence must hold a flag (a word or phrase from a fixed list, in any inflected form, not denied just before it) and
a content word of one of the two requirements, in any inflected form. The list covers every lipogram: whatever letter is
banned, some flag does without it. Section "Readings decided", 37.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from engine.instruction_adherence.inflection import forms
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.wordlists import grammar

FLAGS = (
    "conflict", "contradict", "contradiction", "contradictory", "incompatible", "inconsistent", "irreconcilable",
    "clash", "collide", "oppose",
)  # fmt: skip
FLAG_PHRASES = (
    ("cannot", "both"), ("can't", "both"), ("can", "not", "both"), ("at", "odds"), ("mutually", "exclusive"),
    ("rule", "each", "other", "out"), ("rule", "one", "another", "out"),
)  # fmt: skip
DENIALS = frozenset({
    "no", "not", "never", "without", "nor", "neither", "hardly", "don't", "doesn't", "didn't", "isn't", "aren't",
    "won't",
})  # fmt: skip
DENIED_WITHIN = 3
"""Words before a flag among which a denial takes it back, as in "there is no real conflict"."""
PLAIN = frozenset({
    "after", "all", "also", "any", "anywhere", "at", "before", "begin", "below", "both", "case", "come", "do", "each",
    "else", "every", "exactly", "few", "first", "following", "give", "here", "hold", "keep", "last", "leave", "least",
    "less", "let", "like", "make", "may", "more", "most", "must", "neither", "no", "nor", "none", "not", "nothing",
    "one", "only", "other", "out", "own", "please", "put", "response", "same", "set", "somewhere", "start", "such",
    "than", "them", "then", "there", "these", "they", "time", "use", "whole", "work", "write", "while", "without",
})  # fmt: skip
"""Words of many requirements that do not tell which one is meant."""
SHORTEST = 3
"""Letters of a content word at least."""


def flags_conflict(reading: Reading, requirements: Iterable[str]) -> bool:
    """Whether one sentence of a response flags a conflict and names a thing that one of the requirements is about."""
    named = frozenset().union(*map(_content, requirements))
    for sentence in reading.sentences:
        words = reading.words[sentence.first : sentence.last]
        if not named.isdisjoint(words) and _is_flagged(words):
            return True
    return False


def flag_phrases(requirements: Iterable[str]) -> Iterator[str]:
    """Yield two words in a row, a content word of one of these requirements and a flag, that flag a conflict."""
    named = frozenset().union(*map(_content, requirements))
    for flag in FLAGS:
        yield from (f"{word} {flag}" for word in sorted(named))


@cache
def _content(requirement: str) -> frozenset[str]:
    """Return the content words of a requirement in all their forms, flags themselves excepted."""
    words = [word for word in Reading(requirement).words if len(word) >= SHORTEST]
    return frozenset().union(*map(forms, words)) - _plain()


@cache
def _plain() -> frozenset[str]:
    words = {*PLAIN, *grammar().common}
    return frozenset().union(*map(forms, words)) | _flags()


@cache
def _flags() -> frozenset[str]:
    return frozenset().union(*map(forms, FLAGS))


def _is_flagged(words: tuple[str, ...]) -> bool:
    flags = _flags()
    for index, word in enumerate(words):
        before = words[max(0, index - DENIED_WITHIN) : index]
        if word in flags and DENIALS.isdisjoint(before):
            return True
        if any(words[index : index + len(phrase)] == phrase and DENIALS.isdisjoint(before) for phrase in FLAG_PHRASES):
            return True
    return False
