"""The answer-bearing record of one puzzle, and how a draw becomes one.

The public payload is built first, from counts and vocabularies; the skeleton has it, and `renderer_payload` returns it.
Specification, "Behavioral skeleton grammar".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from engine.canonical import Json, digest
from engine.hidden_systems.behavior import (
    QUERY_ID,
    AttributeRange,
    AttributeSetting,
    AttributeValue,
    BehaviorCase,
    Label,
    ObservationProtocol,
    PublicPayload,
    payload_document,
)
from engine.hidden_systems.program.draw import Attribute, Draw
from engine.hidden_systems.program.exact import label_of, present_probability, trace
from engine.hidden_systems.program.grammar import Condition, HiddenRule, HiddenSystem, Value, system_document
from engine.hidden_systems.program.semantics import Compiled
from engine.hidden_systems.program.simulate import simulate
from engine.hidden_systems.program.supports import Setup, draw_setups
from engine.private import Private
from engine.randomness import Stream


@dataclass(frozen=True, kw_only=True, repr=False)
class TraceStep(Private):
    """One rule of the query in execution order, with exact masses."""

    event: str
    rule: str
    reached: Fraction
    triggered: Fraction


@dataclass(frozen=True, kw_only=True, repr=False)
class BehaviorSkeleton(Private):
    """A puzzle with its answer. Never leaves the engine."""

    payload: PublicPayload
    hidden_system: HiddenSystem
    gold_answer: Label
    gold_present_probability: Fraction
    latent_trace: tuple[TraceStep, ...]

    @cached_property
    def id(self) -> str:
        """The unsalted digest of the public payload: private."""
        return digest(payload_document(self.payload))

    def renderer_payload(self) -> PublicPayload:
        """Return the public part, which is all that a renderer or solver may have."""
        return self.payload


def trials_for(complexity: int) -> int:
    """Return the trials of each support case: 48 for short tasks, 64 for longer ones."""
    return 48 if complexity == 4 else 64


def build_skeleton(draw: Draw, probability: Fraction, seed: int, index: int) -> BehaviorSkeleton:
    """Name a draw neutrally, run its support cases and attach the gold."""
    key = (len(draw.roles), seed, index)
    order = Stream("hidden-systems/order", *key)
    names = _Names(draw, order)
    setups = draw_setups(draw, Stream("hidden-systems/supports", *key))
    compiled = Compiled(draw.system)
    trials = trials_for(len(draw.roles))
    moves = [compiled.moves(_raw(setup.values), [str(event) for event in setup.events]) for setup in setups]
    presents = simulate(moves, trials, "hidden-systems/trials", *key)
    payload = _payload(draw, names, setups, presents, trials)
    system = names.system(draw.system)
    steps = trace(Compiled(system).moves(case_attributes(payload.query_case), payload.query_case.events))
    return BehaviorSkeleton(
        payload=payload,
        hidden_system=system,
        gold_answer=label_of(probability),
        gold_present_probability=probability,
        latent_trace=tuple(
            TraceStep(
                event=system.rules[step.rule].on_event,
                rule=system.rules[step.rule].id,
                reached=step.reached,
                triggered=step.triggered,
            )
            for step in steps
        ),
    )


def query_probability(draw: Draw) -> Fraction:
    """Return the exact probability of PRESENT for a draw's query: all events in order, at the query's values."""
    events = [str(event) for event in range(len(draw.roles))]
    return present_probability(Compiled(draw.system).moves(_raw([a.query for a in draw.attributes]), events))


def case_attributes(case: BehaviorCase) -> dict[str, Value]:
    """Return a case's attributes as the mapping that the semantics take."""
    return {setting.name: setting.value for setting in case.attributes}


def record_document(skeleton: BehaviorSkeleton) -> dict[str, Json | float]:
    """Return the complete answer-bearing record with all fields of the specification, probabilities as JSON numbers."""
    gold = skeleton.gold_present_probability
    return {
        "id": skeleton.id,
        **payload_document(skeleton.payload),
        "hidden_system": system_document(skeleton.hidden_system, exact=False),
        "gold_answer": skeleton.gold_answer,
        "gold_present_probability": float(gold),
        "gold_present_fraction": fraction_text(gold),
        "latent_trace": trace_document(skeleton.latent_trace),
    }


