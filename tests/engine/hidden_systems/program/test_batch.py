"""Batches in doubles stay within 1e-12 of the exact rational, whatever is mixed in them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from program_systems import RandomCase, add, condition, flag, random_case, sets, system, veto

from engine.hidden_systems.program.batch import CELLS, encode, present_probabilities
from engine.hidden_systems.program.exact import gold
from engine.hidden_systems.program.grammar import HiddenSystem, read_system

NEAR = 1e-12
Read = tuple[HiddenSystem, dict[str, Any], tuple[str, ...]]


def read(case: RandomCase) -> Read:
    return read_system(case.document), case.attributes, case.events


def errors(cases: list[Read], encoded: bool = False) -> list[float]:
    given = [(encode(case[0]) if encoded else case[0], *case[1:]) for case in cases]
    found = present_probabilities(given)
    return [abs(Fraction(float(value)) - gold(*case)) for value, case in zip(found, cases, strict=True)]


def test_batch_equals_exact_gold() -> None:
    cases = [read(random_case(index)) for index in range(2000)]
    assert max(errors(cases)) < NEAR
    assert max(errors(cases[::4], encoded=True)) < NEAR


def test_an_encoded_system_serves_many_cases() -> None:
    encoded = encode(read_system(system(add("E", condition("a", "LE", 3), p=Fraction(1, 4)), sets("S", "f"))))
    found = present_probabilities([(encoded, {"a": a}, ["E"] * n) for a in (3, 4) for n in (1, 2)])
    assert found.tolist() == [0.25, 0.4375, 0.0, 0.0]


def test_a_case_keeps_its_place_among_others() -> None:
    cases = [read(random_case(index)) for index in range(150)]
    alone = np.concatenate([present_probabilities([case]) for case in cases])
    assert np.abs(present_probabilities(cases) - alone).max() < NEAR
    assert np.abs(present_probabilities(cases[::-1]) - alone[::-1]).max() < NEAR


def test_batches_longer_than_a_chunk() -> None:
    case = (read_system(system(add("E", p=Fraction(1, 8)))), {}, ("E",))
    count = CELLS // 4 + 1
    assert present_probabilities([case] * count).tolist() == [0.125] * count


def test_nothing_to_do() -> None:
    assert present_probabilities([]).tolist() == []
    assert present_probabilities([(read_system(system(add("E"))), {}, [])]).tolist() == [0.0]


def test_systems_too_large_for_a_row_go_through_the_exact_way() -> None:
    """One flag, or one attribute test, more than fits; beside a small system and the largest that fits."""
    cases = [_chain(6), _chain(7), _tested(32), _tested(33), _chain(1)]
    assert [encode(case[0]).rows is not None for case in cases] == [True, False, True, False, True]
    assert max(errors(cases)) < NEAR


def test_attributes_of_events_that_do_not_occur_may_be_missing_or_of_another_type() -> None:
    read = read_system(
        system(add("E", condition("a", "GT", 1)), veto("V", condition("b", "LE", 3)), add("W", condition("c", "EQ", 1)))
    )
    assert present_probabilities([(read, {"a": 2, "b": "text"}, ["E", "E"])]).tolist() == [1.0]


def test_probabilities_too_fine_for_a_double_are_rounded() -> None:
    fine = Fraction(10**399 + 1, 3 * 10**399)
    assert errors([(read_system(system(add("E", p=fine))), {}, ("E",))])[0] < Fraction(1, 10**15)


def _chain(length: int) -> Read:
    """Each flag needs the one before; the last one lets the record be added."""
    links = [sets(f"E{n}", f"f{n}", *([flag(f"f{n - 1}")] if n else []), p=Fraction(9, 10)) for n in range(length)]
    document = system(*links, add("end", flag(f"f{length - 1}")))
    return read_system(document), {}, (*(f"E{n}" for n in range(length)), "end")


def _tested(count: int) -> Read:
    rules = [add(f"E{n}", condition("a", "GT" if n % 3 else "LE", n), p=Fraction(1, 50)) for n in range(count)]
    return read_system(system(*rules)), {"a": 7}, tuple(f"E{n}" for n in range(count))
