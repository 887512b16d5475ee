"""Files what a model said elsewhere as if it had been asked here: one answer an item, one request row a turn.

A file's answers go through the same desk as a model's own: an item that has an answer keeps it, an interrupted import
goes on, everything is scored by one parser. What failed elsewhere is a row with its reason and leaves its item open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engine.calls import CallStatus, ModelCall
from engine.canonical import canonical_text, digest, text_digest
from engine.errors import ConflictError
from engine.model_desk import ModelDesk
from engine.models.asking import Shown
from engine.models.keys import Setting, resume_key
from engine.models.parsing import hear
from engine.models.solver import Completion, Question, text_of
from engine.public import Answer, PresentedTask
from engine.store.answer_rows import repair
from engine.store.clock import utc_now


@dataclass(kw_only=True)
class Filed:
    """What became of an import."""

    filed: int = 0
    """Items that got their answer."""
    before: int = 0
    """Items that had an answer of this solver before; it stays."""
    failed: int = 0
    """Items without a whole answer in the file; they stay open."""
    refused: list[str] = field(default_factory=list)
    """Items whose text is not the one that was asked, each with the reason."""
    unknown: list[str] = field(default_factory=list)
    """What the file names and the pack does not have."""
    doubled: list[str] = field(default_factory=list)
    """What the file holds more than once where it should once."""
    missing: list[str] = field(default_factory=list)
    """What was asked, or could have been, and the file says nothing about; it stays open."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """One reply as it came, or why there is none."""

    text: str = ""
    status: CallStatus | None = None
    """None: read from the text."""
    finish_reason: str | None = None
    refusal: str | None = None
    error: str = ""
    completion: Completion | None = None
    """Where the whole reply is known."""


class Filer:
    """Files the replies to the items of one solver."""

    def __init__(
        self, desk: ModelDesk, setting: Setting, pose: Callable[[Shown], Question], *, served_model: str, source: str
    ) -> None:
        """Prepare to file.

        Args:
            source: tool and version that the answers come from; kept with every row.
        """
        self._desk = desk
        self._setting = setting
        self._pose = pose
        self._served = served_model
        self._source = source
        desk.keep_served_model(served_model)

    def turn(self, shown: Shown, said: Said) -> bool:
        """File one turn, and say whether it is answered now."""
        call = self._call(shown, said)
        if call.status == "infra_error":
            self._desk.log_call(call)
            return False
        text = said.text
        answer = Answer(
            answer_id=_answer_id(call, text),
            puzzle_id=shown.puzzle_id,
            rendering_id=shown.rendering_id,
            text_sha=shown.text_sha,
            answer=None,
            confidence=None,
            shown_at=call.started_at,
            response_ms=call.latency_ms or 0,
            raw=text,
            turn=call.turn,
        )
        try:
            self._desk.submit_call(answer, call)
        except ConflictError:
            return False
        return True

    def _call(self, shown: Shown, said: Said) -> ModelCall:
        question = self._pose(shown)
        nth = shown.turn if isinstance(shown, PresentedTask) else 1
        heard = hear(said.text, finish_reason=said.finish_reason, refusal=said.refusal)
        status: CallStatus = said.status or ("infra_error" if said.error else heard.status)
        call = ModelCall(
            resume_key=resume_key(self._setting, question, self._served),
            puzzle_id=shown.puzzle_id,
            turn=nth,
            sample=self._setting.sample,
            try_no=self._desk.tries(shown.puzzle_id, nth) + 1,
            status=status,
            request_sha=text_digest(canonical_text([message.document() for message in question.messages])),
            prompt_sha=question.prompt_sha,
            text_sha=text_digest(text_of(question.messages)),
            params=canonical_text({**self._setting.parameters.document(), "mode": question.mode}),
            started_at=utc_now(),
            client_versions=self._source,
            finish_reason=said.finish_reason,
            refusal=said.refusal,
            reasoning=heard.thoughts or None,
            served_model=self._served or None,
            error_type="import" if said.error else None,
            error_text=said.error or None,
        )
        return _with_usage(call, said.completion)


def _with_usage(call: ModelCall, completion: Completion | None) -> ModelCall:
    if completion is None:
        return call
    usage = completion.usage
    return replace(
        call,
        http_status=completion.http_status,
        raw=completion.raw or None,
        prompt_tokens=usage.prompt if usage else None,
        completion_tokens=usage.completion if usage else None,
        cached_tokens=usage.cached if usage else None,
        reasoning_tokens=usage.reasoning if usage else None,
    )


def _answer_id(call: ModelCall, text: str) -> str:
    """Return an id that the same answer to the same item always has."""
    return digest({"key": call.resume_key, "turn": call.turn, "text": repair(text).text})[:32]
