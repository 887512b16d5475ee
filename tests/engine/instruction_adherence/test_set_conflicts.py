"""Which sets contradict themselves: labelled sets, the hard pairs on both sides, and rules that never cry wolf."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from engine.instruction_adherence.compat import conflict, parameter_conflict, tag_conflict
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.registry import ALL, TYPES, constraint_of
from engine.instruction_adherence.sampling import DrawnSet, draw
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.witness import Rejection, Witness, broken, witness
from engine.instruction_adherence.witness import Task as WitnessTask
from engine.randomness import Stream

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "cases" / "set_cases.jsonl").read_text(encoding="utf-8").splitlines()
]
Part = tuple[str, dict[str, Any]]
"""Id and parameters of a constraint."""
COMMON = ["a", "an", "and", "the", "in", "of", "to", "you"]


def read(stored: list[dict[str, Any]]) -> list[Constraint]:
    return [constraint_of(entry["constraint"], entry["params"]) for entry in stored]


def made(*parts: Part) -> list[Constraint]:
    return [constraint_of(name, params) for name, params in parts]


@pytest.mark.parametrize("nth", range(len(CASES)))
def test_a_labelled_set_gets_its_label(nth: int) -> None:
    case = CASES[nth]
    constraints = read(case["constraints"])
    found = witness(constraints, key=("case", nth))
    if case["satisfiable"]:
        assert isinstance(found, Witness), (found, case["why"])
        assert broken(WitnessTask(constraints=tuple(constraints)), found.text) is None
    else:
        assert isinstance(found, Rejection) and found.reason in ("tag", "parameter"), case["why"]


def lipogram(letter: str) -> Part:
    return "lex.lipogram", {"letter": letter}


def sentences(n: int) -> Part:
    return "length.sentence_count", {"n": n}


def no_repeat(times: int, *allowed: str) -> Part:
    return "lex.no_repeat", {"max_times": times, "allowed": list(allowed)}


def language(paragraph: int, name: str) -> Part:
    return "lang.paragraph_language", {"paragraph": paragraph, "language": name}


def acrostic(word: str) -> Part:
    return "lex.acrostic", {"word": word}


def alternating(lines: int, long: int, short: int) -> Part:
    return "struct.alternating_lines", {"min_lines": lines, "long_min": long, "short_max": short}


def paragraph_words(low: int, high: int) -> Part:
    return "length.paragraph_word_range", {"min": low, "max": high}


def headers(*names: str) -> Part:
    return "struct.headers", {"headers": [f"## {name}" for name in names]}


def final(phrase: str) -> Part:
    return "pos.final_paragraph_start", {"phrase": phrase}


def you(times: int) -> Part:
    return "lang.second_person", {"min_you": times}


def exactly(word: str, k: int) -> Part:
    return "lex.word_exact_k", {"word": word, "k": k}


def ratio(times: int) -> Part:
    return "pos.mention_ratio", {"more": "bakery", "fewer": "oven", "ratio": times}


def placed(word: str, paragraph: int) -> Part:
    return "pos.word_in_paragraph", {"word": word, "paragraph": paragraph}


def bans(*words: str) -> Part:
    return "lex.forbidden_words", {"words": list(words)}


def phrase(text: str) -> Part:
    return "lex.exact_phrase", {"phrase": text}


def keys(*names: str) -> Part:
    return "struct.json_keys", {"keys": list(names)}


DISTINCT: Part = ("lex.distinct_sentence_starts", {})
HOWEVER: Part = ("pos.however_once", {})
SAME_ENDS: Part = ("struct.first_last_word", {})
QUESTION: Part = ("struct.ends_question", {})
NUMBERED: Part = ("meta.number_paragraphs", {})
NO_APOSTROPHE: Part = ("lang.no_contractions", {})
LOWER: Part = ("lang.lowercase", {"allowed": []})
RISING: Part = ("length.increasing_paragraphs", {"min_paragraphs": 3})
AUDIT: Part = ("meta.self_audit", {"labels": ["R1", "R2"]})
WRAPPED: Part = ("struct.wrapped", {"open": "<<<", "close": ">>>"})
BULLETS: Part = ("length.bullet_count", {"n": 5})
SUBLIST: Part = (
    "struct.numbered_sublist", {"items": 3, "item_with_sublist": 2, "min_entries": 2},
)  # fmt: skip

POSSIBLE: dict[str, list[Part]] = {
    "lipogram, acrostic": [lipogram("E"), acrostic("SPARK")],
    "lipogram, 25 distinct starts": [lipogram("E"), DISTINCT, sentences(25)],
    "26 distinct starts": [DISTINCT, sentences(26)],
    "lipogram, headers": [lipogram("E"), headers("Background", "Outlook")],
    "lipogram, you": [lipogram("E"), you(3)],
    "lipogram, however": [lipogram("S"), HOWEVER],
    "lipogram of an audit's letters": [lipogram("Y"), lipogram("E"), AUDIT],
    "lipogram, final start": [lipogram("E"), final("In short")],
    "distinct starts, acrostic": [DISTINCT, acrostic("SPARK"), sentences(12)],
    "distinct starts, however, H in acrostic": [DISTINCT, acrostic("HOPE"), HOWEVER],
    "distinct starts, lists": [DISTINCT, BULLETS, SUBLIST, HOWEVER, final("In short"), sentences(14)],
    "no repeat, long": [no_repeat(1), ("length.word_range", {"min": 900, "max": 1000})],
    "no repeat, exact k at the cap": [no_repeat(3, *COMMON), exactly("garden", 3)],
    "no repeat, free you": [no_repeat(1, *COMMON), you(5)],
    "no repeat, ratio at the cap": [no_repeat(3, *COMMON), ratio(3)],
    "no repeat, same ends": [no_repeat(2), SAME_ENDS],
    "alternating, paragraph words": [alternating(6, 12, 5), paragraph_words(15, 40)],
    "alternating, short sentences": [alternating(6, 12, 5), ("length.sentence_max_words", {"fewer_than": 7})],
    "alternating, numbers": [alternating(6, 12, 5), NUMBERED, ("length.paragraph_count", {"n": 3})],
    "alternating, one line a paragraph": [
        alternating(5, 12, 5), ("length.paragraph_count", {"n": 5}), sentences(5),
    ],
    "final start, acrostic": [final("Even so"), acrostic("STONE")],
    "final start in lower case": [final("in short"), LOWER],
    "question, same ends, lists": [QUESTION, SAME_ENDS, BULLETS, SUBLIST],
    "question, same ends, distinct": [QUESTION, SAME_ENDS, DISTINCT, sentences(20)],
    "language, lipogram": [language(1, "French"), lipogram("K")],
    "language, bans": [language(2, "German"), bans("die", "part")],
    "language, no repeat": [language(1, "Italian"), no_repeat(2, *COMMON), paragraph_words(30, 60)],
    "language, sentences": [language(2, "Spanish"), sentences(9), ("length.paragraph_count", {"n": 4})],
    "language, few sentences": [language(1, "Portuguese"), sentences(3), paragraph_words(30, 50)],
    "language, distinct starts": [language(2, "French"), DISTINCT, sentences(15)],
    "language, literals": [language(2, "French"), phrase("by and large"), exactly("river", 3), ratio(2), HOWEVER],
    "language, no contractions": [language(1, "French"), NO_APOSTROPHE],
    "language, acrostic": [language(2, "German"), acrostic("LAMP")],
    "language, capitals": [language(1, "German"), ("lang.caps_limit", {"max": 0}), LOWER],
    "language, same ends": [language(1, "Spanish"), SAME_ENDS, ("length.paragraph_count", {"n": 2})],
    "language last, same ends": [language(2, "Spanish"), SAME_ENDS, ("length.paragraph_count", {"n": 2})],
    "language, a word of that paragraph": [language(2, "Italian"), placed("besides", 2)],
    "language last, final start": [language(2, "Italian"), final("In short"), ("length.paragraph_count", {"n": 2})],
    "audit in a wrapper": [AUDIT, WRAPPED],
    "restated bans": [
        bans("new"), lipogram("Q"), ("meta.restate", {"requirements": ["Avoid the word \"new\".", "No Q, quite."]}),
    ],
    "one header in capitals": [headers("FAQ", "Costs"), ("lang.caps_limit", {"max": 1})],
    "JSON": [
        keys("audience", "next_step"), ("length.word_range", {"min": 50, "max": 60}), lipogram("Z"), bans("new"),
        ("lex.synonym_ban", {"words": ["show", "reveal"]}), exactly("garden", 2), phrase("by and large"),
        ("lang.caps_limit", {"max": 0}), LOWER, NO_APOSTROPHE,
    ],
    "JSON, exact k with a key": [keys("garden", "topic"), exactly("garden", 1)],
    "few words for their length": [
        sentences(2), ("length.sentence_max_words", {"fewer_than": 5}), ("length.word_range", {"min": 60, "max": 70}),
    ],
    "more sections than paragraphs": [
        ("struct.sections", {"n": 5, "separator": "---"}), ("length.paragraph_count", {"n": 2}),
    ],
    "rising, longest last": [RISING, ("length.nth_longest", {"nth": 4}), ("length.nth_shortest", {"nth": 1})],
    "bullets as sub-entries": [BULLETS, SUBLIST, sentences(9)],
    "one word in two orders": [
        ("lex.word_order", {"first": "flour", "second": "bakery"}),
        ("pos.topic_order", {"first": "bakery", "second": "oven"}), ratio(3), exactly("bakery", 4),
    ],
    "chained topics": [
        ("pos.topic_order", {"first": "bakery", "second": "oven"}),
        ("pos.topic_order", {"first": "flour", "second": "bakery"}),
    ],
    "present tense, no passive": [("lang.present_tense", {}), ("lang.no_passive", {}), sentences(10), HOWEVER],
    "no repeat at all, same ends": [no_repeat(1, "the", "of"), SAME_ENDS],
    "acrostic of short paragraphs, however": [acrostic("SPARK"), HOWEVER, paragraph_words(3, 5)],
    "phrase in no sentence": [("lang.present_tense", {}), phrase("as luck would have it"), headers("Costs")],
    "phrase with marks": [phrase("Rock & roll: and/or, 24 times!"), ("length.word_range", {"min": 12, "max": 12})],
    "phrase without a word": [phrase("100 %"), sentences(4)],
    "opening with a comma": [final("In short,"), sentences(6), ("length.word_range", {"min": 40, "max": 40})],
    "unusual words": [
        exactly("well-known", 2), exactly("Straße", 2), ("lex.word_order", {"first": "É", "second": "b"}),
    ],
    "rising within three words": [RISING, paragraph_words(10, 12), ("length.paragraph_count", {"n": 3})],
    "longest and shortest within three words": [
        ("length.nth_longest", {"nth": 1}), ("length.nth_shortest", {"nth": 3}), paragraph_words(10, 12),
        ("length.paragraph_count", {"n": 4}),
    ],
    "nothing": [],
}  # fmt: skip
IMPOSSIBLE: dict[str, list[Part]] = {
    "lipogram, acrostic": [lipogram("A"), acrostic("SPARK")],
    "lipogram, distinct starts": [lipogram("E"), DISTINCT, sentences(26)],
    "lipogram, headers": [lipogram("K"), headers("Background")],
    "lipogram, you": [lipogram("Y"), you(1)],
    "lipogram, however": [lipogram("W"), HOWEVER],
    "lipogram, final start": [lipogram("H"), final("In short")],
    "lipogram, look-alike header": [lipogram("O"), headers("Пοлка")],
    "distinct starts, 27 sentences": [DISTINCT, sentences(27)],
    "distinct starts, repeated acrostic letter": [DISTINCT, acrostic("NOON")],
    "distinct starts, lists": [DISTINCT, ("length.bullet_count", {"n": 26})],
    "no repeat, exact k above the cap": [no_repeat(2, *COMMON), exactly("garden", 3)],
    "no repeat, you": [no_repeat(2, "the"), you(3)],
    "no repeat, ratio": [no_repeat(1, *COMMON), ratio(2)],
    "no repeat, same ends": [no_repeat(1), SAME_ENDS],
    "no repeat, headers": [no_repeat(1, *COMMON), headers("Costs", "Costs again")],
    "alternating, paragraph words": [alternating(4, 12, 5), paragraph_words(3, 9)],
    "alternating, too many lines": [
        alternating(9, 12, 5), paragraph_words(10, 20), ("length.paragraph_count", {"n": 2}),
    ],
    "alternating, word range": [alternating(8, 12, 5), ("length.word_range", {"min": 20, "max": 50})],
    "alternating, sentences": [alternating(8, 12, 5), sentences(7)],
    "alternating, headers": [alternating(4, 12, 5), headers("Costs")],
    "alternating, bullets": [alternating(4, 12, 5), BULLETS],
    "final start, acrostic": [final("In short"), acrostic("SPARK")],
    "final start, lower case": [final("In short"), LOWER],
    "two final starts": [final("In short"), final("In the end")],
    "language, second person": [language(1, "French"), you(2)],
    "language, present tense": [language(1, "French"), ("lang.present_tense", {})],
    "two languages": [language(1, "French"), language(2, "German")],
    "language beyond the last paragraph": [language(3, "French"), ("length.paragraph_count", {"n": 2})],
    "capitals, headers": [headers("FAQ", "COSTS"), ("lang.caps_limit", {"max": 1})],
    "JSON, title": [keys("topic"), ("struct.title", {})],
    "JSON, audit": [keys("topic"), AUDIT],
    "JSON, exact k": [keys("garden", "garden_2"), exactly("garden", 1)],
    "JSON, lipogram": [keys("topic"), lipogram("T")],
    "two objects": [keys("topic"), keys("owner")],
    "first person": [phrase("if you ask me"), you(1)],
    "apostrophe": [phrase("it's late"), NO_APOSTROPHE],
    "comma": [phrase("all in all, yes"), ("lex.no_commas", {})],
    "inflected ban": [exactly("children", 2), bans("child")],
    "exact k, zero": [exactly("however", 0), HOWEVER],
    "exact k twice": [exactly("garden", 2), exactly("Garden", 3)],
    "order both ways": [
        ("lex.word_order", {"first": "plan", "second": "outcome"}),
        ("lex.word_order", {"first": "outcome", "second": "plan"}),
    ],
    "topic in the first paragraph": [("pos.topic_order", {"first": "flour", "second": "bakery"}), placed("bakery", 1)],
    "one word in two paragraphs": [placed("besides", 1), placed("besides", 2)],
    "rising, shortest last": [RISING, ("length.nth_shortest", {"nth": 3})],
    "two longest": [("length.nth_longest", {"nth": 1}), ("length.nth_longest", {"nth": 2})],
    "longest and shortest": [("length.nth_longest", {"nth": 2}), ("length.nth_shortest", {"nth": 2})],
    "sizes too close": [RISING, paragraph_words(10, 11)],
    "nth sentence": [sentences(3), ("pos.nth_sentence_contains", {"nth": 4, "word": "besides"})],
    "lists, sentences": [BULLETS, SUBLIST, sentences(8)],
    "paragraphs, acrostic": [("length.paragraph_count", {"n": 4}), acrostic("SPARK")],
    "words by name": [phrase("for what it is worth"), you(4), ("length.word_range", {"min": 5, "max": 8})],
    "crowds": [("length.paragraph_count", {"n": 10**9}), ("length.word_range", {"min": 1, "max": 10**6})],
}  # fmt: skip


@pytest.mark.parametrize("name", POSSIBLE)
def test_a_hard_pair_that_goes_together_has_a_witness(name: str) -> None:
    constraints = made(*POSSIBLE[name])
    found = witness(constraints, key=("pair", name))
    assert isinstance(found, Witness), found
    reading = Reading(found.text)
    assert all(constraint.check(reading).passed for constraint in constraints)


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_hard_pair_that_does_not_is_refused_with_a_reason(name: str) -> None:
    constraints = made(*IMPOSSIBLE[name])
    reason = conflict(constraints)
    assert reason is not None and reason.isprintable() and len(reason) < 600
    assert any(constraint.id in reason for constraint in constraints)
    assert conflict(constraints[::-1]) is not None
    assert all(conflict([constraint]) is None for constraint in constraints)


def test_declared_conflicts_are_those_of_the_specification() -> None:
    declared = {
        frozenset((one.id, other.id)) for one, other in combinations(ALL, 2) if tag_conflict([one, other]) is not None
    }
    safe = {
        "length.word_range", "lex.lipogram", "lex.forbidden_words", "lex.synonym_ban", "lex.word_exact_k",
        "lex.exact_phrase", "lang.caps_limit", "lang.lowercase", "lang.no_contractions",
    }  # fmt: skip
    lined = ("struct.headers", "struct.title", "struct.sections", "length.bullet_count", "struct.numbered_sublist")
    english = ("lang.second_person", "lang.present_tense", "lang.no_passive")
    assert declared == {
        *(frozenset(("struct.json_keys", name)) for name in TYPES if name not in {"struct.json_keys", *safe}),
        *(frozenset(("struct.alternating_lines", name)) for name in lined),
        *(frozenset(("lang.paragraph_language", name)) for name in english),
    }


@pytest.mark.parametrize("index", range(30))
def test_no_rule_refuses_what_a_text_satisfies(index: int) -> None:
    drawn = draw(6, "test", 1.0, ("wolf", index))
    assert isinstance(drawn, DrawnSet)
    reading, stream = Reading(drawn.witness), Stream("wolf", index)
    met = list(drawn.constraints)
    for kind in ALL:
        met.extend([c for c in (kind.sample(stream) for _ in range(12)) if c.check(reading).passed][:2])
    assert len(met) > 12
    assert parameter_conflict(met) is None
    for _ in range(5):
        assert parameter_conflict(stream.sample(met, 8)) is None
