"""The grammar of hidden systems: what a program is, and why one is refused.

    HiddenSystem ::= {initial_record, conflict_policy, rules: HiddenRule+}
    HiddenRule   ::= {id, on_event, conditions: Condition*, probability, action, target}
    Condition    ::= {source: "attribute" | "state", key, operator: "EQ" | "LE" | "GT" | "IS_SET", value}

Values may be built with anything in them; `system_reasons` says what breaks the grammar, `read_system` raises on
the first reason. Numbers are exact: a probability is the rational of its written decimal, never a binary double.
PRIVATE: nothing outside the program layer, the family and the audits imports this module.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, TypeAlias, TypeGuard

from engine.canonical import Json
from engine.errors import ProgramError, quoted
from engine.private import Private

Action = Literal["ADD_RECORD", "INVALIDATE_RECORD", "SET_FLAG"]
Operator = Literal["EQ", "LE", "GT", "IS_SET"]
Source = Literal["attribute", "state"]
Value: TypeAlias = "bool | int | Fraction | str | None"

ACTIONS: tuple[Action, ...] = ("ADD_RECORD", "INVALIDATE_RECORD", "SET_FLAG")
OPERATORS: tuple[Operator, ...] = ("EQ", "LE", "GT", "IS_SET")
SOURCES: tuple[Source, ...] = ("attribute", "state")
RESERVED: dict[str, tuple[bool | str, ...]] = {"record": ("PRESENT", "ABSENT"), "invalidated": (True, False)}
"""State keys that are not flags, with the values that EQ may compare them to."""
INITIAL_RECORD = "ABSENT"
CONFLICT_POLICY = "PERSISTENT_INVALIDATION_VETO"
MAX_DIGITS = 400
"""Longest decimal, and largest power of ten, that is read as an exact number; a double holds less."""
FRACTION_TEXT = re.compile(rf"(?P<above>[0-9]{{1,{MAX_DIGITS}}})/(?P<below>[0-9]{{1,{MAX_DIGITS}}})")


@dataclass(frozen=True, kw_only=True, repr=False)
class Condition(Private):
    """One test of an immutable attribute or of the current state."""

    source: Source
    key: str
    operator: Operator
    value: Value = None


@dataclass(frozen=True, kw_only=True, repr=False)
class HiddenRule(Private):
    """On an event, if all conditions hold, `action` is taken with `probability`."""

    id: str
    on_event: str
    conditions: tuple[Condition, ...] = ()
    probability: Fraction
    action: Action
    target: str | None = None
    """The flag of SET_FLAG; None for the other two actions."""


@dataclass(frozen=True, kw_only=True, repr=False)
class HiddenSystem(Private):
    """A secret program; rules of one event execute in stored order."""

    initial_record: str = INITIAL_RECORD
    conflict_policy: str = CONFLICT_POLICY
    rules: tuple[HiddenRule, ...]


def is_number(value: object) -> TypeGuard[int | Fraction]:
    """Tell whether a value is a number here: bool is not."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


# Reasons ------------------------------------------------------------------------------------------------------------


def system_reasons(system: HiddenSystem, vocabulary: Iterable[str] | None = None) -> list[str]:
    """Return every way in which a system breaks the grammar; empty for a legal one.

    Args:
        vocabulary: the known events, if they are declared.
    """
    reasons = []
    if system.initial_record != INITIAL_RECORD:
        reasons.append(f"initial_record {quoted(system.initial_record)} is not legal; legal: [{INITIAL_RECORD!r}]")
    if system.conflict_policy != CONFLICT_POLICY:
        reasons.append(f"conflict_policy {quoted(system.conflict_policy)} is not legal; legal: [{CONFLICT_POLICY!r}]")
    if not system.rules:
        reasons.append("rules [] is empty; a system has at least one rule")
    ids = set()
    for rule in system.rules:
        if isinstance(rule.id, str):
            if rule.id in ids:
                reasons.append(f"rule id {quoted(rule.id)} occurs twice; ids are unique")
            ids.add(rule.id)
        reasons.extend(f"rule {quoted(rule.id)}: {reason}" for reason in _rule_reasons(rule))
        if vocabulary is not None and rule.on_event not in vocabulary:
            reasons.append(f"rule {quoted(rule.id)}: on_event {quoted(rule.on_event)} is not in the event vocabulary")
    return reasons


