"""One conversation of a model about one puzzle, whatever tool kept it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Rollout:
    """One conversation of a model about one puzzle, as an evaluation stored it."""

    uid: str
    """The puzzle id; empty where the file does not know it."""
    model: str
    environment: str
    """The sub-environment, such as `single` or `multi`; empty where the run has one environment alone."""
    asked: tuple[str, ...]
    """What the user said, turn by turn."""
    replies: tuple[str, ...]
    """What the model said, turn by turn; fewer than were asked where the rollout failed."""
    values: Mapping[str, float]
    """Rewards and metrics by name; empty for a rollout that failed, and where the file has none."""
    reward: float | None
    """The weighted sum; None for a rollout that failed."""
    error: str
    """Why it failed; empty for one that did not."""
    truncated: bool
    """Whether a reply was cut by its length limit."""
    prompt_sha: str = ""
    """SHA-256 of the one text that was asked, where the file gives the digest in place of the text."""
    identity: str = ""
    """What tells this rollout from every other one of its file; empty where the file does not say."""
