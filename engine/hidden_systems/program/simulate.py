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
    moves, places = _stacked(cases)
    states = np.full((len(cases), trials), START, dtype=moves.sets.dtype)
    cells = states.reshape(-1)
    words = uniform_words(trials * sum(map(len, cases)), purpose, *key)
    words >>= np.uint64(64 - WORD_BITS)
    used = 0
    for place in places:
        met = np.flatnonzero(applies(Move(*(field[place[:, None]] for field in moves)), states))
        rule = place[met // trials]
        triggered = words[used : used + len(met)] < moves.probability[rule]
        used += len(met)
        hit = met[triggered]
        cells[hit] = after(moves._replace(sets=moves.sets[rule[triggered]]), cells[hit])
    return [int(count) for count in is_present(states).sum(axis=1)]


def _stacked(cases: Sequence[Sequence[Move]]) -> tuple[Move, NDArray[np.intp]]:
    """Return the different moves as one whose fields are arrays, and where each case's moves stand in it.

    The places are a row a position; a case that has no more moves has place 0, a move that never applies. A
    probability becomes the trigger threshold. Cases of one system share their moves, so there are few different ones.
    """
    distinct = {id(move): move for moves in cases for move in moves}
    place = {key: nth for nth, key in enumerate(distinct, start=1)}
    longest = max(map(len, cases), default=0)
    places = [[place[id(move)] for move in moves] + [0] * (longest - len(moves)) for moves in cases]
    thresholds = [(m.probability.numerator << WORD_BITS) // m.probability.denominator for m in distinct.values()]
    codes = np.array([(0, 0, 0, 0), *(move[2:] for move in distinct.values())], dtype=np.int64)
    if codes.max() < 1 << 8:
        codes = codes.astype(np.uint8)
    stacked = Move(np.arange(len(codes)), np.array([0, *thresholds], dtype=np.uint64), *codes.T.copy())
    return stacked, np.array(places, dtype=np.intp).reshape(len(cases), longest).T
