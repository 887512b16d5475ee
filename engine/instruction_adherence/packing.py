"""From writing tasks to rows of the two files, and back to what is scored.

PRIVATE: only commands, the practice recipe, the desk (in practice) and the audits call this.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from engine.canonical import Json, canonical_text, digest, text_digest
from engine.instruction_adherence.generate import WritingTask
from engine.instruction_adherence.turn import Turn, turn_of
from engine.instruction_adherence.writing import FAMILY, writing_text
from engine.packs import Halves, Salts
from engine.store.pack import PackPuzzle, PackRendering, puzzle_id
from engine.store.sealed_tasks import SealedCheck, SealedTask, SealedTurn, task_commitment

RENDERER = "brief/1"


def halves(task: WritingTask, pack_salt: str, salts: Salts) -> Halves:
    """Return the public and the private rows of one writing task."""
    payload = writing_text(task.payload)
    identity = puzzle_id(payload, pack_salt)
    secret = sealed_task(identity, task, bytes.fromhex(salts.token("leaf", identity)))
    return Halves(
        puzzle=PackPuzzle(
            id=identity,
            family=FAMILY,
            kind=task.payload.mode,
            complexity=len(task.turn.checks),
            n_turns=len(task.payload.turns),
            payload_sha=text_digest(payload),
            commit_sha=task_commitment(secret),
            payload=payload,
        ),
        rendering=rendering_row(identity, task.task_type, task.payload.turns[0]),
        task=secret,
    )


def rendering_row(of_puzzle: str, task_type: str, text: str) -> PackRendering:
    """Return the brief as a rendering; a brief has one telling, and its type stands in place of a domain."""
    params_sha = digest({"renderer": RENDERER, "domain": task_type})
    return PackRendering(
        id=text_digest("/".join((of_puzzle, RENDERER, task_type, params_sha)))[:32],
        puzzle_id=of_puzzle,
        renderer=RENDERER,
        domain=task_type,
        params_sha=params_sha,
        body=text,
        body_sha=text_digest(text),
        audit_status="",
    )


def sealed_task(of_puzzle: str, task: WritingTask, salt: bytes) -> SealedTask:
    """Return the private half of a single-turn task as rows."""
    return SealedTask(
        puzzle_id=of_puzzle,
        checks=tuple(
            SealedCheck(
                puzzle_id=of_puzzle,
                turn=1,
                position=position,
                constraint_id=check.constraint.id,
                params=canonical_text(check.constraint.params),
                requirement=check.requirement,
                label=check.label,
                expect=int(check.expect),
                scored=int(check.scored),
                since_turn=check.since_turn,
                patterns=canonical_text(list(check.patterns)),
            )
            for position, check in enumerate(task.turn.checks)
        ),
        turns=(
            SealedTurn(
                puzzle_id=of_puzzle,
                turn=1,
                keywords=canonical_text(list(task.turn.keywords)),
                conflict=None,
                witness=task.witness,
            ),
        ),
        salt=salt,
    )


def turn_document(sealed: SealedTask, nth: int) -> dict[str, Json]:
    """Return one turn of a sealed task in the record's form, its user text left out."""
    (turn,) = (row for row in sealed.turns if row.turn == nth)
    return {
        "keywords": json.loads(turn.keywords),
        "checks": [_check_document(row) for row in sealed.checks if row.turn == nth],
        "conflict": None if turn.conflict is None else json.loads(turn.conflict),
        "witness": turn.witness,
    }


def sealed_turns(sealed: SealedTask) -> tuple[Turn, ...]:
    """Return the turns of a sealed task as they are scored."""
    where = f"puzzle {sealed.puzzle_id!r}"
    return tuple(
        turn_of({k: v for k, v in turn_document(sealed, row.turn).items() if k != "witness"}, where=where)
        for row in sealed.turns
    )


def record_document(payload: Mapping[str, Json], sealed: SealedTask) -> dict[str, Json]:
    """Return the complete record of a single-turn task: the public part, constraints, checks and the witness."""
    turn = turn_document(sealed, 1)
    checks = turn["checks"]
    assert isinstance(checks, list)
    return {
        **payload,
        "constraints": [{"constraint": check["constraint"], "params": check["params"]} for check in checks],
        **turn,
    }


def _check_document(row: SealedCheck) -> dict[str, Json]:
    return {
        "constraint": row.constraint_id,
        "params": json.loads(row.params),
        "requirement": row.requirement,
        "label": row.label,
        "expect": bool(row.expect),
        "scored": bool(row.scored),
        "since_turn": row.since_turn,
        "patterns": json.loads(row.patterns),
    }
