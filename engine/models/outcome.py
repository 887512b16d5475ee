"""How much a run may do at once, who is told how it goes, and what became of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Protocol

from engine.calls import ModelCall


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How much at once and how long; seconds."""

    concurrency: int = 4
    item_deadline_s: float = 180.0
    try_timeout_s: float = 60.0
    grace_s: float = 10.0
    """For requests under way when the run is stopped."""


DEFAULT_LIMITS = Limits()


class Watch(Protocol):
    """Is told how a run goes."""

    def closed(self, call: ModelCall) -> None:
        """One turn has its final request."""

    def finished(self) -> None:
        """One item is done."""

    def said(self, line: str) -> None:
        """Something that a person should know."""


@dataclass(kw_only=True)
class Outcome:
    """What became of a run."""

    finished: int = 0
    """Items that this run completed."""
    parked: dict[str, str] = field(default_factory=dict)
    """Items that were given up for this run, each with the last fault."""
    lost: int = 0
    """Items that another run answered meanwhile."""
    requests: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    fatal: str = ""
    stopped: bool = False
    """Somebody asked to stop."""
