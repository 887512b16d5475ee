"""The simulator: every trial of every case is run on the moves of `semantics`, triggers really drawn.

Draw order, pinned by a golden test: position by position along the moves; within a position case by case, trial by
trial; a trigger is drawn only where the rule's conditions hold.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.hidden_systems.program.semantics import START, Move, after, applies, is_present
from engine.randomness import uniform_words

WORD_BITS = 63
"""A trigger compares the upper 63 bits of a uniform word with the probability: bias below 2^-63."""


def simulate(cases: Sequence[Sequence[Move]], trials: int, purpose: str, *key: int | str) -> list[int]:
    """Return, for each case, in how many of `trials` independent trials the record ended present.

    Args:
        cases: each case's moves. At most 60 flags a system (states are 64-bit integers here).
        purpose, key: name the stream of random words (`engine.randomness`).
    """
    states = np.full((len(cases), trials), START, dtype=np.int64)
    words = uniform_words(trials * sum(map(len, cases)), purpose, *key) >> np.uint64(64 - WORD_BITS)
    used = 0
    for position in range(max(map(len, cases), default=0)):
        rows = [nth for nth, moves in enumerate(cases) if len(moves) > position]
        move = _column([cases[nth][position] for nth in rows])
        now = states[rows]
        meets = applies(move, now).astype(bool)
        drawn = np.zeros(now.shape, dtype=np.uint64)
        count = int(meets.sum())
        drawn[meets] = words[used : used + count]
        used += count
        states[rows] = np.where(meets & (drawn < move.probability), after(move, now), now)
    return [int(count) for count in is_present(states).sum(axis=1)]


def _column(moves: Sequence[Move]) -> Move:
    """Stack moves into one whose fields are columns; the probability becomes the exact trigger threshold."""
    thresholds: NDArray[np.uint64] = np.array(
        [(m.probability.numerator << WORD_BITS) // m.probability.denominator for m in moves], dtype=np.uint64
    )
    columns = np.array([move[2:] for move in moves], dtype=np.int64)
    return Move(None, thresholds[:, None], *(columns[:, [field]] for field in range(columns.shape[1])))
