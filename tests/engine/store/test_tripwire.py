"""The authorizer of connections that collect answers: what it lets through, what it denies and counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3
from store_samples import attempt_row, event_row, session_row, started, turn_row

from engine.store.answer_rows import DraftRow
from engine.store.answers import Answers
from engine.store.authorizer import KEPT

FORBIDDEN = (
    "attach 'other.db' as other",
    "create table t (x)",
    "create temp table t (x)",
    "create view v as select 1",
    "create trigger g after insert on draft begin select 1; end",
    "drop table draft",
    "drop trigger attempt_update",
    "alter table draft add column x text",
    "pragma journal_mode = off",
    "pragma synchronous = off",
    "pragma writable_schema = on",
    "pragma foreign_keys = off",
    "pragma wal_checkpoint",
    "update attempt set notes = ''",
    "update session set aid = 'A3'",
    "delete from attempt",
    "delete from attempt returning *",
    "delete from event",
    "insert into withdrawal values ('x', 'y')",
    "insert into study values ('x', 'y', 'z')",
    "select load_extension('x')",
    "select zeroblob(10)",
    "with recursive c(x) as (select 1 union all select x + 1 from c) select * from c limit 1",
    "select * from pragma_table_list",
    "analyze",
    "reindex",
)


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answers]:
    """One file for all statements: none of them may change it."""
    with Answers.open(tmp_path_factory.mktemp("watched") / "answers.db") as answers:
        answers.save(attempt_row(started(answers)), events=[event_row()])
        yield answers


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_forbidden_statements_are_denied_and_counted(watched: Answers, statement: str) -> None:
    before = (watched.attempts(), watched.events("s1"), watched._tripwire.count)
    with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited"):
        watched._db.conn.execute(statement).fetchall()
    assert watched._tripwire.count > before[2]
    assert (watched.attempts(), watched.events("s1")) == before[:2]


def test_denials_are_told_in_words(path: Path) -> None:
    with Answers.open(path) as answers:
        for statement in ("delete from attempt", "attach 'other.db' as other", "pragma foreign_keys = off"):
            with pytest.raises(sqlite3.DatabaseError):
                answers._db.conn.execute(statement)
        assert answers.denials == ("delete attempt", "attach other.db", "pragma foreign_keys")


def test_full_session_counts_no_denial(answers: Answers, solver: str) -> None:
    answers.begin_session(session_row(solver, "s2"))
    answers.keep_draft(DraftRow(session="s1", puzzle_id="p1", body="{}", saved_at="2031-05-06T07:08:09.123Z"))
    answers.append_events([event_row()])
    answers.append_turns([turn_row()])
    answers.save(attempt_row(solver), events=[event_row()])
    answers.save(attempt_row(solver), events=[event_row()])
    assert answers.check() == answers.denials == ()
    assert (answers.drafts(solver), answers.answered(solver)) == ((), {"p1"})


def test_reader_may_not_write_at_all(path: Path) -> None:
    with Answers.open(path) as answers:
        solver = started(answers)
    with Answers.open(path, read_only=True) as reader:
        with pytest.raises(sqlite3.DatabaseError):
            reader._db.conn.execute("insert into draft values ('s1', 'p1', '', '')")
        assert reader.denials == ("insert draft",)
        assert len(reader.sessions(solver)) == 1


def test_all_denials_are_counted_and_some_are_kept_in_words(path: Path) -> None:
    with Answers.open(path) as answers:
        for _ in range(KEPT + 5):
            with pytest.raises(sqlite3.DatabaseError):
                answers._db.conn.execute("delete from event")
        assert answers._tripwire.count == KEPT + 5
        assert len(answers.denials) == KEPT
