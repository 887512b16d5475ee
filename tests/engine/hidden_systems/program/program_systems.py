"""Hidden systems for tests: short ways to write one, and random ones over the whole grammar."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from engine.randomness import Stream

CHANCES = tuple(Fraction(text) for text in ("0", "1/2", "1", "3/10", "1/3", "0.875", "0.0625", "99/100"))
VALUES = (3, Fraction("2.5"), Fraction("0.1"), "3", "red", True, False, 1, 0)
FLAGS = ("f1", "f2", "f3")
LONGEST_RUN = 8
"""Most rules met in one case, so that all trigger vectors can be summed."""


def condition(key: str, operator: str, value: Any = None, source: str = "attribute") -> dict[str, Any]:
    return {"source": source, "key": key, "operator": operator, "value": value}


def flag(key: str, operator: str = "IS_SET", value: Any = None) -> dict[str, Any]:
    return condition(key, operator, value, source="state")


def rule(
    event: str, action: str, *conditions: dict[str, Any], p: Any = Fraction(1), target: Any = None
) -> dict[str, Any]:
    """Return a rule document without an id; `system` numbers the rules."""
    return {"on_event": event, "conditions": list(conditions), "probability": p, "action": action, "target": target}


def add(event: str, *conditions: dict[str, Any], p: Any = Fraction(1)) -> dict[str, Any]:
    return rule(event, "ADD_RECORD", *conditions, p=p)


def veto(event: str, *conditions: dict[str, Any], p: Any = Fraction(1)) -> dict[str, Any]:
    return rule(event, "INVALIDATE_RECORD", *conditions, p=p)


def sets(event: str, target: str, *conditions: dict[str, Any], p: Any = Fraction(1)) -> dict[str, Any]:
    return rule(event, "SET_FLAG", *conditions, p=p, target=target)


def system(*rules: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a system document; rules get the ids r1, r2, ... unless they bear one."""
    numbered = [{"id": f"r{nth}", **item} for nth, item in enumerate(rules, start=1)]
    header = {"initial_record": "ABSENT", "conflict_policy": "PERSISTENT_INVALIDATION_VETO"}
    return {**header, "rules": numbered, **fields}


class RandomCase(NamedTuple):
    """A legal system document and a case that it can be run on."""

    document: dict[str, Any]
    attributes: dict[str, Any]
    events: tuple[str, ...]

    @property
    def met(self) -> int:
        """How many rules are met, conditions aside."""
        return sum(rule["on_event"] == event for event in self.events for rule in self.document["rules"])


def random_case(index: int) -> RandomCase:
    """Return the random case of an index: few events, many rules, so that several rules share an event."""
    stream = Stream("tests/random-case", index)
    attributes = {"n": stream.choice((1, 2, 3, Fraction("2.5"), Fraction("0.1"))), "v": stream.choice(VALUES)}
    rules = [_rule(stream) for _ in range(stream.between(2, 8))]
    events = [stream.choice(("E1", "E1", "E2", "E2", "E3", "E3", "idle")) for _ in range(stream.between(0, 6))]
    case = RandomCase(system(*rules), attributes, tuple(events))
    while case.met > LONGEST_RUN:
        case = case._replace(events=case.events[:-1])
    return case


def _rule(stream: Stream) -> dict[str, Any]:
    action = stream.choice(("ADD_RECORD",) * 3 + ("INVALIDATE_RECORD",) + ("SET_FLAG",) * 2)
    target = stream.choice(FLAGS) if action == "SET_FLAG" else None
    conditions = [_condition(stream) for _ in range(stream.choice((0, 0, 0, 1, 1, 2)))]
    return rule(stream.choice(("E1", "E2", "E3")), action, *conditions, p=stream.choice(CHANCES), target=target)


def _condition(stream: Stream) -> dict[str, Any]:
    kind = stream.choice(("order", "order", "equal", "flag", "flag", "flag set", "flag set", "record", "invalidated"))
    if kind == "order":
        return condition("n", stream.choice(("LE", "GT")), stream.choice((1, 2, Fraction("2.5"), Fraction("0.1"))))
    if kind == "equal":
        return condition(stream.choice(("n", "v")), "EQ", stream.choice(VALUES))
    if kind == "flag":
        return flag(stream.choice(FLAGS), "EQ", stream.choice((True, False)))
    if kind == "flag set":
        return flag(stream.choice(FLAGS), "IS_SET", stream.choice((None, True)))
    return flag(kind, "EQ", stream.choice(("PRESENT", "ABSENT") if kind == "record" else (True, False)))
