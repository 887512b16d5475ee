"""How long to wait before the next try: doubling, capped, with full jitter that a key decides."""

from __future__ import annotations

from engine.randomness import Stream

FIRST_S, LONGEST_S = 0.5, 30.0
STEPS = 1000


def ceiling_s(failures: int) -> float:
    """Return the longest wait after so many failures in a row, from 1."""
    return float(min(LONGEST_S, FIRST_S * 2 ** min(failures - 1, 16)))


def backoff_s(failures: int, *key: int | str) -> float:
    """Return seconds to wait: uniform between 0 and the ceiling, so that those who failed together part."""
    share = Stream("models/backoff", failures, *key).between(0, STEPS)
    return ceiling_s(failures) * share / STEPS
