"""One law for hidden systems: roles, gates, probabilities, the query's attribute values.

Roles and every value are drawn without regard to the label; whoever wants a label draws until it comes (`generate`).
Query positions 0..k-1 stand for events here; neutral codes are given out later, in `supports`.
Specification, "Current generated structure".
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from engine.hidden_systems.behavior import AttributeValue
from engine.hidden_systems.program.grammar import Action, Condition, HiddenRule, HiddenSystem
from engine.private import Private
from engine.randomness import Stream

Role = Literal["adder", "veto", "setter", "gated", "gated_add"]
"""adder: adds, always. veto, gated_add: act behind an attribute gate. setter: sets the flag that `gated` needs to add.

There is no veto behind a flag: it would show in no single event and no pair, and a triple shown to make it visible
would name the three roles by its membership and order alone.
"""

FLAG = "f1"
NUMERIC_LOW, NUMERIC_HIGH = 1, 12
SHOWN_VALUES = 4
"""Values of a numeric attribute that support cases take; the query's lies strictly between two of them."""
CATEGORIES = 3
PERCENT: dict[Role, tuple[int, int]] = {
    "adder": (40, 95),
    "veto": (35, 90),
    "setter": (50, 95),
    "gated": (50, 95),
    "gated_add": (40, 95),
}
"""Range of a role's trigger probability in hundredths, both ends included, uniform."""


@dataclass(frozen=True, kw_only=True)
class Attribute:
    """An attribute before it has a code."""

    shown: tuple[AttributeValue, ...]
    """Values that support cases take: ascending numbers, or category codes."""
    query: AttributeValue
    """Numeric: strictly inside the shown range and never shown. Categorical: one of the shown."""

    @property
    def numeric(self) -> bool:
        return isinstance(self.query, int)


@dataclass(frozen=True, kw_only=True, repr=False)
class Draw(Private):
    """A hidden system over query positions, with the attributes it may test."""

    roles: tuple[Role, ...]
    """By query position."""
    attributes: tuple[Attribute, ...]
    system: HiddenSystem
    """Events are named by query position, "0".."k-1", attributes "0".. by index."""


def draw_system(complexity: int, seed: int, index: int, attempt: int) -> Draw:
    """Draw one system for a query of `complexity` events (4..10)."""
    structure = Stream("hidden-systems/structure", complexity, seed, index, attempt)
    parameters = Stream("hidden-systems/parameters", complexity, seed, index, attempt)
    roles = _roles(complexity, structure)
    attributes = _attributes(complexity, structure)
    rules = tuple(_rule(at, role, attributes, structure, parameters) for at, role in enumerate(roles))
    return Draw(roles=roles, attributes=attributes, system=HiddenSystem(rules=rules))


def _roles(complexity: int, stream: Stream) -> tuple[Role, ...]:
    roles: list[Role] = ["adder", "veto", "setter", "gated"]
    vetoes = stream.between(0, (complexity - len(roles)) // 2)
    for nth in range(complexity - len(roles)):
        roles.append("veto" if nth < vetoes else "gated_add")
    roles = stream.shuffled(roles)
    setter, gated = roles.index("setter"), roles.index("gated")
    if setter > gated:
        roles[setter], roles[gated] = "gated", "setter"
    return tuple(roles)


def _attributes(complexity: int, stream: Stream) -> tuple[Attribute, ...]:
    """Draw 1 or 2 attributes, up to 4 from five events on, at least one numeric, in random order."""
    count = stream.between(1, 2 if complexity == 4 else 4)
    kinds = [True] + [stream.chance(2, 3) for _ in range(count - 1)]
    return tuple(_numeric(stream) if numeric else _categorical(stream) for numeric in stream.shuffled(kinds))


def _numeric(stream: Stream) -> Attribute:
    """Draw values whose inner gaps can hold a threshold strictly inside the shown range."""
    while True:
        values = sorted(stream.sample(range(NUMERIC_LOW, NUMERIC_HIGH + 1), SHOWN_VALUES + 1))
        query = values.pop(stream.between(1, SHOWN_VALUES - 1))
        attribute = Attribute(shown=tuple(values), query=query)
        if _thresholds(attribute):
            return attribute


def _categorical(stream: Stream) -> Attribute:
    codes = tuple(f"V{nth}" for nth in range(1, CATEGORIES + 1))
    return Attribute(shown=codes, query=stream.choice(codes))


def _thresholds(attribute: Attribute) -> list[list[int]]:
    """Return, for each gap between shown values that does not hold the query, the thresholds that lie in it."""
    shown = [value for value in attribute.shown if isinstance(value, int)]
    assert isinstance(attribute.query, int)
    gaps = []
    for low, high in pairwise(shown):
        inside = [value for value in range(low, high) if shown[0] < value < shown[-1]]
        if inside and not low < attribute.query < high:
            gaps.append(inside)
    return gaps


def _rule(
    position: int,
    role: Role,
    attributes: tuple[Attribute, ...],
    structure: Stream,
    parameters: Stream,
) -> HiddenRule:
    conditions: tuple[Condition, ...] = ()
    action: Action = "INVALIDATE_RECORD" if role == "veto" else "ADD_RECORD"
    if role in ("veto", "gated_add"):
        conditions = (_gate(attributes, structure),)
    elif role == "setter":
        action = "SET_FLAG"
    elif role == "gated":
        conditions = (Condition(source="state", key=FLAG, operator="IS_SET", value=True),)
    low, high = PERCENT[role]
    return HiddenRule(
        id=f"r{position + 1}",
        on_event=str(position),
        conditions=conditions,
        probability=Fraction(parameters.between(low, high), 100),
        action=action,
        target=FLAG if action == "SET_FLAG" else None,
    )


def _gate(attributes: tuple[Attribute, ...], stream: Stream) -> Condition:
    """Draw an attribute test that holds in about half of all queries."""
    index = stream.below(len(attributes))
    attribute = attributes[index]
    if attribute.numeric:
        threshold = stream.choice(stream.choice(_thresholds(attribute)))
        return Condition(source="attribute", key=str(index), operator=stream.choice(("LE", "GT")), value=threshold)
    others = [value for value in attribute.shown if value != attribute.query]
    value = attribute.query if stream.chance(1, 2) else stream.choice(others)
    return Condition(source="attribute", key=str(index), operator="EQ", value=value)
