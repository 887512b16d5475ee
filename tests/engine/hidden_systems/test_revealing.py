"""Practice feedback: the rules in words, and the rows that show them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.hidden_systems.program.exact import gold
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.program.grammar import HiddenSystem
from engine.hidden_systems.program.skeleton import BehaviorSkeleton, case_attributes
from engine.hidden_systems.revealing import CASES_SHOWN, reveal, showing
from engine.hidden_systems.surface.domain import legend_for, load_domain


def puzzles() -> list[BehaviorSkeleton]:
    return [generate_skeleton(complexity, 3, index) for complexity in (4, 7) for index in range(6)]


@pytest.mark.parametrize("skeleton", puzzles(), ids=lambda skeleton: skeleton.id[:8])
def test_every_rule_is_told_with_its_share_and_its_event(skeleton: BehaviorSkeleton) -> None:
    legend = legend_for(skeleton.payload, load_domain("kiln"))
    names = {item.code: item.name for item in legend.events}
    told = reveal(skeleton, legend, "PRESENT")
    by_event = {rule.on_event: rule for rule in skeleton.hidden_system.rules}
    assert len(told.rules) == len(skeleton.hidden_system.rules)
    for event, sentence in zip(skeleton.payload.query_case.events, told.rules, strict=True):
        assert sentence.sentence.startswith(f"{names[event]}:")
        assert f"{by_event[event].probability * 100} %" in sentence.sentence
    assert told.correct == (skeleton.gold_answer == "PRESENT") and told.label == skeleton.gold_answer
    assert told.present_probability == float(skeleton.gold_present_probability)


@pytest.mark.parametrize("skeleton", puzzles()[:6], ids=lambda skeleton: skeleton.id[:8])
def test_the_rows_named_are_those_that_the_rule_moves_most(skeleton: BehaviorSkeleton) -> None:
    system = skeleton.hidden_system
    for rule in system.rules:
        rest = HiddenSystem(rules=tuple(other for other in system.rules if other is not rule))
        moved = {
            case.id: abs(
                gold(system, case_attributes(case), case.events) - gold(rest, case_attributes(case), case.events)
            )
            for case in skeleton.payload.support_cases
        }
        named = showing(rule, system, skeleton.payload)
        assert len(named) == min(CASES_SHOWN, sum(change > 0 for change in moved.values()))
        least = min((moved[case] for case in named), default=Fraction(0))
        assert all(change <= least for case, change in moved.items() if case not in named)


def test_words_follow_the_legend_alone() -> None:
    skeleton = generate_skeleton(4, 3, 0)
    sentences = [
        rule.sentence for rule in reveal(skeleton, legend_for(skeleton.payload, load_domain("kiln")), "ABSENT").rules
    ]
    text = " ".join(sentences)
    assert not any(f" {code}" in text for code in ("E1", "E2", "E3", "E4", "A1", "A2", "V1", "f1"))
