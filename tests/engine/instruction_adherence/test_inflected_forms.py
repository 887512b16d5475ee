"""Forms come from the dictionary alone, and every word that may be sampled is known to it."""

from __future__ import annotations

from itertools import chain

import pytest

from engine.canonical import digest
from engine.instruction_adherence.inflection import forms, is_known, verb_forms
from engine.instruction_adherence.text import folded, is_word
from engine.instruction_adherence.wordlists import bans, grammar, lookalikes, required, shapes

BANNED = [*bans().forbidden, *chain.from_iterable(bans().synonyms)]
NAMED = [
    *required().counted, *required().placed, *chain.from_iterable(required().ordered),
    *chain.from_iterable(required().topics), *chain.from_iterable(required().events),
]  # fmt: skip


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("go", "go goes going gone went"),
        ("child", "child children"),
        ("new", "new newer newest"),
        ("really", "really"),
        ("show", "show showed showing shown shows"),
        ("beautiful", "beautiful"),
        ("children", "child children"),
        ("blorp", "blorp"),
        ("good", "best better good goods"),
    ],
)
def test_forms(word: str, expected: str) -> None:
    assert " ".join(sorted(forms(word))) == expected


def test_every_banned_word_is_in_the_dictionary() -> None:
    assert [word for word in BANNED if not is_known(word)] == []


def test_forms_of_the_banned_words_are_pinned() -> None:
    assert digest({word: sorted(forms(word)) for word in BANNED}) == PINNED


PINNED = "a27f46f1d3e2349493c8a7117b75d2db2c75a8d6d6ea039b46bb519defa6dae9"


def test_lists_hold_single_folded_words() -> None:
    assert [word for word in [*BANNED, *NAMED, *grammar().common] if not is_word(word) or folded(word) != word] == []


def test_lists_have_no_word_twice() -> None:
    lists = (bans().forbidden, required().counted, required().placed, required().phrases, required().final_starts)
    more = (required().acrostics, required().topics, required().ordered, required().events, *bans().synonyms)
    for words in (*lists, *more, shapes().headers, shapes().keys, shapes().names, grammar().common):
        assert len(set(words)) == len(words), words


def test_sizes_of_the_lists() -> None:
    assert 40 <= len(bans().synonyms) <= 60
    assert all(len(group) == 4 for group in bans().synonyms)
    assert len(bans().forbidden) >= 80 and len(required().phrases) >= 20


def test_no_group_bans_one_word_through_another() -> None:
    for group in bans().synonyms:
        for word in group:
            assert not forms(word) & (set(group) - {word}), group


def test_phrases_are_lower_case() -> None:
    assert all(phrase == phrase.lower() for phrase in required().phrases)


def test_lookalikes_are_letters_outside_latin() -> None:
    assert all(not char.isascii() and char.isalpha() for char in lookalikes())
    assert {lookalikes()[char] for char in "АеоОсВΗıΚѕ"} == set("aeocbhiks")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("went", {"past"}),
        ("baked", {"past", "participle"}),
        ("cut", {"unchanged", "participle", "base"}),
        ("saw", {"past", "base"}),
        ("sells", {"third"}),
        ("table", {"base"}),
        ("quickly", set()),
    ],
)
def test_verb_forms(word: str, expected: set[str]) -> None:
    assert verb_forms(word) == expected
