"""What an answers file says: every question that only reads. `engine.store.answers` adds all that writes.

Nothing here depends on gold, so whoever holds the file may ask.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from sqlite_utils import Database

from engine.store.answer_rows import (
    AttemptRow,
    DraftRow,
    EventRow,
    SessionRow,
    SolverKind,
    TurnRow,
    attempt_sha,
    turn_sha,
)
from engine.store.call_rows import ModelCallRow, ModelConfigRow
from engine.store.connection import translated
from engine.store.rows import fetch


class StoredAnswers:
    """The reading half of an open answers file."""

    def __init__(self, path: Path, db: Database) -> None:
        self.path = path
        self._db = db

    def solvers(self) -> dict[str, tuple[str, SolverKind]]:
        """Return name and kind of every solver by id."""
        with translated(self.path):
            found = self._db.execute("select id, alias, kind from solver order by id").fetchall()
        return {row[0]: (row[1], row[2]) for row in found}

    def config(self, solver: str) -> ModelConfigRow | None:
        """Return what a model's solver is; None before its first answer, and for people and built-in solvers."""
        with translated(self.path):
            found = fetch(self._db, ModelConfigRow, "model_config", "where solver = ?", (solver,))
        return found[0] if found else None

    def calls(self, solver: str) -> tuple[ModelCallRow, ...]:
        """Return all requests of a solver by time and id."""
        with translated(self.path):
            return fetch(self._db, ModelCallRow, "model_call", "where solver = ? order by started_at, id", (solver,))

    def drafts(self, solver: str) -> tuple[DraftRow, ...]:
        """Return a solver's drafts of all sessions, newest first."""
        rest = (
            "join session on session.id = draft.session where session.solver = ? order by saved_at desc, session desc"
        )
        with translated(self.path):
            return fetch(self._db, DraftRow, "draft", rest, (solver,))

    def attempts(self, solver: str | None = None, puzzle_ids: Collection[str] | None = None) -> tuple[AttemptRow, ...]:
        """Return answers by time and id, of one solver and of some puzzles if given."""
        where, values = ("", ()) if solver is None else ("where solver = ?", (solver,))
        with translated(self.path):
            found = fetch(self._db, AttemptRow, "attempt", f"{where} order by answered_at, id", values)
        wanted = None if puzzle_ids is None else frozenset(puzzle_ids)
        return tuple(row for row in found if wanted is None or row.puzzle_id in wanted)

    def attempts_on(self, solver: str, puzzle_id: str) -> tuple[AttemptRow, ...]:
        """Return a solver's answers to one puzzle by time and id, found by their key."""
        with translated(self.path):
            rest = "where solver = ? and puzzle_id = ? order by answered_at, id"
            return fetch(self._db, AttemptRow, "attempt", rest, (solver, puzzle_id))

    def attempt(self, attempt_id: str) -> AttemptRow | None:
        """Return one answer; None if there is none of this id."""
        with translated(self.path):
            found = fetch(self._db, AttemptRow, "attempt", "where id = ?", (attempt_id,))
        return found[0] if found else None

    def answered(self, solver: str) -> set[str]:
        """Return the ids of the puzzles that a solver answered or skipped."""
        return {row.puzzle_id for row in self.attempts(solver)}

    def turns(self, session: str, puzzle_id: str, attempt_no: int = 1) -> tuple[TurnRow, ...]:
        """Return the texts of one dialogue in order."""
        with translated(self.path):
            return self._turns(session, puzzle_id, attempt_no)

    def unfinished(self, solver: str, puzzle_id: str) -> tuple[TurnRow, ...]:
        """Return the texts of the dialogue that a solver began first and has not finished, in order of turns."""
        rest = (
            "join session on session.id = turn.session where session.solver = ? and turn.puzzle_id = ? and not exists "
            "(select 1 from attempt where attempt.session = turn.session and attempt.puzzle_id = turn.puzzle_id "
            "and attempt.attempt_no = turn.attempt_no) order by turn.turn, turn.at, turn.session, turn.role"
        )
        with translated(self.path):
            found = fetch(self._db, TurnRow, "turn", rest, (solver, puzzle_id))
        return tuple(row for row in found if row.session == found[0].session)

    def events(self, session: str) -> tuple[EventRow, ...]:
        """Return the events of a session in order."""
        with translated(self.path):
            return fetch(self._db, EventRow, "event", "where session = ? order by n", (session,))

    def sessions(self, solver: str) -> tuple[SessionRow, ...]:
        """Return a solver's sessions by time and id."""
        with translated(self.path):
            return fetch(self._db, SessionRow, "session", "where solver = ? order by started_at, id", (solver,))

    def check(self, session: str | None = None) -> tuple[str, ...]:
        """Return the ids of rows whose digest is not that of their columns, of one session if given.

        A turn is named session/puzzle/attempt_no/turn/role.
        """
        where, values = ("", ()) if session is None else ("where session = ?", (session,))
        with translated(self.path):
            turns = fetch(self._db, TurnRow, "turn", where, values)
            attempts = fetch(self._db, AttemptRow, "attempt", f"{where} order by answered_at, id", values)
            bad = [row.id for row in attempts if row.row_sha != self._attempt_sha(row)]
        return tuple(bad) + tuple(
            f"{row.session}/{row.puzzle_id}/{row.attempt_no}/{row.turn}/{row.role}"
            for row in turns
            if row.row_sha != turn_sha(row)
        )

    def _solver_id(self, alias: str, kind: SolverKind) -> str:
        with translated(self.path):
            row = self._db.execute("select id from solver where kind = ? and alias = ?", (kind, alias)).fetchone()
        return str(row[0]) if row else ""

    def _turns(self, session: str, puzzle_id: str, attempt_no: int) -> tuple[TurnRow, ...]:
        rest = "where session = ? and puzzle_id = ? and attempt_no = ? order by turn, role"
        return fetch(self._db, TurnRow, "turn", rest, (session, puzzle_id, attempt_no))

    def _turns_of(self, attempt: AttemptRow) -> tuple[TurnRow, ...]:
        return self._turns(attempt.session, attempt.puzzle_id, attempt.attempt_no)

    def _attempt_sha(self, attempt: AttemptRow) -> str:
        return attempt_sha(attempt, [turn.row_sha for turn in self._turns_of(attempt)])
