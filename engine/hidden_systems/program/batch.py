"""Exact gold of many cases at once, side by side in doubles.

A system is encoded once: each rule becomes a row of bytes. The rows of a case, joined in execution order, are its
moves. All cases are propagated together, one column of moves at a time, by the `applies` and `after` that serve one
state too. Labels and margins are never decided here: doubles are within 1e-12 of the exact rational of `exact`.

Price: encoding a system takes longer than running it, so keep what `encode` returns where a system is run more than
once. Memory grows with 2 to the number of flags: a system too large for its rows is run by `exact`, alone.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.hidden_systems.program.exact import gold
from engine.hidden_systems.program.grammar import HiddenSystem, Value
from engine.hidden_systems.program.semantics import (
    COMPARISONS,
    RECORD_BITS,
    START,
    FlagBits,
    Move,
    after,
    applies,
    is_open,
    is_present,
    state_code,
)

CELLS = 1 << 15
"""States times cases that are propagated together: a quarter of a megabyte, which stays in the cache of one core."""

ROW = np.dtype(
    [("probability", "<f8"), ("records", "u1"), ("mask", "u1"), ("want", "u1"), ("sets", "u1"), ("tests", "<u4")]
)
"""One rule of a system: six flags fit. Bit b of `tests` says that the system's attribute test b must hold: 32 fit."""
_pack = struct.Struct("<dBBBBI").pack

Test: TypeAlias = tuple[int, Callable[[Any, Any], bool], str, Value, str]
"""An attribute condition: bit in `tests`, comparison, attribute, value compared with, event."""


class Rows(dict[str, bytes]):
    """By event, its rules in stored order; an event without rules has none."""

    def __missing__(self, event: str) -> bytes:
        return b""


class Encoded(NamedTuple):
    """A system in bytes, ready for many batches."""

    system: HiddenSystem
    rows: Rows | None
    """None for a system that is too large for them."""
    tests: list[Test]
    flag_count: int


Case: TypeAlias = tuple[HiddenSystem | Encoded, Mapping[str, Value], Sequence[str]]


def encode(system: HiddenSystem) -> Encoded:
    """Encode a legal system."""
    bits, rows = FlagBits(), Rows()
    tests: list[Test] = []
    try:
        for rule in system.rules:
            event, needed = rule.on_event, 0
            for condition in rule.conditions:
                if condition.source == "attribute":
                    bit = 1 << len(tests)
                    needed |= bit
                    tests.append((bit, COMPARISONS[condition.operator], condition.key, condition.value, event))
            above, below = rule.probability.as_integer_ratio()
            row = _pack(above / below, *state_code(rule, bits), needed)
            rows[event] = rows[event] + row if event in rows else row
    except struct.error:
        return Encoded(system, None, [], 0)
    return Encoded(system, rows, tests, len(bits))


def present_probabilities(cases: Sequence[Case]) -> NDArray[np.float64]:
    """Return, for each legal case, the probability that the record is present, within 1e-12.

    Cases of one size, that is with equally many flags and moves, waste nothing; others are padded to the largest.
    """
    result = np.zeros(len(cases))
    most_flags = 0
    joined: list[bytes] = []
    passed: list[int] = []
    for system, attributes, events in cases:
        known, rows, tests, flag_count = system if isinstance(system, Encoded) else encode(system)
        if rows is None:
            result[len(joined)] = float(gold(known, attributes, events))
            rows = Rows()
        joined.append(b"".join(map(rows.__getitem__, events)))
        passed.append(_passed(tests, attributes, events))
        if flag_count > most_flags:
            most_flags = flag_count
    moves = _moves(joined, passed)
    length = CELLS >> (RECORD_BITS + most_flags)
    for start in range(0, len(cases), length):
        stop = start + length
        result[start:stop] += _propagate(moves[start:stop], 1 << (RECORD_BITS + most_flags))
    return result


def _passed(tests: Sequence[Test], attributes: Mapping[str, Value], events: Sequence[str]) -> int:
    """Return the bits of the attribute tests that hold."""
    passed = 0
    try:
        for bit, compare, key, value, _ in tests:
            if compare(attributes[key], value):
                passed |= bit
    except (KeyError, TypeError):
        # Rules of events that do not occur may name attributes that this case lacks; any other such test is a fault.
        occurring = [test for test in tests if test[-1] in events]
        if len(occurring) == len(tests):
            raise
        return _passed(occurring, attributes, events)
    return passed


def _moves(joined: Sequence[bytes], passed: Sequence[int]) -> NDArray[np.void]:
    """Return rows as `moves[case, position]`, padded with rows that never apply; a failed test empties `records`."""
    width = max(map(len, joined), default=0)
    packed = bytearray().join([rows.ljust(width, b"\0") for rows in joined])
    moves = np.frombuffer(packed, dtype=ROW).reshape(len(joined), width // ROW.itemsize)
    failed = ~np.array(passed, dtype=np.uint32)[:, None]
    moves["records"] *= (moves["tests"] & failed) == 0
    return moves


def _propagate(moves: NDArray[np.void], states: int) -> NDArray[np.float64]:
    """Branch all cases at each move and merge equal states; return the mass of the present ones.

    Masses lie in one row a state, one lane a case. Lanes are a power of two, so that a cell's index holds its row in
    the upper bits and its lane in the lower ones. The rows of states that are not open come last and are not looked
    at again: nothing that happens in them makes the record present.
    """
    count, shift = len(moves), (len(moves) - 1).bit_length()
    state = np.argsort(~is_open(np.arange(states)), kind="stable")
    row_of, live = np.argsort(state), int(is_open(state).sum())
    open_states = state[:live, None].astype(np.uint8)
    masses = np.zeros((states, 1 << shift))
    masses[row_of[START], :count] = 1.0
    cells = masses.reshape(-1)
    for column in zip(*(_columns(moves[name], 1 << shift) for name in Move._fields[1:]), strict=True):
        move = Move(None, *column)
        hit = after(move, open_states)
        met = np.flatnonzero(applies(move, open_states).astype(bool) & (hit != open_states) & (masses[:live] != 0))
        lane = met & ((1 << shift) - 1)
        before = cells[met]
        moved = before * move.probability[lane]
        cells[met] = before - moved
        # An action sets one bit, so two states of a lane never meet in one hit, unless it closes them both.
        target = row_of[hit.reshape(-1)[met]]
        kept = target < live
        cells[(target[kept] << shift) | lane[kept]] += moved[kept]
    present: NDArray[np.float64] = masses[is_present(state), :count].sum(axis=0)
    return present


def _columns(field: NDArray[Any], lanes: int) -> NDArray[Any]:
    """Return one field of `moves[case, position]` position by position, padded to the number of lanes."""
    columns = np.zeros((field.shape[1], lanes), dtype=field.dtype)
    columns[:, : len(field)] = field.T
    return columns
