"""One request to a language model as it is kept, and the words for how it ended.

    answered                                          the model said something; a parser or scorer reads it
    truncated  refused  filtered  empty  too_long     the model is done with the item and said nothing to be read
    infra_error                                       a network, a server or a limit failed; the item stays pending
    fatal                                             no further request of the run can succeed
    duplicate                                         another run had answered meanwhile; never counted

The first two rows are final: such a request closes its item and is never paid for again. No failure of a network, a
server or a parser becomes a wrong answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

CallStatus = Literal[
    "answered", "truncated", "refused", "filtered", "empty", "too_long", "infra_error", "fatal", "duplicate"
]
CALL_STATUSES: tuple[CallStatus, ...] = get_args(CallStatus)
Unread = Literal["truncated", "refused", "filtered", "empty", "too_long"]
"""Final without an answer: out of the accuracy over answered items, in the accuracy over all as not correct."""
UNREAD: tuple[Unread, ...] = get_args(Unread)
FINAL: tuple[CallStatus, ...] = ("answered", *UNREAD)


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelCall:
    """One request and what came back; every request that was sent has one."""

    resume_key: str
    """Digest of all that decides the answer: endpoint, models, messages, parameters (`engine.models.keys`)."""
    puzzle_id: str
    try_no: int
    """From 1, counted over all runs of the same item."""
    status: CallStatus
    request_sha: str
    """SHA-256 of the canonical request body."""
    prompt_sha: str
    """SHA-256 of the canonical list of all messages."""
    text_sha: str
    """SHA-256 of the last user message: the digest that a person's answer to the same text has."""
    params: str
    """Canonical JSON of the sampling parameters and the output mode."""
    started_at: str
    client_versions: str
    turn: int = 1
    sample: int = 0
    http_status: int | None = None
    finish_reason: str | None = None
    refusal: str | None = None
    reasoning: str | None = None
    """What the model thought aloud; never parsed."""
    raw: str | None = None
    """The body as it was received."""
    served_model: str | None = None
    prompt_tokens: int | None = None
    """None where the endpoint did not say: unknown is never 0."""
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    latency_ms: int | None = None
    error_type: str | None = None
    error_text: str | None = None
    """Without keys or credentials."""

    @property
    def closes_item(self) -> bool:
        """Whether the item is never asked again."""
        return self.status in FINAL
