"""The rows that a model's run leaves in `answers.db`: its requests, and what its solver is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from sqlite_utils import Database

from engine.calls import CALL_STATUSES, ModelCall
from engine.errors import ConflictError
from engine.store.answer_rows import repair
from engine.store.field_rules import (
    COUNT,
    FREE,
    ID,
    NAME,
    NTH,
    SHA,
    TIME,
    Rule,
    among,
    check_fields,
    or_none,
)
from engine.store.rows import fetch, put


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelCallRow(ModelCall):
    """One request with its place in the file."""

    id: str
    solver: str
    attempt: str = ""
    """The answer that it gave, if the item has an attempt by then."""
    final: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelConfigRow:
    """What a model's solver is; it never changes."""

    solver: str
    config: str
    """Canonical JSON of endpoint, model, parameters, mode and prompt version."""
    config_sha: str
    served_model: str
    """As the endpoint named it in its first answer."""
    at: str


_BOOLEAN = Rule(holds=lambda value: type(value) is int and value in (0, 1), right="0 or 1")
_HTTP = Rule(holds=lambda value: type(value) is int and 100 <= value <= 599, right="100 to 599")
_OLD_SHA = Rule(
    holds=lambda value: isinstance(value, str) and bool(re.fullmatch("(?:[0-9a-f]{64})?", value)),
    right="64 hex digits or nothing",
)

CALL_RULES: Mapping[type[ModelCallRow | ModelConfigRow], Mapping[str, Rule]] = {
    ModelCallRow: {
        "id": ID, "solver": ID, "attempt": NAME, "resume_key": SHA, "puzzle_id": ID, "turn": NTH, "sample": COUNT,
        "try_no": NTH, "status": among(*CALL_STATUSES), "final": _BOOLEAN, "http_status": or_none(_HTTP),
        "finish_reason": or_none(NAME), "refusal": or_none(FREE), "reasoning": or_none(FREE), "raw": or_none(FREE),
        "served_model": or_none(NAME), "request_sha": SHA, "prompt_sha": _OLD_SHA, "text_sha": _OLD_SHA,
        "params": FREE, "prompt_tokens": or_none(COUNT), "completion_tokens": or_none(COUNT),
        "cached_tokens": or_none(COUNT), "reasoning_tokens": or_none(COUNT), "started_at": TIME,
        "latency_ms": or_none(COUNT), "error_type": or_none(NAME), "error_text": or_none(FREE),
        "client_versions": NAME,
    },
    ModelConfigRow: {"solver": ID, "config": FREE, "config_sha": SHA, "served_model": NAME, "at": TIME},
}  # fmt: skip
_TEXTS = ("refusal", "reasoning", "raw", "error_text")


def call_row(call: ModelCall, *, identity: str, solver: str, attempt: str = "") -> ModelCallRow:
    """Return a checked row of a request; what SQLite cannot store of its texts is replaced.

    Raises:
        UsageError: names the field, its value and what would be right.
    """
    values: dict[str, Any] = {field.name: getattr(call, field.name) for field in fields(ModelCall)}
    for name in _TEXTS:
        values[name] = None if values[name] is None else repair(values[name]).text
    row = ModelCallRow(**values, id=identity, solver=solver, attempt=attempt, final=int(call.closes_item))
    check_call_row(row)
    return row


def check_call_row(row: ModelCallRow | ModelConfigRow) -> None:
    """Check every field of a row.

    Raises:
        UsageError: names the field, its value and what would be right.
    """
    check_fields(row, CALL_RULES[type(row)], "model_call" if isinstance(row, ModelCallRow) else "model_config")


def put_call(db: Database, row: ModelCallRow) -> None:
    """Add a request; the transaction is the caller's. The same row again changes nothing.

    Raises:
        ConflictError: the item has a final request already; the first stays.
    """
    check_call_row(row)
    same = fetch(db, ModelCallRow, "model_call", "where id = ?", (row.id,))
    if same and same[0] == row:
        return
    rest = "where resume_key = ? and final = 1"
    if row.final and fetch(db, ModelCallRow, "model_call", rest, (row.resume_key,)):
        raise ConflictError(
            f"turn {row.turn} of puzzle {row.puzzle_id!r} has a final request already; the first one stays."
        )
    put(db, "model_call", row)


def put_config(db: Database, row: ModelConfigRow) -> None:
    """Add what a model's solver is; the transaction is the caller's. The same again changes nothing.

    Raises:
        ConflictError: the solver is another one already.
    """
    check_call_row(row)
    found = fetch(db, ModelConfigRow, "model_config", "where solver = ?", (row.solver,))
    if found and (found[0].config_sha, found[0].served_model) != (row.config_sha, row.served_model):
        raise ConflictError(f"the solver was served as {found[0].served_model!r} before, not {row.served_model!r}.")
    if not found:
        put(db, "model_config", row)
