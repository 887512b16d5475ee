"""Answers once given, given again: the same messages get what a model said before, and no request is made."""

from __future__ import annotations

from collections.abc import Mapping

from engine.calls import ModelCall
from engine.canonical import Json
from engine.models.solver import Completion, Fault, FaultKind, Parameters, Question, Usage

PREFIX = "replay:"
_FAULTS: Mapping[str, FaultKind] = {"too_long": "too_long", "filtered": "filtered", "empty": "no_choices"}


class Replay:
    """The recorded answers of one solver (`engine.models.solver.Solver`)."""

    def __init__(self, alias: str, recorded: Mapping[str, tuple[ModelCall, str]]) -> None:
        """Take over a record.

        Args:
            alias: whose answers they are.
            recorded: final request and answer by the digest of all messages.
        """
        self.alias = alias
        """Whose answers they are; their messages were made for this name."""
        self._recorded = recorded

    @property
    def name(self) -> str:
        return f"{PREFIX}{self.alias}"

    def identity(self) -> Mapping[str, Json]:
        return {"adapter": "replay", "base_url": "", "model": self.alias}

    def versions(self) -> str:
        return "replay"

    def request(self, question: Question, parameters: Parameters) -> Mapping[str, object]:
        return {"model": self.alias, "messages": [message.document() for message in question.messages]}

    async def ask(self, question: Question, parameters: Parameters, timeout_s: float) -> Completion:
        found = self._recorded.get(question.prompt_sha)
        if found is None:
            raise Fault("bad_request", f"{self.alias!r} was never asked this; the same pack and prompt are needed")
        call, text = found
        if not text and (kind := _FAULTS.get(call.status)) is not None and call.finish_reason is None:
            raise Fault(kind, call.error_text or call.status, http_status=call.http_status)
        return Completion(
            text=text,
            finish_reason=call.finish_reason,
            refusal=call.refusal,
            usage=Usage(
                prompt=call.prompt_tokens, completion=call.completion_tokens, cached=call.cached_tokens,
                reasoning=call.reasoning_tokens,
            ),
            served_model=call.served_model,
            raw=call.raw or "",
            http_status=call.http_status,
        )  # fmt: skip

    async def close(self) -> None:
        return None