def case_reasons(
    system: HiddenSystem,
    attributes: Mapping[str, Value],
    events: Sequence[str],
    vocabulary: Iterable[str] | None = None,
    *,
    case: str = "case",
) -> list[str]:
    """Return why a legal system cannot be run on a case: unknown events, missing or mistyped attributes."""
    known = None if vocabulary is None else set(vocabulary)
    reasons = [
        f"{case}: event {quoted(event)} is not in the event vocabulary; known: {quoted(sorted(known))}"
        for event in dict.fromkeys(events)
        if known is not None and event not in known
    ]
    occurring = set(events)
    for rule in system.rules:
        if rule.on_event not in occurring:
            continue
        for condition in rule.conditions:
            if condition.source == "attribute":
                reasons.extend(
                    f"{case}: rule {quoted(rule.id)}: {why}" for why in _lookup_reasons(condition, attributes)
                )
    return reasons


def _lookup_reasons(condition: Condition, attributes: Mapping[str, Value]) -> list[str]:
    if condition.key not in attributes:
        return [f"attribute {quoted(condition.key)} is missing from the case; present: {quoted(sorted(attributes))}"]
    value = attributes[condition.key]
    if condition.operator in ("LE", "GT") and not is_number(value):
        return [f"{condition.operator} needs a number, attribute {quoted(condition.key)} is {quoted(value)}"]
    return []


def _rule_reasons(rule: HiddenRule) -> list[str]:
    reasons = []
    if not isinstance(rule.id, str) or not rule.id:
        reasons.append(f"id {quoted(rule.id)} must be a non-empty text")
    if not isinstance(rule.on_event, str) or not rule.on_event:
        reasons.append(f"on_event {quoted(rule.on_event)} must be a non-empty text")
    if not is_number(rule.probability) or not 0 <= rule.probability <= 1:
        reasons.append(f"probability {_show(rule.probability)} must be a number in [0, 1]")
    if rule.action not in ACTIONS:
        reasons.append(f"action {quoted(rule.action)} is not legal; legal: {list(ACTIONS)}")
    elif rule.action == "SET_FLAG":
        if not isinstance(rule.target, str) or not rule.target or rule.target in RESERVED:
            target = quoted(rule.target)
            reasons.append(f"target {target} of SET_FLAG must be a flag name, not one of {sorted(RESERVED)}")
    elif rule.target is not None:
        reasons.append(f"target {quoted(rule.target)} of {rule.action} must be null")
    for nth, condition in enumerate(rule.conditions, start=1):
        reasons.extend(f"condition {nth}: {reason}" for reason in _condition_reasons(condition))
    return reasons


def _condition_reasons(condition: Condition) -> list[str]:
    if condition.source not in SOURCES:
        return [f"source {quoted(condition.source)} is not legal; legal: {list(SOURCES)}"]
    if not isinstance(condition.key, str) or not condition.key:
        return [f"key {quoted(condition.key)} must be a non-empty text"]
    if condition.operator not in OPERATORS:
        return [f"operator {quoted(condition.operator)} is not legal; legal: {list(OPERATORS)}"]
    test = _attribute_test if condition.source == "attribute" else _state_test
    return test(condition.key, condition.operator, condition.value)


def _attribute_test(key: str, operator: Operator, value: Value) -> list[str]:
    if operator == "IS_SET":
        return [f"IS_SET on attribute {quoted(key)} is not legal; IS_SET tests flags"]
    if operator in ("LE", "GT") and not is_number(value):
        return [f"{operator} on attribute {quoted(key)} needs a number, not {_show(value)}"]
    if not (isinstance(value, bool | str) or is_number(value)):
        return [f"EQ on attribute {quoted(key)} needs a number, text or bool, not {_show(value)}"]
    return []


def _state_test(key: str, operator: Operator, value: Value) -> list[str]:
    if operator in ("LE", "GT"):
        return [f"{operator} on state {quoted(key)} is not legal; state takes EQ, and flags IS_SET"]
    if key in RESERVED:
        if operator == "IS_SET":
            return [f"IS_SET on {quoted(key)} is not legal; IS_SET tests flags"]
        legal = RESERVED[key]
        if not any(value is option or (isinstance(value, str) and value == option) for option in legal):
            return [f"{quoted(key)} EQ {_show(value)} is not legal; legal: {_json_list(legal)}"]
    elif operator == "IS_SET":
        if value is not None and value is not True:
            return [f"IS_SET on flag {quoted(key)} takes null or true, not {_show(value)}"]
    elif not isinstance(value, bool):
        return [f"flag {quoted(key)} EQ {_show(value)} is not legal; legal: {_json_list((True, False))}"]
    return []


def _show(value: object) -> str:
    if isinstance(value, Fraction):
        near = float(value) if abs(value) < 10**9 else None
        return str(near) if near == value else quoted(f"{value.numerator}/{value.denominator}")
    return {True: "true", False: "false", None: "null"}[value] if isinstance(value, bool | None) else quoted(value)


def _json_list(values: Sequence[bool | str]) -> str:
    return "[" + ", ".join(_show(value) for value in values) + "]"


