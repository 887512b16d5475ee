"""Reads what an OpenAI-compatible endpoint sent back: a completion, or the fault that it is.

Nothing is guessed: a body that is no JSON object, an error object under status 200, a list of no choices are faults of
their own, and a half body is never parsed. Specification-independent; every line of the table is a test.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import cast

from engine.errors import one_line
from engine.models.solver import Completion, Fault, FaultKind, Usage

TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|context (?:length|size|window)|maximum context|too many tokens", re.I
)
FILTERED = re.compile(r'"(?:code|type)"\s*:\s*"content_(?:filter|policy_violation)"')
"""Some endpoints refuse a prompt with status 400."""
QUOTA = ("insufficient_quota", "billing_hard_limit_reached")
LONGEST_SHOWN = 300
"""Characters of a body in a message."""

Object = Mapping[str, object]


def read_reply(status: int, headers: Mapping[str, str], body: str, *, now: datetime) -> Completion:
    """Return the completion in a reply.

    Args:
        headers: names in lower case.
        now: to read a Retry-After that is a date.

    Raises:
        Fault: the reply holds none.
    """
    document = _object(body)
    if status != 200:
        raise _http_fault(status, headers, body, document, now)
    if document is None:
        raise Fault(
            "not_an_api", f"the endpoint is not an OpenAI API: check the base URL; it sent {_shown(body)}",
            http_status=status, raw=body,
        )  # fmt: skip
    if document.get("error"):
        kind: FaultKind = "too_long" if TOO_LONG.search(body) else "error_object"
        raise Fault(kind, f"an error under status 200: {_said(document, body)}", http_status=status, raw=body)
    choices = document.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise Fault("no_choices", f"the reply holds no choice: {_shown(body)}", http_status=status, raw=body)
    return _completion(document, choices[0], status, body)


def _completion(document: Object, choice: Object, status: int, body: str) -> Completion:
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    return Completion(
        text=_text(message.get("content")) or "",
        finish_reason=_text(choice.get("finish_reason")),
        refusal=_text(message.get("refusal")),
        reasoning=_text(message.get("reasoning_content")) or _text(message.get("reasoning")),
        usage=read_usage(document.get("usage")),
        served_model=_text(document.get("model")),
        raw=body,
        http_status=status,
    )


def read_usage(found: object) -> Usage | None:
    """Return the tokens that a reply states; what is missing or no whole number from 0 is unknown."""
    if not isinstance(found, dict):
        return None
    return Usage(
        prompt=_count(found.get("prompt_tokens")),
        completion=_count(found.get("completion_tokens")),
        cached=_count(_inside(found, "prompt_tokens_details").get("cached_tokens")),
        reasoning=_count(_inside(found, "completion_tokens_details").get("reasoning_tokens")),
    )


def uncached_tokens(usage: Usage | None) -> int | None:
    """Return the prompt tokens that no cache held; None where either number is unknown, never negative."""
    if usage is None or usage.prompt is None:
        return None
    return max(0, usage.prompt - (usage.cached or 0))


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return how many seconds a reply asks to wait; None if it does not, or not in a known form."""
    if (found := _seconds(headers.get("retry-after-ms"))) is not None:
        return found / 1000
    text = headers.get("retry-after")
    if text is None or (found := _seconds(text)) is not None:
        return None if text is None else found
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds())


def _http_fault(status: int, headers: Mapping[str, str], body: str, document: Object | None, now: datetime) -> Fault:
    said = f"status {status}: {_said(document, body)}"
    wait = retry_after(headers, now)
    kind: FaultKind = "server"
    match status:
        case 429:
            kind = "quota" if any(word in body for word in QUOTA) else "rate_limited"
        case 401 | 403:
            kind = "auth"
        case 404 | 405 | 410:
            kind = "not_found"
        case 413:
            kind = "too_long"
        case 400 if FILTERED.search(body):
            kind = "filtered"
        case _ if 400 <= status < 500 and status not in (408, 409, 425):
            kind = "too_long" if TOO_LONG.search(body) else "bad_request"
        case _:
            pass
    return Fault(kind, said, http_status=status, retry_after_s=wait, raw=body)


def _object(body: str) -> Object | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return cast("Object", found) if isinstance(found, dict) else None


def _said(document: Object | None, body: str) -> str:
    """Return the endpoint's own words for an error, shortened."""
    error = (document or {}).get("error")
    message = error.get("message") if isinstance(error, dict) else error
    return _shown(message if isinstance(message, str) and message else body)


def _shown(text: str) -> str:
    line = one_line(text)
    return repr(line if len(line) <= LONGEST_SHOWN else f"{line[:LONGEST_SHOWN]}...")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _count(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _inside(found: Object, name: str) -> Object:
    value = found.get(name)
    return cast("Object", value) if isinstance(value, dict) else {}


def _seconds(text: str | None) -> float | None:
    if text is None or not re.fullmatch(r"\s*\d{1,9}(?:\.\d{1,9})?\s*", text, re.ASCII):
        return None
    return float(text)
