"""Reads the answers that `clew export answers` wrote as JSON Lines or CSV, and knows the tables of a study's export.

As in its logs and runs, a person is called `human/NAME`, and of an item that was revised the last answer counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from engine.errors import UsageError, quoted
from engine.exchange.rollout import Rollout
from engine.hidden_systems.behavior import LABELS
from engine.hidden_systems.presenting import FAMILY_NAME

COLUMNS = frozenset({"id", "solver", "kind", "family", "puzzle_id", "attempt_no", "answer", "text_sha", "turns"})
OF_STUDY = frozenset({"manifest_sha", "participant", "item_uid"})
SKIPPED = "SKIP"


def is_own(columns: Iterable[str]) -> bool:
    """Say whether a row with these columns is one of such an export."""
    return COLUMNS.issubset(columns)


def refuse_study_data(where: object, columns: Iterable[str]) -> None:
    """Refuse a table of `clew study export`: it has neither the texts nor the sittings of the answers.

    Raises:
        UsageError: it is one; says which files hold the answers whole.
    """
    if OF_STUDY.issubset(columns):
        raise UsageError(
            f"{where} is data of a study, made for analysis; its answers are taken over from answers.db: "
            "clew study merge FOLDER answers.db"
        )


def read_own(rows: Iterable[Mapping[str, Any]]) -> tuple[Rollout, ...]:
    """Return a rollout for every answer.

    Raises:
        UsageError: a row is not as it was written, or an attempt is there twice; names it.
    """
    last: dict[tuple[str, ...], tuple[int, Rollout]] = {}
    seen: dict[tuple[str | int, ...], str] = {}
    for nth, row in enumerate(rows, start=1):
        try:
            rollout, attempt_no = _rollout(row), int(row["attempt_no"])
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            raise UsageError(
                f"answer {nth} of the export, {quoted(str(row['id']))}, is not as clew writes it; export it again"
            ) from error
        place = (rollout.model, rollout.uid, str(row.get("rendering_id") or ""))
        first = seen.setdefault((*place, attempt_no), rollout.identity)
        if first != rollout.identity:
            raise UsageError(
                f"answer {nth} of the export, {quoted(rollout.identity)}, and {quoted(first)} are both attempt"
                f" {attempt_no} of {quoted(rollout.model)} on one puzzle; the export of one answers file is right"
            )
        if place not in last or attempt_no > last[place][0]:
            last[place] = attempt_no, rollout
    return tuple(rollout for _, rollout in last.values())


def _rollout(row: Mapping[str, Any]) -> Rollout:
    of_system = row["family"] == FAMILY_NAME
    replies = (str(row["answer"]),) if row["answer"] in LABELS else _said(row["turns"])
    return Rollout(
        uid=str(row["puzzle_id"]),
        model=f"human/{row['solver']}" if row["kind"] == "human" else str(row["solver"]),
        environment="",
        asked=(),
        replies=() if row["answer"] == SKIPPED else replies,
        values={},
        reward=None,
        error="skipped" if row["answer"] == SKIPPED else "",
        truncated=False,
        # Of a conversation the digest is of a later turn, and the id alone tells whose it is.
        prompt_sha=str(row["text_sha"]) if of_system else "",
        identity=str(row["id"]),
    )


def _said(turns: object) -> tuple[str, ...]:
    """Return what was answered: the turns of a JSON line, or the JSON list in a cell of CSV."""
    listed = json.loads(turns) if isinstance(turns, str) else turns
    if not isinstance(listed, list):
        raise TypeError(turns)
    said = [one["text"] for one in listed if one["role"] == "assistant"] if isinstance(turns, list) else listed
    if not all(isinstance(text, str) for text in said):
        raise TypeError(turns)
    return tuple(said)
