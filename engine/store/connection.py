"""How every database is opened: what is refused, which settings hold, which journal keeps answers safe.

Legend:
    header      the first 100 bytes of a file, read without SQLite, so that a foreign file is never touched
    identity    application_id, which kind of clew file it is, and user_version, which schema it has
    journal     how SQLite makes a commit survive; `journal_for` picks it by the engine that really runs

A connection belongs to the thread that opened it and is opened after a fork. Reads fetch all rows, so that no
reader outlives one function.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

from engine.errors import StoreError
from engine.store.files import cannot_write, create_empty, file_system, is_network, plain_path, sidecar, sidecars

BUSY_MS = 30_000
"""How long a connection waits for another program, in milliseconds."""
PAGE_SIZE = 4096
KINDS = {
    int.from_bytes(b"clwP", "big"): "a pack",
    int.from_bytes(b"clwS", "big"): "a sealed file",
    int.from_bytes(b"clwA", "big"): "an answers file",
    int.from_bytes(b"clwR", "big"): "a scores file",
    int.from_bytes(b"clwT", "big"): "a study file",
}
"""What the application ids of clew's files stand for."""
MAGIC = b"SQLite format 3\x00"
SYNCHRONOUS = {"full": 2, "extra": 3}
READONLY_DBMOVED = 8 | 4 << 8
"""The engine's own finding that the file was moved away under it."""
READONLY_ROLLBACK = 8 | 3 << 8
"""A save that a killed program left half done would have to be undone, and this reader may not write."""
Notify = Callable[[str], None]
"""Receives one line for people: a warning or a step that may take long."""


def ignore(line: str) -> None:
    """Drop a line; for callers that show nothing."""


@dataclass(frozen=True, kw_only=True)
class Journal:
    """How commits are made to last."""

    mode: Literal["wal", "delete"]
    synchronous: Literal["full", "extra"]


WAL_FULL = Journal(mode="wal", synchronous="full")
DELETE_EXTRA = Journal(mode="delete", synchronous="extra")
DELETE_FULL = Journal(mode="delete", synchronous="full")


@dataclass(frozen=True, kw_only=True)
class Header:
    """What the first bytes of a database say."""

    write_version: int
    """1 for a rollback journal, 2 for a write-ahead log."""
    read_version: int
    user_version: int
    application_id: int


def journal_for(version: tuple[int, int, int]) -> Journal:
    """Return the journal for answers under an SQLite version.

    Only these lines mend the defect by which two connections that write and checkpoint together lose commits.
    """
    mended = (3, 44, 6) <= version < (3, 45, 0) or (3, 50, 7) <= version < (3, 51, 0) or version >= (3, 51, 3)
    return WAL_FULL if mended else DELETE_EXTRA


