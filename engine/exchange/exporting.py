"""Answers of people and models as files that other tools read: JSON Lines, CSV, Inspect logs, verifiers results.

What was shown and said goes out, never gold: scores and targets are left empty, so that a file of answers may lie where
the sealed half may not. One log or run a solver; people are called `human/NAME`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata

from engine.canonical import digest
from engine.hidden_systems.behavior import read_payload
from engine.hidden_systems.presenting import legend_of
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.instruction_adherence.writing import read_writing
from engine.store.answer_rows import AttemptRow, TurnRow
from engine.store.answers import Answers
from engine.store.pack import Pack, PackEntry

TASKS = {WRITING: "clew/writing"}
SYSTEMS = "clew/hidden"


@dataclass(frozen=True, kw_only=True)
class Given:
    """One answer with all that was said about it."""

    solver: str
    kind: str
    """human or model."""
    attempt: AttemptRow
    entry: PackEntry
    asked: tuple[str, ...]
    """What the user said, turn by turn."""
    replies: tuple[str, ...]
    """What was answered; of a person's choice, the label in the words of the telling."""
    turns: tuple[TurnRow, ...]

    @property
    def name(self) -> str:
        """What other tools call the solver, in place of a model."""
        return f"human/{self.solver}" if self.kind == "human" else self.solver


def given(pack: Pack, answers: Answers, only: str = "") -> Iterator[Given]:
    """Yield the answers to a pack's puzzles by time, of one solver if named; skipped ones too."""
    entries = {entry.id: entry for entry in pack.puzzles()}
    solvers = answers.solvers()
    for attempt in answers.attempts(puzzle_ids=entries.keys()):
        alias, kind = solvers[attempt.solver]
        if only and alias != only:
            continue
        turns = answers.turns(attempt.session, attempt.puzzle_id, attempt.attempt_no)
        entry = entries[attempt.puzzle_id]
        yield Given(
            solver=alias,
            kind=kind,
            attempt=attempt,
            entry=entry,
            asked=_asked(pack, entry, attempt),
            replies=tuple(turn.text for turn in turns if turn.role == "assistant") or _label(pack, entry, attempt),
            turns=turns,
        )


def _asked(pack: Pack, entry: PackEntry, attempt: AttemptRow) -> tuple[str, ...]:
    if entry.family == WRITING:
        return read_writing(pack.payload(entry.id), where=f"puzzle {entry.id!r}").turns
    return tuple(told.body for told in pack.renderings(entry.id) if told.id == attempt.rendering_id)


def _label(pack: Pack, entry: PackEntry, attempt: AttemptRow) -> tuple[str, ...]:
    if attempt.answer in (None, "SKIP"):
        return ()
    payload = read_payload(pack.payload(entry.id), where=f"puzzle {entry.id!r}")
    told = next(told for told in pack.renderings(entry.id) if told.id == attempt.rendering_id)
    return tuple(one.name for one in legend_of(payload, told, pack.meta).outcomes if one.code == attempt.answer)


# Plain forms ----------------------------------------------------------------------------------------------------------


def document(one: Given) -> dict[str, object]:
    """Return an answer as plain JSON values."""
    attempt = asdict(one.attempt)
    attempt.pop("solver")
    return {
        "solver": one.solver,
        "kind": one.kind,
        "family": one.entry.family,
        "complexity": one.entry.complexity,
        **attempt,
        "turns": [
            {"turn": turn.turn, "role": turn.role, "text": turn.text, "response_ms": turn.response_ms}
            for turn in one.turns
        ],
    }


def json_lines(rows: Sequence[Given]) -> str:
    """Return one answer a line."""
    return "".join(json.dumps(document(one), ensure_ascii=False) + "\n" for one in rows)


