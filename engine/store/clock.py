"""Times and ids of stored rows. Callers that need fixed ones pass their own clock."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

Clock = Callable[[], str]
"""Returns the time of now as `utc_now` writes it."""


def utc_now() -> str:
    """Return the time of now in UTC, ISO 8601 with milliseconds and Z."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def uuid7() -> str:
    """Return a fresh UUID of version 7: milliseconds since 1970, then 74 random bits of the system.

    Two of one millisecond are unordered. Only attempts and sessions get such ids: a puzzle's would tell its place
    in generation order, and with it the answer.
    """
    milliseconds = time.time_ns() // 1_000_000
    bits = int.from_bytes(os.urandom(10), "big")
    return str(UUID(int=milliseconds << 80 | 7 << 76 | (bits >> 68) << 64 | 2 << 62 | bits & (1 << 62) - 1))


def random_id() -> str:
    """Return 32 random hex digits of the system, for rows whose order must say nothing."""
    return os.urandom(16).hex()