def live_version(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """Return the version of the engine behind this very connection."""
    (text,) = connection.execute("select sqlite_version()").fetchone()
    major, minor, patch = (int(part) for part in text.split(".")[:3])
    return major, minor, patch


def read_header(path: Path) -> Header:
    """Read the header of a file without opening it as a database.

    Raises:
        StoreError: there is no such file, or it is empty, too short or no SQLite database.
    """
    try:
        with path.open("rb") as reading:
            head = reading.read(100)
    except FileNotFoundError as error:
        raise StoreError(f"{path} does not exist.") from error
    except OSError as error:
        raise StoreError(f"Cannot read {path}: {error.strerror}.") from error
    if len(head) < 100 or not head.startswith(MAGIC):
        raise StoreError(f"{path} is not a clew file.")
    return Header(
        write_version=head[18],
        read_version=head[19],
        user_version=int.from_bytes(head[60:64], "big"),
        application_id=int.from_bytes(head[68:72], "big"),
    )


def open_new(path: Path, application_id: int, user_version: int, *, mode: int = 0o600) -> Database:
    """Create a database with `mode` from its first byte and return it, ready for its schema.

    Raises:
        StoreError: the name is taken or cannot be written.
    """
    path = plain_path(path)
    try:
        create_empty(path, mode)
    except FileExistsError as error:
        raise StoreError(f"{path} exists already; a new file needs another name.") from error
    except OSError as error:
        raise cannot_write(path) from error
    with translated(path):
        db = _connect(path, "rw", BUSY_MS)
        for setting in (
            f"page_size = {PAGE_SIZE}", "encoding = 'UTF-8'", "auto_vacuum = 0", "journal_mode = delete",
            f"application_id = {application_id}", f"user_version = {user_version}",
        ):  # fmt: skip
            db.execute(f"pragma {setting}").fetchall()
        _set_and_check(db, path, "synchronous", SYNCHRONOUS["full"])
    return db


def open_read_only(
    path: Path, application_id: int, user_version: int, *, finished: bool = True, newer: bool = False
) -> Database:
    """Open a file for reading only.

    Args:
        finished: the file is complete and nobody writes it (packs, sealed files); journals beside it are refused.
        newer: accept a schema that is newer than `user_version`.

    Raises:
        StoreError: missing, foreign, damaged, newer or unfinished.
    """
    path = plain_path(path)
    head = read_header(path)
    _check_kind(path, head.application_id, application_id)
    if finished and ((head.write_version, head.read_version) != (1, 1) or sidecars(path)):
        raise StoreError(f"{path} is not a finished pack.")
    with translated(path):
        if not finished:
            _undo_half_commit(path)
        db = _connect(path, "ro&immutable=1" if finished else "ro", BUSY_MS)
        try:
            _check_identity(db, path, application_id, None if newer else user_version, "read")
        except BaseException:
            db.close()
            raise
    return db


def open_writer(
    path: Path,
    application_id: int,
    user_version: int,
    *,
    journal: Journal | None = None,
    busy_ms: int = BUSY_MS,
    notify: Notify = ignore,
) -> Database:
    """Open an existing file for writing; nothing is written before its identity is known.

    Args:
        journal: None picks it by the live engine and the file system.

    Raises:
        StoreError: missing, foreign, damaged, newer, not writable, or held by others in another journal mode.
    """
    path = plain_path(path)
    _check_kind(path, read_header(path).application_id, application_id)
    # SQLite would open a protected file for reading and fail at the first save, after the person's work.
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        raise cannot_write(path)
    with translated(path):
        db = _connect(path, "rw", busy_ms)
        try:
            _check_identity(db, path, application_id, user_version, "write")
            _use_journal(db, path, journal or safe_journal(db.conn, path, notify))
        except BaseException:
            db.close()
            raise
    return db


def safe_journal(connection: sqlite3.Connection, path: Path, notify: Notify = ignore) -> Journal:
    """Return the journal under which acknowledged rows of `path` last, warning when only one process may be sure."""
    kind = file_system(path)
    if is_network(kind):
        notify(f"{path} is on a {kind} file system, where locks are unreliable: use one clew at a time.")
        return DELETE_EXTRA
    return journal_for(live_version(connection))


def pragma(db: Database, name: str) -> str | int:
    """Return the first value of a pragma."""
    row = db.execute(f"pragma {name}").fetchone()
    value: str | int = row[0]
    return value


def quick_check(db: Database) -> bool:
    """Say whether SQLite finds the structure of the file sound; bits flipped inside a value it cannot see."""
    return [row[0] for row in db.execute("pragma quick_check(1)").fetchall()] == ["ok"]


@contextmanager
def translated(path: Path, *, full: str = "") -> Iterator[None]:
    """Turn errors of the engine into the one line that a person can act on.

    Args:
        full: what is said when the disk is full, if the general line is not right.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise failure(error, path, full) from error


def failure(error: sqlite3.Error, path: Path, full: str = "") -> StoreError:
    """Return the message for an error of the engine on `path`."""
    if getattr(error, "sqlite_errorcode", None) == READONLY_DBMOVED:
        return replaced(path)
    if getattr(error, "sqlite_errorcode", None) == READONLY_ROLLBACK:
        journal = sidecar(path, "-journal").name
        return StoreError(
            f"{path} cannot be read: a killed program left a save unfinished ({journal}), and undoing it needs the "
            f"right to write; copy both files to a place that can be written."
        )
    match _primary_code(error):
        case 5 | 6:
            return StoreError(f"Another program holds {path}.")
        case 8 | 14:
            return cannot_write(path)
        case 11 | 26:
            return DamagedError(f"{path} is damaged.")
        case 13:
            return StoreError(full or f"{path} could not be written: the disk is full. Free space, then run it again.")
        case _:
            return StoreError(f"{path}: {error}.")


def replaced(path: Path) -> StoreError:
    """Return the message for a file that is no longer the one that was opened."""
    return StoreError(f"{path} was replaced while open; is it in a synced folder?")


class DamagedError(StoreError):
    """The file is one of ours, but its structure is broken."""


def _primary_code(error: sqlite3.Error) -> int:
    """Return the engine's result code; by its text where a replacement module does not pass the code on."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        return int(code) & 0xFF
    texts = {
        "locked": 5, "readonly": 8, "malformed": 11, "is full": 13, "unable to open": 14, "not a database": 26,
    }  # fmt: skip
    return next((number for words, number in texts.items() if words in str(error)), 1)


def _connect(path: Path, mode: str, busy_ms: int) -> Database:
    uri = f"file:{quote(str(path))}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=busy_ms / 1000, isolation_level=None)
    try:
        db = Database(connection, strict=True, execute_plugins=False)
        for name, value in (
            ("busy_timeout", busy_ms), ("foreign_keys", 1), ("secure_delete", 1), ("trusted_schema", 0),
            ("cell_size_check", 1),
        ):  # fmt: skip
            _set_and_check(db, path, name, value)
        if sys.platform == "darwin":
            _set_and_check(db, path, "fullfsync", 1)
            _set_and_check(db, path, "checkpoint_fullfsync", 1)
    except BaseException:
        connection.close()
        raise
    return db


def _undo_half_commit(path: Path) -> None:
    """Let the engine undo what a killed program left half committed: a reader may not, and would see nothing.

    The journal of a program that is alive is in use and stays. Without the right to write, the engine says so.
    """
    if sidecar(path, "-journal").exists() and os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        with closing(_connect(path, "rw", BUSY_MS)) as db:
            db.execute("select count(*) from sqlite_schema").fetchone()


def _set_and_check(db: Database, path: Path, name: str, value: int) -> None:
    """Set a pragma and read it back: inside a transaction or a lean build some are dropped in silence."""
    db.execute(f"pragma {name} = {value}").fetchall()
    if (found := pragma(db, name)) != value:
        raise StoreError(f"{path}: setting {name} is {found!r} and must be {value!r}.")


def _check_kind(path: Path, found: int, application_id: int) -> None:
    if found == application_id:
        return
    if found in KINDS:
        raise StoreError(f"{path} is {KINDS[found]}; {KINDS.get(application_id, 'another kind')} is needed here.")
    raise StoreError(f"{path} is not a clew file.")


def _check_identity(db: Database, path: Path, application_id: int, user_version: int | None, verb: str) -> None:
    _check_kind(path, int(pragma(db, "application_id")), application_id)
    if user_version is not None and int(pragma(db, "user_version")) > user_version:
        raise StoreError(f"{path} was made by a newer clew; update to {verb}.")


def _use_journal(db: Database, path: Path, journal: Journal) -> None:
    """Compare the journal that sits in the file, switch if it differs, and read back what holds now."""
    found = str(pragma(db, "journal_mode"))
    if found != journal.mode:
        try:
            found = str(pragma(db, f"journal_mode = {journal.mode}"))
        except sqlite3.OperationalError as error:
            if _primary_code(error) not in (5, 6):
                raise
    if found != journal.mode:
        version = ".".join(map(str, live_version(db.conn)))
        raise StoreError(
            f"{path} has journal {found!r}, and SQLite {version} needs {journal.mode!r}; another program holds it."
        )
    _set_and_check(db, path, "synchronous", SYNCHRONOUS[journal.synchronous])
