"""Which cases a solver is shown: the same kinds and numbers of cases for every event, whatever its role.

Four events: every event alone once; every pair in query order at the two ends of one attribute (low/high control), and
in the other order at values of which none is among those. From five events on: every event alone at the two ends of one
attribute; every pair in both orders, at different values of every attribute; as many triples as events, told in query
order, each event in three of them, drawn without regard to roles.
All attribute values differ from the query's (an equality-tested attribute may match it, the whole never does).
Specification, "Current generated structure"; the full set of the query's events is in no case.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.hidden_systems.behavior import AttributeValue
from engine.hidden_systems.program.draw import Attribute, Draw
from engine.randomness import Stream

TRIPLES_PER_EVENT = 3
FEWEST_EVENTS_WITH_TRIPLES = 5


class Setup(NamedTuple):
    """One support case before codes: query positions in execution order, one value an attribute."""

    events: tuple[int, ...]
    values: tuple[AttributeValue, ...]


def draw_setups(draw: Draw, stream: Stream) -> list[Setup]:
    """Return the support cases of a draw in random order."""
    complexity = len(draw.roles)
    longer = complexity >= FEWEST_EVENTS_WITH_TRIPLES
    setups: list[Setup] = []
    for event in range(complexity):
        if longer:
            setups += _control((event,), draw.attributes, stream)
        else:
            setups.append(Setup((event,), _values(draw.attributes, stream)))
    for late in range(complexity):
        for early in range(late):
            pair = (early, late)
            if longer:
                told = [Setup(pair, _values(draw.attributes, stream))]
            else:
                told = _control(pair, draw.attributes, stream)
            setups += told
            setups.append(Setup((late, early), _other_values(draw.attributes, told, stream)))
    if longer:
        setups += [Setup(triple, _values(draw.attributes, stream)) for triple in _triples(complexity, stream)]
    return stream.shuffled(setups)


def _control(events: tuple[int, ...], attributes: Sequence[Attribute], stream: Stream) -> list[Setup]:
    """Return one sequence at the two ends of one attribute, all others equal."""
    values = list(_values(attributes, stream))
    at = stream.below(len(attributes))
    shown = attributes[at].shown
    ends = (shown[0], shown[-1]) if attributes[at].numeric else tuple(stream.sample(shown, 2))
    setups = []
    for end in stream.shuffled(ends):
        values[at] = end
        setups.append(Setup(events, tuple(values)))
    return setups


def _values(attributes: Sequence[Attribute], stream: Stream) -> tuple[AttributeValue, ...]:
    return tuple(stream.choice(attribute.shown) for attribute in attributes)


def _other_values(attributes: Sequence[Attribute], told: Sequence[Setup], stream: Stream) -> tuple[AttributeValue, ...]:
    """Return values of which none stands in the told cases."""
    values = []
    for index, attribute in enumerate(attributes):
        used = {setup.values[index] for setup in told}
        values.append(stream.choice([value for value in attribute.shown if value not in used]))
    return tuple(values)


def _triples(events: int, stream: Stream) -> list[tuple[int, ...]]:
    """Return as many different triples as events, every event in three; uniform over the deals that work."""
    copies = [event for event in range(events) for _ in range(TRIPLES_PER_EVENT)]
    while True:
        deal = stream.shuffled(copies)
        triples = {tuple(sorted(set(deal[at : at + 3]))) for at in range(0, len(deal), 3)}
        if len(triples) == events and all(len(triple) == 3 for triple in triples):
            return sorted(triples)
