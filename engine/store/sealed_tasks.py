"""The private half of writing tasks: what is checked in each turn, and the witness that meets it all.

Rows lie in two tables of the sealed file; a task is committed to as a whole. Printing a value shows the public id only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlite_utils import Database

from engine.canonical import canonical_text
from engine.errors import UsageError
from engine.private import Private
from engine.store.commitment import MIN_SALT_BYTES, leaf
from engine.store.rows import Value, column_names, fetch, put_all


class _Quiet(Private):
    """Prints its puzzle's id and nothing else."""

    puzzle_id: str

    def __repr__(self) -> str:
        return f"{type(self).__name__}(puzzle_id={self.puzzle_id!r})"


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class SealedCheck(_Quiet):
    """One check of one turn, as its table holds it."""

    puzzle_id: str
    turn: int
    """From 1."""
    position: int
    """Place in the brief, from 0."""
    constraint_id: str
    params: str
    """Canonical JSON."""
    requirement: str
    """The text in which it is asked for."""
    label: str | None
    expect: int
    scored: int
    since_turn: int
    patterns: str
    """Canonical JSON list."""


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class SealedTurn(_Quiet):
    """One turn beside its checks, as its table holds it."""

    puzzle_id: str
    turn: int
    keywords: str
    """Canonical JSON list."""
    conflict: str | None
    """Canonical JSON pair of positions, or None."""
    witness: str


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class SealedTask(_Quiet):
    """The private half of a writing task."""

    puzzle_id: str
    checks: tuple[SealedCheck, ...]
    """By turn and position."""
    turns: tuple[SealedTurn, ...]
    salt: bytes
    """Key of the commitment, 16 bytes or more."""


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class _Salted(SealedCheck):
    salt: str


def task_text(task: SealedTask) -> str:
    """Return the canonical text of a task that its commitment covers: every column but the salts."""

    def fields(row: SealedCheck | SealedTurn, kind: type[SealedCheck] | type[SealedTurn]) -> dict[str, Value]:
        return {name: getattr(row, name) for name in column_names(kind)}

    return canonical_text(
        {
            "checks": [fields(row, SealedCheck) for row in task.checks],
            "turns": [fields(row, SealedTurn) for row in task.turns],
        }
    )


def task_commitment(task: SealedTask) -> str:
    """Return the `commit_sha` that the pack publishes for a writing task."""
    return leaf(task.salt, task_text(task))


def put_tasks(db: Database, tasks: Iterable[SealedTask]) -> None:
    """Add tasks; the transaction is the caller's."""
    for task in tasks:
        if len(task.salt) < MIN_SALT_BYTES:
            raise UsageError(
                f"puzzle {task.puzzle_id!r}: a salt of {len(task.salt)} bytes; {MIN_SALT_BYTES} are needed"
            )
        salted = [
            _Salted(**{name: getattr(row, name) for name in column_names(SealedCheck)}, salt=task.salt.hex())
            for row in task.checks
        ]
        put_all(db, "sealed_ia", _Salted, salted)
        put_all(db, "sealed_turn", SealedTurn, task.turns)


def fetch_task(db: Database, puzzle_id: str) -> SealedTask | None:
    """Return one task; None if there is none of this id."""
    salted = fetch(db, _Salted, "sealed_ia", "where puzzle_id = ? order by turn, position", (puzzle_id,))
    if not salted:
        return None
    return SealedTask(
        puzzle_id=puzzle_id,
        checks=tuple(SealedCheck(**{name: getattr(row, name) for name in column_names(SealedCheck)}) for row in salted),
        turns=fetch(db, SealedTurn, "sealed_turn", "where puzzle_id = ? order by turn", (puzzle_id,)),
        salt=bytes.fromhex(salted[0].salt),
    )
