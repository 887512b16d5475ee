"""What a file says, apart from how it lies on disk: one digest over schema and rows.

Two builds of a pack agree in content whatever SQLite version made them; their bytes may differ in free space.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlite_utils.utils import sqlite3

from engine.canonical import canonical_text
from engine.errors import StoreError

Value = str | int | None
OUTSIDE = ("built_with", "content_sha")
"""Keys of the meta table that the digest leaves out: it cannot hold itself, and versions change the builder only."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """One object of the schema."""

    kind: str
    """table, index, view or trigger."""
    name: str
    ddl: str
    """White space made single; empty for what SQLite makes by itself."""


def content_sha(connection: sqlite3.Connection) -> str:
    """Return the digest of schema and rows: objects by name, each with its DDL, tables with their rows by key."""
    running = hashlib.sha256()
    for part in parts(connection):
        running.update(_line((part.kind, part.name, part.ddl)))
        if part.kind == "table":
            for row in rows(connection, part.name):
                running.update(_line(row))
    return running.hexdigest()


def schema_sha(connection: sqlite3.Connection) -> str:
    """Return the digest of the schema alone; the list of applied migrations is no part of it."""
    running = hashlib.sha256()
    for part in parts(connection):
        running.update(_line((part.kind, part.name, part.ddl)))
    return running.hexdigest()


def check_schema(connection: sqlite3.Connection, expected: str, place: Path) -> None:
    """Raise unless the schema is the expected one: a column added by hand would go unnoticed otherwise."""
    if schema_sha(connection) != expected:
        raise StoreError(f"{place} has tables that this clew did not make; use a file made by clew.")


def parts(connection: sqlite3.Connection) -> tuple[Part, ...]:
    """Return the objects of the schema by name, without SQLite's and sqlite-utils' own."""
    found = connection.execute(
        "select type, name, coalesce(sql, '') from sqlite_master"
        " where substr(name, 1, 7) <> 'sqlite_' and tbl_name <> '_sqlite_migrations' order by name, type"
    ).fetchall()
    return tuple(Part(kind=kind, name=name, ddl=" ".join(sql.split())) for kind, name, sql in found)


def columns(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """Return the column names of a table in stored order."""
    found = connection.execute("select name from pragma_table_info(?) order by cid", (table,)).fetchall()
    return tuple(str(row[0]) for row in found)


def key_columns(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """Return the columns of the primary key in key order; all columns for a table without one."""
    found = connection.execute("select name from pragma_table_info(?) where pk > 0 order by pk", (table,)).fetchall()
    return tuple(str(row[0]) for row in found) or columns(connection, table)


def rows(connection: sqlite3.Connection, table: str) -> Iterator[tuple[Value, ...]]:
    """Yield the rows of a table by primary key, without the meta rows that stay outside the digest."""
    keys = ", ".join(_quoted(name) for name in key_columns(connection, table))
    where = " where key not in (?, ?)" if table == "meta" else ""
    cursor = connection.execute(f"select * from {_quoted(table)}{where} order by {keys}", OUTSIDE if where else ())
    try:
        for row in cursor:
            yield _values(table, row)
    finally:
        cursor.close()


def _values(table: str, row: tuple[object, ...]) -> tuple[Value, ...]:
    values: list[Value] = []
    for value in row:
        if not (value is None or isinstance(value, str | int)):
            raise StoreError(f"Table {table!r} holds a {type(value).__name__}; text, whole numbers or null are right.")
        values.append(value)
    return tuple(values)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _line(values: tuple[Value, ...]) -> bytes:
    return canonical_text(values).encode("utf-8") + b"\n"
