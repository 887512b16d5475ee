"""Reads logs of Inspect AI: the JSON form by itself, `.eval` files through the package, which knows their compression.

A sample is one rollout; its scores and target are not read. Long texts may stand apart, as attachments, and are put
back. Whoever has no Inspect converts: `inspect log convert --to json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engine.errors import UsageError, quoted
from engine.exchange.rollout import Rollout

SUFFIX = ".eval"
ATTACHED = "attachment://"


def is_log(path: Path, document: object) -> bool:
    """Say whether a file is a log: by its suffix, or by the document that it holds."""
    return path.suffix == SUFFIX or (isinstance(document, dict) and {"version", "eval", "samples"} <= document.keys())


def read_log(path: Path, document: object = None) -> tuple[Rollout, ...]:
    """Return the rollouts of a log.

    Args:
        document: what the JSON form holds, if it was read before.

    Raises:
        UsageError: an `.eval` file without Inspect to read it, or a log that cannot be read.
    """
    if path.suffix == SUFFIX:
        document = _opened(path)
    assert isinstance(document, dict)
    model = str((document.get("eval") or {}).get("model", ""))
    return tuple(_rollout(sample, model) for sample in document.get("samples") or ())


def _opened(path: Path) -> object:
    if find_spec("inspect_ai") is None:
        raise UsageError(
            f"{path} needs Inspect to be read; pip install 'clew[inspect]', or `inspect log convert --to json {path}`"
        )
    from inspect_ai.log import read_eval_log

    try:
        return json.loads(read_eval_log(str(path)).model_dump_json())
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} is no log that Inspect can read: {quoted(str(error))}") from error


def _rollout(sample: Mapping[str, Any], model: str) -> Rollout:
    attached: Mapping[str, str] = sample.get("attachments") or {}
    messages = sample.get("messages") or []
    output = sample.get("output") or {}
    choices = output.get("choices") or [{}]
    error = (sample.get("error") or {}).get("message", "")
    replies = tuple(_texts(messages, "assistant", attached))
    return Rollout(
        uid=str((sample.get("metadata") or {}).get("uid", "")),
        model=str(output.get("model") or model),
        environment="",
        asked=tuple(_texts(messages, "user", attached)) or _input(sample, attached),
        replies=replies,
        values={},
        reward=None,
        error=" ".join(str(error).split()) or ("" if replies else "no reply"),
        truncated=choices[-1].get("stop_reason") in ("max_tokens", "model_length"),
        identity=str(sample.get("uuid") or ""),
    )


def _input(sample: Mapping[str, Any], attached: Mapping[str, str]) -> tuple[str, ...]:
    told = sample.get("input")
    if isinstance(told, list):
        return tuple(_texts(told, "user", attached))
    return (_text(told, attached),)


def _texts(messages: object, role: str, attached: Mapping[str, str]) -> Iterator[str]:
    for message in messages if isinstance(messages, list) else ():
        if isinstance(message, dict) and message.get("role") == role:
            yield _text(message.get("content"), attached)


def _text(content: object, attached: Mapping[str, str]) -> str:
    """Return the text of a content, reasoning left out."""
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
        return "".join(_text(part.get("text"), attached) for part in parts)
    told = content if isinstance(content, str) else ""
    return attached.get(told.removeprefix(ATTACHED), told) if told.startswith(ATTACHED) else told
