"""What a hidden system does: the only definition of execution.

Terms
    state   an integer. Its two lowest bits are the record, each higher bit is one flag.
    record  0 absent, 1 present, 3 invalidated: with these codes every action only sets bits,
            and an add cannot bring an invalidated record back (3 | 1 is 3).
    move    one rule met on the way through the events, its attribute conditions already found to hold.

Exact propagation and the simulator both walk these moves. `applies` and `after` are plain bit arithmetic, so
the same two functions serve one integer state and whole NumPy arrays of states, with one move or a column of moves.
Specification, "State and execution".
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.errors import ProgramError
from engine.hidden_systems.program.grammar import (
    RESERVED,
    Action,
    Condition,
    HiddenRule,
    HiddenSystem,
    Operator,
    Value,
    case_reasons,
)

START = 0
RECORD_BITS = 2
RECORD_MASK = 0b11
PRESENT = 0b01
INVALIDATED = 0b11
ANY_RECORD = 1 << 0 | 1 << PRESENT | 1 << INVALIDATED
"""Set of record codes, one bit a code."""


class Move(NamedTuple):
    """One applicable rule in execution order. In a column of moves each field is an array."""

    rule: Any
    """Index in the system's rules."""
    probability: Any
    records: Any
    """Set of record codes in which the state conditions hold, one bit a code; 0 never applies."""
    mask: Any
    want: Any
    """The flag conditions: they hold when `state & mask == want`."""
    sets: Any
    """Bits that the action sets."""


def applies(move: Move, state: Any) -> Any:
    """Tell whether the state conditions of a move hold (1 or 0, elementwise for arrays)."""
    return (move.records >> (state & RECORD_MASK)) & 1 & ((state & move.mask) == move.want)


def after(move: Move, state: Any) -> Any:
    """Return the state once the move has triggered."""
    return state | move.sets


def is_present(state: Any) -> Any:
    """Tell whether the record of a state is present."""
    return (state & RECORD_MASK) == PRESENT


def is_open(state: Any) -> Any:
    """Tell whether the record of a state is not invalidated; once it is, it is never present again."""
    return (state & RECORD_MASK) <= PRESENT


class Compiled:
    """A system made ready to be run on many cases."""

    def __init__(self, system: HiddenSystem) -> None:
        self.system = system
        bits = FlagBits()
        self.by_event: dict[str, list[tuple[tuple[Condition, ...], Move]]] = {}
        """Each event's rules in stored order: attribute conditions, and the move once they are found to hold."""
        for index, rule in enumerate(system.rules):
            tests = tuple([c for c in rule.conditions if c.source == "attribute"])
            move = Move(index, rule.probability, *state_code(rule, bits))
            self.by_event.setdefault(rule.on_event, []).append((tests, move))
        self.flag_count = len(bits)

    def moves(self, attributes: Mapping[str, Value], events: Sequence[str]) -> list[Move]:
        """Return the moves of a case: events left to right, each event's rules in stored order.

        Raises:
            KeyError: an attribute is missing; `check_case` finds that first, with a message.
        """
        moves = []
        for event in events:
            for tests, move in self.by_event.get(event, ()):
                for test in tests:
                    if not holds(test, attributes):
                        break
                else:
                    moves.append(move)
        return moves


class FlagBits(dict[str, int]):
    """Bit of each flag, given out at first mention."""

    def __missing__(self, flag: str) -> int:
        bit = self[flag] = 1 << (RECORD_BITS + len(self))
        return bit


SETS: dict[Action, int] = {"ADD_RECORD": PRESENT, "INVALIDATE_RECORD": INVALIDATED}


def state_code(rule: HiddenRule, bits: FlagBits) -> tuple[int, int, int, int]:
    """Return the fields of a rule's move that concern the state: records, mask, want, sets."""
    records, mask, want = ANY_RECORD, 0, 0
    for condition in rule.conditions:
        if condition.source == "attribute":
            continue
        if condition.key in RESERVED:
            records &= _records(condition)
            continue
        bit = bits[condition.key]
        wanted = bit if condition.operator == "IS_SET" or condition.value is True else 0
        if mask & bit and want & bit != wanted:
            records = 0
        mask, want = mask | bit, want | wanted
    sets = SETS.get(rule.action)
    return records, mask, want, bits[str(rule.target)] if sets is None else sets


def equals(value: Value, wanted: Value) -> bool:
    """Tell whether two values are equal: numbers by value, bool only to bool, text only to text."""
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


COMPARISONS: dict[Operator, Callable[[Any, Any], bool]] = {"EQ": equals, "LE": operator.le, "GT": operator.gt}
"""What each operator on an attribute means, as a function of the attribute's value and the condition's."""


def holds(condition: Condition, attributes: Mapping[str, Value]) -> bool:
    """Tell whether an attribute condition holds."""
    return COMPARISONS[condition.operator](attributes[condition.key], condition.value)


def check_case(
    system: HiddenSystem,
    attributes: Mapping[str, Value],
    events: Sequence[str],
    vocabulary: Sequence[str] | None = None,
) -> None:
    """Refuse a case that a legal system cannot be run on.

    Raises:
        ProgramError: with the first reason.
    """
    if reasons := case_reasons(system, attributes, events, vocabulary):
        raise ProgramError(reasons[0])


def _records(condition: Condition) -> int:
    if condition.key == "record":
        return 1 << PRESENT if condition.value == "PRESENT" else ANY_RECORD & ~(1 << PRESENT)
    return 1 << INVALIDATED if condition.value is True else ANY_RECORD & ~(1 << INVALIDATED)
