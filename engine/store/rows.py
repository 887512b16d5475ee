"""Frozen dataclasses to table rows and back: one statement made from the fields of the type.

The conveniences of sqlite-utils for writing are not used: they create a misspelt table, turn a mapping into JSON
unasked and, told to replace or ignore, empty columns or swallow failed checks. Callers own the transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from sqlite_utils import Database

if TYPE_CHECKING:
    from dataclasses import Field


class _Row(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


Row = TypeVar("Row", bound=_Row)
Value = str | int | None


def column_names(kind: type[_Row]) -> tuple[str, ...]:
    """Return the columns of a row type: its fields, in order."""
    return tuple(field.name for field in fields(kind))


def values_of(row: _Row, names: Sequence[str]) -> tuple[Value, ...]:
    """Return the named fields of a row."""
    return tuple(getattr(row, name) for name in names)


def put(db: Database, table: str, row: _Row) -> None:
    """Add one row; the transaction is the caller's."""
    put_all(db, table, type(row), (row,))


def put_all(db: Database, table: str, kind: type[Row], rows: Iterable[Row]) -> None:
    """Add rows of one type, taking them from the iterable as they are written; the transaction is the caller's."""
    assert db.conn.in_transaction, "rows are written inside a transaction only"
    names = column_names(kind)
    marks = ", ".join("?" * len(names))
    db.conn.executemany(
        f"insert into {table} ({', '.join(names)}) values ({marks})", (values_of(row, names) for row in rows)
    )


def fetch(db: Database, kind: type[Row], table: str, rest: str = "", values: Sequence[Value] = ()) -> tuple[Row, ...]:
    """Return all rows of a table as one type; `rest` is what follows the table's name in the statement."""
    names = column_names(kind)
    selected = ", ".join(f"{table}.{name}" for name in names)
    found = db.execute(f"select {selected} from {table} {rest}", values).fetchall()
    return tuple(kind(**dict(zip(names, row, strict=True))) for row in found)


def mapping(db: Database, table: str) -> dict[str, str]:
    """Return a key and value table as a dictionary."""
    return {str(key): str(value) for key, value in db.execute(f"select key, value from {table}").fetchall()}


def put_mapping(db: Database, table: str, items: Mapping[str, str]) -> None:
    """Add the items to a key and value table; the transaction is the caller's."""
    assert db.conn.in_transaction, "rows are written inside a transaction only"
    db.conn.executemany(f"insert into {table} (key, value) values (?, ?)", tuple(items.items()))


@contextmanager
def immediate(db: Database) -> Iterator[None]:
    """Hold the write lock for the block; commit at its end, roll back on any exception.

    A deferred begin would fail at once, whatever the timeout, where a read comes before the first write.
    """
    db.conn.execute("begin immediate")
    try:
        yield
        db.commit()
    except BaseException:
        db.rollback()
        raise
