"""C05: nothing that a participant's connection does touches what is not on its list.

A scripted session through the desk and the answers file, with every public method of both, must count no denial. The
plants try to read a secret table through an armed connection in each of the ways that the tripwire must deny. It is a
tripwire and no wall: `backup`, `serialize`, a second connection or `set_authorizer(None)` go round it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

from audits.base import Finding, ProgramAudit, Row, Sensitivity, exact_rows
from audits.bench import Bench
from audits.honeytokens import write_tokened
from engine.desk import RealDesk
from engine.public import Answer, Draft, Happening, Presented
from engine.sitting import COLLECT
from engine.store.answers import Answers
from engine.store.authorizer import Tripwire
from engine.store.clock import utc_now, uuid7

CLAIM = "no statement of a participant's connection touches anything off its allow-list"


def audit_tripwire(bench: Bench) -> tuple[Row, ...]:
    """Run C05 on a whole scripted session."""
    folder = bench.folder()
    write_tokened(folder)
    steps, denials = scripted(folder / "pack.db", folder / "answers.db")
    findings = [Finding("connection", f"/{denial}") for denial in denials]
    return exact_rows("C05", CLAIM, "error", "statement", findings, steps)


def scripted(pack: Path, answers: Path) -> tuple[int, tuple[str, ...]]:
    """Play a pack to its end, log, keep drafts, look back; return the number of steps and what was denied."""
    steps = 0
    with closing(RealDesk(pack=str(pack), solver="anna", kind="human", answers=answers, policy=COLLECT)) as desk:
        desk.open()
        files = [value for value in vars(desk).values() if isinstance(value, Answers)]
        assert files, "the desk holds the answers file"
        while (shown := desk.next()) is not None:
            desk.log((Happening(puzzle_id=shown.puzzle_id, t_ms=1, kind="open"),))
            desk.keep(Draft(puzzle_id=shown.puzzle_id, notes="a note"))
            desk.draft()
            desk.submit(_answer(shown))
            steps += 4
        desk.shelves()
        desk.history()
        denied = tuple(denial for file in files for denial in file.denials)
    return steps + 2, denied + _looked_back(answers)


def _looked_back(path: Path) -> tuple[str, ...]:
    """Read everything back through a second connection, as exports do."""
    with closing(Answers.open(path, create=False, read_only=True)) as answers:
        for solver in answers.solvers():
            for session in answers.sessions(solver):
                answers.events(session.id)
                answers.check(session.id)
            answers.drafts(solver)
            answers.attempts(solver)
        return answers.denials


def _answer(shown: Presented) -> Answer:
    return Answer(
        answer_id=uuid7(), puzzle_id=shown.puzzle_id, rendering_id=shown.rendering_id, text_sha=shown.text_sha,
        answer="PRESENT", confidence=70, shown_at=utc_now(), response_ms=1,
    )  # fmt: skip


# Self-test ----------------------------------------------------------------------------------------------------------

CACHED = "select gold from secret where id = 'a'"
"""Was run before the tripwire, so that the connection still keeps it, compiled."""
FORMS: tuple[str, ...] = (
    "select gold from secret",
    "select s.gold as alias from secret s",
    "select * from peek",
    "with told as (select gold from secret) select * from told",
    "select (select gold from secret limit 1)",
    "select id from attempt where id in (select gold from secret)",
    "select id from attempt order by (select gold from secret)",
    "select max(gold) from secret",
    "select count(*) from secret where gold = 'PRESENT'",
    "select id from found where found match 'PRESENT'",
    "create table copied as select gold from secret",
    "create index by_gold on secret (gold)",
    "create trigger told after insert on attempt begin select gold from secret; end",
    "insert into attempt select gold from secret",
    "update secret set gold = 'ABSENT'",
    "delete from secret where gold = 'PRESENT' returning gold",
    "drop table secret",
    "alter table secret rename column gold to id",
    "attach database ':memory:' as other",
    "vacuum into '{folder}/copy.db'",
    "pragma table_list",
    "select load_extension('x')",
    "explain select gold from secret",
    CACHED,
)
"""Statements that must be denied when they are tried."""
ALLOWED = ("select id from attempt", "insert into attempt values ('b')", "select count(*) from attempt")


def plants() -> Sensitivity:
    """Try each form on an armed connection with a secret table; what a session needs must stay allowed."""
    with TemporaryDirectory(prefix="clew-audit-") as name:
        denied = [_denied(form.format(folder=name)) for form in FORMS]
        denied.append(_denied_by(lambda db: list(db.conn.iterdump())))
        silent = sum(_denied(form) for form in ALLOWED)
    return Sensitivity(sum(denied), len(denied), silent)


def _denied(statement: str) -> bool:
    return _denied_by(lambda db: db.conn.execute(statement).fetchall())


def _denied_by(act: Callable[[Database], object]) -> bool:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with closing(connection):
        connection.execute("create table attempt (id text)")
        connection.execute("create table secret (id text, gold text)")
        connection.execute("create view peek as select gold from secret")
        connection.execute("insert into secret values ('a', 'PRESENT')")
        connection.execute("create virtual table found using fts5 (id, gold)")
        connection.execute("insert into found select * from secret")
        connection.execute(CACHED).fetchall()
        tripwire = Tripwire(("attempt",), ("attempt",), ())
        db = Database(connection)
        tripwire.arm(db)
        with suppress(sqlite3.Error):
            act(db)
        return tripwire.count > 0


TRIPWIRE = ProgramAudit(
    rule="C05", scope="program", severity="error", claim=CLAIM, run=audit_tripwire, self_test=plants
)  # fmt: skip
