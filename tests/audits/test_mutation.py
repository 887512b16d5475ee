"""Damage that is certain by construction: every mutant of a passing text is rejected by the checker it is aimed at."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from audits.damage.editing import Edit, Mutant, intact
from audits.mutation import DAMAGE, mutants
from engine.errors import UsageError
from engine.instruction_adherence.constraint import Constraint, Verdict
from engine.instruction_adherence.constraints.length import SentenceCount, WordRange
from engine.instruction_adherence.constraints.lexical import ExactPhrase, NoCommas
from engine.instruction_adherence.constraints.registry import ALL, constraint_of
from engine.instruction_adherence.text import Reading
from engine.randomness import Stream

CASES = Path(__file__).parents[1] / "cases"
SEEDS = range(3)
RANGED = {
    "length.word_range", "length.paragraph_word_range", "length.sentence_max_words", "length.nth_longest",
    "length.nth_shortest", "length.increasing_paragraphs", "lex.no_repeat", "struct.alternating_lines",
    "lang.second_person", "lang.caps_limit", "pos.mention_ratio",
}  # fmt: skip
"""Types that leave room, so that some damage has to be repeated."""


class Right(NamedTuple):
    """A text that passes a constraint."""

    constraint: Constraint
    text: str


@cache
def rights() -> tuple[Right, ...]:
    """Return the witnesses of sets, constraint by constraint, and the labelled texts that pass."""
    found = []
    for line in (CASES / "checker_cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["expect"]:
            found.append(Right(constraint_of(case["constraint"], case["params"]), case["response"]))
    for line in (CASES / "set_cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        for stored in case["constraints"] if case["satisfiable"] else ():
            found.append(Right(constraint_of(stored["constraint"], stored["params"]), case["witness"]))
    return tuple(found)


def damaged(kind: type[Constraint]) -> Iterator[tuple[Right, Mutant]]:
    for seed in SEEDS:
        for index, right in enumerate(rights()):
            if type(right.constraint) is kind:
                stream = Stream("test mutants", seed, index)
                yield from ((right, mutant) for mutant in mutants(right.constraint, right.text, stream))


def test_all_types_have_operators() -> None:
    assert set(DAMAGE) == set(ALL) and len(DAMAGE) == 46
    assert {type(right.constraint) for right in rights()} == set(ALL)


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
class TestEveryType:
    def test_every_mutant_is_rejected(self, kind: type[Constraint]) -> None:
        for right, mutant in damaged(kind):
            verdict = right.constraint.check(Reading(mutant.text))
            assert not verdict.passed, (right.constraint, mutant.operator, mutant.text, verdict.seen)

    def test_every_text_is_damaged_in_at_least_two_ways(self, kind: type[Constraint]) -> None:
        operators = defaultdict(set)
        for right, mutant in damaged(kind):
            assert mutant.text != right.text and mutant.times >= 1
            operators[right].add(mutant.operator)
        assert operators and all(len(names) >= 2 for names in operators.values())

    def test_damage_is_done_once_where_the_type_is_exact(self, kind: type[Constraint]) -> None:
        single = {mutant.operator for _, mutant in damaged(kind) if mutant.times == 1}
        assert len(single) >= 2 or kind.id in RANGED

    def test_the_same_stream_does_the_same_damage(self, kind: type[Constraint]) -> None:
        assert list(damaged(kind)) == list(damaged(kind))


@pytest.mark.parametrize(
    ("constraint", "text", "operator", "times"),
    [
        (WordRange(min=3, max=6), "one two three four", "words added", 3),
        (WordRange(min=3, max=6), "one two three four", "words deleted", 2),
        (WordRange(min=3, max=6), "one two three", "words deleted", 1),
        (constraint_of("lang.caps_limit", {"max": 2}), "A NEW day.", "words in capitals added", 2),
        (constraint_of("length.nth_longest", {"nth": 1}), "One two three.\n\nOne.", "rival as long", 2),
    ],
)
def test_no_more_damage_than_it_takes(constraint: Constraint, text: str, operator: str, times: int) -> None:
    found = {mutant.operator: mutant for mutant in mutants(constraint, text, Stream("test", 0))}
    assert found[operator].times == times


def test_blocks_around_the_text_stay_whole() -> None:
    text = "[[START]]\nREQUIREMENTS:\n- Do it.\nEND REQUIREMENTS\n\nOne. Two.\n\nSELF-AUDIT\nR1: yes\n[[END]]"
    parts = intact(text)
    assert parts is not None and parts.core == "One. Two."
    for mutant in mutants(SentenceCount(n=2), text, Stream("test", 1)):
        reading = Reading(mutant.text)
        assert mutant.text.startswith("[[START]]\nREQUIREMENTS:") and mutant.text.endswith("R1: yes\n[[END]]")
        assert reading.audit is not None and reading.restated is not None


def test_a_block_inside_a_block_is_refused() -> None:
    text = "[[START]]<<<BEGIN RESPONSE one END RESPONSE>>>[[END]]"
    with pytest.raises(UsageError, match="a block inside a block"):
        list(mutants(NoCommas(), text, Stream("test", 0)))


def test_edits_are_made_from_the_end() -> None:
    parts = intact("one two three")
    assert parts is not None
    assert parts.edited(Edit(0, 3, "1"), Edit(8, 13, "3"), Edit(4, 7, "")) == "1  3"


class Lenient(SentenceCount):
    """A broken checker: at least, instead of exactly."""

    def check(self, reading: Reading) -> Verdict:
        return Verdict(len(reading.sentences) >= self.n, "at least", ())


class Loose(ExactPhrase):
    """A broken checker: any case will do."""

    def check(self, reading: Reading) -> Verdict:
        return Verdict(self.phrase.casefold() in reading.text.casefold(), "any case", ())


class Blind(NoCommas):
    """A broken checker: knows one comma."""

    def check(self, reading: Reading) -> Verdict:
        return Verdict("," not in reading.text, "ASCII only", ())


@pytest.mark.parametrize(
    ("broken", "text", "survivors"),
    [
        (Lenient(n=2), "One of them. Two of them.", {"sentence added", "sentence split"}),
        (Loose(phrase="by and large"), "It is by and large good.", {"other case", "longer word"}),
        (Blind(), "One and two.", {"full-width comma used", "ideographic comma used", "Arabic comma used"}),
    ],
)
def test_a_broken_checker_lets_mutants_live(broken: Constraint, text: str, survivors: set[str]) -> None:
    found = DAMAGE[type(broken).__mro__[1]](broken, intact(text), Stream("test", 0))
    assert {mutant.operator for mutant in found if broken.check(Reading(mutant.text)).passed} == survivors
