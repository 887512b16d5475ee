"""Labelled responses, witnesses of satisfiable sets and paragraphs of six languages are judged as they are labelled."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.instruction_adherence.constraints.language import ParagraphLanguage
from engine.instruction_adherence.constraints.registry import TYPES, constraint_of
from engine.instruction_adherence.detection import CODES, detect
from engine.instruction_adherence.text import Reading

CASES = Path(__file__).parents[2] / "cases"
LIST_IN_CODE = re.compile(r"\[\d*[],]")
QUOTE = re.compile(r"'[^']*'|\"[^\"]*\"")
NAMES = {code: name for name, code in CODES.items()}
ENGLISH = "In the morning the bakery opens its doors and the smell of warm bread fills the whole street."


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


CHECKER_CASES = lines("checker_cases.jsonl")
SET_CASES = [case for case in lines("set_cases.jsonl") if case["satisfiable"]]
PARAGRAPHS = lines("langid_paragraphs.jsonl")


@pytest.mark.parametrize("case", CHECKER_CASES, ids=[f"{i}-{c['constraint']}" for i, c in enumerate(CHECKER_CASES, 1)])
def test_a_labelled_response_gets_its_label(case: dict[str, Any]) -> None:
    verdict = constraint_of(case["constraint"], case["params"]).check(Reading(case["response"]))
    assert verdict.passed is case["expect"], (case["why"], verdict.seen)
    assert verdict.seen and verdict.seen.isprintable()
    assert not LIST_IN_CODE.search(QUOTE.sub("", verdict.seen)), "a person reads it"
    assert all(0 <= start <= end <= len(case["response"]) for start, end in verdict.spans)


def test_every_type_has_a_labelled_case_on_both_sides() -> None:
    sides = {(case["constraint"], case["expect"]) for case in CHECKER_CASES}
    assert {(name, side) for name in TYPES for side in (True, False)} <= sides


def test_the_witness_of_a_satisfiable_set_passes_all_its_checkers() -> None:
    for case in SET_CASES:
        reading = Reading(case["witness"])
        for stored in case["constraints"]:
            verdict = constraint_of(stored["constraint"], stored["params"]).check(reading)
            assert verdict.passed, (stored, verdict.seen)
    assert len(SET_CASES) > 10


@pytest.mark.parametrize("case", PARAGRAPHS, ids=lambda case: f"{case['language']}-{case['text'][:12]}")
def test_a_paragraph_is_in_its_language(case: dict[str, str]) -> None:
    assert detect(case["text"]) == case["language"]
    assert detect(case["text"].upper()) == case["language"]


FOREIGN = [case for case in PARAGRAPHS if case["language"] != "en"]


@pytest.mark.parametrize("index", range(len(FOREIGN)))
def test_a_foreign_paragraph_passes_and_one_swapped_sentence_fails(index: int) -> None:
    case = FOREIGN[index]
    constraint = ParagraphLanguage(paragraph=2, language=NAMES[case["language"]])
    assert constraint.check(Reading(f"{ENGLISH}\n\n{case['text']}")).passed
    assert not constraint.check(Reading(f"{case['text']}\n\n{ENGLISH}")).passed
    first, rest = case["text"].split(". ", 1)
    others = [other["text"].split(". ", 1)[0] for other in PARAGRAPHS if other["language"] != case["language"]]
    for swapped in [other for other in others if len(other.split()) > 3]:
        for text in (f"{swapped}. {rest}", f"{first}. {swapped}."):
            verdict = constraint.check(Reading(f"{ENGLISH}\n\n{text}"))
            assert not verdict.passed, text
            assert verdict.spans


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no letters"),
        ("12 34 !!", "no letters"),
        ("Привет мир и все его люди сегодня", "Cyrillic"),
        ("今天天气很好 我们 去 公园", "Han"),
        ("Ωραία μέρα για έναν περίπατο", "Greek"),
        ("\ud800\ud800 \ud800", "surrogates"),
    ],
)
def test_what_cannot_be_detected_is_in_no_language(text: str, why: str) -> None:
    assert detect(text) is None, why
