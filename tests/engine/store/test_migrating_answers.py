"""Schema changes of answers: all or nothing, once, after a backup, and never over a newer clew's file."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlite_utils import Database
from sqlite_utils.utils import sqlite3
from store_processes import told
from store_samples import (
    NEXT_NAME,
    NEXT_VERSION,
    NOW_VERSION,
    add_table,
    attempt_row,
    next_migrations,
    next_steps,
    started,
)

from engine.errors import StoreError
from engine.store.answers import Answers
from engine.store.backup import back_up, copies
from engine.store.connection import DELETE_EXTRA, ignore, open_new, open_writer, pragma
from engine.store.content import schema_sha
from engine.store.migrations import ANSWERS_STEPS, TABLES, TRIGGERS, Steps, migrate
from engine.store.rows import column_names

OLD = Path(__file__).parent / "old"
"""Files that earlier versions wrote."""


def apply(path: Path, steps: Steps, notify: Callable[[str], None] = ignore) -> None:
    with closing(open_writer(path, steps.application_id, steps.version, journal=DELETE_EXTRA)) as db:
        migrate(db, path, steps, back_up=lambda: back_up(path), notify=notify)


@pytest.fixture
def old_path(path: Path) -> Path:
    """A file of today's version with one answer."""
    with Answers.open(path, journal=DELETE_EXTRA) as answers:
        answers.save(attempt_row(started(answers)))
    return path


def test_new_file_has_all_tables_triggers_and_the_frozen_digest(path: Path) -> None:
    with Answers.open(path) as answers:
        found: dict[str, set[str]] = defaultdict(set)
        for kind, name in answers._db.execute("select type, name from sqlite_master").fetchall():
            found[kind].add(name)
        assert found["trigger"] == set(TRIGGERS)
        assert found["table"] - {"_sqlite_migrations"} == set(TABLES)
        for table in ("attempt", "turn", "event", "session", "draft"):
            ddl = answers._db.execute("select sql from sqlite_master where name = ?", (table,)).fetchone()[0]
            assert ddl.endswith("strict, without rowid")
    with closing(sqlite3.connect(path)) as connection:
        assert schema_sha(connection) == ANSWERS_STEPS.schema_sha
        assert connection.execute("pragma user_version").fetchone() == (len(ANSWERS_STEPS.names),)


def test_older_file_is_backed_up_then_migrated_and_said_so(old_path: Path) -> None:
    lines: list[str] = []
    apply(old_path, next_steps(add_table), lines.append)
    assert lines == [f"Updating {old_path} from version {NOW_VERSION} to {NEXT_VERSION}."]
    (copy,) = copies(old_path)
    with Answers.open(copy, read_only=True) as answers:
        assert len(answers.attempts()) == 1
    with closing(sqlite3.connect(old_path)) as connection:
        assert connection.execute("select count(*) from note").fetchone() == (0,)
        assert connection.execute("select id from attempt").fetchall() == [("a1",)]
        assert connection.execute("pragma user_version").fetchone() == (NEXT_VERSION,)
    apply(old_path, next_steps(add_table), lines.append)
    assert len(lines) == len(copies(old_path)) == 1, "done once"


