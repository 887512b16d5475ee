"""Execution order, the veto that persists, order that matters only through flags; corners of the grammar as tables."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from program_systems import add, condition, flag, random_case, rule, sets, system, veto

from engine.errors import ProgramError
from engine.hidden_systems.program.exact import gold, label_of, outside_margin, trace
from engine.hidden_systems.program.grammar import case_reasons, read_system
from engine.hidden_systems.program.semantics import Compiled, check_case

HALF = Fraction(1, 2)


def outcome(document: dict[str, Any], events: str, **attributes: Any) -> Fraction:
    """Return the exact probability of PRESENT after checking system and case."""
    read, sequence = read_system(document), events.split()
    check_case(read, attributes, sequence)
    return gold(read, attributes, sequence)


def refusal(
    document: dict[str, Any], events: str = "E", vocabulary: tuple[str, ...] | None = None, **attributes: Any
) -> str:
    """Return the message with which a system or its case is refused."""
    with pytest.raises(ProgramError) as caught:
        check_case(read_system(document, vocabulary), attributes, events.split(), vocabulary)
    assert caught.value.exit_code == 2
    return caught.value.line()


# Order and conflict ---------------------------------------------------------------------------------------------------

RULES = {"A": add("A"), "V": veto("V"), "S": sets("S", "f"), "G": add("G", flag("f"))}


@pytest.mark.parametrize(
    ("events", "present"),
    [
        ("", 0), ("A", 1), ("V", 0), ("S", 0), ("G", 0),
        ("A V", 0), ("V A", 0), ("A V A", 0), ("V A A", 0), ("A A", 1),
        ("S G", 1), ("G S", 0), ("G S G", 1), ("S V G", 0), ("V S G", 0), ("S G V", 0), ("S S G G", 1),
    ],
)  # fmt: skip
def test_sequence_of_certain_rules(events: str, present: int) -> None:
    assert outcome(system(*RULES.values()), events) == present


def test_veto_persists_in_every_system() -> None:
    """A certain veto put first empties every outcome, whatever follows."""
    for index in range(300):
        case = random_case(index)
        first = system(veto("first"), *({k: v for k, v in r.items() if k != "id"} for r in case.document["rules"]))
        assert gold(read_system(first), case.attributes, ("first", *case.events)) == 0, f"random case {index}"


def test_without_state_conditions_the_order_of_events_does_not_matter() -> None:
    """A veto erases what was added and blocks what would be: it acts alike before and after an add."""
    document = system(add("A", p=HALF), veto("V", p=Fraction(1, 3)), add("B", p=Fraction(1, 5)), sets("S", "f"))
    assert len({outcome(document, " ".join(order)) for order in permutations("AVBS")}) == 1


def test_order_matters_through_a_flag() -> None:
    document = system(sets("S", "f", p=HALF), add("G", flag("f"), p=HALF))
    assert (outcome(document, "S G"), outcome(document, "G S")) == (Fraction(1, 4), 0)


def test_rules_of_one_event_run_in_stored_order_and_not_by_id() -> None:
    set_then_test = system({"id": "z", **sets("E", "f")}, {"id": "a", **add("E", flag("f"))})
    test_then_set = system({"id": "a", **add("E", flag("f"))}, {"id": "z", **sets("E", "f")})
    assert (outcome(set_then_test, "E"), outcome(test_then_set, "E")) == (1, 0)


# Corners: what runs ---------------------------------------------------------------------------------------------------

RUNS: dict[str, tuple[dict[str, Any], str, dict[str, Any], Fraction | int]] = {
    "1 record is readable": (
        system(add("A"), add("E", flag("record", "EQ", "ABSENT")), veto("E", flag("record", "EQ", "PRESENT"))),
        "A E", {}, 0),
    "1 invalidated false": (system(add("E", flag("invalidated", "EQ", False))), "E", {}, 1),
    "2 flag EQ true before it is set": (system(add("E", flag("f", "EQ", True)), sets("S", "f")), "E S", {}, 0),
    "2 flag EQ true": (system(add("E", flag("f", "EQ", True)), sets("S", "f")), "S E", {}, 1),
    "2 flag EQ false says not set": (system(add("E", flag("f", "EQ", False)), sets("S", "f")), "E S", {}, 1),
    "2 flag EQ false once set": (system(add("E", flag("f", "EQ", False)), sets("S", "f")), "S E", {}, 0),
    "2 flag that nothing sets": (system(add("E", flag("g", "EQ", False))), "E", {}, 1),
    "2 contradictory flag conditions": (
        system(add("E", flag("f"), flag("f", "EQ", False)), sets("S", "f")), "E S E", {}, 0),
    "3 IS_SET null": (system(sets("S", "f"), add("E", flag("f", "IS_SET", None))), "S E", {}, 1),
    "3 IS_SET true": (system(sets("S", "f"), add("E", flag("f", "IS_SET", True))), "S E", {}, 1),
    "6 EQ 1 is not true": (system(add("E", condition("a", "EQ", 1))), "E", {"a": True}, 0),
    "6 EQ true is not 1": (system(add("E", condition("a", "EQ", True))), "E", {"a": 1}, 0),
    "6 EQ false is not 0": (system(add("E", condition("a", "EQ", False))), "E", {"a": 0}, 0),
    "6 numbers compare by value": (
        system(add("E", condition("a", "EQ", Fraction("2.5")))), "E", {"a": Fraction(5, 2)}, 1),
    "6 text is not a number": (system(add("E", condition("a", "EQ", "3"))), "E", {"a": 3}, 0),
    "6 text equals text": (system(add("E", condition("a", "EQ", "3"))), "E", {"a": "3"}, 1),
    "8 a repeated event draws afresh": (system(add("E", p=HALF)), "E E E", {}, Fraction(7, 8)),
    "9 set then test": (system(sets("E", "f"), add("E", flag("f"))), "E", {}, 1),
    "9 test then set": (system(add("E", flag("f")), sets("E", "f")), "E", {}, 0),
    "10 known event without rules": (system(add("E")), "idle E idle", {}, 1),
    "12 invalidate while absent": (system(veto("V"), add("A")), "V A", {}, 0),
    "14 one half": (system(add("E", p=HALF)), "E", {}, HALF),
    "19 LE at the threshold": (system(add("E", condition("a", "LE", 3))), "E", {"a": 3}, 1),
    "19 GT at the threshold": (system(add("E", condition("a", "GT", 3))), "E", {"a": 3}, 0),
    "19 decimals are exact": (
        system(add("E", condition("a", "LE", Fraction("0.3")))), "E", {"a": Fraction("0.1") * 3}, 1),
    "19 attribute of an event that does not occur": (system(add("E"), veto("V", condition("a", "GT", 3))), "E", {}, 1),
}  # fmt: skip


@pytest.mark.parametrize("corner", RUNS)
def test_corner_runs(corner: str) -> None:
    document, events, attributes, expected = RUNS[corner]
    assert outcome(document, events, **attributes) == expected


REACHED: dict[str, tuple[dict[str, Any], str]] = {
    "1 invalidated EQ true": (system(veto("V"), sets("E", "f", flag("invalidated", "EQ", True))), "V E"),
    "1 an invalidated record is absent": (system(veto("V"), sets("E", "f", flag("record", "EQ", "ABSENT"))), "V E"),
    "11 a flag is set after invalidation": (system(veto("V"), sets("S", "f"), sets("E", "g", flag("f"))), "V S E"),
    "12 invalidate while absent": (system(veto("V"), sets("E", "f", flag("invalidated", "EQ", True))), "V E"),
}


@pytest.mark.parametrize("corner", REACHED)
def test_corner_after_a_veto(corner: str) -> None:
    """After a veto no record can show what happened, so the masses that reach each rule are looked at."""
    document, events = REACHED[corner]
    steps = trace(Compiled(read_system(document)).moves({}, events.split()))
    assert [step.reached for step in steps] == [1] * len(events.split())


def test_corner_14_and_15_label_and_margin() -> None:
    assert label_of(HALF) == "ABSENT"
    assert [outside_margin(Fraction(p)) for p in ("0.42", "0.58", "0.421", "0.579")] == [True, True, False, False]


# Corners: what is refused ---------------------------------------------------------------------------------------------

REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]] = {
    "1 flag named record": (system(sets("E", "record")), {}, ("rule 'r1'", "'record'", "flag name")),
    "1 flag named invalidated": (system(sets("E", "invalidated")), {}, ("'invalidated'", "flag name")),
    "1 record EQ true": (system(add("E", flag("record", "EQ", True))), {}, ("'record' EQ true", "'PRESENT', 'ABSENT'")),
    "1 invalidated EQ text": (system(add("E", flag("invalidated", "EQ", "true"))), {}, ("'true'", "true, false")),
    "1 invalidated EQ 1": (system(add("E", flag("invalidated", "EQ", 1))), {}, ("'invalidated' EQ 1",)),
    "2 flag EQ 1": (system(add("E", flag("f", "EQ", 1))), {}, ("flag 'f' EQ 1", "[true, false]")),
    "2 flag EQ null": (system(add("E", flag("f", "EQ", None))), {}, ("flag 'f' EQ null",)),
    "3 IS_SET false": (system(add("E", flag("f", "IS_SET", False))), {}, ("IS_SET on flag 'f'", "false")),
    "3 IS_SET 1": (system(add("E", flag("f", "IS_SET", 1))), {}, ("null or true, not 1",)),
    "3 IS_SET record": (system(add("E", flag("record", "IS_SET"))), {}, ("IS_SET on 'record'",)),
    "4 IS_SET on an attribute": (system(add("E", condition("a", "IS_SET"))), {"a": 1}, ("IS_SET on attribute 'a'",)),
    "4 LE on a flag": (system(add("E", flag("f", "LE", 1))), {}, ("LE on state 'f'",)),
    "4 GT on record": (system(add("E", flag("record", "GT", 1))), {}, ("GT on state 'record'",)),
    "5 attribute missing": (
        system(add("E", condition("a", "LE", 1))), {"b": 1}, ("case", "rule 'r1'", "attribute 'a'", "['b']")),
    "5 attribute missing, rule never reached": (
        system(add("E", flag("f"), condition("a", "EQ", 1))), {}, ("attribute 'a' is missing",)),
    "7 SET_FLAG without target": (system(rule("E", "SET_FLAG")), {}, ("target None of SET_FLAG",)),
    "7 ADD_RECORD with target": (
        system(rule("E", "ADD_RECORD", target="f")), {}, ("target 'f' of ADD_RECORD must be null",)),
    "7 INVALIDATE_RECORD with target": (system(rule("E", "INVALIDATE_RECORD", target="f")), {}, ("must be null",)),
    "13 initial_record": (system(add("E"), initial_record="PRESENT"), {}, ("'PRESENT'", "['ABSENT']")),
    "13 conflict_policy": (
        system(add("E"), conflict_policy="LAST_WRITE"), {}, ("'LAST_WRITE'", "['PERSISTENT_INVALIDATION_VETO']")),
    "17 duplicate rule ids": (system({"id": "x", **add("E")}, {"id": "x", **add("E")}), {}, ("'x' occurs twice",)),
    "17 empty rules": (system(), {}, ("rules [] is empty",)),
    "17 probability above 1": (system(add("E", p=Fraction("1.5"))), {}, ("probability 1.5", "[0, 1]")),
    "17 probability barely above 1": (
        system(add("E", p=1 + Fraction(1, 10**30))), {}, ("1000000000000000000000000000001/",)),
    "17 probability below 0": (system(add("E", p=Fraction("-0.25"))), {}, ("probability -0.25",)),
    "17 probability bool": (system(add("E", p=True)), {}, ("probability true",)),
    "17 probability NaN": (system(add("E", p=float("nan"))), {}, ("NaN",)),
    "17 probability infinite": (system(add("E", p=float("inf"))), {}, ("Infinity",)),
    "17 probability text": (system(add("E", p="0.5")), {}, ("probability '0.5'",)),
    "17 probability over zero": (system(add("E", p="1/0")), {}, ("probability '1/0'",)),
    "19 LE on a bool attribute": (
        system(add("E", condition("a", "LE", 3))), {"a": True}, ("LE needs a number", "'a' is True")),
    "19 GT on a text attribute": (system(add("E", condition("a", "GT", 3))), {"a": "4"}, ("GT needs a number", "'4'")),
    "19 LE against a bool": (system(add("E", condition("a", "LE", True))), {"a": 1}, ("needs a number, not true",)),
    "19 GT against text": (system(add("E", condition("a", "GT", "3"))), {"a": 1}, ("needs a number, not '3'",)),
    "unknown action": (system(rule("E", "REMOVE")), {}, ("action 'REMOVE'", "ADD_RECORD")),
    "unknown operator": (system(add("E", condition("a", "LT", 3))), {"a": 1}, ("operator 'LT'", "IS_SET")),
    "unknown source": (system(add("E", condition("a", "EQ", 3, source="clock"))), {}, ("source 'clock'", "attribute")),
    "unknown key of a rule": (system({**add("E"), "priority": 1}), {}, ("unknown key 'priority'",)),
    "id that is no text": (system({"id": [], **add("E")}), {}, ("id [] must be",)),
}  # fmt: skip


@pytest.mark.parametrize("corner", REFUSED)
def test_corner_is_refused_with_the_value_and_the_remedy(corner: str) -> None:
    document, attributes, parts = REFUSED[corner]
    message = refusal(document, **attributes)
    assert [part for part in parts if part not in message] == [], message


def test_corner_10_event_outside_the_vocabulary() -> None:
    assert "event 'X' is not in the event vocabulary; known: ['E', 'idle']" in refusal(
        system(add("E")), "E X", ("idle", "E")
    )
    assert "on_event 'E' is not in the event vocabulary" in refusal(system(add("E")), "idle", ("idle",))


def test_corner_19_without_a_vocabulary_any_event_is_known() -> None:
    assert outcome(system(add("E")), "never heard of") == 0


def test_corner_5_error_names_the_case() -> None:
    read = read_system(system(add("E", condition("a", "LE", 1))))
    assert case_reasons(read, {}, ["E"], case="case 'c07'")[0].startswith("case 'c07': rule 'r1': attribute 'a'")
