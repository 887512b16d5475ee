"""What a collection leaves in an answers file, read in one go: people, consent, places in the study, rows of the item.

Reading only; nothing here decides what counts. `enrol` is the one writer: it stores a person and all that is known of
the study at the moment of consent, in one transaction, so that nothing of anybody lies on disk before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlite_utils import Database

from engine.errors import ConflictError, StoreError
from engine.store.answer_file import open_answers, read_answers
from engine.store.answer_rows import AttemptRow, EventRow, SessionRow, SolverKind, TurnRow, check_row
from engine.store.clock import Clock, utc_now
from engine.store.connection import BUSY_MS, ignore, translated
from engine.store.files import plain_path
from engine.store.rows import Row, fetch, immediate, put, put_all


@dataclass(frozen=True, kw_only=True, slots=True)
class SolverRow:
    """A person or a model."""

    id: str
    kind: SolverKind
    alias: str
    consent_at: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class StudyRow:
    """One version of a study, as a machine met it."""

    id: str
    config: str
    """The manifest, canonical JSON."""
    config_sha: str


@dataclass(frozen=True, kw_only=True, slots=True)
class AssignmentRow:
    """One item that a person is to answer."""

    id: str
    study: str
    solver: str
    puzzle_id: str
    rendering_id: str
    position: int


@dataclass(frozen=True, kw_only=True, slots=True)
class CallFacts:
    """How one request to a model ended."""

    id: str
    solver: str
    puzzle_id: str
    sample: int
    status: str
    final: int
    prompt_tokens: int | None
    completion_tokens: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class WithdrawalRow:
    """A tombstone: this solver's rows were deleted and must not come back."""

    solver: str
    at: str


@dataclass(frozen=True, kw_only=True)
class Collected:
    """The rows of some solvers, each kind in a fixed order."""

    solvers: tuple[SolverRow, ...]
    studies: tuple[StudyRow, ...]
    assignments: tuple[AssignmentRow, ...]
    sessions: tuple[SessionRow, ...]
    attempts: tuple[AttemptRow, ...]
    turns: tuple[TurnRow, ...]
    events: tuple[EventRow, ...]
    calls: tuple[CallFacts, ...]
    withdrawals: tuple[WithdrawalRow, ...]


def read_collected(path: Path, solvers: Collection[str] | None = None) -> Collected:
    """Read all rows of an answers file, or those of some solvers.

    Raises:
        StoreError: missing, foreign or damaged.
    """
    path = plain_path(path)
    with translated(path), closing(read_answers(path)) as db, _one_view(db):
        wanted = None if solvers is None else frozenset(solvers)
        sessions = _kept(fetch(db, SessionRow, "session", "order by started_at, id"), "solver", wanted)
        inside = frozenset(session.id for session in sessions)
        return Collected(
            solvers=_kept(fetch(db, SolverRow, "solver", "order by id"), "id", wanted),
            studies=fetch(db, StudyRow, "study", "order by id"),
            assignments=_kept(
                fetch(db, AssignmentRow, "assignment", "order by study, solver, position"), "solver", wanted
            ),
            sessions=sessions,
            attempts=_kept(fetch(db, AttemptRow, "attempt", "order by answered_at, id"), "solver", wanted),
            turns=_kept(
                fetch(db, TurnRow, "turn", "order by session, puzzle_id, attempt_no, turn, role"), "session", inside
            ),
            events=_kept(fetch(db, EventRow, "event", "order by session, n"), "session", inside),
            calls=_kept(fetch(db, CallFacts, "model_call", "order by started_at, id"), "solver", wanted),
            withdrawals=fetch(db, WithdrawalRow, "withdrawal", "order by solver"),
        )


@contextmanager
def _one_view(db: Database) -> Iterator[None]:
    """Hold one read transaction, so that all tables are of the same moment; it ends before the caller returns."""
    db.conn.execute("begin")
    try:
        yield
    finally:
        db.rollback()


def _kept(rows: tuple[Row, ...], field: str, wanted: frozenset[str] | None) -> tuple[Row, ...]:
    return rows if wanted is None else tuple(row for row in rows if getattr(row, field) in wanted)


def enrol(
    path: Path, solver: SolverRow, study: StudyRow, assignments: Sequence[AssignmentRow], session: SessionRow,
    events: Sequence[EventRow], *, clock: Clock = utc_now,
) -> None:  # fmt: skip
    """Store a person at the moment of consent, with study, items, session and first events: all of it or nothing.

    Raises:
        ConflictError: this code is in the file already, or its person withdrew.
        StoreError: not saved.
    """
    check_row(session)
    for event in events:
        check_row(event)
    path = plain_path(path)
    with translated(path), closing(open_answers(path, journal=None, busy_ms=BUSY_MS, notify=ignore, clock=clock)) as db:
        with immediate(db):
            _require_new(db, solver)
            put(db, "solver", solver)
            known = fetch(db, StudyRow, "study", "where id = ?", (study.id,))
            if known and known[0] != study:
                raise StoreError(f"{path}: study {study.id!r} is there with another manifest; use a file of its own.")
            if not known:
                put(db, "study", study)
            put_all(db, "assignment", AssignmentRow, assignments)
            put(db, "session", session)
            put_all(db, "event", EventRow, events)
        assert not db.conn.in_transaction, "no transaction outlives a call"


def _require_new(db: Database, solver: SolverRow) -> None:
    if fetch(db, WithdrawalRow, "withdrawal", "where solver = ?", (solver.id,)):
        raise ConflictError(f"the data of code {solver.alias!r} were withdrawn; they are not collected again")
    if fetch(
        db, SolverRow, "solver", "where id = ? or (kind = ? and alias = ?)", (solver.id, solver.kind, solver.alias)
    ):
        raise ConflictError(f"code {solver.alias!r} has begun already; go on with it, or take another code")
