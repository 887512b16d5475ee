"""The registry is the specification's table; every type speaks, stores and refuses parameters in the same way."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest

from engine.errors import UsageError
from engine.instruction_adherence.constraint import ORDINALS, Constraint, SpokenNumber, kinds, ordinal
from engine.instruction_adherence.constraints.registry import ALL, TRAINABLE, TYPES, constraint_of
from engine.randomness import Stream

TABLE = """
length.word_range 2 - | length.sentence_count 3 - | length.paragraph_count 2 - | length.bullet_count 2 -
length.paragraph_word_range 3 - | length.sentence_max_words 3 - | length.nth_longest 3 - | length.nth_shortest 3 -
length.increasing_paragraphs 3 - | lex.lipogram 5 lipogram | lex.forbidden_words 2 - | lex.word_exact_k 3 -
lex.word_order 2 - | lex.no_repeat 4 - | lex.distinct_sentence_starts 4 distinct_sentence_starts
lex.acrostic 5 acrostic | lex.exact_phrase 1 - | lex.synonym_ban 3 - | lex.no_commas 2 - | struct.headers 2 -
struct.numbered_sublist 3 - | struct.wrapped 1 - | struct.json_keys 3 - | struct.first_last_word 3 -
struct.ends_question 1 - | struct.alternating_lines 4 - | struct.sections 2 - | struct.title 1 - | struct.bold_count 2 -
lang.paragraph_language 3 - | lang.lowercase 3 - | lang.no_contractions 2 - | lang.second_person 3 -
lang.present_tense 4 eval_only | lang.no_passive 4 eval_only | lang.caps_limit 1 - | pos.word_in_paragraph 3 positional
pos.date_after_event 3 positional | pos.topic_order 3 positional | pos.mention_ratio 3 positional
pos.however_once 2 positional | pos.final_paragraph_start 2 positional | pos.nth_sentence_contains 2 positional
meta.self_audit 3 - | meta.restate 3 - | meta.number_paragraphs 2 -
"""
"""Specification, "Constraint taxonomy": id, difficulty, and what is special."""
PARAMETERS = {
    "length.word_range": "min max", "length.sentence_count": "n", "length.paragraph_count": "n",
    "length.bullet_count": "n", "length.paragraph_word_range": "min max", "length.sentence_max_words": "fewer_than",
    "length.nth_longest": "nth", "length.nth_shortest": "nth", "length.increasing_paragraphs": "min_paragraphs",
    "lex.lipogram": "letter", "lex.forbidden_words": "words", "lex.word_exact_k": "word k",
    "lex.word_order": "first second", "lex.no_repeat": "max_times allowed", "lex.acrostic": "word",
    "lex.exact_phrase": "phrase", "lex.synonym_ban": "words", "struct.headers": "headers",
    "struct.numbered_sublist": "items item_with_sublist min_entries", "struct.wrapped": "open close",
    "struct.json_keys": "keys", "struct.alternating_lines": "min_lines long_min short_max",
    "struct.sections": "n separator", "struct.bold_count": "n", "lang.paragraph_language": "paragraph language",
    "lang.lowercase": "allowed", "lang.second_person": "min_you", "lang.caps_limit": "max",
    "pos.word_in_paragraph": "word paragraph", "pos.date_after_event": "word forms",
    "pos.topic_order": "first second", "pos.mention_ratio": "more fewer ratio",
    "pos.final_paragraph_start": "phrase", "pos.nth_sentence_contains": "nth word", "meta.self_audit": "labels",
    "meta.restate": "requirements",
}  # fmt: skip
SAMPLES = 40


def drawn(kind: type[Constraint], index: int) -> Constraint:
    return kind.sample(Stream("test", kind.id, index))


def test_the_registry_is_the_table() -> None:
    rows = [row.split() for row in re.split(r"[|\n]", TABLE) if row.strip()]
    special = {True: "eval_only", False: "-"}
    assert [(k.id, str(k.difficulty), k.hard_family or special[k.eval_only]) for k in ALL] == [tuple(r) for r in rows]
    assert (len(ALL), len(TRAINABLE), len(TYPES)) == (46, 44, 46)


def test_families() -> None:
    expected = {"length": 9, "lexical": 10, "structure": 10, "language": 7, "positional": 7, "meta": 3}
    assert Counter(kind.family for kind in ALL) == expected
    assert {kind.id.split(".")[0] for kind in ALL if kind.family == "lexical"} == {"lex"}


def test_parameters_have_the_names_of_the_storage_form() -> None:
    assert {kind.id: " ".join(kinds(kind)) for kind in ALL if kinds(kind)} == PARAMETERS


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
class TestEveryType:
    def test_class_name_is_the_second_half_of_the_id(self, kind: type[Constraint]) -> None:
        assert kind.__name__ == kind.id.split(".")[1].title().replace("_", "")

    def test_sampled_parameters_survive_storage(self, kind: type[Constraint]) -> None:
        for index in range(SAMPLES):
            constraint = drawn(kind, index)
            stored = json.loads(json.dumps(constraint.stored()))
            assert constraint_of(stored["constraint"], stored["params"]) == constraint
            assert drawn(kind, index) == constraint and hash(constraint) == hash(drawn(kind, index))

    def test_sampling_varies_what_can_vary(self, kind: type[Constraint]) -> None:
        fixed = {"lex.no_repeat", "struct.sections"}
        texts = {json.dumps(drawn(kind, index).params) for index in range(SAMPLES)}
        assert len(texts) > 1 or not kinds(kind) or kind.id in fixed

    def test_there_are_three_or_four_different_phrasings(self, kind: type[Constraint]) -> None:
        texts = [drawn(kind, 0).render(index) for index in range(len(kind.phrasings))]
        assert len(set(texts)) == len(texts) in (3, 4)
        assert all(text.strip() == text and text[-1] in '.")' and not set(text) & set("{}\n") for text in texts)

    def test_every_phrasing_says_every_parameter(self, kind: type[Constraint]) -> None:
        for sample in range(SAMPLES):
            constraint = drawn(kind, sample)
            for index in range(len(kind.phrasings)):
                said = constraint.render(index)
                for name, value in constraint.params.items():
                    assert name == "requirements" or _says(said, value), (said, name, value)

    def test_unknown_and_missing_parameters_are_refused(self, kind: type[Constraint]) -> None:
        params = drawn(kind, 0).params
        with pytest.raises(UsageError, match=rf"{kind.id}: unknown parameter 'extra'; legal: \["):
            kind.of({**params, "extra": 1})
        for name in params:
            with pytest.raises(UsageError, match=rf"{kind.id}: parameter '{name}' is missing"):
                kind.of({key: value for key, value in params.items() if key != name})

    @pytest.mark.parametrize(
        "wrong", [None, True, {}, {"a": 1}, [1], [[]], [""], -1, "", " ", 0, ["x", None]], ids=repr
    )
    def test_values_that_fit_nothing_are_refused(self, kind: type[Constraint], wrong: Any) -> None:
        params = drawn(kind, 0).params
        for name in params:
            if wrong == 0 and type(wrong) is int and (kind.id, name) in ZERO:
                continue
            with pytest.raises(UsageError, match=rf"{kind.id}: parameter '{name}' .* must be ") as caught:
                kind.of({**params, name: wrong})
            assert caught.value.exit_code == 2 and "\n" not in caught.value.line()


ZERO = {("lex.word_exact_k", "k"), ("lang.caps_limit", "max")}
"""Counts that may be 0."""


def _says(said: str, value: Any) -> bool:
    if isinstance(value, list):
        return all(_says(said, item) for item in value) if value else "none" in said
    if isinstance(value, str):
        return value in said
    shown = {*map(int, re.findall(r"(?<![0-9A-Z])\d+", said)), *(n for n in range(1, 13) if ORDINALS[n - 1] in said)}
    return value in shown


@pytest.mark.parametrize(
    ("name", "params", "right"),
    [
        ("length.word_range", {"min": 9, "max": 8}, "'max' 8 must be at least min, which is 9"),
        ("length.word_range", {"min": "5", "max": 8}, "'min' '5' must be a whole number of at least 1"),
        ("length.word_range", {"min": True, "max": 8}, "'min' True must be a whole number"),
        ("length.paragraph_word_range", {"min": 2, "max": 1}, "at least min"),
        ("length.sentence_count", {"n": 0}, "at least 1"),
        ("lex.lipogram", {"letter": "e"}, "one capital letter of A-Z"),
        ("lex.lipogram", {"letter": "EE"}, "one capital letter"),
        ("lex.lipogram", {"letter": "É"}, "one capital letter"),
        ("lex.forbidden_words", {"words": []}, "a list of at least one word"),
        ("lex.forbidden_words", {"words": ["ice cream"]}, "one word each"),
        ("lex.forbidden_words", {"words": "new"}, "a list"),
        ("lex.word_exact_k", {"word": "7", "k": 1}, "one word"),
        ("lex.word_exact_k", {"word": "go", "k": -1}, "at least 0"),
        ("lex.acrostic", {"word": "CAFÉ"}, "letters of A-Z"),
        ("lex.no_repeat", {"max_times": 2, "allowed": ["a b"]}, "one word each"),
        ("struct.headers", {"headers": ["Background"]}, "1 to 6 hashes"),
        ("struct.headers", {"headers": ["####### Deep"]}, "1 to 6 hashes"),
        ("struct.headers", {"headers": ["## a\n## b"]}, "on one line"),
        ("struct.numbered_sublist", {"items": 2, "item_with_sublist": 3, "min_entries": 1}, "at most items"),
        ("struct.wrapped", {"open": "[[START]]", "close": ">>>"}, "the mark that goes with '[[START]]'"),
        ("struct.wrapped", {"open": "((", "close": "))"}, "a mark of one of"),
        ("struct.json_keys", {"keys": ["a", "a"]}, "none twice"),
        ("struct.sections", {"n": 2, "separator": "***"}, "'---'"),
        ("lang.paragraph_language", {"paragraph": 1, "language": "English"}, "one of ['French'"),
        ("lang.paragraph_language", {"paragraph": 1, "language": "french"}, "one of ['French'"),
        ("meta.self_audit", {"labels": ["R1", "R1"]}, "none twice"),
        ("meta.self_audit", {"labels": ["1"]}, 'label such as "R1"'),
        ("meta.restate", {"requirements": []}, "at least one text"),
    ],
)  # fmt: skip
def test_a_refusal_names_id_parameter_value_and_what_is_right(name: str, params: dict[str, Any], right: str) -> None:
    with pytest.raises(UsageError) as caught:
        constraint_of(name, params)
    assert caught.value.message.startswith(f"{name}: parameter ")
    assert right in caught.value.message


@pytest.mark.parametrize("name", ["length.words", "LENGTH.word_range", "", None, 3, ["lex.lipogram"]])
def test_an_unknown_id_is_refused(name: Any) -> None:
    with pytest.raises(UsageError, match=r"constraint .* is unknown; legal: length\.word_range, "):
        constraint_of(name, {})


@pytest.mark.parametrize("params", [None, [], "n", 3])
def test_params_are_an_object(params: Any) -> None:
    with pytest.raises(UsageError, match=r"length\.sentence_count: params .* must be an object"):
        constraint_of("length.sentence_count", params)


def test_values_are_frozen() -> None:
    constraint = drawn(TYPES["lex.no_repeat"], 0)
    with pytest.raises(AttributeError):
        constraint.max_times = 3  # type: ignore[attr-defined]
    params = constraint.params
    params["allowed"].clear()  # type: ignore[union-attr]
    assert constraint.params["allowed"]


def test_numbers_are_spoken() -> None:
    assert [ordinal(n) for n in (1, 3, 12, 13, 21, 22, 103, 111)] == [
        "first", "third", "twelfth", "13th", "21st", "22nd", "103rd", "111th",
    ]  # fmt: skip
    assert f"{SpokenNumber(1):entry|entries}, {SpokenNumber(2):entry|entries}" == "1 entry, 2 entries"
