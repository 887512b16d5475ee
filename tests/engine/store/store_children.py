"""Programs that tests of the store start as processes of their own: holders of locks, victims of kill, crowds.

Run as `python store_children.py COMMAND ARGUMENTS`; each prints one JSON line. Only this single-threaded program
forks; a crowd starts together when the pipe that all of it reads from is closed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3
from store_samples import add_table, attempt_row, event_row, next_steps, session_row, turn_row

from engine.errors import StoreError
from engine.store.answers import Answers
from engine.store.backup import back_up
from engine.store.connection import DELETE_EXTRA, WAL_FULL, ignore, open_writer
from engine.store.migrations import ANSWERS_STEPS, migrate
from engine.store.pack import Pack

JOURNALS = {"wal": WAL_FULL, "delete": DELETE_EXTRA}
NOBODY = 65534


def kill_points(path: Path, journal: str) -> object:
    """Kill a saving process before its first, second, ... statement; report what each one left behind."""
    left: list[dict[str, object]] = []
    while True:
        nth = len(left) + 1
        child = os.fork()
        if not child:
            _save_until(path, journal, nth)
        _, status = os.waitpid(child, 0)
        left.append({"killed": os.WIFSIGNALED(status), **_found(path, journal, nth)})
        if not os.WIFSIGNALED(status):
            return {"status": status, "left": left}


def kill_migrating(path: Path) -> object:
    """Kill a migrating process before its first, second, ... statement; report version and table each one left."""
    versions: list[tuple[int, bool]] = []
    while True:
        child = os.fork()
        if not child:
            _migrate_until(path, len(versions) + 1)
        _, status = os.waitpid(child, 0)
        with closing(sqlite3.connect(path)) as connection:
            version = connection.execute("pragma user_version").fetchone()[0]
            tables = connection.execute("select name from sqlite_master where name = 'note'").fetchall()
        versions.append((version, bool(tables)))
        if not os.WIFSIGNALED(status):
            return {"status": status, "versions": versions}


def _migrate_until(path: Path, nth: int) -> None:
    steps = next_steps(add_table)
    with closing(open_writer(path, steps.application_id, steps.version)) as db:
        _kill_before(db, nth)
        migrate(db, path, steps, back_up=lambda: None, notify=ignore)
    os._exit(0)


def migrate_together(path: Path, size: str) -> object:
    """Let processes open an older file together, each bringing it up to date."""

    def work(member: int) -> None:
        steps = next_steps(add_table)
        with closing(open_writer(path, steps.application_id, steps.version)) as db:
            migrate(db, path, steps, back_up=lambda: _back_up_known(path), notify=ignore)

    return {"failed": _together(int(size), work)}


def _back_up_known(path: Path) -> None:
    """Back up, unless another process has brought the file to the imagined version, which no backup knows."""
    try:
        back_up(path)
    except StoreError as error:
        if "newer clew" not in error.message and "not sound" not in error.message:
            raise


def _kill_before(db: Database, nth: int) -> None:
    """Let this process be killed before the nth statement from now on."""
    statements = 0

    def count(statement: str) -> None:
        nonlocal statements
        statements += 1
        if statements == nth:
            os.kill(os.getpid(), signal.SIGKILL)

    db.conn.set_trace_callback(count)


def _save_until(path: Path, journal: str, nth: int) -> None:
    with Answers.open(path, journal=JOURNALS[journal]) as answers:
        solver = answers.solver("ada", "human")
        _kill_before(answers._db, nth)
        _save(answers, solver, nth)
        answers._db.conn.set_trace_callback(None)
    os._exit(0)


def _save(answers: Answers, solver: str, nth: int) -> None:
    session = f"s{nth}"
    answers.save(
        attempt_row(solver, f"a{nth}", f"p{nth}", session),
        events=[event_row(session), event_row(session, "answer")],
        session=session_row(solver, session),
    )


def _found(path: Path, journal: str, nth: int) -> dict[str, int]:
    """Count what is stored of the nth answer, send it again, and count once more."""
    with Answers.open(path, journal=JOURNALS[journal]) as answers:
        counts = [_counts(answers, nth)]
        _save(answers, answers.solver("ada", "human"), nth)
        counts.append(_counts(answers, nth))
        bad = len(answers.check()) + len(answers.denials)
    return {"before": counts[0], "after": counts[1], "bad": bad}


def _counts(answers: Answers, nth: int) -> int:
    """Return how many of the rows of the nth answer are there: its session, itself, two events."""
    solver = answers.solver("ada", "human")
    sessions = [session for session in answers.sessions(solver) if session.id == f"s{nth}"]
    attempts = answers.attempts(solver, [f"p{nth}"])
    return len(sessions) + len(attempts) + len(answers.events(f"s{nth}"))


def crowd(path: Path, size: str, each: str, journal: str) -> object:
    """Let processes start on one file together, each saving some answers of one shared player."""

    def work(member: int) -> None:
        with Answers.open(path, journal=JOURNALS[journal]) as answers:
            solver = answers.solver("ada", "human")
            for nth in range(int(each)):
                answers.save(
                    attempt_row(solver, f"a{member}-{nth}", f"p{member}-{nth}", f"s{member}"),
                    events=[event_row(f"s{member}")],
                    session=session_row(solver, f"s{member}"),
                )

    return {"failed": _together(int(size), work)}


def duel(path: Path, size: str) -> object:
    """Let processes answer the same puzzle for the same player, each with an id of its own."""

    def work(member: int) -> None:
        with Answers.open(path) as answers:
            solver = answers.solver("ada", "human")
            session = f"s{member}"
            answers.save(attempt_row(solver, f"a{member}", "p", session), session=session_row(solver, session))

    return {"failed": _together(int(size), work)}


def _together(size: int, work: Callable[[int], None]) -> int:
    """Fork `size` processes, start their work together, and return how many failed."""
    reading, writing = os.pipe()
    children = []
    for member in range(size):
        child = os.fork()
        if not child:
            os.close(writing)
            os.read(reading, 1)
            code = 1
            try:
                work(member)
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    os.close(writing)
    return sum(os.waitpid(child, 0)[1] != 0 for child in children)


def hold(path: Path) -> object:
    """Take the write lock, say so, and keep it until the input ends."""
    with Answers.open(path) as answers:
        answers._db.conn.execute("begin immediate")
        print(json.dumps("held"), flush=True)
        sys.stdin.read()
        answers._db.rollback()
    return "released"


def abandon(path: Path) -> object:
    """Leave a transaction behind by dying inside it, after its rows were written."""
    answers = Answers.open(path)
    solver = answers.solver("ada", "human")
    with answers._write():
        answers._put_session(session_row(solver, "s9"))
        answers._put_attempt(attempt_row(solver, "a9", "p9", "s9"), [turn_row(session="s9")], [event_row("s9")])
        os.kill(os.getpid(), signal.SIGKILL)
    return "not reached"


def half_write(path: Path, journal: str) -> object:
    """Die inside a transaction of which a part is in the file already, beside the journal that undoes it."""
    known = (ANSWERS_STEPS.application_id, ANSWERS_STEPS.version)
    with closing(open_writer(path, *known, journal=JOURNALS[journal])) as db:
        db.execute("pragma cache_size = 1").fetchall()
        db.execute("begin immediate")
        db.execute("create table heavy (row blob)")
        for _ in range(200):
            db.execute("insert into heavy values (randomblob(4000))")
        os.kill(os.getpid(), signal.SIGKILL)
    return "not reached"


def resubmit(path: Path, journal: str) -> object:
    """Send one answer twice and report what the second time opened: what is synced has to be opened for it."""
    opened: list[str] = []
    watching = False

    def watch(event: str, details: tuple[object, ...]) -> None:
        if watching and event == "open":
            opened.append(Path(str(details[0])).name)

    sys.addaudithook(watch)
    with Answers.open(path, journal=JOURNALS[journal]) as answers:
        solver = answers.solver("ada", "human")
        _save(answers, solver, 1)
        watching = True
        _save(answers, solver, 1)
        watching = False
    return {"opened": opened}


def read_pack(path: Path) -> object:
    """Read a pack as a user who may not write."""
    if os.geteuid() == 0:
        os.setuid(NOBODY)
    writable = os.access(path.parent, os.W_OK)
    with Pack.open(path) as pack:
        return {"writable": writable, "payloads": len(list(pack.all_payloads())), "sha": pack.sha}


COMMANDS: dict[str, Callable[..., object]] = {
    command.__name__: command
    for command in (
        kill_points,
        kill_migrating,
        migrate_together,
        crowd,
        duel,
        hold,
        abandon,
        half_write,
        resubmit,
        read_pack,
    )
}

if __name__ == "__main__":
    print(json.dumps(COMMANDS[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])), flush=True)
