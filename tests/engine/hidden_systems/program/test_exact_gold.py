"""Exact gold equals a sum over all trigger vectors, on systems from the whole grammar."""

from __future__ import annotations

from fractions import Fraction

import program_oracle as oracle
import pytest
from program_systems import FLAGS, RandomCase, add, random_case, system, veto

from engine.errors import ProgramError
from engine.hidden_systems.program.exact import MARGIN, gold, label_of, outside_margin, present_probability, trace
from engine.hidden_systems.program.grammar import HiddenRule, HiddenSystem, read_system
from engine.hidden_systems.program.semantics import Compiled, check_case

CASES = 2400


def test_gold_equals_the_sum_over_all_trigger_vectors() -> None:
    for index in range(CASES):
        case = random_case(index)
        read = read_system(case.document)
        check_case(read, case.attributes, case.events)
        assert gold(read, case.attributes, case.events) == oracle.present_probability(*case), f"random case {index}"


def test_random_cases_cover_the_grammar() -> None:
    cases = [random_case(index) for index in range(CASES)]
    rules = [rule for case in cases for rule in case.document["rules"]]
    conditions = [condition for rule in rules for condition in rule["conditions"]]
    seen = {(c["source"] == "state", c["key"] in FLAGS, c["operator"], type(c["value"]).__name__) for c in conditions}
    assert {op for _, _, op, _ in seen} == {"EQ", "LE", "GT", "IS_SET"}
    assert {(True, True, "EQ", "bool"), (True, True, "IS_SET", "NoneType"), (True, True, "IS_SET", "bool")} <= seen
    assert {(True, False, "EQ", "str"), (True, False, "EQ", "bool")} <= seen
    assert {(False, False, "EQ", kind) for kind in ("int", "Fraction", "str", "bool")} <= seen
    assert {rule["action"] for rule in rules} == {"ADD_RECORD", "INVALIDATE_RECORD", "SET_FLAG"}
    assert {Fraction(0), Fraction(1, 2), Fraction(1)} <= {rule["probability"] for rule in rules}
    assert sum(len(set(case.events)) < len(case.events) for case in cases) > CASES / 4, "repeated events"
    assert sum(_shares_an_event(case) for case in cases) > CASES / 4, "several rules an event"
    assert sum(_flags(case) == set(FLAGS) for case in cases) > CASES / 20, "three flags"


def test_probabilities_of_random_cases_are_not_all_trivial() -> None:
    values = {oracle.present_probability(*random_case(index)) for index in range(400)}
    assert len(values - {Fraction(0), Fraction(1)}) > 60


def test_trace_masses_equal_those_of_all_trigger_vectors() -> None:
    for index in range(400):
        case = random_case(index)
        moves = Compiled(read_system(case.document)).moves(case.attributes, case.events)
        found = {}
        for nth, step in enumerate(trace(moves)):
            found[nth] = (case.document["rules"][step.rule]["id"], step.reached, step.triggered)
        assert list(found.values()) == _expected_trace(case), f"random case {index}"


def _expected_trace(case: RandomCase) -> list[tuple[str, Fraction, Fraction]]:
    """Masses at every rule met whose attribute conditions hold; a rule that fails those takes no part."""
    part = [
        all(
            oracle.holds(c, case.attributes, "", False, set()) for c in rule["conditions"] if c["source"] == "attribute"
        )
        for event in case.events
        for rule in case.document["rules"]
        if rule["on_event"] == event
    ]
    masses: dict[int, list[Fraction]] = {nth: [Fraction(0), Fraction(0)] for nth, takes in enumerate(part) if takes}
    names = {}
    for run in oracle.all_runs(*case):
        for nth, met in enumerate(run.met):
            names[nth] = met.rule
            if met.held:
                masses[nth][0] += run.probability
                masses[nth][1] += run.probability if met.triggered else 0
    return [(names[nth], reached, triggered) for nth, (reached, triggered) in masses.items()]


def _shares_an_event(case: RandomCase) -> bool:
    events = [rule["on_event"] for rule in case.document["rules"]]
    return any(events.count(event) > 1 for event in case.events)


def _flags(case: RandomCase) -> set[str]:
    return {rule["target"] for rule in case.document["rules"]} - {None}


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("1/2", "ABSENT"),
        ("500000000000000000001/1000000000000000000000", "PRESENT"),
        ("0.5", "ABSENT"),
        ("0.51", "PRESENT"),
    ],
)
def test_label_is_decided_on_the_exact_rational(written: str, label: str) -> None:
    read = read_system(system(add("E1", p=Fraction(written))))
    assert label_of(gold(read, {}, ["E1"])) == label


def test_one_half_by_two_routes_is_absent() -> None:
    """An add of 0.8 survives a veto of 0.375 half of the time."""
    read = read_system(system(add("E1", p=Fraction("0.8")), veto("E2", p=Fraction("0.375"))))
    probability = gold(read, {}, ["E1", "E2"])
    assert probability == Fraction(1, 2)
    assert label_of(probability) == "ABSENT"


@pytest.mark.parametrize("written", ["0.58", "0.42"])
def test_margin_itself_is_accepted_on_both_sides(written: str) -> None:
    edge = Fraction(written)
    assert gold(read_system(system(add("E1", p=edge))), {}, ["E1"]) == edge
    assert outside_margin(edge)
    assert not outside_margin(edge + Fraction(1, 10**30) * (1 if edge < Fraction(1, 2) else -1))
    assert Fraction(8, 100) == MARGIN


def test_floats_would_misjudge_one_edge_of_the_margin() -> None:
    """Why the margin is decided on rationals: one of the two edges fails in doubles."""
    assert sorted([abs(0.58 - 0.5) >= 0.08, abs(0.42 - 0.5) >= 0.08]) == [False, True]


def test_masses_of_a_long_run_sum_to_one() -> None:
    rules = [add(f"E{n}", p=Fraction(1, 3)) for n in range(40)]
    moves = Compiled(read_system(system(*rules))).moves({}, [f"E{n}" for n in range(40)])
    assert present_probability(moves) == 1 - Fraction(2, 3) ** 40


def test_a_system_with_too_many_states_is_refused_in_time() -> None:
    half = Fraction(1, 2)
    setters = tuple(
        HiddenRule(id=f"r{n}", on_event="E", probability=half, action="SET_FLAG", target=f"f{n}") for n in range(40)
    )
    with pytest.raises(ProgramError, match="states can be reached"):
        gold(HiddenSystem(rules=setters), {}, ["E"])
