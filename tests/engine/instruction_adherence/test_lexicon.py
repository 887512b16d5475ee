"""The words and sentences of witnesses: enough of them, well-formed, never rude, each sentence in its language."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from string import ascii_lowercase

import pytest

from engine.instruction_adherence.constraints.language import FOREIGN
from engine.instruction_adherence.detection import CODES, detect
from engine.instruction_adherence.inflection import is_known, verb_forms
from engine.instruction_adherence.lexicon import banks, glue, words
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.wordlists import grammar

BLOCKED = frozenset((Path(__file__).parents[2] / "cases" / "blocked_words.txt").read_text(encoding="utf-8").split())


def test_thousands_of_words_begin_with_every_letter() -> None:
    assert len(words()) == len(set(words())) >= 3_000
    first = Counter(word[0] for word in words())
    assert set(first) == set(ascii_lowercase)
    assert min(first.values()) >= 3
    assert all(re.fullmatch("[a-z]{2,11}", word) for word in words())


@pytest.mark.parametrize("letter", ascii_lowercase)
def test_leaving_out_a_letter_leaves_a_lexicon(letter: str) -> None:
    left = [word for word in words() if letter not in word]
    assert len(left) >= 1_000
    assert {word[0] for word in left} == set(ascii_lowercase) - {letter}


def test_no_word_is_blocked() -> None:
    assert len(BLOCKED) > 150
    assert BLOCKED.isdisjoint((*words(), *glue()))
    told = [word for bank in banks().values() for text in (*bank.sentences, *bank.short) for word in text.split()]
    assert (BLOCKED - {"as", "der", "die"}).isdisjoint(told)


def test_words_are_known_and_never_a_past_form() -> None:
    assert [word for word in words() if not is_known(word)] == ["qanat", "xylan"]
    assert [w for w in words() if verb_forms(w) & {"past", "participle", "unchanged", "third"}] == []
    lists = grammar()
    assert {*lists.first_person, *lists.not_present, *lists.auxiliaries, *lists.common}.isdisjoint(words())


def test_every_language_has_a_bank() -> None:
    assert tuple(sorted(banks())) == FOREIGN
    assert all(len(bank.sentences) >= 40 and len(bank.short) >= 10 for bank in banks().values())
    assert all(len({s[0] for s in bank.sentences}) >= 20 for bank in banks().values())


@pytest.mark.parametrize("language", FOREIGN)
def test_sentences_of_a_bank_are_in_its_language(language: str) -> None:
    bank = banks()[language]
    for text in bank.sentences:
        assert detect(text) == CODES[language], text
        assert 4 <= len(Reading(text).words) == len(text.split()) <= 14, text
        assert text == text.lower() and text[-1].isalpha(), text
    for text in bank.short:
        assert 1 <= len(Reading(text).words) == len(text.split()) <= 3, text
    assert not any(char in "".join((*bank.sentences, *bank.short)) for char in ",'.?!")


@pytest.mark.parametrize("language", FOREIGN)
def test_a_bank_leaves_something_without_each_letter(language: str) -> None:
    from engine.instruction_adherence.constraints.lexical import Lipogram

    for letter in ascii_lowercase.upper():
        lipogram = Lipogram(letter=letter)
        assert any(lipogram.check(Reading(text)).passed for text in banks()[language].sentences), letter
