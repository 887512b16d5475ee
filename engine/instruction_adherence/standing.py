"""How a requirement stands in a turn, told from the marks of its check alone; nothing is loaded for it."""

from __future__ import annotations

from engine.public import State


def standing(*, expect: bool, scored: bool, since_turn: int, turn: int) -> State:
    """Return how a check stands in a turn (from 1); what its two marks mean stands in `turn`."""
    if not expect:
        return "dropped" if scored else "quoted"
    if not scored:
        return "disputed"
    return "new" if since_turn == turn > 1 else "active"
