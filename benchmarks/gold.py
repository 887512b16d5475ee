"""Exact gold: batches against a plain dict-and-frozenset merger, ProbLog and Storm, in one run.

A batch is 1,000 systems of one size. Attributes, event order and moves are compiled in every contestant's time; for
batches two figures are given, with every rule encoded in the run and with the systems encoded before.
Run: python benchmarks/gold.py
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from typing import Any

from measure import medians, verdict

from engine.hidden_systems.program.batch import encode, present_probabilities
from engine.hidden_systems.program.exact import gold
from engine.hidden_systems.program.grammar import Condition, HiddenRule, HiddenSystem, Operator, Value
from engine.hidden_systems.program.witnesses import problog_probability, storm_probability
from engine.randomness import Stream

SYSTEMS = 1000
PEER_SYSTEMS = 10
ROUNDS = 9
SIZES = ((4, 1), (6, 1), (8, 2), (10, 3), (14, 3))
"""Rules (one an event) and flags."""
CLAIM_SIZE = (10, 3)
LIMITS: tuple[Operator, ...] = ("LE", "GT")

Case = tuple[HiddenSystem, dict[str, Value], tuple[str, ...]]
State = tuple[str, bool, frozenset[str]]


def merge(system: HiddenSystem, attributes: Mapping[str, Value], events: Sequence[str]) -> float:
    """Return the probability of PRESENT by merging equal states in a dictionary: plain, and in one piece for speed."""
    masses: dict[State, float] = {("ABSENT", False, frozenset()): 1.0}
    for event in events:
        for rule in system.rules:
            if rule.on_event != event:
                continue
            probability = float(rule.probability)
            merged: dict[State, float] = {}
            for state, mass in masses.items():
                record, invalidated, flags = state
                for condition in rule.conditions:
                    if condition.source == "attribute":
                        value: Any = attributes[condition.key]
                        if condition.operator == "LE":
                            held = value <= condition.value
                        elif condition.operator == "GT":
                            held = value > condition.value
                        else:
                            held = value == condition.value
                    elif condition.key == "record":
                        held = record == condition.value
                    elif condition.key == "invalidated":
                        held = invalidated is condition.value
                    else:
                        held = (condition.key in flags) is (condition.value is not False)
                    if not held:
                        merged[state] = merged.get(state, 0.0) + mass
                        break
                else:
                    if rule.action == "SET_FLAG":
                        hit: State = (record, invalidated, flags | {str(rule.target)})
                    elif rule.action == "ADD_RECORD":
                        hit = ("ABSENT" if invalidated else "PRESENT", invalidated, flags)
                    else:
                        hit = ("ABSENT", True, flags)
                    merged[hit] = merged.get(hit, 0.0) + mass * probability
                    merged[state] = merged.get(state, 0.0) + mass * (1 - probability)
            masses = merged
    return sum(mass for (record, _, _), mass in masses.items() if record == "PRESENT")


def draw_case(rules: int, flags: int, index: int) -> Case:
    """Draw a system: an add, a gated veto, each flag's setter and gated rule, the rest gated adds and vetoes."""
    stream = Stream("benchmarks/gold", rules, flags, index)
    names = [f"f{nth}" for nth in range(1, flags + 1)]
    kinds: list[tuple[str, str]] = [("add", ""), ("veto", "")]
    kinds += [("set", name) for name in names] + [("need", name) for name in names]
    kinds += [(stream.choice(("gated add", "veto")), "") for _ in range(rules - len(kinds))]
    drawn = tuple(_rule(nth, kind, name, stream) for nth, (kind, name) in enumerate(stream.shuffled(kinds)))
    attributes: dict[str, Value] = {"A1": stream.between(1, 9), "A2": stream.between(1, 9)}
    return HiddenSystem(rules=drawn), attributes, tuple(rule.on_event for rule in drawn)


def _rule(nth: int, kind: str, flag: str, stream: Stream) -> HiddenRule:
    conditions: tuple[Condition, ...] = ()
    if kind in ("veto", "gated add"):
        key, operator = stream.choice(("A1", "A2")), stream.choice(LIMITS)
        conditions = (Condition(source="attribute", key=key, operator=operator, value=stream.between(2, 8)),)
    elif kind == "need":
        conditions = (Condition(source="state", key=flag, operator="IS_SET"),)
    veto = kind == "veto" or (kind == "need" and stream.chance(1, 2))
    return HiddenRule(
        id=f"r{nth}",
        on_event=f"E{nth}",
        conditions=conditions,
        probability=Fraction(stream.between(5, 95), 100),
        action="SET_FLAG" if kind == "set" else "INVALIDATE_RECORD" if veto else "ADD_RECORD",
        target=flag if kind == "set" else None,
    )


def measure_size(rules: int, flags: int) -> dict[str, float]:
    """Return the median microseconds a system of each way, after checking that all ways agree."""
    cases = [draw_case(rules, flags, index) for index in range(SYSTEMS)]
    encoded = [(encode(system), attributes, events) for system, attributes, events in cases]
    for case, found in zip(cases[:50], present_probabilities(cases[:50]), strict=True):
        assert abs(found - float(gold(*case))) < 1e-12 and abs(merge(*case) - float(gold(*case))) < 1e-12
    contestants: dict[str, Callable[[], object]] = {
        "merger": lambda: [merge(*case) for case in cases],
        "exact rational": lambda: [gold(*case) for case in cases],
        "batch, rules encoded in the run": lambda: present_probabilities(cases),
        "batch, systems encoded before": lambda: present_probabilities(encoded),
    }
    return {name: seconds / SYSTEMS * 1e6 for name, seconds in medians(contestants, ROUNDS).items()}


def measure_peers(rules: int, flags: int) -> dict[str, float]:
    """Return the median microseconds a system of each peer that is installed, model building included."""
    cases = [draw_case(rules, flags, index) for index in range(PEER_SYSTEMS)]
    peers = {"problog": problog_probability, "stormpy": storm_probability}
    found: dict[str, float] = {}
    for module, ask in peers.items():
        if find_spec(module) is None:
            print(f"{module}: not available here; pip install '.[witnesses]'")
            continue
        for case in cases[:3]:
            assert abs(float(ask(*case)) - float(gold(*case))) < 1e-9
        found |= medians({module: partial(_ask_all, ask, cases)}, 3)
    return {name: seconds / PEER_SYSTEMS * 1e6 for name, seconds in found.items()}


def _ask_all(ask: Callable[..., object], cases: Sequence[Case]) -> list[object]:
    return [ask(*case) for case in cases]


def main() -> int:
    kept: dict[str, float] = {}
    for rules, flags in SIZES:
        found = measure_size(rules, flags)
        if (rules, flags) == CLAIM_SIZE:
            kept = found
        print(f"{rules} rules, {flags} flags, {SYSTEMS} systems")
        for name, microseconds in found.items():
            print(f"  {name:34} {microseconds:8.2f} us a system {found['merger'] / microseconds:8.1f}x the merger")
    peers = measure_peers(*CLAIM_SIZE)
    print("{} rules, {} flags, against peers with their model building".format(*CLAIM_SIZE))
    before, within = "batch, systems encoded before", "batch, rules encoded in the run"
    held = [verdict(f"{before}, against the merger", kept["merger"] / kept[before], 10)]
    print(f"no claim  {within}, against the merger: {kept['merger'] / kept[within]:.1f}x")
    for way in (before, within):
        held += [verdict(f"{way}, against {name}", peer / kept[way], 500) for name, peer in peers.items()]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