def test_file_of_version_1_is_backed_up_and_updated_with_every_row_in_place(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes((OLD / "answers-1.db").read_bytes())
    lines: list[str] = []
    with Answers.open(path, journal=DELETE_EXTRA, notify=lines.append) as answers:
        (attempt,) = answers.attempts()
        assert answers.check() == () and len(answers.turns("s1", "p1")) == len(answers.events("s1")) == 1
        solvers = {alias: solver for solver, (alias, _) in answers.solvers().items()}
        (call,) = answers.calls(solvers["openai:old"])
        assert (call.id, call.status, call.turn, call.prompt_sha, call.text_sha) == ("m1", "answered", 1, "", "")
        assert answers.config(solvers["openai:old"]) is None
    assert lines == [f"Updating {path} from version 1 to {NOW_VERSION}."]
    (copy,) = copies(path)
    with Answers.open(copy, read_only=True) as answers:
        assert answers.attempts() == (attempt,)
    Answers.open(path).close()
    assert len(copies(path)) == 1, "done once"


def drop_a_trigger(db: Database) -> None:
    db.execute("drop trigger attempt_update")


def orphan_a_row(db: Database) -> None:
    db.execute("insert into draft values ('no session', 'p', '', '2031-05-06T07:08:09.123Z')")


def fail_half_way(db: Database) -> None:
    add_table(db)
    if db.execute("select count(*) from attempt").fetchone()[0]:
        raise RuntimeError("half way")


@pytest.mark.parametrize("change", [drop_a_trigger, fail_half_way])
def test_failed_migration_leaves_the_file_as_it_was(old_path: Path, change: Callable[[Database], None]) -> None:
    before = old_path.read_bytes()
    with pytest.raises((StoreError, RuntimeError)):
        apply(old_path, next_steps(change))
    with closing(sqlite3.connect(old_path)) as connection:
        assert schema_sha(connection) == ANSWERS_STEPS.schema_sha
        assert connection.execute("pragma user_version").fetchone() == (NOW_VERSION,)
    assert len(before) == old_path.stat().st_size
    with Answers.open(old_path) as answers:
        assert len(answers.attempts()) == 1


def test_migration_that_leaves_orphans_is_undone(old_path: Path) -> None:
    steps = next_steps(add_table)
    with closing(sqlite3.connect(old_path, isolation_level=None)) as connection:
        orphan_a_row(Database(connection))
    with pytest.raises(StoreError, match="1 rows refer to missing ones"):
        apply(old_path, replace(steps, migrations=next_migrations(add_table)))


def test_programs_that_migrate_together_all_succeed_and_one_does_it(old_path: Path) -> None:
    assert told("migrate_together", old_path, "4") == {"failed": 0}
    with closing(sqlite3.connect(old_path)) as connection:
        names = connection.execute("select name from _sqlite_migrations order by id").fetchall()
        assert names == [(name,) for name in (*ANSWERS_STEPS.names, NEXT_NAME)]
        assert connection.execute("select count(*) from note").fetchone() == (0,)
    assert 1 <= len(copies(old_path)) <= 4


def test_kill_before_each_statement_of_a_migration_leaves_all_or_nothing(old_path: Path) -> None:
    report = told("kill_migrating", old_path)
    found = report["versions"]
    assert isinstance(found, list)
    assert report["status"] == 0
    versions = [tuple(one) for one in found]
    assert set(versions) == {(NOW_VERSION, False), (NEXT_VERSION, True)}
    assert versions == sorted(versions)
    assert len(versions) > 10


def test_schema_that_is_not_as_promised_is_refused(old_path: Path) -> None:
    with pytest.raises(StoreError, match="tables that this clew did not make"):
        apply(old_path, replace(next_steps(add_table), schema_sha="0" * 64))
    Answers.open(old_path).close()


def test_column_added_by_hand_is_noticed_at_the_start(old_path: Path) -> None:
    with closing(sqlite3.connect(old_path)) as connection:
        connection.execute("alter table attempt add column gold text")
    with pytest.raises(StoreError, match="tables that this clew did not make"):
        Answers.open(old_path)


def test_file_with_unknown_steps_is_not_written(old_path: Path) -> None:
    apply(old_path, next_steps(add_table))
    with closing(sqlite3.connect(old_path)) as connection:
        connection.execute("pragma user_version = 1")
    before = old_path.read_bytes()
    with pytest.raises(StoreError, match="made by a newer clew; update to write"):
        Answers.open(old_path)
    assert old_path.read_bytes() == before


def test_columns_of_row_types_exist(path: Path) -> None:
    from engine.store.answer_rows import RULES
    from engine.store.call_rows import CALL_RULES

    with Answers.open(path) as answers:
        for kind in (*RULES, *CALL_RULES):
            table = re.sub("(?<=[a-z])([A-Z])", r"_\1", kind.__name__.removesuffix("Row")).lower()
            found = {row[1] for row in answers._db.execute(f"pragma table_info({table})").fetchall()}
            assert found == set(column_names(kind))


def test_killed_first_start_leaves_no_file_in_the_way(path: Path) -> None:
    """Until it is whole a new file has another name, so what a killed start leaves is never opened."""
    path.parent.mkdir()
    leftover = path.parent / ".building-x"
    leftover.mkdir()
    open_new(leftover / "new.db", ANSWERS_STEPS.application_id, 0).close()
    with Answers.open(path) as answers:
        started(answers)
        assert pragma(answers._db, "user_version") == NOW_VERSION
