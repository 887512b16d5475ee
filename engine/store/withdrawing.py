"""Removing one person for good: rows, unsent drafts, journals and backups, with a tombstone that names nobody.

What is left is a random id, a time and the number of rows removed. `traces` reads bytes, not tables, so it also sees
what lies in free pages, journals and files beside the database.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from engine.errors import StoreError
from engine.store.backup import copies
from engine.store.connection import BUSY_MS, DELETE_FULL, open_writer, pragma, translated
from engine.store.files import plain_path, sidecar
from engine.store.migrations import ANSWERS_STEPS
from engine.store.rows import immediate

BY_SESSION = ("draft", "event", "turn")
BY_SOLVER = ("model_call", "model_batch", "model_config", "attempt", "session", "assignment")
CHUNK = 1 << 20


def delete_rows(db: Database, solver: str, at: str) -> dict[str, int]:
    """Delete a solver's rows and leave a tombstone; return the rows removed by table. The transaction is the caller's.

    The tombstone comes first: the triggers let rows go only for those who have one.
    """
    assert db.conn.in_transaction, "rows are removed inside a transaction only"
    if not db.execute("select 1 from withdrawal where solver = ?", (solver,)).fetchone():
        db.execute("insert into withdrawal (solver, at) values (?, ?)", (solver, at))
    db.conn.execute("pragma defer_foreign_keys = on")
    counts: dict[str, int] = {}
    mine = "in (select id from session where solver = ?)"
    tables = {row[0] for row in db.execute("select name from sqlite_master where type = 'table'").fetchall()}
    for table, where in (
        *((table, f"session {mine}") for table in BY_SESSION),
        *((table, "solver = ?") for table in BY_SOLVER),
        ("solver", "id = ?"),
    ):
        if table in tables:
            removed = db.conn.execute(f"delete from {table} where {where}", (solver,)).rowcount
            counts[table] = counts.get(table, 0) + removed
    return {table: count for table, count in counts.items() if count}


def withdraw(path: Path, solver: str, at: str, *, busy_ms: int = BUSY_MS) -> dict[str, int]:
    """Remove a solver from an answers file and from its backups; return the rows removed from the file, by table.

    No other program may have the file open: whoever has could write remnants back.

    Args:
        busy_ms: how long to wait for another program, in milliseconds.

    Raises:
        StoreError: the file or a backup cannot be written, or its journal could not be emptied.
    """
    path = plain_path(path)
    counts = _withdraw_from(path, solver, at, busy_ms)
    for copy in copies(path):
        _withdraw_from(copy, solver, at, busy_ms)
    return counts


def words_of(path: Path, solver: str) -> tuple[str, ...]:
    """Return what would name a solver's rows in bytes: the name, ids of sessions and answers, longer texts."""
    with translated(path), closing(_open(path)) as db:
        found = [
            *db.execute("select alias from solver where id = ?", (solver,)).fetchall(),
            *db.execute("select id from session where solver = ?", (solver,)).fetchall(),
            *db.execute("select id from attempt where solver = ?", (solver,)).fetchall(),
            *db.execute(
                "select text from turn where session in (select id from session where solver = ?)"
                " and role = 'assistant' and length(text) > 20 and text not in"
                " (select text from turn where session not in (select id from session where solver = ?))",
                (solver, solver),
            ).fetchall(),
        ]
    return tuple(sorted({str(row[0])[:200] for row in found}))


def traces(places: Iterable[Path], words: Collection[str]) -> Mapping[Path, int]:
    """Return the files under some places whose bytes hold one of the words, with how many different ones."""
    needles = [word.encode("utf-8") for word in words]
    found = {}
    for path in sorted({file for place in places for file in _files(place)}):
        if hits := _hits(path, needles):
            found[path] = hits
    return found


def _files(place: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
    elif place.is_dir():
        yield from (path for path in place.rglob("*") if path.is_file())


def _hits(path: Path, needles: list[bytes]) -> int:
    """Count the needles that occur in a file, across the borders of the chunks that are read."""
    left = set(needles)
    overlap = max((len(needle) for needle in needles), default=1)
    tail = b""
    with path.open("rb") as reading:
        while left and (chunk := reading.read(CHUNK)):
            window = tail + chunk
            left = {needle for needle in left if needle not in window}
            tail = window[-overlap:]
    return len(needles) - len(left)


def _withdraw_from(path: Path, solver: str, at: str, busy_ms: int) -> dict[str, int]:
    with translated(path), closing(_open(path, busy_ms)) as db:
        with immediate(db):
            counts = delete_rows(db, solver, at)
        if pragma(db, "journal_mode") == "wal":
            busy, *_ = db.execute("pragma wal_checkpoint(truncate)").fetchone()
            if busy:
                raise StoreError(f"Another program holds {path}; close it, then withdraw again.")
        db.execute("vacuum")
        if pragma(db, "journal_mode") == "wal":
            db.execute("pragma wal_checkpoint(truncate)").fetchone()
    for suffix in ("-wal", "-journal"):
        if sidecar(path, suffix).exists() and sidecar(path, suffix).stat().st_size:
            raise StoreError(f"{sidecar(path, suffix)} is left over; another program holds {path}.")
    return counts


def _open(path: Path, busy_ms: int = BUSY_MS) -> Database:
    """Open the file in the journal mode that it has; a backup's is always the rollback journal."""
    journal = None if path.parent.name != "backups" else DELETE_FULL
    return open_writer(path, ANSWERS_STEPS.application_id, ANSWERS_STEPS.version, journal=journal, busy_ms=busy_ms)
