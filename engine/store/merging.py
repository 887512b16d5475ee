"""Several answers files into one: by keys and contents, never by order; twice is once; a conflict writes nothing.

Rows are compared whole. A row that is there with other contents is a conflict, and so is an attempt or a turn whose
digest does not fit it. A tombstone on either side wins: its person's rows are left out, and removed where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

from sqlite_utils import Database

from engine.errors import StoreError
from engine.store.answer_file import open_answers, read_answers
from engine.store.answers import Answers
from engine.store.clock import Clock, utc_now
from engine.store.connection import BUSY_MS, ignore, translated
from engine.store.content import Value, columns, key_columns
from engine.store.files import plain_path
from engine.store.rows import immediate
from engine.store.withdrawing import delete_rows

ORDER = (
    "solver", "study", "assignment", "session", "attempt", "turn", "event", "model_config", "model_batch", "model_call",
)  # fmt: skip
"""Tables whose rows are merged, parents first. Drafts are unsent and stay where they are."""
OF_SOLVER = ("assignment", "session", "attempt", "model_config", "model_batch", "model_call")
OF_SESSION = ("turn", "event")
RowValues = tuple[Value, ...]


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """A row that cannot be merged."""

    table: str
    key: str
    why: str

    def line(self) -> str:
        return f"{self.table} {self.key}: {self.why}"


@dataclass(kw_only=True)
class MergeReport:
    """What a merge did; with conflicts it did nothing."""

    new: dict[str, int] = field(default_factory=dict)
    """Rows added, by table."""
    identical: dict[str, int] = field(default_factory=dict)
    """Rows that were there already, by table."""
    withdrawn: int = 0
    """People left out, or removed, because of a tombstone."""
    conflicts: list[Conflict] = field(default_factory=list)

    @property
    def added(self) -> int:
        return sum(self.new.values())


def merge(
    target: Path, source: Path, wanted: Callable[[Database], Collection[str]], *, clock: Clock = utc_now
) -> MergeReport:
    """Merge the rows of some solvers of `source` into `target`, in one transaction.

    Args:
        wanted: says, of the open source, which solvers' rows are taken.

    Raises:
        StoreError: a file is missing, foreign, damaged or newer, or both are the same file.
    """
    target, source = plain_path(target), plain_path(source)
    if target.exists() and target.samefile(source):
        raise StoreError(f"{source} is the file that is merged into; give another one.")
    Answers.open(target, clock=clock).close()
    report = MergeReport()
    with ExitStack() as files:
        files.enter_context(translated(target))
        given = files.enter_context(closing(read_answers(source)))
        kept = files.enter_context(
            closing(open_answers(target, journal=None, busy_ms=BUSY_MS, notify=ignore, clock=clock))
        )
        solvers = frozenset(wanted(given))
        report.conflicts += [
            Conflict(table="attempt or turn", key=key, why="its digest does not fit its contents")
            for key in _tampered(source, solvers)
        ]
        try:
            with immediate(kept):
                _merge(kept, given, solvers, report)
                if report.conflicts:
                    raise _Refused
        except _Refused:
            report.new, report.identical, report.withdrawn = {}, {}, 0
    return report


class _Refused(Exception):
    """Rolls the merge back."""


def _tampered(source: Path, solvers: Collection[str]) -> Iterator[str]:
    """Yield the ids of attempts and turns of these solvers whose digest is not that of their contents."""
    with closing(Answers.open(source, create=False, read_only=True)) as answers:
        for solver in sorted(solvers):
            for session in answers.sessions(solver):
                yield from answers.check(session.id)


def _merge(kept: Database, given: Database, solvers: frozenset[str], report: MergeReport) -> None:
    ours, theirs = _tombstones(kept), _tombstones(given)
    for solver in sorted(theirs.keys() - ours.keys()):
        report.withdrawn += sum(delete_rows(kept, solver, theirs[solver]).values()) > 0
    solvers -= ours.keys() | theirs.keys()
    report.withdrawn += sum(1 for solver in ours if _knows(given, solver) and solver not in theirs)
    for table in ORDER:
        rows = list(_rows(given, table, solvers))
        _merge_table(kept, table, columns(given.conn, table), rows, report)


def _merge_table(
    kept: Database, table: str, names: Sequence[str], rows: Sequence[RowValues], report: MergeReport
) -> None:
    keys = [names.index(name) for name in key_columns(kept.conn, table)]
    for row in rows:
        key = tuple(row[at] for at in keys)
        there = _row(kept, table, names, key)
        shown = "/".join(str(part) for part in key)
        if there == row:
            report.identical[table] = report.identical.get(table, 0) + 1
        elif there is not None:
            differing = [name for name, one, other in zip(names, there, row, strict=True) if one != other]
            report.conflicts.append(Conflict(table=table, key=shown, why=f"another {', '.join(differing)} is there"))
        elif taken := _place_taken(kept, table, names, row):
            report.conflicts.append(Conflict(table=table, key=shown, why=taken))
        else:
            marks = ", ".join("?" * len(names))
            kept.conn.execute(f"insert into {table} ({', '.join(names)}) values ({marks})", row)
            report.new[table] = report.new.get(table, 0) + 1


UNIQUE: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "solver": (("kind", "alias"),),
    "assignment": (("study", "solver", "puzzle_id"), ("study", "solver", "position")),
    "attempt": (("solver", "puzzle_id", "rendering_id", "attempt_no"),),
}
"""Natural keys beside the primary ones."""


def _place_taken(kept: Database, table: str, names: Sequence[str], row: RowValues) -> str:
    """Return why the row's natural key is taken; empty when it is free."""
    for key in UNIQUE.get(table, ()):
        where = " and ".join(f"{name} = ?" for name in key)
        values = tuple(row[names.index(name)] for name in key)
        if found := kept.execute(f"select * from {table} where {where}", values).fetchone():
            return f"the same {', '.join(key)} is there under {found[0]}: one code on two machines, or one name twice"
    return ""


def _row(db: Database, table: str, names: Sequence[str], key: RowValues) -> RowValues | None:
    where = " and ".join(f"{name} = ?" for name in key_columns(db.conn, table))
    found = db.execute(f"select {', '.join(names)} from {table} where {where}", key).fetchone()
    return None if found is None else tuple(found)


def _rows(db: Database, table: str, solvers: Collection[str]) -> list[RowValues]:
    """Return a table's rows of some solvers, by key; of studies those that they are in."""
    if not columns(db.conn, table):
        return []
    names = ", ".join(f"{table}.{name}" for name in columns(db.conn, table))
    order = ", ".join(f"{table}.{name}" for name in key_columns(db.conn, table))
    marks = ", ".join("?" * len(solvers))
    where = f"where solver in ({marks})"
    if table == "solver":
        where = f"where id in ({marks})"
    elif table == "study":
        where = f"where id in (select study from assignment where solver in ({marks}))"
    elif table in OF_SESSION:
        where = f"where session in (select id from session where solver in ({marks}))"
    found = db.execute(f"select {names} from {table} {where} order by {order}", tuple(sorted(solvers))).fetchall()
    return [tuple(row) for row in found]


def _tombstones(db: Database) -> dict[str, str]:
    return {str(solver): str(at) for solver, at in db.execute("select solver, at from withdrawal").fetchall()}


def _knows(db: Database, solver: str) -> bool:
    return bool(db.execute("select 1 from solver where id = ?", (solver,)).fetchone())
