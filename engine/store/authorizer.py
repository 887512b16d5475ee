"""The tripwire on connections that collect answers: an allow-list of statements, everything else denied and counted.

It is no wall: backup, serialize, an open cursor, `set_authorizer(None)` or a second connection go round it. It shows
that code does what it should not, and a whole session must count no denial. DENY is used, never IGNORE: under IGNORE
a `delete ... returning` still gives values away.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

READ_PRAGMAS = frozenset({"table_info", "table_xinfo", "index_list", "journal_mode", "synchronous", "user_version"})
FUNCTIONS = frozenset({"count", "max", "coalesce"})
ALWAYS = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_SAVEPOINT})
WATCHED = (
    "ALTER_TABLE", "ANALYZE", "ATTACH", "CREATE_INDEX", "CREATE_TABLE", "CREATE_TEMP_INDEX", "CREATE_TEMP_TABLE",
    "CREATE_TEMP_TRIGGER", "CREATE_TEMP_VIEW", "CREATE_TRIGGER", "CREATE_VIEW", "CREATE_VTABLE", "DELETE", "DETACH",
    "DROP_INDEX", "DROP_TABLE", "DROP_TEMP_INDEX", "DROP_TEMP_TABLE", "DROP_TEMP_TRIGGER", "DROP_TEMP_VIEW",
    "DROP_TRIGGER", "DROP_VIEW", "DROP_VTABLE", "FUNCTION", "INSERT", "PRAGMA", "READ", "RECURSIVE", "REINDEX",
    "UPDATE",
)  # fmt: skip
NAMES = {getattr(sqlite3, f"SQLITE_{name}"): name.lower() for name in WATCHED}
"""Action codes in words, for messages. They share numbers with result codes, so the list is written out."""
KEPT = 100
"""How many denials are kept in words; all are counted."""


class Tripwire:
    """The authorizer of one connection."""

    def __init__(self, readable: Collection[str], appendable: Collection[str], mutable: Collection[str]) -> None:
        """Set which tables may be read, which may take new rows, and which may also be changed and emptied."""
        self._readable = frozenset(readable)
        self._appendable = frozenset(appendable)
        self._mutable = frozenset(mutable)
        self.count = 0
        self.denials: list[str] = []
        """What was denied, such as `attach` or `delete attempt`; the first KEPT."""

    def arm(self, db: Database) -> None:
        """Watch every statement that `db` prepares from now on."""
        db.conn.set_authorizer(self)

    def __call__(self, action: int, first: str | None, second: str | None, place: str | None, via: str | None) -> int:
        """Return SQLITE_OK or SQLITE_DENY; an exception in here would deny as well."""
        if self._allowed(action, first, second):
            return sqlite3.SQLITE_OK
        self.count += 1
        if len(self.denials) < KEPT:
            self.denials.append(f"{NAMES.get(action, action)} {first or ''}".strip())
        return sqlite3.SQLITE_DENY

    def _allowed(self, action: int, first: str | None, second: str | None) -> bool:
        if action in ALWAYS:
            return True
        if action == sqlite3.SQLITE_READ:
            return first in self._readable
        if action == sqlite3.SQLITE_INSERT:
            return first in self._appendable
        if action in (sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE):
            return first in self._mutable
        if action == sqlite3.SQLITE_FUNCTION:
            return second in FUNCTIONS
        if action == sqlite3.SQLITE_PRAGMA:
            return first in READ_PRAGMAS and (second is None or first.startswith(("table_", "index_")))
        return False