def trace_document(steps: Sequence[TraceStep]) -> list[Json]:
    """Return the latent trace as JSON, masses as fraction text."""
    return [
        {
            "event": step.event,
            "rule": step.rule,
            "reached": fraction_text(step.reached),
            "triggered": fraction_text(step.triggered),
        }
        for step in steps
    ]


def fraction_text(value: Fraction) -> str:
    """Return an exact number as `numerator/denominator`."""
    return f"{value.numerator}/{value.denominator}"


def _raw(values: Sequence[AttributeValue]) -> dict[str, Value]:
    return {str(index): value for index, value in enumerate(values)}


class _Names:
    """Neutral codes for the events, attributes and categories of a draw, given out in random order."""

    def __init__(self, draw: Draw, stream: Stream) -> None:
        complexity = len(draw.roles)
        self.events = dict(zip(stream.shuffled(range(complexity)), _codes("E", complexity), strict=True))
        """By query position."""
        self.attributes = dict(
            zip(stream.shuffled(range(len(draw.attributes))), _codes("A", len(draw.attributes)), strict=True)
        )
        """By index in the draw, in the order of the codes."""
        self._settings: dict[tuple[int, AttributeValue], AttributeSetting] = {}
        self.values = [
            {} if a.numeric else dict(zip(stream.shuffled(a.shown), _codes("V", len(a.shown)), strict=True))
            for a in draw.attributes
        ]

    def value(self, index: int, value: AttributeValue) -> AttributeValue:
        return self.values[index].get(value, value)

    def settings(self, values: Sequence[AttributeValue]) -> tuple[AttributeSetting, ...]:
        return tuple([self._setting(index, values[index]) for index in self.attributes])

    def _setting(self, index: int, value: AttributeValue) -> AttributeSetting:
        """Return one setting; the same one each time, since a puzzle holds hundreds of few different ones."""
        setting = self._settings.get((index, value))
        if setting is None:
            setting = AttributeSetting(name=self.attributes[index], value=self.value(index, value))
            self._settings[index, value] = setting
        return setting

    def system(self, system: HiddenSystem) -> HiddenSystem:
        return HiddenSystem(rules=tuple(self._rule(rule) for rule in system.rules))

    def _rule(self, rule: HiddenRule) -> HiddenRule:
        return HiddenRule(
            id=rule.id,
            on_event=self.events[int(rule.on_event)],
            conditions=tuple(self._condition(condition) for condition in rule.conditions),
            probability=rule.probability,
            action=rule.action,
            target=rule.target,
        )

    def _condition(self, condition: Condition) -> Condition:
        if condition.source == "state":
            return condition
        index = int(condition.key)
        value = condition.value
        if isinstance(value, str):
            value = self.value(index, value)
        return Condition(source="attribute", key=self.attributes[index], operator=condition.operator, value=value)


def _codes(letter: str, count: int) -> list[str]:
    return [f"{letter}{nth}" for nth in range(1, count + 1)]


def _payload(draw: Draw, names: _Names, setups: Sequence[Setup], presents: Sequence[int], trials: int) -> PublicPayload:
    ranges = {code: _range(draw.attributes[index], names, index) for index, code in names.attributes.items()}
    return PublicPayload(
        complexity=len(draw.roles),
        event_vocabulary=tuple(_codes("E", len(draw.roles))),
        attribute_vocabulary=tuple(AttributeRange(name=code, values=ranges[code]) for code in sorted(ranges)),
        observation_protocol=ObservationProtocol(trials_per_case=trials),
        support_cases=tuple(
            BehaviorCase(
                id=f"c{nth:02d}",
                attributes=names.settings(setup.values),
                events=tuple(names.events[event] for event in setup.events),
                trials=trials,
                observed_present=present,
                observed_absent=trials - present,
            )
            for nth, (setup, present) in enumerate(zip(setups, presents, strict=True), start=1)
        ),
        query_case=BehaviorCase(
            id=QUERY_ID,
            attributes=names.settings([attribute.query for attribute in draw.attributes]),
            events=tuple(names.events[event] for event in range(len(draw.roles))),
            trials=None,
            observed_present=None,
            observed_absent=None,
        ),
    )


def _range(attribute: Attribute, names: _Names, index: int) -> tuple[AttributeValue, ...]:
    if attribute.numeric:
        numbers = [value for value in (*attribute.shown, attribute.query) if isinstance(value, int)]
        return tuple(sorted(numbers))
    return tuple(sorted(str(names.value(index, value)) for value in attribute.shown))
