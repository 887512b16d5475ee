"""F01 to F06: every mutant is found by the rule that answers for it, and right texts of every domain are silent."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audits import mutants, run
from audits.base import Row, TellingAudit
from audits.fidelity import slot_faults
from audits.legends import MOST_SENTENCES, legend_faults
from audits.mutants import Right, marks, tallies
from audits.mutants import settings as told_settings
from audits.planted import clean_view
from audits.provenance import MOST_TRIES
from audits.telling import Telling
from audits.telling_audits import (
    AUDITS,
    BESIDE_TEXTS,
    FAULTS,
    GATE_TEXTS,
    _telling,
    false_alarms,
    mutation_scores,
    plants,
    plants_closed,
    plants_provenance,
    right_texts,
    told_view,
)
from audits.text_mutants import LEGENDS, TEXTS, all_mutants, operators
from audits.view import PackView, Told
from audits.wordlists import agents, forbidden, hinting, inflected
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.surface.domain import domain_names, load_domain
from engine.hidden_systems.surface.template import BORDER, RENDERER, frame_words, render
from engine.randomness import Stream

TEXTS_MADE = 20
"""Two a domain."""


def rows_of(view: PackView, *rules: str) -> list[Row]:
    audits = [audit for audit in AUDITS if not rules or audit.rule in rules]
    groups = run._telling_groups(audits, view, lambda indices, label: indices)
    return [row for _, rows in groups for row in rows]


def test_right_texts_of_every_domain_are_silent() -> None:
    texts = right_texts(TEXTS_MADE)
    assert {one.legend.domain for one in texts} == set(domain_names())
    assert {rule: list(FAULTS[rule](_telling(one))) for one in texts for rule in FAULTS} == {
        rule: [] for rule in FAULTS
    }


def test_every_operator_applies_and_every_mutant_is_found() -> None:
    scores = mutation_scores(right_texts(TEXTS_MADE))
    assert set(scores) == set(operators())
    assert {key: (one.found, one.planted) for key, one in scores.items() if one.found < one.planted} == {}


@pytest.mark.slow
def test_the_gate_has_fifty_mutants_an_operator_and_three_hundred_right_texts() -> None:
    texts = right_texts(300)
    scores = mutation_scores(texts[:GATE_TEXTS])
    assert min(one.planted for one in scores.values()) >= 50
    assert all(one.found == one.planted for one in scores.values())
    assert false_alarms(texts) == 0
    assert {one.legend.domain for one in texts} == set(domain_names())


@pytest.mark.parametrize("rule", FAULTS)
def test_each_rule_is_trusted_by_its_plants(rule: str) -> None:
    assert plants(rule, right_texts(BESIDE_TEXTS)).trusted


def test_closed_texts_and_provenance_are_trusted_by_their_plants() -> None:
    assert plants_closed(BESIDE_TEXTS).trusted
    assert plants_provenance().trusted


def test_the_catalogue_of_operators_is_whole() -> None:
    listed = operators()
    assert len(set(listed)) == len(listed)
    assert {group for group, _ in listed} == set("NAEBOQTL")
    assert len(listed) == len(mutants.OPERATORS) + len(TEXTS) + len(LEGENDS)


def test_a_mutant_differs_from_the_right_text() -> None:
    for nth, right in enumerate(right_texts(TEXTS_MADE)):
        for mutant in all_mutants(right, Stream("tests", nth)):
            assert (mutant.blocks, mutant.legend) != (right.blocks, right.legend), mutant.operator


def test_marks_read_what_the_record_says() -> None:
    for right in right_texts(TEXTS_MADE):
        for case, block in zip(right.payload.support_cases, right.blocks[1:-1], strict=True):
            assert len([mark for mark in marks(block, right.legend) if mark.kind == "event"]) == len(case.events)
            assert len(told_settings(block, right.legend)) == len(case.attributes)
            trials, *counts = [int(mark.text) for mark in tallies(block, right.legend)]
            assert trials == case.trials
            assert sorted(counts) == sorted([case.observed_present or 0, case.observed_absent or 0])


def test_a_text_of_another_puzzle_is_found() -> None:
    one, other, *_ = (right for right in right_texts(TEXTS_MADE) if right.payload.complexity == 4)
    wrong = _telling(one, other.blocks)
    assert all(list(FAULTS[rule](wrong)) for rule in ("F02", "F03", "F05"))


def test_a_pack_with_right_texts_passes() -> None:
    assert [(row.rule, row.status, row.n) for row in rows_of(told_view(clean_view()))] == [
        (f"F0{nth}", "pass", 24) for nth in range(1, 7)
    ]


def test_a_pack_without_texts_is_inconclusive() -> None:
    assert {(row.status, row.n) for row in rows_of(clean_view())} == {("inconclusive", 0)}


def test_a_finding_names_the_block() -> None:
    view = told_view(clean_view())
    first = view.puzzles[0]
    told = first.tellings[0]
    blocks = told.text.split(BORDER)
    swapped = BORDER.join([blocks[0], blocks[2], blocks[1], *blocks[3:]])
    wrong = replace(first, tellings=(replace(told, text=swapped),))
    rows = rows_of(replace(view, puzzles=(wrong, *view.puzzles[1:])), "F02", "F03")
    assert {row.rule: row.status for row in rows} == {"F02": "fail", "F03": "pass"}
    found = [row for row in rows if row.rule == "F02"]
    assert all(row.location.startswith(f"rendering {first.id}#/renderings/0/blocks/") for row in found)


@pytest.mark.parametrize("change", [{"domain": "nowhere"}, {"renderer": "parrot/1"}], ids=["domain", "renderer"])
def test_a_text_without_a_known_legend_is_a_finding_of_every_rule(change: dict[str, str]) -> None:
    view = told_view(clean_view())
    first = view.puzzles[0]
    wrong = replace(first, tellings=(replace(first.tellings[0], **change),))
    rows = rows_of(replace(view, puzzles=(wrong,)), "F01", "F02", "F03", "F04", "F05")
    assert {row.rule: row.status for row in rows} == {f"F0{nth}": "fail" for nth in range(1, 6)}


def test_a_payload_that_cannot_be_read_is_a_finding() -> None:
    told = Told(renderer=RENDERER, domain=domain_names()[0], text="x")
    for audit in AUDITS:
        assert isinstance(audit, TellingAudit)
        assert list(audit.check(Telling(told, "{}"))), audit.rule


@settings(max_examples=40, deadline=None)
@given(st.integers(4, 10), st.integers(0, 2**40), st.integers(0, 30), st.sampled_from(domain_names()))
def test_no_text_of_the_template_is_a_finding(complexity: int, seed: int, index: int, domain: str) -> None:
    payload = generate_skeleton(complexity, seed, index).payload
    told = render(payload, domain)
    right = Right(payload=payload, legend=told.legend, blocks=told.blocks)
    assert [list(FAULTS[rule](_telling(right))) for rule in FAULTS] == [[]] * len(FAULTS)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, TEXTS_MADE - 1), st.data())
def test_any_number_told_otherwise_is_found(nth: int, data: st.DataObject) -> None:
    right = right_texts(TEXTS_MADE)[nth]
    at = data.draw(st.integers(1, len(right.blocks) - 2))
    mark = data.draw(st.sampled_from(tallies(right.blocks[at], right.legend)))
    number = data.draw(st.integers(0, 999).filter(lambda value: str(value) != mark.text))
    block = right.blocks[at][: mark.start] + str(number) + right.blocks[at][mark.end :]
    assert list(slot_faults(_telling(right, (*right.blocks[:at], block, *right.blocks[at + 1 :]))))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, TEXTS_MADE - 1), st.text(alphabet="bcdfghjklmnpqrstvwxz", min_size=3, max_size=9), st.data())
def test_any_word_from_outside_is_found(nth: int, word: str, data: st.DataObject) -> None:
    right = right_texts(TEXTS_MADE)[nth]
    at = data.draw(st.integers(0, len(right.blocks) - 1))
    if word in frame_words(load_domain(right.legend.domain)):
        return
    block = f"{right.blocks[at]} {word}"
    assert list(FAULTS["F05"](_telling(right, (*right.blocks[:at], block, *right.blocks[at + 1 :]))))


def test_domains_keep_to_the_sentence_budget_with_room_for_one_more_to_be_seen() -> None:
    for name in domain_names():
        frames = load_domain(name).frames
        for kind, texts in enumerate((frames.intro, frames.case, frames.question)):
            assert max(text.count(".") + text.count("?") for text in texts) <= MOST_SENTENCES[kind], name


def test_every_legend_of_the_domains_is_clean() -> None:
    for name in domain_names():
        for seed in range(6):
            payload = generate_skeleton(10, seed, 0).payload
            assert list(legend_faults(render(payload, name).legend, payload)) == []


@pytest.mark.parametrize("word", ["caused", "vetoes", "triggering", "prevents", "likely", "halves", "rules", "50 %"])
def test_forbidden_words_are_found_in_every_inflection(word: str) -> None:
    assert forbidden().search(word)


@pytest.mark.parametrize("word", ["opener", "removers", "stopped", "finals", "earliest", "blocking", "weaker"])
def test_hints_are_found_in_every_inflection_and_as_agents(word: str) -> None:
    assert hinting().search(word)


def test_the_question_may_ask_for_the_likelier_outcome() -> None:
    assert not forbidden().search("which is likelier")
    assert "caused" in inflected("cause") and "stopper" in agents("stop")


def test_the_renderer_is_not_trusted_above_its_tries() -> None:
    [audit] = [one for one in AUDITS if one.rule == "F06"]
    told = next(iter(told_view(clean_view()).puzzles)).tellings[0]
    fits = replace(told, renderer="model/1", status=f"fell back; tries {MOST_TRIES}")
    assert list(audit.check(Telling(fits, ""))) == []
    assert list(audit.check(Telling(replace(fits, status=f"passed; tries {MOST_TRIES + 1}"), ""))) != []
