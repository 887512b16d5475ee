"""Which tool kept a file of model results, and its rollouts."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Literal

from engine.errors import UsageError, quoted
from engine.exchange import answer_tables, harness_samples, inspect_logs, own_answers, verifiers_runs
from engine.exchange.rollout import Rollout

Tool = Literal["verifiers", "inspect", "lm-eval", "table", "clew"]


@dataclass(frozen=True, kw_only=True)
class Results:
    """What a file holds."""

    tool: Tool
    file_sha: str
    rollouts: tuple[Rollout, ...]
    torn: int = 0
    """Lines that were not whole."""


def read_results(path: Path, model: str = "") -> Results:
    """Read results of any supported tool; which one is told by the file's content.

    Args:
        model: stands in where the file does not name the model.

    Raises:
        UsageError: the file cannot be read, is of no known kind, or names no model and none is given.
    """
    if verifiers_runs.is_run(path):
        run = verifiers_runs.read_run(path)
        found = Results(tool="verifiers", file_sha=_digest(run.path), rollouts=run.rollouts, torn=run.torn)
    else:
        found = _read_file(path)
    named = tuple(replace(one, model=one.model or model) for one in found.rollouts)
    if any(not one.model for one in named):
        raise UsageError(f"{path} does not name the model; --model NAME does")
    return replace(found, rollouts=named)


def _digest(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise UsageError(
            f"{quoted(str(path))} cannot be read: {error.strerror}; a file of results is needed"
        ) from error


def _read_file(path: Path) -> Results:
    sha = _digest(path)
    if path.suffix == inspect_logs.SUFFIX:
        return Results(tool="inspect", file_sha=sha, rollouts=inspect_logs.read_log(path))
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 at byte {error.start + 1}; UTF-8 is right") from error
    if path.suffix == ".csv":
        table = answer_tables.read_cells(text)
        own_answers.refuse_study_data(path, table.columns)
        if own_answers.is_own(table.columns):
            return Results(tool="clew", file_sha=sha, rollouts=own_answers.read_own(table.rows))
        rows = answer_tables.answers_in(table)
        return Results(tool="table", file_sha=sha, rollouts=tuple(answer_tables.read_answers(rows)))
    document = _json(text)
    if inspect_logs.is_log(path, document):
        return Results(tool="inspect", file_sha=sha, rollouts=inspect_logs.read_log(path, document))
    return _read_lines(path, text, sha)


def _read_lines(path: Path, text: str, sha: str) -> Results:
    # U+2028 and its like end no line of JSON: they may stand in an answer as they are.
    lines = [_json(line) for line in text.split("\n") if line.strip()]
    rows = [row for row in lines if isinstance(row, dict)]
    torn = len(lines) - len(rows)
    for row in rows[:1]:
        own_answers.refuse_study_data(path, row)
    if rows and all(map(own_answers.is_own, rows)):
        return Results(tool="clew", file_sha=sha, rollouts=own_answers.read_own(rows), torn=torn)
    if rows and all(map(harness_samples.is_sample, rows)):
        return Results(tool="lm-eval", file_sha=sha, rollouts=tuple(harness_samples.read_samples(rows)), torn=torn)
    if rows and all(map(answer_tables.is_answer, rows)):
        return Results(tool="table", file_sha=sha, rollouts=tuple(answer_tables.read_answers(rows)), torn=torn)
    raise UsageError(f"{path} holds no results that are known; {KNOWN}")


KNOWN = (
    "a results folder of verifiers, a log of Inspect, samples of lm-eval, answers as clew exports them, or CSV or JSON "
    "Lines with item_uid and answer are right"
)


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None
