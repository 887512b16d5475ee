"""Reads the sample files of lm-eval, `samples_TASK_DATE.jsonl`: a row a document and filter; filters are passed over.

The document of a row may hold the gold and is not read; nor are targets and metrics. Such files do not name the model.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.exchange.rollout import Rollout

KEYS = {"doc_id", "arguments", "resps"}


def is_sample(row: Mapping[str, Any]) -> bool:
    """Say whether a row is one of such a file."""
    return row.keys() >= KEYS


def read_samples(rows: Iterable[Mapping[str, Any]]) -> Iterator[Rollout]:
    """Yield a rollout for every reply to every document, each document once however many filters it has."""
    known: set[tuple[str, str]] = set()
    for row in rows:
        asked = _asked(row["arguments"])
        place = (str(row.get("doc_hash") or row["doc_id"]), "\n".join(asked))
        if place in known:
            continue
        known.add(place)
        for reply in _replies(row["resps"]):
            yield Rollout(
                uid="", model="", environment="", asked=asked, replies=(reply,), values={}, reward=None, error="",
                truncated=False,
            )  # fmt: skip


def _asked(arguments: object) -> tuple[str, ...]:
    """Return what the user said: the prompt itself, or the user's messages where it is a chat."""
    calls = list(arguments.values()) if isinstance(arguments, dict) else arguments
    first = calls[0] if isinstance(calls, list) and calls else None
    prompt = first.get("arg_0") if isinstance(first, dict) else first[0] if isinstance(first, list) else first
    if isinstance(prompt, str) and prompt.startswith("[{"):
        try:
            prompt = json.loads(prompt)
        except ValueError:
            return (prompt,)
    if isinstance(prompt, list):
        return tuple(
            str(one.get("content", "")) for one in prompt if isinstance(one, dict) and one.get("role") == "user"
        )
    return (str(prompt),)


def _replies(found: object) -> Iterator[str]:
    """Yield the texts of a list that may be nested."""
    if isinstance(found, list):
        for one in found:
            yield from _replies(one)
    elif isinstance(found, str):
        yield found
