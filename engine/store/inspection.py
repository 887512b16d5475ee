"""What a database file and the engine behind it really are: for `clew doctor` and for bug reports."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

from engine.errors import StoreError
from engine.store.connection import (
    DELETE_FULL,
    live_version,
    open_read_only,
    pragma,
    quick_check,
    read_header,
    safe_journal,
    translated,
)
from engine.store.files import file_system, plain_path
from engine.store.migrations import ANSWERS_STEPS
from engine.store.schema import PACK, SCORES, SEALED
from engine.store.study_file import STUDY

FINISHED = (PACK, SEALED)
"""Kinds of files that nobody writes any more."""
KINDS = {kind.application_id: kind.name for kind in (PACK, SEALED, SCORES, STUDY)} | {
    ANSWERS_STEPS.application_id: "answers file"
}


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What a live connection says about its file."""

    kind: str
    version: int
    """Of the schema."""
    sqlite_version: str
    module: str
    """The Python module that brings the engine: `sqlite3` or an installed replacement."""
    journal: str
    synchronous: str
    """As every writer of such a file sets it and reads it back."""
    file_system: str
    sound: bool
    """The structure passes SQLite's quick check."""

    def __str__(self) -> str:
        structure = "sound" if self.sound else "DAMAGED"
        return (
            f"{self.kind} version {self.version}, {structure}, journal {self.journal}, synchronous {self.synchronous}, "
            f"SQLite {self.sqlite_version} ({self.module}), {self.file_system or 'unknown'} file system"
        )


def file_facts(path: Path) -> Facts:
    """Open a clew file of any kind for reading, ask, and close it again.

    Raises:
        StoreError: missing, foreign, or too damaged to open.
    """
    path = plain_path(path)
    application_id = read_header(path).application_id
    if application_id not in KINDS:
        raise StoreError(f"{path} is not a clew file.")
    finished = any(kind.application_id == application_id for kind in FINISHED)
    with closing(open_read_only(path, application_id, 0, finished=finished, newer=True)) as db, translated(path):
        return _facts(db, path, application_id)


def _facts(db: Database, path: Path, application_id: int) -> Facts:
    answers = application_id == ANSWERS_STEPS.application_id
    return Facts(
        kind=KINDS[application_id],
        version=int(pragma(db, "user_version")),
        sqlite_version=".".join(map(str, live_version(db.conn))),
        module=sqlite3.__name__,
        journal=str(pragma(db, "journal_mode")),
        synchronous=(safe_journal(db.conn, path) if answers else DELETE_FULL).synchronous,
        file_system=file_system(path),
        sound=quick_check(db),
    )
