"""Time and chance as values that are passed in: two clocks, a source of bytes, and what is made of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from uuid import UUID


def utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, kw_only=True)
class Moments:
    """Where the app takes time and chance from; tests pass fixed ones."""

    monotonic: Callable[[], float] = monotonic
    """Seconds that never go back."""
    now: Callable[[], datetime] = utc_now
    chance: Callable[[int], bytes] = os.urandom
    """That many unpredictable bytes; ids need to be unique, not reproducible."""


def uuid7(now: datetime, chance: bytes) -> str:
    """Return a version 7 UUID of the millisecond of `now` and ten bytes of chance."""
    value = round(now.timestamp() * 1000) << 80 | int.from_bytes(chance[:10], "big")
    value = value & ~(0xF << 76) | 7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return str(UUID(int=value))


def moment_of(uuid: str) -> datetime:
    """Return the moment inside a version 7 UUID.

    Raises:
        ValueError: not a UUID.
    """
    return datetime.fromtimestamp((UUID(uuid).int >> 80) / 1000, UTC)


def stamp(moment: datetime) -> str:
    """Return UTC in ISO 8601 with milliseconds and Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


class VisibleClock:
    """Counts the milliseconds during which the puzzle can be seen: it stands still while anything holds it."""

    def __init__(self, monotonic: Callable[[], float], before_ms: int = 0) -> None:
        self._monotonic = monotonic
        self._ms = float(before_ms)
        self._holds: set[str] = set()
        self._since = monotonic()

    def hold(self, reason: str) -> bool:
        """Stop for a reason such as `pause`; return whether that reason is new."""
        new = reason not in self._holds
        self._settle()
        self._holds.add(reason)
        return new

    def release(self, reason: str) -> bool:
        """Take back one reason; the clock goes on when none is left. Return whether there was such a reason."""
        held = reason in self._holds
        self._settle()
        self._holds.discard(reason)
        return held

    def visible_ms(self) -> int:
        self._settle()
        return round(self._ms)

    def _settle(self) -> None:
        now = self._monotonic()
        if not self._holds:
            self._ms += (now - self._since) * 1000
        self._since = now
