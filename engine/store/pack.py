"""Packs: the public half of puzzles in one read-only file. No gold, rule, seed, index or time stamp has a place here.

A pack is built from nothing and appears finished, with mode 0444; to change one, build another. It is listed in the
order of its ids, which are salted digests of the payloads and therefore say nothing about how it was made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

from engine.canonical import text_digest
from engine.errors import StoreError, UsageError
from engine.store.commitment import merkle_root
from engine.store.connection import DELETE_FULL, open_new, open_read_only, open_writer, quick_check, translated
from engine.store.content import OUTSIDE, check_schema, content_sha
from engine.store.files import copy_created, plain_path, private_folder, publish, scratch_folder
from engine.store.rows import Row, column_names, fetch, immediate, mapping, put, put_all, put_mapping
from engine.store.schema import PACK

PACK_SALT = "pack_salt"
"""The meta key of the public salt that goes into every puzzle id."""
PACK_MODE = 0o444


@dataclass(frozen=True, kw_only=True, slots=True)
class PackEntry:
    """What the list of a pack says about one puzzle."""

    id: str
    """32 hex digits, see `puzzle_id`."""
    family: str
    kind: str
    complexity: int
    n_turns: int
    payload_sha: str
    commit_sha: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PackPuzzle(PackEntry):
    """A puzzle with its public payload."""

    payload: str
    """Canonical JSON."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PackRendering:
    """One telling of a puzzle."""

    id: str
    puzzle_id: str
    renderer: str
    domain: str
    params_sha: str
    body: str
    """The exact text that is shown."""
    body_sha: str
    audit_status: str


def puzzle_id(payload_text: str, pack_salt: str) -> str:
    """Return the public id of a payload in the pack with this salt: 32 hex digits."""
    return hashlib.sha256((payload_text + pack_salt).encode("utf-8")).hexdigest()[:32]


def rendering_id(puzzle: str, renderer: str, domain: str, params_sha: str) -> str:
    """Return the id of a rendering: 32 hex digits, a function of what is public about it."""
    return text_digest("/".join((puzzle, renderer, domain, params_sha)))[:32]


def write_pack(
    path: Path,
    *,
    meta: Mapping[str, str],
    puzzles: Iterable[PackPuzzle],
    renderings: Iterable[PackRendering],
    replace: bool = False,
) -> str:
    """Build a pack and put it at `path` in one step; return its `content_sha`.

    `content_sha`, `commit_root` and `built_with` are added to `meta`, in place of given ones.

    Raises:
        UsageError: a row whose digests or id do not fit its text, or `meta` without the pack salt.
        StoreError: `path` exists and `replace` is False, or cannot be written.
    """
    path = plain_path(path)
    if path.exists() and not replace:
        raise StoreError(f"{path} exists already; another name, or a replacement asked for, would do.")
    private_folder(path.parent)
    with scratch_folder(path.parent) as folder, translated(path):
        sha = _build(folder / "built.db", meta, puzzles, renderings)
        _vacuum(folder / "built.db", folder / "packed.db")
        copy_created(folder / "packed.db", folder / "finished.db", PACK_MODE)
        try:
            publish(folder / "finished.db", path, replace=replace)
        except FileExistsError as error:
            raise StoreError(f"{path} exists already; another program made it meanwhile.") from error
    return sha


