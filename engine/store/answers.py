"""What people and models answered. An answer that was acknowledged is on disk, once, whole, and stays.

`Answers.save` is the one write path: begin immediate, rows, commit, read back, and only then does it return. A commit
that fails leaves nothing; repeat the whole call with the same id. Nothing here depends on gold, so the file can be
handed over. Use an object from the thread that opened it, and open it after a fork. What only reads is inherited from
`answer_reading`; everything that may write stays in this module, so that it is seen at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from sqlite_utils import Database

from engine.errors import ConflictError, StoreError, UsageError
from engine.store.answer_file import create_answers, open_answers, read_answers
from engine.store.answer_reading import StoredAnswers
from engine.store.answer_rows import (
    AttemptRow,
    DraftRow,
    EventRow,
    SessionRow,
    SolverKind,
    TurnRow,
    check_alias,
    check_row,
    repaired_draft,
    repaired_turn,
    said,
    storable,
    turn_sha,
    with_repairs,
)
from engine.store.authorizer import Tripwire
from engine.store.backup import damaged
from engine.store.call_rows import ModelCallRow, ModelConfigRow, put_call, put_config
from engine.store.clock import Clock, random_id, utc_now
from engine.store.connection import BUSY_MS, DamagedError, Journal, Notify, ignore, replaced, translated
from engine.store.files import file_identity, plain_path, same_file, sidecar, sync_file, sync_folder
from engine.store.migrations import TABLES
from engine.store.rows import fetch, immediate, put

APPENDABLE = tuple(table for table in TABLES if table not in ("study", "assignment", "withdrawal"))
MUTABLE = ("draft",)
DISK_FULL = "Not saved: disk full. What was saved before stays; free space, then try again."

HELD = "another program holds the file; still trying, nothing is lost"


class Answers(StoredAnswers):
    """An open answers file."""

    def __init__(self, path: Path, db: Database, *, writable: bool) -> None:
        super().__init__(path, db)
        self.writable = writable
        self._identity = file_identity(path)
        self._tripwire = Tripwire(
            (*TABLES, "sqlite_master"), APPENDABLE if writable else (), MUTABLE if writable else ()
        )
        self._tripwire.arm(db)
        self._waits = False

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        create: bool = True,
        read_only: bool = False,
        journal: Journal | None = None,
        busy_ms: int = BUSY_MS,
        notify: Notify = ignore,
        clock: Clock = utc_now,
    ) -> Answers:
        """Open an answers file, bringing an older one up to date after a backup.

        Args:
            create: make a missing file, in a private folder.
            read_only: never write, and accept a file of a newer clew.
            journal: None picks the one that keeps acknowledged rows under the live engine and file system.
            busy_ms: how long to wait for another program, in milliseconds.
            notify: receives lines for people, such as a warning about a network folder.

        Raises:
            StoreError: the file is foreign, newer, not writable, held by others, or damaged; a damaged one is moved
                aside and the message names both its new place and the newest good backup.
        """
        path = plain_path(path)
        if create and not read_only and not path.exists():
            create_answers(path, journal, notify)
        try:
            if read_only:
                db = read_answers(path)
            else:
                db = open_answers(path, journal=journal, busy_ms=busy_ms, notify=notify, clock=clock)
        except DamagedError:
            if read_only:
                raise
            raise damaged(path, file_identity(path), clock=clock) from None
        return cls(path, db, writable=not read_only)

    @property
    def waiting(self) -> str:
        """What a write waits for right now, in a few words, empty if nothing is waited for; for any thread."""
        return HELD if self._waits else ""

    @property
    def denials(self) -> tuple[str, ...]:
        """What the tripwire denied so far; a clean session has none."""
        return tuple(self._tripwire.denials)

    def solver(self, alias: str, kind: SolverKind) -> str:
        """Return the id of the solver of this name and kind, made now if there was none."""
        check_alias(alias)
        if found := self._solver_id(alias, kind):
            return found
        with self._write():
            found = self._solver_id(alias, kind)
            if not found:
                found = random_id()
                self._db.execute("insert into solver (id, kind, alias) values (?, ?, ?)", (found, kind, alias))
        return found

    def begin_session(self, session: SessionRow) -> None:
        """Store a session; the same one again changes nothing.

        Raises:
            ConflictError: another session has this id.
        """
        check_row(session)
        with self._write():
            self._put_session(session)

    def save(
        self,
        attempt: AttemptRow,
        *,
        turns: Sequence[TurnRow] = (),
        events: Sequence[EventRow] = (),
        calls: Sequence[ModelCallRow] = (),
        session: SessionRow | None = None,
    ) -> AttemptRow:
        """Store one answer with all that belongs to it, and return it as it stands on disk.

        The same answer again succeeds, and the row of the first time stays: same id, solver, puzzle, rendering,
        attempt_no, text_sha, answer, confidence and texts of turns. Any other is refused.

        Args:
            calls: the final request to a model that this answer comes from.
            session: stored too, if it is not there yet.

        Raises:
            UsageError: a field cannot be stored; names field and value.
            ConflictError: the puzzle was answered already; the first answer stays.
            StoreError: not saved; nothing of it is in the file, and the whole call may be repeated.
        """
        attempt, turns, events = storable(attempt, turns, events)
        if session is not None:
            check_row(session)
        with self._write():
            first = self._first(attempt)
            if first is None:
                if session is not None:
                    self._put_session(session)
                attempt = self._put_attempt(attempt, turns, events)
                for call in calls:
                    put_call(self._db, call)
            else:
                self._require_same(first, attempt, turns)
        if first is not None:
            self._sync_first()
        return self._read_back(first or attempt)

    def append_events(self, events: Sequence[EventRow]) -> None:
        """Store events; one with a given `n` that is there already counts as stored if it is the same.

        Raises:
            ConflictError: another event has this place in the session.
        """
        events = tuple(stored for event in events for stored in with_repairs(event))
        for event in events:
            check_row(event)
        with self._write():
            self._put_events(events)

    def append_turns(self, turns: Sequence[TurnRow], calls: Sequence[ModelCallRow] = ()) -> None:
        """Store texts of a dialogue before its attempt exists; the same ones again change nothing.

        Raises:
            ConflictError: another text has this place, or the attempt was saved already.
        """
        repaired = [repaired_turn(turn, 0) for turn in turns]
        for turn, _ in repaired:
            check_row(turn)
        with self._write():
            for turn, happened in repaired:
                if self._put_turn(turn):
                    self._put_events(happened)
            for call in calls:
                put_call(self._db, call)

    def append_call(self, call: ModelCallRow) -> None:
        """Store a request that closes no item, or none that has an answer."""
        with self._write():
            put_call(self._db, call)

    def keep_config(self, config: ModelConfigRow) -> None:
        """Store what a model's solver is; the same again changes nothing.

        Raises:
            ConflictError: the solver was served by another model before.
        """
        with self._write():
            put_config(self._db, config)

    def keep_draft(self, draft: DraftRow) -> None:
        """Store a draft in place of the session's earlier one for the same puzzle."""
        draft, happened = repaired_draft(draft)
        check_row(draft)
        with self._write():
            place = (draft.session, draft.puzzle_id)
            before = fetch(self._db, DraftRow, "draft", "where session = ? and puzzle_id = ?", place)
            self._db.execute("delete from draft where session = ? and puzzle_id = ?", place)
            put(self._db, "draft", draft)
            if not before or before[0].body != draft.body:
                self._put_events(happened)

    def is_committed(self, attempt_id: str) -> bool:
        """Say whether a connection of its own, opened now for reading, sees the answer whole."""
        with closing(self.open(self.path, read_only=True)) as fresh:
            row = fresh.attempt(attempt_id)
            return row is not None and row.row_sha == fresh._attempt_sha(row)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Answers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _write(self) -> Iterator[None]:
        """Hold one immediate transaction for the block; nothing is committed into a file that was replaced."""
        if not self.writable:
            raise StoreError(f"{self.path} is open for reading only.")
        self._waits = True
        try:
            with translated(self.path, full=DISK_FULL), immediate(self._db):
                self._waits = False
                yield
                if not same_file(self.path, self._identity):
                    raise replaced(self.path)
        finally:
            self._waits = False
        assert not self._db.conn.in_transaction, "no transaction outlives a call"

    def _put_session(self, session: SessionRow) -> None:
        found = fetch(self._db, SessionRow, "session", "where id = ?", (session.id,))
        if found and found[0] != session:
            raise ConflictError(f"session {session.id!r} exists already with another policy; a new one needs a new id")
        if not found:
            put(self._db, "session", session)

    def _first(self, attempt: AttemptRow) -> AttemptRow | None:
        """Return the answer that stands where this one wants to: same id, or same place."""
        rest = "where id = ? or (solver = ? and puzzle_id = ? and rendering_id = ? and attempt_no = ?)"
        place = (attempt.id, attempt.solver, attempt.puzzle_id, attempt.rendering_id, attempt.attempt_no)
        found = fetch(self._db, AttemptRow, "attempt", f"{rest} order by id = ? desc", (*place, attempt.id))
        return found[0] if found else None

    def _require_same(self, first: AttemptRow, attempt: AttemptRow, turns: Sequence[TurnRow]) -> None:
        """Raise unless `attempt` is `first` sent again; each offered turn must be among the stored ones."""
        stored = {(turn.turn, turn.role): turn.text for turn in self._turns_of(first)}
        if said(first) != said(attempt) or any(stored.get((turn.turn, turn.role)) != turn.text for turn in turns):
            raise ConflictError(
                f"Puzzle {attempt.puzzle_id!r} was answered already by attempt {first.id!r}; the first answer stays."
            )

    def _put_attempt(self, attempt: AttemptRow, turns: Sequence[TurnRow], events: Sequence[EventRow]) -> AttemptRow:
        self._require_place(attempt)
        for turn in turns:
            self._put_turn(turn)
        attempt = replace(attempt, row_sha=self._attempt_sha(attempt))
        put(self._db, "attempt", attempt)
        self._put_events(events)
        self._db.execute(
            "delete from draft where puzzle_id = ? and session in (select id from session where solver = ?)",
            (attempt.puzzle_id, attempt.solver),
        )
        return attempt

    def _require_place(self, attempt: AttemptRow) -> None:
        """Raise unless the session is the solver's own and a revision follows the attempt before it."""
        owner = self._db.execute("select solver from session where id = ?", (attempt.session,)).fetchone()
        if owner is None or owner[0] != attempt.solver:
            raise UsageError(f"session {attempt.session!r} is not one of solver {attempt.solver!r}; begin it first")
        if attempt.attempt_no > 1:
            before = replace(attempt, id="", attempt_no=attempt.attempt_no - 1)
            if self._first(before) is None:
                raise UsageError(f"attempt_no is {attempt.attempt_no}; attempt {before.attempt_no} has to exist before")

    def _put_turn(self, turn: TurnRow) -> bool:
        """Add a turn and say so; the same one again is left alone."""
        turn = replace(turn, row_sha=turn_sha(turn))
        place = (turn.session, turn.puzzle_id, turn.attempt_no)
        for stored in self._turns(*place):
            if (stored.turn, stored.role) == (turn.turn, turn.role):
                if stored.text != turn.text:
                    raise ConflictError(f"turn {turn.turn} of puzzle {turn.puzzle_id!r} was sent already; it stays.")
                return False
        if fetch(self._db, AttemptRow, "attempt", "where session = ? and puzzle_id = ? and attempt_no = ?", place):
            raise ConflictError(f"puzzle {turn.puzzle_id!r} was answered already; no turn can follow.")
        put(self._db, "turn", turn)
        return True

    def _put_events(self, events: Sequence[EventRow]) -> None:
        for event in events:
            if event.n is not None:
                place = (event.session, event.n)
                found = fetch(self._db, EventRow, "event", "where session = ? and n = ?", place)
                if found and found[0] != event:
                    raise ConflictError(f"event {event.n} of session {event.session!r} exists already; it stays.")
                if found:
                    continue
            put(self._db, "event", replace(event, n=self._next_n(event.session)) if event.n is None else event)

    def _next_n(self, session: str) -> int:
        row = self._db.execute("select coalesce(max(n), -1) from event where session = ?", (session,)).fetchone()
        return int(row[0]) + 1

    def _read_back(self, attempt: AttemptRow) -> AttemptRow:
        """Return the row as this connection reads it after the commit, if it is the row that was meant."""
        row = self.attempt(attempt.id)
        if row is None or row.row_sha != attempt.row_sha or row.row_sha != self._attempt_sha(row):
            raise StoreError(f"{self.path}: answer {attempt.id!r} does not read back as it was saved.")
        return row

    def _sync_first(self) -> None:
        """Put on disk what an earlier process committed but may have been killed before syncing.

        Its row can be seen from the log or after the journal was removed; a success that rests on it must not be told
        before both are safe. The database file itself is never opened here: closing it would drop SQLite's locks.
        """
        log = sidecar(self.path, "-wal")
        if log.exists():
            sync_file(log)
        sync_folder(self.path.parent)
