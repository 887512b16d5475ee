"""The researcher's file of one study: frozen manifests, participants' places, the log of leases, notes.

Manifests, leases and notes are append-only: what is open, done or free is computed from the log, never stored. A place
joins a code to a random id; when its person withdraws the row is removed, and the log keeps the id, which names nobody.
The file never leaves the researcher's machine and holds no gold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal

from sqlite_utils import Database

from engine.errors import StoreError
from engine.store.connection import DELETE_FULL, open_new, open_writer, translated
from engine.store.content import check_schema
from engine.store.files import plain_path, private_folder, publish, scratch_folder
from engine.store.rows import fetch, immediate, mapping, put, put_all, put_mapping
from engine.store.schema import Kind

LeaseKind = Literal["reserve", "renew", "done", "release", "expire", "void"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FrozenRow:
    """One version of a manifest."""

    version: int
    """From 1."""
    sha: str
    manifest: str
    """Canonical JSON."""
    config: str
    """The study file as it was written."""
    at: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceRow:
    """One participant's place."""

    id: str
    """32 random hex digits; the solver's id in every answers file."""
    version: int
    code: str
    position: int
    """From 0; with the order seed it gives the order of items."""
    aid: str
    at: str


@dataclass(frozen=True, kw_only=True, slots=True)
class LeaseRow:
    """One line of the log of leases."""

    n: int
    at: str
    kind: LeaseKind
    place: str
    """The place's id."""
    puzzle_id: str
    until: str
    """When a reservation ends; empty for other kinds."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NoteRow:
    """One thing that happened to the study: a merge, a withdrawal, its closing."""

    n: int
    at: str
    kind: str
    data: str
    """Canonical JSON."""


def _kept(table: str, key: str) -> tuple[str, str, str]:
    """Return the triggers that keep a table append-only, against `insert or replace` too."""
    return (
        f"""create trigger {table}_insert before insert on {table}
when exists (select 1 from {table} where {key} = new.{key})
begin select raise(abort, '{table} exists already'); end""",
        f"create trigger {table}_update before update on {table} begin select raise(abort, '{table} rows stay'); end",
        f"create trigger {table}_delete before delete on {table} begin select raise(abort, '{table} rows stay'); end",
    )


STUDY = Kind(
    name="study file",
    application_id=int.from_bytes(b"clwT", "big"),
    version=1,
    ddl=(
        """create table meta (
    key text not null primary key,
    value text not null
) strict, without rowid""",
        """create table frozen (
    version integer not null primary key check (version >= 1),
    sha text not null unique check (length(sha) = 64),
    manifest text not null,
    config text not null,
    at text not null
) strict, without rowid""",
        """create table place (
    id text not null primary key check (length(id) = 32),
    version integer not null references frozen (version),
    code text not null unique check (code <> ''),
    position integer not null check (position >= 0),
    aid text not null,
    at text not null,
    unique (version, position)
) strict, without rowid""",
        """create table lease (
    n integer not null primary key check (n >= 0),
    at text not null,
    kind text not null check (kind in ('reserve', 'renew', 'done', 'release', 'expire', 'void')),
    place text not null,
    puzzle_id text not null,
    until text not null
) strict, without rowid""",
        """create table note (
    n integer not null primary key check (n >= 0),
    at text not null,
    kind text not null check (kind <> ''),
    data text not null
) strict, without rowid""",
        *_kept("frozen", "version"),
        *_kept("lease", "n"),
        *_kept("note", "n"),
        "create trigger place_update before update on place begin select raise(abort, 'place rows stay'); end",
        """create trigger place_delete before delete on place
