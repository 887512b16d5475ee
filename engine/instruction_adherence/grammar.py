"""Two heuristics for English: where a text leaves the present tense, and where it is passive (reading 34).

Words are looked up in a dictionary and in closed lists; there is no tagger. Both err: what they accept and reject on a
list of sentences is measured in the tests. A sentence is judged word by word, left to right.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress, count
from typing import Literal

from engine.instruction_adherence.inflection import is_noun, verb_forms
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.wordlists import grammar

Leaning = Literal["gone", "going", "have", "unchanged", "past", ""]
"""`gone` is out of the present wherever it stands; the others depend on the words around."""
HAVE = ("have", "has", "having", "haven't", "hasn't")


def passives(reading: Reading) -> list[int]:
    """Return the index of every participle that a form of be or get makes passive, adverbs between them skipped."""
    words, auxiliaries = reading.words, grammar().auxiliaries
    found: set[int] = set()
    for index in compress(count(), map(auxiliaries.__contains__, words)):
        home = reading.sentence_of(index)
        if home is not None:
            last = reading.sentences[home].last
            after = _skip_adverbs(words, index + 1, last)
            if after < last and _is_passive_participle(words[after]):
                found.add(after)
    return sorted(found)


def past_and_future(reading: Reading) -> list[int]:
    """Return the index of every word that is judged past, perfect or future."""
    found: list[int] = []
    words: tuple[str, ...] = ()
    first = last = 0  # the sentence that the word before stood in
    leanings = {word: leaning for word in reading.counts if (leaning := _leaning(word))}
    for index in compress(count(), map(leanings.__contains__, reading.words)):
        if index >= last:
            home = reading.sentence_of(index)
            if home is None:
                continue
            _, _, first, last = reading.sentences[home]
            words, left = reading.words[first:last], False
        leaning = leanings[reading.words[index]]
        if leaning == "gone" or _leaves_present(words, index - first, leaning, left):
            found.append(index)
            left = True
    return found


@lru_cache(maxsize=65536)
def _leaning(word: str) -> Leaning:
    """Return what a word says of the tense by itself; empty for the many that say nothing."""
    lists = grammar()
    if word in lists.not_present:
        return "gone"
    if word == "going":
        return "going"
    if word in HAVE:
        return "have"
    forms = verb_forms(word)
    if "past" not in forms:
        return "unchanged" if "unchanged" in forms else ""
    return "past" if forms & {"participle", "base"} or word in lists.nominal else "gone"


def _skip_adverbs(words: Sequence[str], index: int, last: int) -> int:
    while index < last and _is_adverb(words[index]):
        index += 1
    return index


@lru_cache(maxsize=65536)
def _is_adverb(word: str) -> bool:
    return word in grammar().adverbs or (word.endswith("ly") and not verb_forms(word))


@lru_cache(maxsize=65536)
def _is_passive_participle(word: str) -> bool:
    return "participle" in verb_forms(word) and word not in grammar().adjectives


def _leaves_present(words: Sequence[str], index: int, leaning: Leaning, left: bool) -> bool:
    """Judge a word by those around; `left` says whether an earlier word of the sentence is past, perfect or future."""
    if leaning == "going":
        return _is_future(words, index)
    if leaning == "have":
        after = _skip_adverbs(words, index + 1, len(words))
        return after < len(words) and _is_perfect_participle(words[after])
    if leaning == "unchanged":
        return _previous(words, index) in ("he", "she", "it")
    return _is_past_verb(words, index, left)


def _is_perfect_participle(word: str) -> bool:
    return "participle" in verb_forms(word) and "base" not in verb_forms(word)


def _is_future(words: Sequence[str], index: int) -> bool:
    """Whether "going" is followed by "to" and a verb, as in "going to sell"; "going to town" is a movement."""
    if words[index + 1 : index + 2] != ("to",) or index + 2 >= len(words):
        return False
    goal = words[index + 2]
    return "base" in verb_forms(goal) and (not is_noun(goal) or index + 3 < len(words))


def _previous(words: Sequence[str], index: int) -> str:
    """Return the word before, adverbs skipped; empty at the start of the sentence."""
    index -= 1
    while index >= 0 and _is_adverb(words[index]):
        index -= 1
    return words[index] if index >= 0 else ""


def _is_past_verb(words: Sequence[str], index: int, left: bool) -> bool:
    """Tell a past verb from a participle, an adjective or a noun of the same shape by its neighbours."""
    lists = grammar()
    previous = _previous(words, index)
    if previous in lists.subjects:
        return True
    if previous in ("and", "or", "but", "then"):
        return left
    if previous == "" or previous in lists.auxiliaries or previous in lists.openers:
        return False
    following = verb_forms(words[index + 1]) if index + 1 < len(words) else frozenset()
    return "third" not in following and (is_noun(previous) or not verb_forms(previous))
