"""Whether a pack is what it says: its structure, its digests, and where two packs first differ.

Regenerating a pack from its recipe is done above the store; `first_difference` then compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path

from sqlite_utils import Database

from engine.canonical import canonical_text, read_json, text_digest
from engine.errors import ClewError, counted
from engine.store.commitment import merkle_root
from engine.store.connection import PAGE_SIZE, quick_check, translated
from engine.store.content import Value, columns, content_sha, key_columns, parts, rows
from engine.store.pack import PACK_SALT, Pack, PackEntry, puzzle_id

SHOWN = 60
"""How much of a differing value is shown, in characters."""


def verify_file(path: Path) -> tuple[str, ...]:
    """Return what is wrong with a pack: identity, header, structure, then digests, ids and commitments."""
    try:
        with Pack.open(path) as pack, translated(path):
            structure = tuple(_structure(pack.database))
            return structure or tuple(_digests(pack))
    except ClewError as error:
        return (error.line(),)


def first_difference(pack_a: Path, pack_b: Path) -> str | None:
    """Return the first place in which the contents of two packs differ; None when they are equal.

    Raises:
        StoreError: one of the files is no finished pack.
    """
    with ExitStack() as stack:
        first, second = (stack.enter_context(Pack.open(path)).database for path in (pack_a, pack_b))
        schemas = [tuple((part.kind, part.name, part.ddl) for part in parts(db.conn)) for db in (first, second)]
        for one, other in zip_longest(*schemas):
            if one != other:
                return f"schema: {_short(one)} against {_short(other)}"
        for kind, name, _ in schemas[0]:
            if kind == "table" and (found := _row_difference(first, second, name)):
                return found
    return None


def _structure(db: Database) -> Iterator[str]:
    for name, right in (("page_size", PAGE_SIZE), ("auto_vacuum", 0), ("encoding", "UTF-8")):
        if (found := db.execute(f"pragma {name}").fetchone()[0]) != right:
            yield f"{name} is {found!r}; {right!r} is right"
    if not quick_check(db):
        yield "quick_check fails: the file is damaged"
    elif broken := db.execute("pragma foreign_key_check").fetchall():
        yield f"{counted(len(broken), 'row refers', 'rows refer')} to puzzles that are not in the pack"


def _digests(pack: Pack) -> Iterator[str]:
    salt = pack.meta.get(PACK_SALT, "")
    entries = pack.puzzles()
    for entry in entries:
        yield from _payload_findings(pack, entry, salt)
        for rendering in pack.renderings(entry.id):
            if rendering.body_sha != text_digest(rendering.body):
                yield f"rendering {rendering.id!r}: body_sha is not the digest of its body"
    if pack.meta.get("commit_root") != merkle_root([(entry.id, entry.commit_sha) for entry in entries]):
        yield "commit_root is not the root over the commitments"
    if pack.sha != (sha := content_sha(pack.database.conn)):
        yield f"content_sha is {pack.sha!r}; the content has {sha!r}"


def _payload_findings(pack: Pack, entry: PackEntry, salt: str) -> Iterator[str]:
    text = pack.payload(entry.id)
    if entry.payload_sha != text_digest(text):
        yield f"puzzle {entry.id!r}: payload_sha is not the digest of its payload"
    if entry.id != puzzle_id(text, salt):
        yield f"puzzle {entry.id!r}: the id is not the salted digest of its payload"
    if canonical_text(read_json(text, where=f"puzzle {entry.id!r}")) != text:
        yield f"puzzle {entry.id!r}: the payload is not canonical JSON"


def _row_difference(first: Database, second: Database, table: str) -> str | None:
    names = columns(first.conn, table)
    keys = [names.index(name) for name in key_columns(first.conn, table)]
    for one, other in zip_longest(rows(first.conn, table), rows(second.conn, table)):
        if one == other:
            continue
        if one is None or other is None or [one[at] for at in keys] != [other[at] for at in keys]:
            return f"{table}: row {_key(one, keys)} against {_key(other, keys)}"
        at = next(at for at in range(len(names)) if one[at] != other[at])
        return f"{table} {_key(one, keys)}: {names[at]} is {_short(one[at])} against {_short(other[at])}"
    return None


def _key(row: tuple[Value, ...] | None, keys: list[int]) -> str:
    return "none" if row is None else "/".join(str(row[at]) for at in keys)


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}..."
