"""The exact distribution over states, and the label and margin decided from it.

One case is propagated in whole numbers, so its probability is the exact rational; a batch of systems of one size is
propagated in doubles, side by side. Specification, "Exact gold computation versus sampled evidence".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from engine.errors import ProgramError
from engine.hidden_systems.behavior import Label
from engine.hidden_systems.program.grammar import HiddenSystem, Value
from engine.hidden_systems.program.semantics import START, Compiled, Move, after, applies, is_present

HALF = Fraction(1, 2)
MOST_STATES = 1 << 18
"""States that are followed side by side; a system of 16 flags, all set by chance, stays below."""
MARGIN = Fraction(8, 100)
"""Closest accepted distance of the gold probability from one half; the distance itself is accepted."""


class Step(NamedTuple):
    """Mass at one rule of the query: how much of it met the rule's conditions, how much triggered."""

    rule: int
    reached: Fraction
    triggered: Fraction


def present_probability(moves: Sequence[Move]) -> Fraction:
    """Return the exact probability that the record is present after all moves."""
    scale = lcm(*(move.probability.denominator for move in moves)) if moves else 1
    masses = {START: 1}
    for move in moves:
        masses = _propagate(masses, move, scale)
    present = sum(mass for state, mass in masses.items() if is_present(state))
    return Fraction(present, scale ** len(moves))


def trace(moves: Sequence[Move]) -> tuple[Step, ...]:
    """Return, in execution order, the mass that reached and that triggered each move."""
    scale = lcm(*(move.probability.denominator for move in moves)) if moves else 1
    masses, steps = {START: 1}, []
    for nth, move in enumerate(moves):
        reached = Fraction(sum(mass for state, mass in masses.items() if applies(move, state)), scale**nth)
        steps.append(Step(move.rule, reached, reached * move.probability))
        masses = _propagate(masses, move, scale)
    return tuple(steps)


def _propagate(masses: Mapping[int, int], move: Move, scale: int) -> dict[int, int]:
    """Branch every state at one move and merge equal states; all masses grow by the factor `scale`."""
    active = move.probability.numerator * (scale // move.probability.denominator)
    result: dict[int, int] = {}
    for state, mass in masses.items():
        if applies(move, state):
            hit = after(move, state)
            result[hit] = result.get(hit, 0) + mass * active
            mass *= scale - active
        else:
            mass *= scale
        result[state] = result.get(state, 0) + mass
    if len(result) > MOST_STATES:
        raise ProgramError(f"{len(result)} states can be reached, and more; at most {MOST_STATES} are followed")
    return {state: mass for state, mass in result.items() if mass}


def label_of(probability: Fraction) -> Label:
    """Return the gold label: PRESENT when the probability exceeds one half; one half itself is ABSENT."""
    return "PRESENT" if probability > HALF else "ABSENT"


def outside_margin(probability: Fraction) -> bool:
    """Tell whether a gold probability is far enough from one half to be used."""
    return abs(probability - HALF) >= MARGIN


def gold(system: HiddenSystem, attributes: Mapping[str, Value], events: Sequence[str]) -> Fraction:
    """Return the exact probability of PRESENT for one case of a legal system."""
    return present_probability(Compiled(system).moves(attributes, events))
