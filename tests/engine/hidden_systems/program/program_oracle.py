"""A second reading of "State and execution", for comparison: plain dictionaries, a set of flags, every trigger vector.

Nothing here is shared with the engine. A system is its JSON document, with decimals as `Fraction`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NamedTuple


class Met(NamedTuple):
    """A rule whose event came up, whether or not its conditions held then."""

    rule: str
    held: bool
    triggered: bool


class Run(NamedTuple):
    """One way that a trial can go, with its probability."""

    probability: Fraction
    record: str
    met: tuple[Met, ...]


def all_runs(system: Mapping[str, Any], attributes: Mapping[str, Any], events: Sequence[str]) -> Iterator[Run]:
    """Yield a run for every vector of triggers, one trigger a rule met; vectors of probability 0 are left out."""
    matching = [rule for event in events for rule in system["rules"] if rule["on_event"] == event]
    for triggers in product((False, True), repeat=len(matching)):
        chances = [
            rule["probability"] if hit else 1 - rule["probability"]
            for rule, hit in zip(matching, triggers, strict=True)
        ]
        if all(chances):
            record, met = execute(matching, attributes, triggers)
            yield Run(Fraction(prod(chances)), record, met)


def present_probability(system: Mapping[str, Any], attributes: Mapping[str, Any], events: Sequence[str]) -> Fraction:
    """Return the summed probability of all runs that end with the record present."""
    runs = all_runs(system, attributes, events)
    return sum((run.probability for run in runs if run.record == "PRESENT"), Fraction(0))


def execute(
    matching: Sequence[Mapping[str, Any]], attributes: Mapping[str, Any], triggers: Sequence[bool]
) -> tuple[str, tuple[Met, ...]]:
    record, invalidated, flags, met = "ABSENT", False, set(), []
    for rule, hit in zip(matching, triggers, strict=True):
        held = all(holds(condition, attributes, record, invalidated, flags) for condition in rule["conditions"])
        met.append(Met(rule["id"], held, held and hit))
        if not (held and hit):
            continue
        if rule["action"] == "SET_FLAG":
            flags.add(rule["target"])
        elif rule["action"] == "ADD_RECORD":
            if not invalidated:
                record = "PRESENT"
        else:
            record, invalidated = "ABSENT", True
    return record, tuple(met)


def holds(
    condition: Mapping[str, Any], attributes: Mapping[str, Any], record: str, invalidated: bool, flags: set[str]
) -> bool:
    key, operator, wanted = condition["key"], condition["operator"], condition["value"]
    if condition["source"] == "state":
        if key == "record":
            return record == wanted
        if key == "invalidated":
            return invalidated is wanted
        return (key in flags) is (wanted if operator == "EQ" else True)
    value = attributes[key]
    if operator == "LE":
        return bool(value <= wanted)
    if operator == "GT":
        return bool(value > wanted)
    kinds = [bool if isinstance(item, bool) else str if isinstance(item, str) else Fraction for item in (value, wanted)]
    return kinds[0] is kinds[1] and value == wanted