# Reading and writing ------------------------------------------------------------------------------------------------


def read_system(document: Json, vocabulary: Iterable[str] | None = None) -> HiddenSystem:
    """Build a system from plain JSON values whose decimals are `Decimal`, `Fraction` or fraction text.

    Raises:
        ProgramError: the document breaks the grammar; the message holds the first reason and the offending value.
    """
    fields = _fields(document, "system", required=("initial_record", "conflict_policy", "rules"))
    rules = tuple(_read_rule(item, nth) for nth, item in enumerate(_items(fields["rules"], "rules"), start=1))
    system = HiddenSystem(
        initial_record=fields["initial_record"],
        conflict_policy=fields["conflict_policy"],
        rules=rules,
    )
    if reasons := system_reasons(system, vocabulary):
        raise ProgramError(reasons[0])
    return system


def _read_rule(document: Json, nth: int) -> HiddenRule:
    where = f"rule {nth}"
    fields = _fields(
        document, where, required=("id", "on_event", "conditions", "probability", "action"), optional=("target",)
    )
    conditions = _items(fields["conditions"], f"{where}: conditions")
    return HiddenRule(
        id=fields["id"],
        on_event=fields["on_event"],
        conditions=tuple(
            _read_condition(item, f"{where}: condition {n}") for n, item in enumerate(conditions, start=1)
        ),
        probability=read_probability(fields["probability"], where),
        action=fields["action"],
        target=fields.get("target"),
    )


def _read_condition(document: Json, where: str) -> Condition:
    fields = _fields(document, where, required=("source", "key", "operator"), optional=("value",))
    return Condition(
        source=fields["source"],
        key=fields["key"],
        operator=fields["operator"],
        value=read_value(fields.get("value"), where),
    )


def read_probability(value: object, where: str) -> Fraction:
    """Return a written probability as the exact rational; numbers and fraction text such as "13/20" are read."""
    if isinstance(value, str) and (parts := FRACTION_TEXT.fullmatch(value)) and int(parts["below"]):
        return Fraction(int(parts["above"]), int(parts["below"]))
    number = read_value(value, where) if not isinstance(value, str) else None
    if not is_number(number):
        raise ProgramError(f"{where}: probability {_show(value)} must be a number in [0, 1]")
    return Fraction(number)


def read_value(value: object, where: str) -> Value:
    """Return a JSON leaf with its decimal made exact: an int if whole, else a fraction."""
    if value is None or isinstance(value, bool | int | str | Fraction):
        return value
    if isinstance(value, float):
        value = Decimal(repr(value))
    if not isinstance(value, Decimal):
        raise ProgramError(f"{where}: value {quoted(value)} must be a number, text, bool or null")
    _, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int) or abs(exponent) > MAX_DIGITS or len(digits) > MAX_DIGITS:
        raise ProgramError(f"{where}: {str(value)[:40]} is not a number that can be read exactly")
    exact = Fraction(value)
    return int(exact) if exact.denominator == 1 else exact


def _fields(
    document: object, where: str, *, required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> Mapping[str, Any]:
    """Return the members of an object with the right keys; `system_reasons` judges what stands in them."""
    legal = (*required, *optional)
    if not isinstance(document, Mapping):
        raise ProgramError(f"{where}: {quoted(document)} must be an object with keys {list(legal)}")
    for key in document:
        if key not in legal:
            raise ProgramError(f"{where}: unknown key {quoted(key)}; legal: {list(legal)}")
    for key in required:
        if key not in document:
            raise ProgramError(f"{where}: key {quoted(key)} is missing; needed: {list(required)}")
    return document


def _items(value: object, where: str) -> Sequence[Json]:
    if not isinstance(value, list | tuple):
        raise ProgramError(f"{where} {quoted(value)} must be a list")
    return value


def system_document(system: HiddenSystem, *, exact: bool) -> dict[str, Any]:
    """Return the system as plain JSON values.

    Args:
        exact: write numbers that are not whole as fraction text (canonical JSON); else as JSON numbers.
    """

    def leaf(value: Value) -> Json | float:
        if isinstance(value, Fraction):
            return f"{value.numerator}/{value.denominator}" if exact else float(value)
        return value

    rules = []
    for rule in system.rules:
        fields = {field.name: getattr(rule, field.name) for field in dataclasses.fields(rule)}
        fields["probability"] = leaf(rule.probability)
        fields["conditions"] = [
            {"source": c.source, "key": c.key, "operator": c.operator, "value": leaf(c.value)} for c in rule.conditions
        ]
        rules.append(fields)
    return {"initial_record": system.initial_record, "conflict_policy": system.conflict_policy, "rules": rules}
