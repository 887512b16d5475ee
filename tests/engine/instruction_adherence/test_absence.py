"""What is left of a revoked constraint: less than satisfying it is enough to fail, other things of its kind are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import UsageError
from engine.instruction_adherence.absence import TRACERS, absent
from engine.instruction_adherence.constraints.registry import ALL, TYPES, constraint_of
from engine.instruction_adherence.text import Reading
from engine.randomness import Stream

CASES = Path(__file__).parents[2] / "cases"
REVOCABLE = """
struct.title struct.wrapped struct.headers struct.sections struct.bold_count struct.numbered_sublist
struct.ends_question struct.first_last_word length.bullet_count lex.exact_phrase lex.word_exact_k lex.acrostic
pos.however_once pos.final_paragraph_start pos.word_in_paragraph pos.nth_sentence_contains meta.number_paragraphs
meta.self_audit meta.restate lang.paragraph_language
"""
"""Section "Readings decided", 38."""


def satisfied() -> list[tuple[str, dict[str, Any], str]]:
    """Return constraint, parameters and a text that passes."""
    found = []
    for line in (CASES / "checker_cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["expect"]:
            found.append((case["constraint"], case["params"], case["response"]))
    for line in (CASES / "set_cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["satisfiable"]:
            found += [(item["constraint"], item["params"], case["witness"]) for item in case["constraints"]]
    return [case for case in found if TYPES[case[0]] in TRACERS]


def test_the_revocable_types() -> None:
    assert {kind.id for kind in TRACERS} == set(REVOCABLE.split())


def test_what_satisfies_a_constraint_is_never_free_of_it() -> None:
    cases = satisfied()
    assert {case[0] for case in cases} == set(REVOCABLE.split())
    for name, params, text in cases:
        verdict = absent(constraint_of(name, params), Reading(text))
        assert not verdict.passed and verdict.spans, (name, params, text)
        assert all(0 <= start < end <= len(text) for start, end in verdict.spans)


TRACES: list[tuple[str, dict[str, Any], str, bool]] = [
    ("struct.title", {}, "Hello there.", True),
    ("struct.title", {}, "Hello there.\n<<late title>>", False),
    ("struct.title", {}, "Hello <<there>> you.", True),
    ("struct.wrapped", {"open": "[[START]]", "close": "[[END]]"}, "[[START]] and no end", False),
    ("struct.wrapped", {"open": "[[START]]", "close": "[[END]]"}, "<<<other marks>>>", True),
    ("struct.headers", {"headers": ["## Summary"]}, "# Something else\n\nText.", False),
    ("struct.headers", {"headers": ["## Summary"]}, "Summary\n\nText.", True),
    ("struct.sections", {"n": 3, "separator": "---"}, "One.\n\n---\n\nTwo.", False),
    ("struct.sections", {"n": 3, "separator": "---"}, "One.\n\n***\n\nTwo.", True),
    ("struct.bold_count", {"n": 3}, "One **bold** phrase.", False),
    ("struct.bold_count", {"n": 3}, "One <b>bold</b> phrase.", False),
    ("struct.bold_count", {"n": 3}, "One *emphasised* phrase.", True),
    ("struct.numbered_sublist", {"items": 3, "item_with_sublist": 1, "min_entries": 2}, "1. Only one", False),
    ("struct.numbered_sublist", {"items": 3, "item_with_sublist": 1, "min_entries": 2}, "- A bullet", True),
    ("struct.ends_question", {}, 'Really?"', False),
    ("struct.ends_question", {}, "Really？", False),
    ("struct.ends_question", {}, "Really? Yes.", True),
    ("struct.first_last_word", {}, "Bread is bread.", False),
    ("struct.first_last_word", {}, "Bread is food.", True),
    ("struct.first_last_word", {}, "Bread", True),
    ("length.bullet_count", {"n": 4}, "* one", False),
    ("length.bullet_count", {"n": 4}, "1. one", True),
    ("lex.exact_phrase", {"phrase": "by and large"}, "It is, By and\nlarge, good.", False),
    ("lex.exact_phrase", {"phrase": "by and large"}, "Standby and large loads.", True),
    ("lex.exact_phrase", {"phrase": "100 %"}, "It is 100 % right.", False),
    ("lex.word_exact_k", {"word": "river", "k": 3}, "One River.", False),
    ("lex.word_exact_k", {"word": "river", "k": 3}, "Two rivers and a river-bed.", True),
    ("lex.acrostic", {"word": "AB"}, "Zoo.\n\nApe.\n\nBee.", False),
    ("lex.acrostic", {"word": "AB"}, "Bee.\n\nApe.", True),
    ("pos.however_once", {}, "However so. However not.", False),
    ("pos.however_once", {}, "It is, however, so.", True),
    ("pos.final_paragraph_start", {"phrase": "In short"}, "IN SHORT, yes.\n\nNo.", False),
    ("pos.final_paragraph_start", {"phrase": "In short"}, "It is in short supply.", True),
    ("pos.word_in_paragraph", {"word": "seldom", "paragraph": 2}, "Seldom so.", False),
    ("pos.word_in_paragraph", {"word": "seldom", "paragraph": 2}, "Never so.", True),
    ("pos.nth_sentence_contains", {"nth": 2, "word": "seldom"}, "# Seldom", False),
    ("pos.nth_sentence_contains", {"nth": 2, "word": "seldom"}, "Never.", True),
    ("meta.number_paragraphs", {}, "One.\n\n[5] Two.", False),
    ("meta.number_paragraphs", {}, "One [5].", True),
    ("meta.self_audit", {"labels": ["R1"]}, "Text.\n\nSELF-AUDIT\nmore text", False),
    ("meta.self_audit", {"labels": ["R1"]}, "A self-audit is due.", True),
    ("meta.restate", {"requirements": ["Do it."]}, "Text.\nREQUIREMENTS: none", False),
    ("meta.restate", {"requirements": ["Do it."]}, "Do it.", True),
    ("lang.paragraph_language", {"paragraph": 2, "language": "French"}, "Il fait beau aujourd'hui à Paris.", False),
    ("lang.paragraph_language", {"paragraph": 2, "language": "French"}, "The weather is fine in town today.", True),
]


@pytest.mark.parametrize(("name", "params", "text", "free"), TRACES)
def test_traces(name: str, params: dict[str, Any], text: str, free: bool) -> None:
    verdict = absent(constraint_of(name, params), Reading(text))
    assert verdict.passed is free, verdict.seen
    assert bool(verdict.spans) is not free


def test_every_revocable_type_has_a_trace_on_both_sides() -> None:
    assert {(name, free) for name, _, _, free in TRACES} == {(n, s) for n in REVOCABLE.split() for s in (True, False)}


@pytest.mark.parametrize("kind", [kind for kind in ALL if kind not in TRACERS], ids=lambda kind: kind.id)
def test_bans_and_ranges_cannot_be_revoked(kind: Any) -> None:
    with pytest.raises(UsageError, match=rf"{kind.id} cannot be revoked; revocable: "):
        absent(kind.sample(Stream("test", kind.id)), Reading("text"))


@settings(max_examples=80, deadline=None)
@given(st.text() | st.lists(st.sampled_from([text for _, _, text, _ in TRACES]), max_size=6).map("\n".join))
def test_absence_is_total_and_strict(text: str) -> None:
    reading = Reading(text)
    for kind in TRACERS:
        constraint = kind.sample(Stream("test", kind.id))
        verdict = absent(constraint, reading)
        assert all(0 <= start <= end <= len(text) for start, end in verdict.spans)
        assert not (verdict.passed and constraint.check(reading).passed), kind.id
