"""What a model's run needs of a desk besides presenting: which items are left, and a place for its requests.

A final request and the answer that it gave are stored in one transaction; nothing is ever marked as running, so that a
killed run needs no repair: what has no final request is pending.
"""

from __future__ import annotations

from typing import Protocol

from engine.calls import ModelCall
from engine.public import Answer, Presented, PresentedTask, Receipt


class ModelSeat(Protocol):
    """A desk with a model at it. Methods block; call them all from one thread."""

    def is_pending(self, puzzle_id: str) -> bool:
        """Say whether nobody has finished an item for this solver yet."""

    def present(self, puzzle_id: str) -> Presented | PresentedTask:
        """Return one puzzle by its public id; of a conversation, the turn at hand."""

    def submit_call(self, answer: Answer, call: ModelCall) -> Receipt:
        """Store the final request and the answer that it gave, in one transaction.

        Raises:
            ConflictError: another run gave an answer meanwhile; nothing of this one is stored.
        """

    def log_call(self, call: ModelCall) -> None:
        """Store a request that closes no item."""

    def tries(self, puzzle_id: str, turn: int) -> int:
        """Return how many requests were made for a turn so far, in all runs."""

    def served_model(self) -> str | None:
        """Return the model that the endpoint named in its first answer; None before that."""

    def keep_served_model(self, served_model: str) -> None:
        """Store which model is served.

        Raises:
            ConflictError: another one was served before.
        """
