"""Sealed files: full records with gold, seeds and salts. No process of a solver, a renderer or a collection opens one.

Mode 0600 from the first byte, in a folder made with 0700; a rollback journal, so that no second file keeps secrets.
Values of this module name their puzzle and nothing else when printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal

from sqlite_utils import Database

from engine.canonical import canonical_text
from engine.errors import StoreError, UsageError
from engine.private import Private
from engine.store.commitment import MIN_SALT_BYTES, leaf
from engine.store.connection import open_new, open_read_only, translated
from engine.store.content import check_schema
from engine.store.files import plain_path, private_folder, publish, scratch_folder
from engine.store.rows import Value, fetch, immediate, mapping, put_all, put_mapping
from engine.store.schema import SEALED
from engine.store.sealed_tasks import SealedTask, fetch_task, put_tasks


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class SealedPuzzle(Private):
    """The private half of a hidden system. Printing it shows the public id only."""

    puzzle_id: str
    seed: int
    """Up to 256 bits."""
    idx: int
    generator_version: str
    program: str
    """Canonical JSON."""
    gold: Literal["PRESENT", "ABSENT"]
    present_probability: str
    """Exact fraction, such as `7/16`."""
    latent_trace: str
    """Canonical JSON."""
    salt: bytes
    """Key of the commitment, 16 bytes or more."""

    def __repr__(self) -> str:
        return f"SealedPuzzle(puzzle_id={self.puzzle_id!r})"


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class _Stored(Private):
    """A sealed record as its table holds it."""

    puzzle_id: str
    seed: str
    idx: int
    generator_version: str
    program: str
    gold: Literal["PRESENT", "ABSENT"]
    present_probability: str
    latent_trace: str
    salt: str


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class _Canary:
    token: str


def record_text(record: SealedPuzzle) -> str:
    """Return the canonical text of a record that its commitment covers: every field but the salt."""
    stored = _stored(record)
    fields: dict[str, Value] = {name: getattr(stored, name) for name in _Stored.__slots__ if name != "salt"}
    return canonical_text(fields)


def commitment(record: SealedPuzzle) -> str:
    """Return the `commit_sha` that the pack publishes for a record."""
    return leaf(record.salt, record_text(record))


def write_sealed(
    path: Path,
    *,
    meta: Mapping[str, str],
    puzzles: Iterable[SealedPuzzle],
    canaries: Iterable[str],
    tasks: Iterable[SealedTask] = (),
    replace: bool = False,
) -> None:
    """Build a sealed file and put it at `path` in one step; a missing folder is made with mode 0700.

    Raises:
        UsageError: a salt that is too short to hide its record.
        StoreError: `path` exists and `replace` is False, or cannot be written.
    """
    path = plain_path(path)
    if path.exists() and not replace:
        raise StoreError(f"{path} exists already; another name, or a replacement asked for, would do.")
    private_folder(path.parent)
    with scratch_folder(path.parent) as folder, translated(path):
        _build(folder / "sealed.db", meta, puzzles, tasks, canaries)
        try:
            publish(folder / "sealed.db", path, replace=replace)
        except FileExistsError as error:
            raise StoreError(f"{path} exists already; another program made it meanwhile.") from error


class Sealed:
    """A sealed file that is open for reading; use it from the thread that opened it, and close it soon."""

    def __init__(self, path: Path, db: Database) -> None:
        self.path = path
        self._db = db
        self.meta: dict[str, str] = mapping(db, "meta")

    @classmethod
    def open(cls, path: Path) -> Sealed:
        """Open a finished sealed file.

        Raises:
            StoreError: missing, foreign, damaged, newer or unfinished.
        """
        db = open_read_only(path, SEALED.application_id, SEALED.version)
        try:
            with translated(path):
                check_schema(db.conn, SEALED.schema_sha, path)
                return cls(path, db)
        except BaseException:
            db.close()
            raise

    def record(self, puzzle_id: str) -> SealedPuzzle:
        """Return one record.

        Raises:
            UsageError: the file has no such puzzle.
        """
        found = self._fetch("where puzzle_id = ?", puzzle_id)
        if not found:
            raise UsageError(f"{self.path} has no puzzle {puzzle_id!r}; it belongs to another pack.")
        return found[0]

    def records(self) -> tuple[SealedPuzzle, ...]:
        """Return all records in the order of puzzle ids."""
        return self._fetch("order by puzzle_id")

    def task(self, puzzle_id: str) -> SealedTask:
        """Return the private half of one writing task.

        Raises:
            UsageError: the file has no such task.
        """
        with translated(self.path):
            found = fetch_task(self._db, puzzle_id)
        if found is None:
            raise UsageError(f"{self.path} has no writing task {puzzle_id!r}; it belongs to another pack.")
        return found

    def canaries(self) -> tuple[str, ...]:
        """Return the tokens that must never be seen outside, sorted."""
        with translated(self.path):
            return tuple(canary.token for canary in fetch(self._db, _Canary, "canary", "order by token"))

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Sealed:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _fetch(self, rest: str, *values: str) -> tuple[SealedPuzzle, ...]:
        with translated(self.path):
            return tuple(_record(stored) for stored in fetch(self._db, _Stored, "sealed_hs", rest, values))


def _build(
    path: Path,
    meta: Mapping[str, str],
    puzzles: Iterable[SealedPuzzle],
    tasks: Iterable[SealedTask],
    canaries: Iterable[str],
) -> None:
    db = open_new(path, SEALED.application_id, SEALED.version)
    try:
        with immediate(db):
            for statement in SEALED.ddl:
                db.execute(statement)
            put_mapping(db, "meta", meta)
            put_all(db, "sealed_hs", _Stored, map(_stored, puzzles))
            put_tasks(db, tasks)
            put_all(db, "canary", _Canary, (_Canary(token=token) for token in canaries))
    finally:
        db.close()


def _stored(record: SealedPuzzle) -> _Stored:
    if len(record.salt) < MIN_SALT_BYTES:
        raise UsageError(
            f"puzzle {record.puzzle_id!r}: a salt of {len(record.salt)} bytes; {MIN_SALT_BYTES} are needed"
        )
    return _Stored(
        puzzle_id=record.puzzle_id, seed=str(record.seed), idx=record.idx, generator_version=record.generator_version,
        program=record.program, gold=record.gold, present_probability=record.present_probability,
        latent_trace=record.latent_trace, salt=record.salt.hex(),
    )  # fmt: skip


def _record(stored: _Stored) -> SealedPuzzle:
    return SealedPuzzle(
        puzzle_id=stored.puzzle_id, seed=int(stored.seed), idx=stored.idx, generator_version=stored.generator_version,
        program=stored.program, gold=stored.gold, present_probability=stored.present_probability,
        latent_trace=stored.latent_trace, salt=bytes.fromhex(stored.salt),
    )  # fmt: skip