when not exists (select 1 from lease where lease.place = old.id and lease.kind = 'void')
begin select raise(abort, 'place rows stay unless their person withdrew'); end""",
    ),
    schema_sha="15ba93c69703988ce670cc706a452cf047be59c7409882539986801ff6722670",
)


class StudyFile:
    """An open study file; use it from the thread that opened it."""

    def __init__(self, path: Path, db: Database) -> None:
        self.path = path
        self._db = db
        self.meta: dict[str, str] = mapping(db, "meta")

    @classmethod
    def create(cls, path: Path, meta: dict[str, str], first: FrozenRow) -> None:
        """Make a study file with its first manifest.

        Raises:
            StoreError: it exists, or cannot be written.
        """
        path = plain_path(path)
        private_folder(path.parent)
        with scratch_folder(path.parent) as folder, translated(path):
            with closing(open_new(folder / "new.db", STUDY.application_id, STUDY.version)) as db, immediate(db):
                for statement in STUDY.ddl:
                    db.execute(statement)
                put_mapping(db, "meta", meta)
                put(db, "frozen", first)
            try:
                publish(folder / "new.db", path, replace=False)
            except FileExistsError as error:
                raise StoreError(f"{path} exists already; a new study needs another folder.") from error

    @classmethod
    def open(cls, path: Path) -> StudyFile:
        """Open a study file for reading and writing.

        Raises:
            StoreError: missing, foreign, damaged, newer or not writable.
        """
        db = open_writer(plain_path(path), STUDY.application_id, STUDY.version, journal=DELETE_FULL)
        try:
            with translated(path):
                check_schema(db.conn, STUDY.schema_sha, path)
                return cls(path, db)
        except BaseException:
            db.close()
            raise

    def frozen(self) -> tuple[FrozenRow, ...]:
        """Return all versions of the manifest, oldest first."""
        return self._fetch(FrozenRow, "frozen", "order by version")

    def places(self) -> tuple[PlaceRow, ...]:
        """Return all places by version and position."""
        return self._fetch(PlaceRow, "place", "order by version, position")

    def leases(self) -> tuple[LeaseRow, ...]:
        """Return the log of leases in order."""
        return self._fetch(LeaseRow, "lease", "order by n")

    def notes(self, kind: str = "") -> tuple[NoteRow, ...]:
        """Return notes in order, of one kind if given."""
        return tuple(row for row in self._fetch(NoteRow, "note", "order by n") if kind in ("", row.kind))

    def add_version(self, row: FrozenRow) -> None:
        """Add a version of the manifest; the older ones stay."""
        with self._writing():
            put(self._db, "frozen", row)

    def note(self, at: str, kind: str, data: str) -> None:
        """Append one note."""
        with self._writing():
            self._put_note(at, kind, data)

    def reserve(
        self,
        decide: Callable[[tuple[PlaceRow, ...], tuple[LeaseRow, ...]], tuple[Sequence[PlaceRow], Sequence[LeaseRow]]],
    ) -> tuple[PlaceRow, ...]:
        """Let `decide` see places and log and say what to add, all in one transaction: no two can give the same item.

        The numbers of the rows that it returns are set here.
        """
        with self._writing():
            places, leases = decide(self.places(), self.leases())
            put_all(self._db, "place", PlaceRow, places)
            self._put_leases(leases)
        return tuple(places)

    def append(self, leases: Sequence[LeaseRow]) -> None:
        """Append lines to the log of leases; their numbers are set here."""
        if leases:
            with self._writing():
                self._put_leases(leases)

    def forget(self, place: str, at: str, items: Sequence[str], data: str) -> None:
        """Give a person's items back, remove the code, and note it: the log keeps the random id only."""
        rows = [LeaseRow(n=0, at=at, kind="void", place=place, puzzle_id=one, until="") for one in items or [""]]
        with self._writing():
            self._put_leases(rows)
            self._db.execute("delete from place where id = ?", (place,))
            self._put_note(at, "withdrawn", data)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> StudyFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with translated(self.path), immediate(self._db):
            yield
        assert not self._db.conn.in_transaction, "no transaction outlives a call"

    def _fetch(self, kind: type, table: str, rest: str) -> tuple:  # type: ignore[type-arg]
        with translated(self.path):
            return fetch(self._db, kind, table, rest)

    def _put_leases(self, rows: Sequence[LeaseRow]) -> None:
        start = self._next("lease")
        numbered = (
            LeaseRow(n=start + nth, at=row.at, kind=row.kind, place=row.place, puzzle_id=row.puzzle_id, until=row.until)
            for nth, row in enumerate(rows)
        )
        put_all(self._db, "lease", LeaseRow, numbered)

    def _put_note(self, at: str, kind: str, data: str) -> None:
        put(self._db, "note", NoteRow(n=self._next("note"), at=at, kind=kind, data=data))

    def _next(self, table: str) -> int:
        return int(self._db.execute(f"select coalesce(max(n), -1) + 1 from {table}").fetchone()[0])
