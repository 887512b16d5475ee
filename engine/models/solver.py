"""What a solver is asked and what it gives back: the protocol that every way to a model implements.

    Message      one turn of a dialogue, with the exact bytes that are sent
    Parameters   what is sampled with; all of it is part of the resume key
    Question     messages and what the answer must look like
    Completion   one answer as it came, parsed no further than the wire format
    Fault        one request that gave no answer, and why

`ask` makes exactly one request: retries belong to the runner, since nested ones multiply. A solver gets messages that
were built from public types alone; nothing here may import the program layer or the store.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from engine.canonical import Json, digest, text_digest

Role = Literal["system", "user", "assistant"]
OutputMode = Literal["text", "schema", "grammar"]
"""How the answer is asked for: as free text, by a JSON schema, or by a grammar (llama.cpp). Never pooled."""


@dataclass(frozen=True, kw_only=True)
class Message:
    """One text of a dialogue."""

    role: Role
    text: str

    def document(self) -> dict[str, Json]:
        return {"role": self.role, "content": self.text}


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """What is sampled with; None and absent keys leave a choice to the endpoint."""

    temperature: str | None = None
    """A decimal number as it was written, so that it has one canonical form."""
    max_tokens: int | None = None
    seed: int | None = None
    extra: tuple[tuple[str, str], ...] = ()
    """Further fields of the request body, sorted by name, each with its value as JSON text."""

    def document(self) -> dict[str, Json]:
        """Return the parameters that are set, for keys and rows."""
        named: dict[str, Json] = {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
            "extra": dict(self.extra) or None,
        }
        return {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Question:
    """One request to a model, apart from the model itself."""

    messages: tuple[Message, ...]
    mode: OutputMode = "text"
    labels: tuple[str, ...] = ()
    """What a schema or grammar allows as the answer."""
    schema: str = ""
    """JSON schema as JSON text, for mode `schema`; or the grammar, for mode `grammar`."""

    @property
    def prompt_sha(self) -> str:
        """SHA-256 of the canonical list of all messages."""
        return digest([message.document() for message in self.messages])


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens as the endpoint counted them; None is unknown, never 0."""

    prompt: int | None = None
    completion: int | None = None
    cached: int | None = None
    """Of the prompt."""
    reasoning: int | None = None
    """Of the completion."""


@dataclass(frozen=True, kw_only=True)
class Completion:
    """One answer of a model."""

    text: str
    """The content as it came; empty if there was none."""
    finish_reason: str | None = None
    refusal: str | None = None
    reasoning: str | None = None
    """What came in a field of its own; thoughts inside the text stay there and are told apart by the parser."""
    usage: Usage | None = None
    served_model: str | None = None
    raw: str = ""
    """The body as it was received."""
    http_status: int | None = None


FaultKind = Literal[
    "rate_limited", "quota", "auth", "not_found", "bad_request", "too_long", "filtered", "server", "error_object",
    "not_an_api", "no_choices", "connection", "timeout",
]  # fmt: skip


class Fault(Exception):
    """A request that gave no answer."""

    def __init__(
        self,
        kind: FaultKind,
        message: str,
        *,
        http_status: int | None = None,
        retry_after_s: float | None = None,
        raw: str | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        """Without keys or credentials."""
        self.http_status = http_status
        self.retry_after_s = retry_after_s
        """Seconds that the endpoint asks to wait."""
        self.raw = raw


class Solver(Protocol):
    """A way to one model."""

    @property
    def name(self) -> str:
        """Return the solver's name as it is given on the command line, such as `openai:gpt-x`."""

    def identity(self) -> Mapping[str, Json]:
        """Return what the solver is, for keys and rows: adapter, endpoint without credentials, requested model."""

    def versions(self) -> str:
        """Return the versions of the client libraries."""

    def request(self, question: Question, parameters: Parameters) -> Mapping[str, object]:
        """Return the body of the request as it is sent."""

    async def ask(self, question: Question, parameters: Parameters, timeout_s: float) -> Completion:
        """Make one request.

        Raises:
            Fault: there is no answer.
        """

    async def close(self) -> None:
        """Let go of connections."""


def request_digest(body: Mapping[str, object]) -> str:
    """Return the SHA-256 of a request body with sorted keys and no spaces; numbers stand as Python writes them."""
    return text_digest(json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":")))


def text_of(messages: Sequence[Message]) -> str:
    """Return the last user message: the text that a person is shown."""
    return next(message.text for message in reversed(messages) if message.role == "user")
