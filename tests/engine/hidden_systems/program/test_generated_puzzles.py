"""What holds of every generated puzzle, at every complexity."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import program_oracle as oracle
import pytest

from engine.canonical import Json
from engine.errors import UsageError
from engine.hidden_systems.behavior import BehaviorCase, PublicPayload, payload_document, payload_text, read_payload
from engine.hidden_systems.program.exact import MARGIN, label_of
from engine.hidden_systems.program.generate import (
    generate_skeleton,
    generate_skeletons,
    holds_out,
    read_complexity,
    target_label,
)
from engine.hidden_systems.program.grammar import Condition, HiddenRule, system_reasons
from engine.hidden_systems.program.semantics import holds
from engine.hidden_systems.program.skeleton import BehaviorSkeleton, case_attributes, record_document

CASES = {4: 22, 5: 35, 6: 48, 7: 63, 8: 80, 9: 99, 10: 120}
EACH = 10
SEED = 31
PRIVATE_KEYS = {"hidden_system", "gold_answer", "gold_present_probability", "gold_present_fraction", "latent_trace"}
PUBLIC_KEYS = {
    "family", "complexity", "event_vocabulary", "attribute_vocabulary",
    "observation_protocol", "support_cases", "query_case", "answer_options",
}  # fmt: skip


@pytest.fixture(scope="module", params=CASES)
def skeletons(request: pytest.FixtureRequest) -> list[BehaviorSkeleton]:
    return generate_skeletons(EACH, request.param, SEED)


@pytest.fixture(scope="module")
def payloads(skeletons: list[BehaviorSkeleton]) -> list[PublicPayload]:
    return [skeleton.renderer_payload() for skeleton in skeletons]


def gates(skeleton: BehaviorSkeleton) -> list[Condition]:
    """Return the attribute conditions of a puzzle."""
    rules = skeleton.hidden_system.rules
    return [condition for rule in rules for condition in rule.conditions if condition.source == "attribute"]


def numeric(payload: PublicPayload) -> dict[str, list[int]]:
    """Return, for each numeric attribute, the values at which support cases show it, ascending."""
    shown: dict[str, set[int]] = {}
    for case in payload.support_cases:
        for setting in case.attributes:
            if isinstance(setting.value, int):
                shown.setdefault(setting.name, set()).add(setting.value)
    return {name: sorted(values) for name, values in shown.items()}


def neighbours(shown: list[int], value: int) -> tuple[int, int]:
    """Return the nearest shown values below and above."""
    return max(v for v in shown if v < value), min(v for v in shown if v > value)


# Answer ---------------------------------------------------------------------------------------------------------------


def test_labels_alternate_and_gold_is_exact(skeletons: list[BehaviorSkeleton]) -> None:
    for index, skeleton in enumerate(skeletons):
        assert skeleton.gold_answer == target_label(index) == ("PRESENT", "ABSENT")[index % 2]
        assert skeleton.gold_answer == label_of(skeleton.gold_present_probability)
        assert abs(skeleton.gold_present_probability - Fraction(1, 2)) >= MARGIN


def test_gold_equals_the_sum_over_all_trigger_vectors(skeletons: list[BehaviorSkeleton]) -> None:
    for skeleton in skeletons[:4]:
        query = skeleton.payload.query_case
        found = oracle.present_probability(_document(skeleton), case_attributes(query), query.events)
        assert found == skeleton.gold_present_probability


def test_trace_masses_are_consistent(skeletons: list[BehaviorSkeleton]) -> None:
    for skeleton in skeletons:
        rules = {rule.id: rule for rule in skeleton.hidden_system.rules}
        attributes = case_attributes(skeleton.payload.query_case)
        events = [step.event for step in skeleton.latent_trace]
        order = skeleton.payload.query_case.events
        assert events == sorted(events, key=order.index)
        applicable = [r.id for event in order for r in rules.values() if r.on_event == event and _open(r, attributes)]
        assert [step.rule for step in skeleton.latent_trace] == applicable
        for step in skeleton.latent_trace:
            rule = rules[step.rule]
            assert step.triggered == step.reached * rule.probability
            assert 0 < step.reached <= 1
            assert step.reached == 1 or any(c.source == "state" for c in rule.conditions)


def test_flag_gated_rule_is_reached_with_the_setter_s_probability(skeletons: list[BehaviorSkeleton]) -> None:
    for skeleton in skeletons:
        setter, gated = _flag_pair(skeleton)
        steps = {step.rule: step for step in skeleton.latent_trace}
        assert steps[gated.id].reached == setter.probability


# Program --------------------------------------------------------------------------------------------------------------


def test_programs_are_legal_and_have_the_four_roles(skeletons: list[BehaviorSkeleton]) -> None:
    for skeleton in skeletons:
        rules = skeleton.hidden_system.rules
        assert system_reasons(skeleton.hidden_system, skeleton.payload.event_vocabulary) == []
        assert len(rules) >= skeleton.payload.complexity == len({rule.on_event for rule in rules})
        assert any(rule.action == "ADD_RECORD" and not rule.conditions for rule in rules)
        assert any(rule.action == "INVALIDATE_RECORD" and _gated(rule) for rule in rules)
        assert all(rule.action != "SET_FLAG" for rule in rules if _gated(rule))


def test_setter_stands_before_the_gated_event_in_the_query(skeletons: list[BehaviorSkeleton]) -> None:
    for skeleton in skeletons:
        setter, gated = _flag_pair(skeleton)
        order = skeleton.payload.query_case.events
        assert order.index(setter.on_event) < order.index(gated.on_event)


def test_no_veto_stands_behind_a_flag(skeletons: list[BehaviorSkeleton]) -> None:
    """Singles and pairs show nothing of such a veto, and triples that did would name its roles."""
    for skeleton in skeletons:
        _, gated = _flag_pair(skeleton)
        assert gated.action == "ADD_RECORD"


def test_thresholds_lie_strictly_inside_the_shown_range(skeletons: list[BehaviorSkeleton]) -> None:
    for skeleton in skeletons:
        shown = numeric(skeleton.payload)
        for gate in gates(skeleton):
            if gate.operator in ("LE", "GT"):
                assert isinstance(gate.value, int)
                assert shown[gate.key][0] < gate.value < shown[gate.key][-1]


def test_no_gate_separates_the_query_from_its_shown_neighbours(skeletons: list[BehaviorSkeleton]) -> None:
    for skeleton in skeletons:
        shown, query = numeric(skeleton.payload), case_attributes(skeleton.payload.query_case)
        for gate in gates(skeleton):
            if gate.operator in ("LE", "GT"):
                value = query[gate.key]
                assert isinstance(value, int)
                near = [{gate.key: v} for v in (value, *neighbours(shown[gate.key], value))]
                assert len({holds(gate, attributes) for attributes in near}) == 1


def test_every_gate_shows_both_ways_in_the_supports(skeletons: list[BehaviorSkeleton]) -> None:
    for skeleton in skeletons:
        for gate in gates(skeleton):
            settings = [case_attributes(case) for case in skeleton.payload.support_cases]
            assert {holds(gate, attributes) for attributes in settings} == {True, False}


def test_gates_hold_in_about_half_of_all_queries() -> None:
    made = [s for k in CASES for s in generate_skeletons(20, k, SEED + 1)]
    held = [holds(gate, case_attributes(s.payload.query_case)) for s in made for gate in gates(s)]
    assert 0.3 < sum(held) / len(held) < 0.8
    assert {gate.operator for s in made for gate in gates(s)} == {"LE", "GT", "EQ"}


# Public part ----------------------------------------------------------------------------------------------------------


def test_case_counts_trials_and_ids(payloads: list[PublicPayload]) -> None:
    for payload in payloads:
        trials = 48 if payload.complexity == 4 else 64
        assert payload.observation_protocol.trials_per_case == trials
        ids = [case.id for case in payload.support_cases]
        assert ids == [f"c{nth:02d}" for nth in range(1, CASES[payload.complexity] + 1)]
        for case in payload.support_cases:
            assert case.observed_present is not None and case.observed_absent is not None
            assert case.trials == trials == case.observed_present + case.observed_absent
            assert min(case.observed_present, case.observed_absent) >= 0
        query = payload.query_case
        assert (query.id, query.trials, query.observed_present, query.observed_absent) == ("q", None, None, None)


def test_every_event_is_in_equally_many_cases_of_each_length(payloads: list[PublicPayload]) -> None:
    for payload in payloads:
        members = Counter((len(case.events), event) for case in payload.support_cases for event in case.events)
        for length in {len(case.events) for case in payload.support_cases}:
            assert len({members[length, event] for event in payload.event_vocabulary}) == 1, length


def test_both_orders_of_every_pair_are_shown_at_different_values(payloads: list[PublicPayload]) -> None:
    for payload in payloads:
        shown: dict[tuple[str, ...], list[BehaviorCase]] = {}
        for case in payload.support_cases:
            shown.setdefault(case.events, []).append(case)
        for pair in permutations(payload.event_vocabulary, 2):
            both = product(shown[pair], shown[pair[::-1]])
            assert any(
                all(a.value != b.value for a, b in zip(x.attributes, y.attributes, strict=True)) for x, y in both
            )


def test_low_and_high_controls_differ_in_one_attribute(payloads: list[PublicPayload]) -> None:
    """At four events every pair told in query order is a control, from five on every single event."""
    for payload in payloads:
        order = payload.query_case.events
        controlled = set(combinations(order, 2)) if payload.complexity == 4 else {(event,) for event in order}
        for events in controlled:
            low, high = (case.attributes for case in payload.support_cases if case.events == events)
            assert sum(a != b for a, b in zip(low, high, strict=True)) == 1


def test_triples_from_five_events_on_keep_the_order_of_the_query(payloads: list[PublicPayload]) -> None:
    for payload in payloads:
        triples = [case.events for case in payload.support_cases if len(case.events) == 3]
        assert len(set(triples)) == len(triples) == (0 if payload.complexity == 4 else payload.complexity)
        assert all(list(events) == sorted(events, key=payload.query_case.events.index) for events in triples)


def test_query_is_held_out(payloads: list[PublicPayload]) -> None:
    for payload in payloads:
        query = payload.query_case
        assert sorted(query.events) == sorted(payload.event_vocabulary)
        assert all(set(case.events) < set(query.events) for case in payload.support_cases)
        assert all(case.attributes != query.attributes for case in payload.support_cases)


def test_numeric_query_values_are_unseen_and_bracketed(payloads: list[PublicPayload]) -> None:
    for payload in payloads:
        for setting in payload.query_case.attributes:
            if isinstance(setting.value, int):
                shown = numeric(payload)[setting.name]
                assert len(shown) >= 3 and setting.value not in shown
                assert shown[0] < setting.value < shown[-1]


def test_vocabularies_hold_exactly_what_occurs(payloads: list[PublicPayload]) -> None:
    for payload in payloads:
        assert payload.event_vocabulary == tuple(f"E{n}" for n in range(1, payload.complexity + 1))
        names = [item.name for item in payload.attribute_vocabulary]
        assert names == [f"A{n}" for n in range(1, len(names) + 1)] and 1 <= len(names) <= 4
        occurring: dict[str, set[Any]] = {}
        for case in (*payload.support_cases, payload.query_case):
            for setting in case.attributes:
                occurring.setdefault(setting.name, set()).add(setting.value)
        assert {item.name: set(item.values) for item in payload.attribute_vocabulary} == occurring


def test_payload_survives_its_own_text(payloads: list[PublicPayload]) -> None:
    for payload in payloads:
        assert read_payload(payload_text(payload)) == payload
        assert payload_text(read_payload(payload_text(payload))) == payload_text(payload)


def test_payload_holds_the_eight_public_keys_and_no_private_one(payloads: list[PublicPayload]) -> None:
    for payload in payloads:
        document = payload_document(payload)
        assert set(document) == PUBLIC_KEYS
        assert not PRIVATE_KEYS & set(_keys(document))


# Record and determinism -----------------------------------------------------------------------------------------------


def test_record_is_the_payload_and_the_private_fields(skeletons: list[BehaviorSkeleton]) -> None:
    for skeleton in skeletons:
        record = json.loads(json.dumps(record_document(skeleton), allow_nan=False))
        assert set(record) == PUBLIC_KEYS | PRIVATE_KEYS | {"id"}
        assert {key: record[key] for key in PUBLIC_KEYS} == payload_document(skeleton.payload)
        assert Fraction(record["gold_present_fraction"]) == skeleton.gold_present_probability
        assert record["gold_present_probability"] == float(skeleton.gold_present_probability)
        assert record["id"] not in payload_text(skeleton.payload)


def test_same_arguments_give_equal_records(skeletons: list[BehaviorSkeleton]) -> None:
    again = generate_skeletons(3, skeletons[0].payload.complexity, SEED)
    assert [record_document(s) for s in again] == [record_document(s) for s in skeletons[:3]]


def test_seed_and_index_are_never_added() -> None:
    assert generate_skeleton(4, 42, 2).payload != generate_skeleton(4, 44, 0).payload
    ids = {generate_skeleton(4, seed, index).id for seed in range(42, 46) for index in range(4)}
    assert len(ids) == 16


def test_secret_types_spell_nothing(skeletons: list[BehaviorSkeleton]) -> None:
    skeleton = skeletons[0]
    rule = skeleton.hidden_system.rules[0]
    condition = next(condition for rule in skeleton.hidden_system.rules for condition in rule.conditions)
    for secret in (skeleton, skeleton.hidden_system, rule, condition, skeleton.latent_trace[0]):
        assert repr(secret) == str(secret) == f"{secret}" == f"<{type(secret).__name__}>"


@pytest.mark.parametrize("breach", ["full set, other order", "superset"])
def test_holds_out_sees_a_breach(breach: str) -> None:
    payload = generate_skeleton(4, SEED, 0).payload
    assert holds_out(payload)
    query = payload.query_case
    events = query.events[::-1] if breach.startswith("full") else (*query.events, query.events[0])
    case = BehaviorCase(
        id="c01", attributes=payload.support_cases[0].attributes, events=events,
        trials=48, observed_present=1, observed_absent=47,
    )  # fmt: skip
    assert not holds_out(_with_first(payload, case))


@pytest.mark.parametrize(
    ("length", "complexity"), [("short", 4), ("medium", 6), ("long", 8), (4, 4), ("10", 10), (7, 7)]
)
def test_lengths(length: int | str, complexity: int) -> None:
    assert read_complexity(length) == complexity


@pytest.mark.parametrize("length", ["", "tiny", "3", 11, "-4", "4.0", True, "٤"])
def test_other_lengths_are_refused(length: int | str) -> None:
    with pytest.raises(UsageError, match=r"length .* is not legal; legal: short, medium, long or 4\.\.10"):
        read_complexity(length)


@pytest.mark.parametrize("count", [-1, True])
def test_counts_below_zero_are_refused(count: int) -> None:
    with pytest.raises(UsageError, match="count"):
        generate_skeletons(count, 4, 1)


def _with_first(payload: PublicPayload, case: BehaviorCase) -> PublicPayload:
    fields = {name: getattr(payload, name) for name in payload.__struct_fields__}
    return PublicPayload(**{**fields, "support_cases": (case, *payload.support_cases[1:])})


def _flag_pair(skeleton: BehaviorSkeleton) -> tuple[HiddenRule, HiddenRule]:
    """Return the rule that sets the flag and the one that needs it."""
    rules = skeleton.hidden_system.rules
    (setter,) = [rule for rule in rules if rule.action == "SET_FLAG"]
    (gated,) = [rule for rule in rules if any(condition.source == "state" for condition in rule.conditions)]
    assert [c.key for c in gated.conditions] == [setter.target]
    return setter, gated


def _gated(rule: HiddenRule) -> bool:
    return any(condition.source == "attribute" for condition in rule.conditions)


def _open(rule: HiddenRule, attributes: dict[str, Any]) -> bool:
    return all(holds(condition, attributes) for condition in rule.conditions if condition.source == "attribute")


def _document(skeleton: BehaviorSkeleton) -> dict[str, Any]:
    """Spell the system out as plain values for the oracle."""
    rules = [
        {
            "id": rule.id, "on_event": rule.on_event, "probability": rule.probability,
            "action": rule.action, "target": rule.target,
            "conditions": [
                {"source": c.source, "key": c.key, "operator": c.operator, "value": c.value} for c in rule.conditions
            ],
        }
        for rule in skeleton.hidden_system.rules
    ]  # fmt: skip
    return {"rules": rules}


def _keys(document: Json) -> list[str]:
    if isinstance(document, dict):
        return [*document, *(key for item in document.values() for key in _keys(item))]
    if isinstance(document, list):
        return [key for item in document for key in _keys(item)]
    return []
