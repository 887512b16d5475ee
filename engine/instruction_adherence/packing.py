"""From writing tasks to rows of the two files, and back to what is scored.

PRIVATE: only commands, the practice recipe, the desk (in practice) and the audits call this.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import msgspec

from engine.canonical import Json, canonical_text, digest, text_digest
from engine.instruction_adherence.calibration import Cell
from engine.instruction_adherence.generate import GENERATOR_VERSION, Recipe, WritingTask
from engine.instruction_adherence.splits import Split
from engine.instruction_adherence.turn import Check, Turn, turn_of
from engine.instruction_adherence.writing import FAMILY, WritingMode, writing_text
from engine.packs import Halves, Salts
from engine.store.pack import PackPuzzle, PackRendering, puzzle_id, rendering_id
from engine.store.sealed_tasks import SealedCheck, SealedTask, SealedTurn, task_commitment

RENDERER = "brief/1"


class StoredCell(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """K, burial depth and weight in the form in which canonical JSON holds them."""

    constraints: int
    burial_depth: int
    hard_family_weight: str

    def cell(self) -> Cell:
        return Cell(
            constraints=self.constraints,
            burial_depth=self.burial_depth,
            hard_family_weight=float(self.hard_family_weight),
        )


class StoredRecipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the writing tasks of a pack were drawn, as its sealed file keeps it."""

    family: str
    generator_version: str
    count: int
    """Tasks of each mode."""
    cells: dict[WritingMode, StoredCell]
    split: Split
    seed: str
    """Up to 256 bits."""
    private_key: str


def recipe_text(recipes: Sequence[Recipe], count: int) -> str:
    """Return canonical JSON of recipes that differ in mode and cell alone, for `count` tasks of each."""
    first = recipes[0]
    return canonical_text(
        {
            "family": FAMILY,
            "generator_version": GENERATOR_VERSION,
            "count": count,
            "cells": {
                recipe.mode: {
                    "constraints": recipe.constraints,
                    "burial_depth": recipe.burial_depth,
                    "hard_family_weight": str(recipe.hard_family_weight),
                }
                for recipe in recipes
            },
            "split": first.split,
            "seed": str(first.seed),
            "private_key": first.private_key,
        }
    )


def read_recipe(text: str) -> StoredRecipe | None:
    """Read the recipe of a sealed file; None if it is one of another kind or version."""
    try:
        stored = msgspec.json.decode(text, type=StoredRecipe)
    except msgspec.MsgspecError:
        return None
    return stored if (stored.family, stored.generator_version) == (FAMILY, GENERATOR_VERSION) else None


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
            complexity=task.constraints,
            n_turns=len(task.payload.turns),
            payload_sha=text_digest(payload),
            commit_sha=task_commitment(secret),
            payload=payload,
        ),
        rendering=rendering_row(identity, task.task_type, task.payload.turns[0]),
        task=secret,
    )


def rendering_row(of_puzzle: str, task_type: str, text: str) -> PackRendering:
    """Return what the user says first as a rendering; it has one telling, and its type stands in place of a domain.

    Later turns have no rendering: the payload, whose digest is committed to, is the one home of what is said.
    """
    params_sha = digest({"renderer": RENDERER, "domain": task_type})
    return PackRendering(
        id=rendering_id(of_puzzle, RENDERER, task_type, params_sha),
        puzzle_id=of_puzzle,
        renderer=RENDERER,
        domain=task_type,
        params_sha=params_sha,
        body=text,
        body_sha=text_digest(text),
        audit_status="",
    )


def sealed_task(of_puzzle: str, task: WritingTask, salt: bytes) -> SealedTask:
    """Return the private half of a task as rows."""
    turns = list(enumerate(zip(task.turns, task.witnesses, strict=True), start=1))
    return SealedTask(
        puzzle_id=of_puzzle,
        checks=tuple(
            _check_row(of_puzzle, nth, position, check)
            for nth, (turn, _) in turns
            for position, check in enumerate(turn.checks)
        ),
        turns=tuple(_turn_row(of_puzzle, nth, turn, witness) for nth, (turn, witness) in turns),
        salt=salt,
    )


def _check_row(of_puzzle: str, nth: int, position: int, check: Check) -> SealedCheck:
    return SealedCheck(
        puzzle_id=of_puzzle,
        turn=nth,
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


def _turn_row(of_puzzle: str, nth: int, turn: Turn, witness: str) -> SealedTurn:
    return SealedTurn(
        puzzle_id=of_puzzle,
        turn=nth,
        keywords=canonical_text(list(turn.keywords)),
        conflict=None if turn.conflict is None else canonical_text(list(turn.conflict)),
        witness=witness,
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
    """Return the complete record of a task: the public part, constraints, checks and witnesses.

    The constraints are all that are asked for, in order of appearance, as they were set. A single-turn record has the
    fields of its turn at the top level, beside the list of texts; in that of a script, `turns` holds the turns.
    """
    texts = payload["turns"]
    assert isinstance(texts, Sequence) and not isinstance(texts, str)
    turns = [{"text": text, **turn_document(sealed, nth)} for nth, text in enumerate(texts, start=1)]
    asked = [row for row in sealed.checks if row.expect and row.since_turn == row.turn]
    document: dict[str, Json] = {
        **payload,
        "constraints": [{"constraint": row.constraint_id, "params": json.loads(row.params)} for row in asked],
    }
    return {**document, **turns[0]} if payload["mode"] == "single" else {**document, "turns": turns}


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