class Pack:
    """A pack that is open for reading; use it from the thread that opened it."""

    def __init__(self, path: Path, db: Database) -> None:
        self.path = path
        self.database = db
        """The open connection, for those who check the file itself."""
        self.meta: dict[str, str] = mapping(db, "meta")
        self.sha: str = self.meta.get("content_sha", "")
        """The digest of its content as it states it; `engine.store.verify` recomputes it."""

    @classmethod
    def open(cls, path: Path) -> Pack:
        """Open a finished pack.

        Raises:
            StoreError: missing, foreign, damaged, newer, or no finished pack.
        """
        db = open_read_only(path, PACK.application_id, PACK.version)
        try:
            with translated(path):
                check_schema(db.conn, PACK.schema_sha, path)
                return cls(path, db)
        except BaseException:
            db.close()
            raise

    def puzzles(self, complexity: int | None = None) -> tuple[PackEntry, ...]:
        """Return the list in the order of ids, of one complexity if given; no payload is read."""
        if complexity is None:
            return self._fetch(PackEntry, "puzzle", "order by id")
        return self._fetch(PackEntry, "puzzle", "where complexity = ? order by id", complexity)

    def entry(self, puzzle_id: str) -> PackEntry:
        """Return what the list says about one puzzle.

        Raises:
            UsageError: the pack has no such puzzle.
        """
        found = self._fetch(PackEntry, "puzzle", "where id = ?", puzzle_id)
        if not found:
            raise self._unknown(puzzle_id)
        return found[0]

    def payload(self, puzzle_id: str) -> str:
        """Return the canonical JSON of one payload.

        Raises:
            UsageError: the pack has no such puzzle.
        """
        found = self._fetch(_Body, "puzzle_body", "where puzzle_id = ?", puzzle_id)
        if not found:
            raise self._unknown(puzzle_id)
        return found[0].payload

    def renderings(self, puzzle_id: str) -> tuple[PackRendering, ...]:
        """Return the tellings of one puzzle in the order of their ids."""
        return self._fetch(PackRendering, "rendering", "where puzzle_id = ? order by id", puzzle_id)

    def all_payloads(self) -> Iterator[tuple[str, str]]:
        """Yield (puzzle id, payload) in the order of ids, reading one payload at a time."""
        for entry in self.puzzles():
            yield entry.id, self.payload(entry.id)

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    def __enter__(self) -> Pack:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _fetch(self, kind: type[Row], table: str, rest: str, *values: str | int) -> tuple[Row, ...]:
        with translated(self.path):
            return fetch(self.database, kind, table, rest, values)

    def _unknown(self, puzzle_id: str) -> UsageError:
        return UsageError(f"{self.path} has no puzzle {puzzle_id!r}; ids are listed in the pack.")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Body:
    puzzle_id: str
    payload: str


def _build(
    path: Path, meta: Mapping[str, str], puzzles: Iterable[PackPuzzle], renderings: Iterable[PackRendering]
) -> str:
    """Fill a new database with the tables of a pack and return the digest of its content."""
    if not meta.get(PACK_SALT):
        raise UsageError(f"the pack's meta has keys {sorted(meta)}; {PACK_SALT!r} is needed for the puzzle ids")
    db = open_new(path, PACK.application_id, PACK.version)
    try:
        with immediate(db):
            for statement in PACK.ddl:
                db.execute(statement)
            leaves = [_put_puzzle(db, puzzle, meta[PACK_SALT]) for puzzle in puzzles]
            put_all(db, "rendering", PackRendering, map(_checked_rendering, renderings))
            kept = {key: value for key, value in meta.items() if key not in OUTSIDE}
            put_mapping(db, "meta", kept | {"commit_root": merkle_root(leaves)})
            sha = content_sha(db.conn)
            put_mapping(db, "meta", {"content_sha": sha, "built_with": f"SQLite {sqlite3.sqlite_version}"})
    finally:
        db.close()
    return sha


def _put_puzzle(db: Database, puzzle: PackPuzzle, salt: str) -> tuple[str, str]:
    """Add a puzzle and return its leaf for the tree of commitments."""
    if puzzle.payload_sha != text_digest(puzzle.payload):
        raise UsageError(f"puzzle {puzzle.id!r}: payload_sha {puzzle.payload_sha!r} is not the digest of its payload")
    if puzzle.id != puzzle_id(puzzle.payload, salt):
        raise UsageError(f"puzzle {puzzle.id!r}: the id is not the salted digest of its payload")
    entry = PackEntry(**{name: getattr(puzzle, name) for name in column_names(PackEntry)})
    put(db, "puzzle", entry)
    put(db, "puzzle_body", _Body(puzzle_id=puzzle.id, payload=puzzle.payload))
    return puzzle.id, puzzle.commit_sha


def _checked_rendering(rendering: PackRendering) -> PackRendering:
    if rendering.body_sha != text_digest(rendering.body):
        raise UsageError(f"rendering {rendering.id!r}: body_sha {rendering.body_sha!r} is not the digest of its body")
    return rendering


def _vacuum(source: Path, target: Path) -> None:
    """Write a compact copy that holds nothing but live rows, and look at its structure."""
    db = open_writer(source, PACK.application_id, PACK.version, journal=DELETE_FULL)
    try:
        db.conn.execute("vacuum into ?", (str(target),))
    finally:
        db.close()
    packed = open_read_only(target, PACK.application_id, PACK.version)
    try:
        assert quick_check(packed), "a fresh copy is sound"
    finally:
        packed.close()
