"""Two heuristics for English: where a text leaves the present tense, and where it is passive (reading 34).

Words are looked up in a dictionary and in closed lists; there is no tagger. Both err: what they accept and reject on a
list of sentences is measured in the tests. A sentence is judged word by word, left to right.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.instruction_adherence.inflection import is_noun, verb_forms
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.wordlists import grammar

HAVE = ("have", "has", "having", "haven't", "hasn't")


def passives(reading: Reading) -> list[int]:
    """Return the index of every participle that a form of be or get makes passive, adverbs between them skipped."""
    words, found = reading.words, []
    lists = grammar()
    for sentence in reading.sentences:
        for index in range(sentence.first, sentence.last):
            if words[index] in lists.auxiliaries:
                after = _skip_adverbs(words, index + 1, sentence.last)
                if after < sentence.last and _is_passive_participle(words[after]):
                    found.append(after)
    return sorted(set(found))


def past_and_future(reading: Reading) -> list[int]:
    """Return the index of every word that is judged past, perfect or future."""
    found: list[int] = []
    for sentence in reading.sentences:
        words = reading.words[sentence.first : sentence.last]
        left = False
        for index in range(len(words)):
            if _leaves_present(words, index, left):
                found.append(sentence.first + index)
                left = True
    return found


def _skip_adverbs(words: Sequence[str], index: int, last: int) -> int:
    while index < last and (words[index] in grammar().adverbs or _is_adverb(words[index])):
        index += 1
    return index


def _is_adverb(word: str) -> bool:
    return word.endswith("ly") and not verb_forms(word)


def _is_passive_participle(word: str) -> bool:
    return "participle" in verb_forms(word) and word not in grammar().adjectives


def _leaves_present(words: Sequence[str], index: int, left: bool) -> bool:
    """Judge one word; `left` says whether an earlier word of the sentence is past, perfect or future."""
    word = words[index]
    if word in grammar().not_present:
        return True
    if word == "going":
        return _is_future(words, index)
    if word in HAVE:
        after = _skip_adverbs(words, index + 1, len(words))
        return after < len(words) and _is_perfect_participle(words[after])
    forms = verb_forms(word)
    if "unchanged" in forms and "past" not in forms:
        return _previous(words, index) in ("he", "she", "it")
    return "past" in forms and _is_past_verb(words, index, left)


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
    while index >= 0 and (words[index] in grammar().adverbs or _is_adverb(words[index])):
        index -= 1
    return words[index] if index >= 0 else ""


def _is_past_verb(words: Sequence[str], index: int, left: bool) -> bool:
    """Tell a past verb from a participle, an adjective or a noun of the same shape by its neighbours."""
    word, lists = words[index], grammar()
    previous = _previous(words, index)
    if previous in lists.subjects:
        return True
    forms = verb_forms(word)
    if not forms & {"participle", "base"} and word not in lists.nominal:
        return True
    if previous in ("and", "or", "but", "then"):
        return left
    if previous == "" or previous in lists.auxiliaries or previous in lists.openers:
        return False
    following = verb_forms(words[index + 1]) if index + 1 < len(words) else frozenset()
    return "third" not in following and (is_noun(previous) or not verb_forms(previous))
