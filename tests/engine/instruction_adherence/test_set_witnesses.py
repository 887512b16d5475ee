"""Witnesses: found for nearly every set that no rule refuses, equal for equal arguments, free of what was revoked."""

from __future__ import annotations

import pytest

from engine.instruction_adherence.absence import TRACERS, absent
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.length import ParagraphCount, SentenceCount, WordRange
from engine.instruction_adherence.constraints.lexical import ExactPhrase, ForbiddenWords, Lipogram, WordExactK
from engine.instruction_adherence.constraints.registry import ALL
from engine.instruction_adherence.keywords import used
from engine.instruction_adherence.selection import select
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.witness import MOST_TRIES, Rejection, Task, Witness, attempt, broken, witness
from engine.randomness import Stream

KEYWORDS = ("market", "bread", "garden", "customer", "honest", "notes")


def independent(count: int, index: int) -> list[Constraint]:
    """Draw types that go together, and the parameters of each without regard to the others."""
    types = select(count, "test", 1.0, Stream("independent types", count, index)).types
    stream = Stream("independent parameters", count, index)
    return [kind.sample(stream) for kind in types]


def text_of(constraints: list[Constraint], *, keywords: tuple[str, ...] = (), key: str = "test") -> str:
    found = witness(constraints, keywords, key=(key,))
    assert isinstance(found, Witness), found
    return found.text


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_every_type_alone_has_a_witness(kind: type[Constraint]) -> None:
    for index in range(6):
        constraint = kind.sample(Stream("alone", kind.id, index))
        assert constraint.check(Reading(text_of([constraint]))).passed


def test_of_sets_that_no_rule_refuses_nearly_all_have_a_witness() -> None:
    found = [witness(independent(count, i), key=("rate", count, i)) for count in (3, 4, 6, 8, 10) for i in range(80)]
    settled = [answer for answer in found if not (isinstance(answer, Rejection) and answer.reason == "parameter")]
    assert not any(isinstance(answer, Rejection) and answer.reason == "tag" for answer in found)
    assert len(settled) > 200
    assert sum(isinstance(answer, Witness) for answer in settled) >= 0.98 * len(settled)


def test_a_witness_depends_on_its_arguments_alone() -> None:
    constraints = [SentenceCount(n=7), Lipogram(letter="K")]
    assert text_of(constraints) == text_of(constraints)
    assert text_of(constraints) != text_of(constraints, key="other")


def test_a_text_is_thirty_words_long_unless_it_is_capped() -> None:
    assert len(Reading(text_of([ParagraphCount(n=1)])).words) >= 30
    assert len(Reading(text_of([WordRange(min=5, max=12)])).words) <= 12


def test_all_keywords_are_used_where_there_is_room() -> None:
    reading = Reading(text_of([ParagraphCount(n=3)], keywords=KEYWORDS))
    assert used(KEYWORDS, reading) == KEYWORDS


def test_forbidden_keywords_are_left_out_and_counted_ones_keep_their_count() -> None:
    constraints = [ForbiddenWords(words=("market",)), WordExactK(word="garden", k=2), Lipogram(letter="H")]
    reading = Reading(text_of(constraints, keywords=KEYWORDS))
    assert used(KEYWORDS, reading) == ("bread", "garden", "customer", "notes")


def test_keywords_in_a_row_stay_in_a_row() -> None:
    text = text_of([SentenceCount(n=5)], keywords=("conflict commas",))
    assert "conflict commas" in text


@pytest.mark.parametrize("kind", TRACERS, ids=lambda kind: kind.id)
def test_of_a_revoked_constraint_no_trace_is_left(kind: type[Constraint]) -> None:
    for index in range(4):
        revoked = kind.sample(Stream("revoked", kind.id, index))
        active = [WordRange(min=40, max=120), ExactPhrase(phrase="by and large")]
        found = witness(active, KEYWORDS, key=("revoked", kind.id, index), revoked=[revoked])
        assert isinstance(found, Witness), found
        reading = Reading(found.text)
        assert absent(revoked, reading).passed
        assert all(constraint.check(reading).passed for constraint in active)


def test_a_text_that_breaks_a_constraint_is_no_witness() -> None:
    task = Task(constraints=(SentenceCount(n=2),), revoked=(WordExactK(word="garden", k=1),))
    assert broken(task, "One here. Two here.") is None
    assert broken(task, "One here.") == "length.sentence_count: 1 sentence; 2 asked"
    assert (broken(task, "A garden here. Two here.") or "").startswith("lex.word_exact_k: still there")
    topical = Task(constraints=(SentenceCount(n=2), Lipogram(letter="K")), keywords=("market", "bread"))
    assert broken(topical, "One here. Two here.") == "no topic keyword is used"
    assert broken(topical, "One here. Two breads here.") is None


@pytest.mark.parametrize(
    "constraint",
    [WordRange(min=10**15, max=10**16), ParagraphCount(n=10**9), WordExactK(word="a", k=10**9), SentenceCount(n=10**7)],
    ids=repr,
)
def test_a_set_that_needs_a_huge_text_is_left_unresolved(constraint: Constraint) -> None:
    found = witness([constraint], key=("huge",))
    assert isinstance(found, Rejection) and found.reason == "layout"


def test_tries_are_counted_and_end() -> None:
    constraints = (
        Lipogram(letter="E"),
        *(ExactPhrase(phrase=f"{a} {b} {c}") for a in "ab" for b in "ab" for c in "ab"),
    )
    found = attempt(Task(constraints=constraints), ("tries",))
    assert isinstance(found, Witness) and 1 <= found.tries <= MOST_TRIES
    rejected = attempt(Task(constraints=(*constraints, WordExactK(word="a", k=3))), ("tries",))
    assert isinstance(rejected, Rejection) and rejected.reason in ("layout", "unresolved")