def csv_text(rows: Sequence[Given]) -> str:
    """Return a table; what was written stands in one cell, as a JSON list."""
    told = io.StringIO()
    documents = [document(one) | {"turns": json.dumps(list(one.replies), ensure_ascii=False)} for one in rows]
    names = list(documents[0]) if documents else []
    writer = csv.DictWriter(told, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(documents)
    return told.getvalue()


# Inspect --------------------------------------------------------------------------------------------------------------


def inspect_log(rows: Sequence[Given]) -> Mapping[str, object]:
    """Return the answers of one solver to one family as a log of Inspect in its JSON form; there is at least one."""
    first, name = rows[0], rows[0].name
    ids = [one.attempt.puzzle_id for one in rows]
    task = TASKS.get(first.entry.family, SYSTEMS)
    started, ended = rows[0].attempt.shown_at, max(one.attempt.answered_at for one in rows)
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": digest({"solver": first.solver, "task": task})[:22],
            "run_id": digest({"run": first.attempt.session})[:22],
            "created": started,
            "task": task,
            "task_id": digest({"task": task})[:22],
            "task_version": 0,
            "task_args": {},
            "dataset": {"name": task, "samples": len(ids), "sample_ids": ids, "shuffled": False},
            "model": name,
            "model_args": {},
            "config": {"epochs": 1},
            "packages": {"clew": metadata.version("clew")},
        },
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": {"total_samples": len(ids), "completed_samples": len(ids), "scores": []},
        "stats": {"started_at": started, "completed_at": ended, "model_usage": {}},
        "samples": [_sample(one) for one in rows],
    }


def _sample(one: Given) -> Mapping[str, object]:
    said = one.replies[-1] if one.replies else ""
    seconds = one.attempt.response_ms / 1000
    return {
        "id": one.attempt.puzzle_id,
        "epoch": 1,
        "input": one.asked[0],
        "target": "",
        "messages": list(_messages(one)),
        "output": {
            "model": one.name,
            "choices": [{"message": {"role": "assistant", "content": said}, "stop_reason": "stop"}],
            "completion": said,
            "time": seconds,
        },
        "scores": None,
        "metadata": {
            "uid": one.attempt.puzzle_id,
            "participant": one.solver,
            "confidence": one.attempt.confidence,
            "skipped": one.attempt.answer == "SKIP",
            "text_sha": one.attempt.text_sha,
        },
        "store": {},
        "events": [],
        "model_usage": {},
        "total_time": seconds,
        "working_time": seconds,
        "uuid": one.attempt.id,
    }


def _messages(one: Given) -> Iterator[Mapping[str, str]]:
    for nth, asked in enumerate(one.asked):
        if nth <= len(one.replies):
            yield {"role": "user", "content": asked}
        if nth < len(one.replies):
            yield {"role": "assistant", "content": one.replies[nth]}


# verifiers, v0 line ---------------------------------------------------------------------------------------------------


def verifiers_rows(rows: Sequence[Given]) -> str:
    """Return the answers as lines of a `results.jsonl`, unscored: `reward` is null and `metrics` are empty."""
    return "".join(json.dumps(_row(nth, one), ensure_ascii=False) + "\n" for nth, one in enumerate(rows))


def verifiers_metadata(rows: Sequence[Given], environment: str) -> Mapping[str, object]:
    """Return what `metadata.json` says of them; there is at least one."""
    return {
        "env_id": environment,
        "env_args": {},
        "model": rows[0].name,
        "base_url": "",
        "num_examples": len(rows),
        "rollouts_per_example": 1,
        "sampling_args": {},
        "avg_reward": None,
        "avg_metrics": {},
        "version_info": {"clew": metadata.version("clew")},
    }


def _row(nth: int, one: Given) -> Mapping[str, object]:
    first, *rest = _messages(one)
    mode = {WRITING: one.entry.kind}.get(one.entry.family, "")
    return {
        "example_id": nth,
        "prompt": [first],
        "completion": rest,
        "answer": "",
        "info": {"uid": one.attempt.puzzle_id, **({"env_id": mode} if mode else {})},
        "reward": None,
        "error": None if one.replies else "skipped",
        "timing": {"total": one.attempt.response_ms / 1000},
        "is_completed": True,
        "is_truncated": False,
        "metrics": {},
    }
