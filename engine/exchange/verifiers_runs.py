"""Reads what `vf-eval` leaves behind: `results.jsonl` of the v0 line of verifiers, `traces.jsonl` of the v1 line.

Neither package is needed. A row is joined by the puzzle id that the environment put into it, never by its place in the
file: v0 writes rows in the order in which they were finished. The gold that such files may hold is not read. A line
that was torn by a kill is passed over and counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from engine.canonical import text_digest
from engine.errors import UsageError, quoted
from engine.exchange.rollout import Rollout

V0, V1 = "results.jsonl", "traces.jsonl"
METADATA = "metadata.json"
Row: TypeAlias = Mapping[str, Any]
Line: TypeAlias = Literal["v0", "v1"]


@dataclass(frozen=True, kw_only=True)
class Run:
    """All rollouts of one results folder."""

    path: Path
    line: Line
    rollouts: tuple[Rollout, ...]
    torn: int
    """Lines that were not whole."""


def is_run(path: Path) -> bool:
    """Say whether a folder, or a file, is a run of either line."""
    return path.name in (V0, V1) or any((path / name).is_file() for name in (V0, V1))


def read_run(path: Path) -> Run:
    """Read a results folder, or its `results.jsonl` or `traces.jsonl`.

    Raises:
        UsageError: there is no such file, or a row of it has no puzzle id.
    """
    file = _results_file(path)
    line: Line = "v0" if file.name == V0 else "v1"
    model = _model_of(file.with_name(METADATA)) if line == "v0" else ""
    rollouts: list[Rollout] = []
    torn = 0
    for nth, row in _rows(file):
        if row is None:
            torn += 1
        elif line == "v0":
            rollouts.append(_v0(row, model, f"{file} line {nth}"))
        else:
            rollouts += _v1(row, f"{file} line {nth}")
    return Run(path=file, line=line, rollouts=tuple(rollouts), torn=torn)


def _results_file(path: Path) -> Path:
    for file in (path, path / V0, path / V1):
        if file.name in (V0, V1) and file.is_file():
            return file
    raise UsageError(f"{quoted(str(path))} is no results folder of verifiers; it needs a {V0} or a {V1}")


def _rows(file: Path) -> Iterator[tuple[int, Row | None]]:
    """Yield number and object of each line that is not blank; None for one that is no JSON object."""
    with file.open("rb") as lines:
        for nth, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except (UnicodeDecodeError, json.JSONDecodeError):
                row = None
            yield nth, row if isinstance(row, dict) else None


def _model_of(file: Path) -> str:
    try:
        return str(json.loads(file.read_bytes()).get("model", ""))
    except (OSError, ValueError, AttributeError):
        return ""


def _uid(value: object, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise UsageError(f"{where}: no puzzle id; rows of clew's environments have one")
    return value


def _texts(messages: object, role: str) -> tuple[str, ...]:
    told = messages if isinstance(messages, list) else []
    return tuple(_plain(one.get("content")) for one in told if isinstance(one, dict) and one.get("role") == role)


def _plain(content: object) -> str:
    """Return the text of a message, whose content may be a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _numbers(values: object) -> dict[str, float]:
    told = values if isinstance(values, dict) else {}
    return {str(name): float(value) for name, value in told.items() if isinstance(value, int | float)}


def _identity(row: Row) -> str:
    """Return the digest of a row: it holds times to the microsecond, so that an equal one is the same row again."""
    return text_digest(json.dumps(row, sort_keys=True))


# The v0 line ----------------------------------------------------------------------------------------------------------


def _v0(row: Row, model: str, where: str) -> Rollout:
    info = row.get("info")
    if isinstance(info, str):
        info = json.loads(info)
    info = info if isinstance(info, dict) else {}
    error = _reason(row.get("error"))
    return Rollout(
        uid=_uid(info.get("uid"), where),
        model=model,
        environment=str(info.get("env_id", "")),
        asked=_texts(row.get("prompt"), "user") + _texts(row.get("completion"), "user"),
        replies=_texts(row.get("completion"), "assistant"),
        values={} if error else _numbers(row.get("metrics")),
        reward=None if error else float(row.get("reward") or 0.0),
        error=error,
        truncated=bool(row.get("is_truncated")),
        identity=_identity(row),
    )


def _reason(error: object) -> str:
    """Return one line for an error that is stored as a text or as an object."""
    if not error:
        return ""
    if isinstance(error, dict):
        told = [str(error[key]) for key in ("type", "error", "message") if error.get(key)]
        return ": ".join(told) or "failed"
    return " ".join(str(error).split())


# The v1 line ----------------------------------------------------------------------------------------------------------


def _v1(episode: Row, where: str) -> Iterator[Rollout]:
    for trace in episode.get("traces") or ():
        task = trace.get("task") or episode.get("task") or {}
        data = task.get("data") or {}
        errors = [_reason(error) for error in (*(episode.get("errors") or ()), *(trace.get("errors") or ()))]
        rewards = trace.get("rewards") or {}
        scored = {name: one["score"] for name, one in rewards.items() if isinstance(one, dict)}
        failed = not episode.get("ok", True) or not trace.get("ok", True) or any(v is None for v in scored.values())
        error = "; ".join(errors) or ("failed" if failed else "")
        total = sum(one["score"] * one["weight"] for one in rewards.values() if isinstance(one, dict) and not failed)
        yield Rollout(
            uid=_uid(data.get("id") or task.get("key"), where),
            model=str((trace.get("agent") or {}).get("config", {}).get("model", "")),
            environment=str(data.get("mode", "")),
            asked=tuple(_node_texts(trace, "user")),
            replies=tuple(_node_texts(trace, "assistant")),
            values={} if error else {**_numbers(trace.get("metrics")), **_numbers(scored)},
            reward=None if error else float(total),
            error=error,
            truncated=_cut(trace),
            identity=str(trace.get("id") or _identity(trace)),
        )


def _node_texts(trace: Row, role: str) -> Iterator[str]:
    for node in trace.get("nodes") or ():
        message = node.get("message") or {}
        if message.get("role") == role:
            yield _plain(message.get("content"))


def _cut(trace: Row) -> bool:
    calls = trace.get("calls") or [{}]
    return calls[-1].get("finish_reason") == "length" or str(trace.get("stop_condition") or "").startswith("max_")
