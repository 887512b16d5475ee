"""Exact gold of many cases at once, side by side in doubles.

A system is encoded once: each rule becomes a row of bytes. The rows of a case, joined in execution order, are its
moves. All cases are propagated together, one column of moves at a time, by the `applies` and `after` that serve one
state too.
Labels and margins are never decided here: doubles are within 1e-12 of the exact rational, which `exact` returns.

Price: encoding a system costs more than running it, so keep what `encode` returns where a system is run more than
once. Memory grows with 2 to the number of flags: a system beyond `MOST_FLAGS` or `MOST_TESTS` is run by `exact`, alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from struct import Struct
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
    is_present,
    state_code,
)

MOST_FLAGS = 6
"""Flags of a system whose states fit the 8 bits of a row's fields."""
MOST_TESTS = 32
"""Attribute conditions of a system that fit the bits of a row's `tests`."""
CELLS = 1 << 15
"""States times cases that are propagated together: a quarter of a megabyte, which stays in the cache of one core."""

ROW = np.dtype(
    [("probability", "<f8"), ("records", "u1"), ("mask", "u1"), ("want", "u1"), ("sets", "u1"), ("tests", "<u4")]
)
"""One rule of a system. Bit b of `tests` says that the system's attribute test b must hold."""
_PACK = Struct("<dBBBBI").pack


class Test(NamedTuple):
    """One attribute condition of an encoded system."""

    event: str
    bit: int
    compare: Callable[[Any, Any], bool]
    key: str
    value: Value


class Encoded(NamedTuple):
    """A system in bytes, ready for many batches."""

    system: HiddenSystem
    rows: dict[str, bytes]
    """By event, its rules in stored order; empty for a system that does not fit."""
    tests: tuple[Test, ...]
    flag_count: int


Case: TypeAlias = tuple[HiddenSystem | Encoded, Mapping[str, Value], Sequence[str]]


def encode(system: HiddenSystem) -> Encoded:
    """Encode a legal system."""
    bits = FlagBits()
    tests: list[Test] = []
    codes = []
    for rule in system.rules:
        needed = 0
        for condition in rule.conditions:
            if condition.source == "attribute":
                bit = 1 << len(tests)
                needed |= bit
                tests.append(Test(rule.on_event, bit, COMPARISONS[condition.operator], condition.key, condition.value))
        numerator, denominator = rule.probability.as_integer_ratio()
        codes.append((rule.on_event, numerator / denominator, *state_code(rule, bits), needed))
    rows: dict[str, bytes] = {}
    if len(bits) <= MOST_FLAGS and len(tests) <= MOST_TESTS:
        for event, *code in codes:
            rows[event] = rows.get(event, b"") + _PACK(*code)
    return Encoded(system, rows, tuple(tests), len(bits))


def present_probabilities(cases: Sequence[Case]) -> NDArray[np.float64]:
    """Return, for each legal case, the probability that the record is present, within 1e-12.

    Cases of one size, that is with equally many flags and moves, waste nothing; others are padded to the largest.
    """
    result = np.zeros(len(cases))
    joined, passed, flag_count = [], [], 0
    for nth, (system, attributes, events) in enumerate(cases):
        encoded = system if isinstance(system, Encoded) else encode(system)
        rows = encoded.rows
        if rows:
            flag_count = max(flag_count, encoded.flag_count)
        else:
            result[nth] = float(gold(encoded.system, attributes, events))
        joined.append(b"".join([rows[event] for event in events if event in rows]))
        passed.append(_passed(encoded, attributes, events) if rows else 0)
    moves = _moves(joined, passed)
    length = CELLS >> (RECORD_BITS + flag_count)
    for start in range(0, len(cases), length):
        stop = start + length
        result[start:stop] += _propagate(moves[start:stop], 1 << (RECORD_BITS + flag_count))
    return result


def _passed(encoded: Encoded, attributes: Mapping[str, Value], events: Sequence[str]) -> int:
    """Return the bits of the attribute tests that hold."""
    try:
        return sum([bit for _, bit, compare, key, value in encoded.tests if compare(attributes[key], value)])
    except (KeyError, TypeError):  # Rules of events that do not occur may name attributes that this case lacks.
        tests = [test for test in encoded.tests if test.event in events]
        return sum(test.bit for test in tests if test.compare(attributes[test.key], test.value))


def _moves(joined: Sequence[bytes], passed: Sequence[int]) -> NDArray[np.void]:
    """Return rows as `moves[case, position]`, padded with rows that never apply; a failed test empties `records`."""
    width = max(map(len, joined), default=0)
    packed = bytearray().join([rows.ljust(width, b"\0") for rows in joined])
    moves = np.frombuffer(packed, dtype=ROW).reshape(len(joined), width // ROW.itemsize)
    failed = ~np.array(passed, dtype=np.uint32)
    moves["records"][(moves["tests"] & failed[:, None]) != 0] = 0
    return moves


def _propagate(moves: NDArray[np.void], states: int) -> NDArray[np.float64]:
    """Branch all cases at each move and merge equal states; return the mass of the present ones.

    Masses lie state by state, one lane a case. Lanes are a power of two, so that a cell's index holds its state in the
    upper bits and its lane in the lower ones.
    """
    count = len(moves)
    shift = (count - 1).bit_length()
    columns = np.zeros((moves.shape[1], 1 << shift), dtype=ROW)
    columns[:, :count] = moves.T
    masses = np.zeros((states, 1 << shift))
    masses[START, :count] = 1.0
    cells = masses.reshape(-1)
    state = np.arange(states, dtype=np.uint8)[:, None]
    for column in columns:
        move = Move(None, *(np.ascontiguousarray(column[field]) for field in Move._fields[1:]))
        met = np.flatnonzero(applies(move, state).astype(bool) & (masses != 0))
        lane = met & ((1 << shift) - 1)
        before = cells[met]
        moved = before * move.probability[lane]
        cells[met] = before - moved
        hit = after(move._replace(sets=move.sets[lane]), met >> shift)
        np.add.at(cells, hit << shift | lane, moved)
    present: NDArray[np.float64] = masses[is_present(state[:, 0]), :count].sum(axis=0)
    return present
