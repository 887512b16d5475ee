from __future__ import annotations

from dataclasses import replace

import pytest

from audits.fidelity import FAULTS, RULE_OF, audit_query, audit_slots, mutation_scores, plants, right_texts
from audits.mutants import OPERATORS, Right, marks, settings, tallies
from audits.planted import clean_view
from audits.view import PackView, Told
from engine.hidden_systems.behavior import read_payload
from engine.hidden_systems.surface.domain import domain_names
from engine.hidden_systems.surface.template import BORDER, RENDERER, render
from engine.randomness import Stream

TEXTS = 20
"""Two a domain."""


def told_view() -> PackView:
    view = clean_view()
    told = [render(read_payload(puzzle.payload)) for puzzle in view.puzzles]
    pairs = zip(view.puzzles, told, strict=True)
    retold = [(p, Told(renderer=RENDERER, domain=t.domain, text=t.text)) for p, t in pairs]
    return replace(view, puzzles=tuple(replace(puzzle, tellings=(one,)) for puzzle, one in retold))


def test_right_texts_of_every_domain_are_silent() -> None:
    texts = right_texts(TEXTS)
    assert {one.legend.domain for one in texts} == set(domain_names())
    for one in texts:
        text = BORDER.join(one.blocks)
        assert [list(faults(text, one.payload, one.legend)) for faults in FAULTS.values()] == [[], []]


def test_every_operator_applies_and_every_mutant_is_found() -> None:
    scores = mutation_scores(right_texts(TEXTS))
    assert {name for _, name in scores} == {name for _, name, _ in OPERATORS}
    assert {key: (one.found, one.planted) for key, one in scores.items() if one.found < one.planted} == {}


@pytest.mark.parametrize("rule", ["F02", "F03"])
def test_each_rule_is_trusted_by_its_plants(rule: str) -> None:
    assert plants(rule, right_texts(8)).trusted


def test_no_two_operators_share_a_name_and_each_group_has_a_rule() -> None:
    assert len({name for _, name, _ in OPERATORS}) == len(OPERATORS)
    assert {group for group, _, _ in OPERATORS} == set(RULE_OF)


def test_a_mutant_differs_from_the_right_text() -> None:
    for nth, right in enumerate(right_texts(TEXTS)):
        for _, name, operate in OPERATORS:
            assert operate(right, Stream("tests", nth, name)) != right.blocks


def test_marks_read_what_the_record_says() -> None:
    for right in right_texts(TEXTS):
        for case, block in zip(right.payload.support_cases, right.blocks[1:-1], strict=True):
            assert len([mark for mark in marks(block, right.legend) if mark.kind == "event"]) == len(case.events)
            assert len(settings(block, right.legend)) == len(case.attributes)
            trials, *counts = [int(mark.text) for mark in tallies(block, right.legend)]
            assert trials == case.trials
            assert sorted(counts) == sorted([case.observed_present or 0, case.observed_absent or 0])


def test_a_text_of_another_puzzle_is_found_by_both_rules() -> None:
    one, other, *_ = (right for right in right_texts(TEXTS) if right.payload.complexity == 4)
    for faults in FAULTS.values():
        assert list(faults(BORDER.join(other.blocks), one.payload, one.legend))


def test_a_pack_with_right_texts_passes() -> None:
    for run in (audit_slots, audit_query):
        assert [(row.status, row.n) for row in run(told_view())] == [("pass", 24)]


def test_a_pack_without_texts_is_inconclusive() -> None:
    for run in (audit_slots, audit_query):
        assert [(row.status, row.n) for row in run(clean_view())] == [("inconclusive", 0)]


def test_a_finding_names_the_block() -> None:
    view = told_view()
    first = view.puzzles[0]
    told = first.tellings[0]
    payload = read_payload(first.payload)
    right = Right(payload=payload, legend=render(payload).legend, blocks=tuple(told.text.split(BORDER)))
    swapped = next(operate for _, name, operate in OPERATORS if name == "blocks swapped")(right, Stream("tests", 1))
    assert swapped is not None
    wrong = replace(first, tellings=(replace(told, text=BORDER.join(swapped)),))
    rows = audit_slots(replace(view, puzzles=(wrong, *view.puzzles[1:])))
    assert {row.status for row in rows} == {"fail"}
    assert all(row.location.startswith(f"rendering {first.id}#/renderings/0/blocks/") for row in rows)
    assert audit_query(replace(view, puzzles=(wrong, *view.puzzles[1:])))[0].status == "pass"


def test_a_domain_that_does_not_exist_is_a_finding() -> None:
    view = told_view()
    first = view.puzzles[0]
    wrong = replace(first, tellings=(replace(first.tellings[0], domain="nowhere"),))
    [row] = audit_slots(replace(view, puzzles=(wrong,)))
    assert (row.status, row.location) == ("fail", f"rendering {first.id}#/renderings/0/legend")
