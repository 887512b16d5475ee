"""What sqlite-utils and SQLite do unasked. The store relies on knowing it: run these on every upgrade of either."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations
from sqlite_utils.utils import sqlite3
from store_samples import attempt_row, started

from engine.store.answers import Answers
from engine.store.connection import open_new, pragma
from engine.store.rows import immediate, put_mapping


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with closing(sqlite3.connect(tmp_path / "any.db", isolation_level=None)) as connection:
        database = Database(connection, strict=True)
        database.execute("create table t (id text primary key, n integer, v text not null default '') strict")
        yield database


def count(db: Database, table: str = "t") -> int:
    (row,) = db.execute(f"select count(*) from {table}").fetchall()
    return int(row[0])


def test_foreign_keys_are_off_until_set_and_the_setting_is_ignored_inside_a_transaction(db: Database) -> None:
    assert pragma(db, "foreign_keys") == 0
    db.begin()
    db.execute("pragma foreign_keys = on")
    assert pragma(db, "foreign_keys") == 0
    db.rollback()


def test_store_connections_have_foreign_keys_on(tmp_path: Path) -> None:
    with closing(open_new(tmp_path / "new.db", 1, 1)) as db:
        assert pragma(db, "foreign_keys") == 1


def test_begin_without_commit_swallows_all_later_rows(tmp_path: Path) -> None:
    path = tmp_path / "phantom.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        db = Database(connection)
        db.execute("create table t (id text)")
        db.begin()
        db.table("t").insert({"id": "lost"})
        assert count(db) == 1
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("select count(*) from t").fetchone() == (0,)


def test_script_commits_an_open_transaction(db: Database) -> None:
    db.begin()
    db.execute("insert into t (id) values ('a')")
    db.conn.executescript("select 1;")
    assert not db.conn.in_transaction
    db.rollback()
    assert count(db) == 1


def test_many_rows_are_one_transaction_only_inside_ours(db: Database) -> None:
    def dying() -> Iterator[dict[str, object]]:
        for nth in range(150):
            yield {"id": str(nth), "n": nth}
        raise RuntimeError("the source dies")

    with pytest.raises(RuntimeError), immediate(db):
        db.table("t").insert_all(dying())
    assert count(db) == 0


def test_ignoring_conflicts_swallows_failed_checks(db: Database) -> None:
    db.execute("create table c (id text primary key, n integer not null check (n > 0)) strict")
    db.table("c").insert({"id": "a", "n": None}, ignore=True)
    assert count(db, "c") == 0


def test_replacing_empties_omitted_columns(db: Database) -> None:
    db.table("t").insert({"id": "a", "n": 7, "v": "kept?"})
    db.table("t").insert({"id": "a", "v": "new"}, replace=True)
    assert list(db.query("select n from t")) == [{"n": None}]


def test_upsert_overwrites(db: Database) -> None:
    db.table("t").insert({"id": "a", "n": 7, "v": "first"})
    db.table("t").upsert({"id": "a", "v": "second"}, pk="id")
    assert list(db.query("select v from t")) == [{"v": "second"}]


def test_misspelt_table_is_created_and_misspelt_column_added_on_demand(db: Database) -> None:
    db.table("answerz").insert({"id": "a"})
    assert "answerz" in db.table_names()
    db.table("t").insert({"id": "a", "vv": "x"}, alter=True)
    assert "vv" in db.table("t").columns_dict


def test_answers_connection_creates_no_misspelt_table(path: Path) -> None:
    with Answers.open(path) as answers:
        with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited"):
            answers._db.table("atempt").insert({"id": "a"})
        assert len(answers.denials) > 0
        assert "atempt" not in answers._db.table_names()


def test_strict_columns_still_convert(db: Database) -> None:
    for name, value in {"text": "007", "bool": True, "nan": float("nan")}.items():
        db.table("t").insert({"id": name, "n": value})
    assert dict(db.execute("select id, n from t").fetchall()) == {"text": 7, "bool": 1, "nan": None}


def test_mappings_become_json_and_decimals_lose_zeros(db: Database) -> None:
    db.table("t").insert({"id": "a", "v": {"k": 1}})
    db.table("t").insert({"id": "b", "v": Decimal("1.50")})
    assert dict(db.execute("select id, v from t").fetchall()) == {"a": '{"k": 1}', "b": "1.5"}


def test_big_integers_and_lone_surrogates_raise(db: Database) -> None:
    with pytest.raises(OverflowError):
        db.table("t").insert({"id": "a", "n": 2**63})
    with pytest.raises(UnicodeEncodeError):
        db.table("t").insert({"id": "a", "v": "\ud800"})
    assert count(db) == 0


def test_text_primary_keys_allow_null_unless_told_otherwise(db: Database) -> None:
    db.execute("create table loose (id text primary key)")
    db.execute("insert into loose (id) values (null)")
    db.execute("insert into loose (id) values (null)")
    assert count(db, "loose") == 2
    db.execute("create table strictly (id text not null primary key) strict, without rowid")
    with pytest.raises(sqlite3.IntegrityError):
        db.execute("insert into strictly values (null)")


def test_unique_ignores_null(db: Database) -> None:
    db.execute("create table u (a text not null, b text, unique (a, b)) strict")
    db.execute("insert into u values ('x', null)")
    db.execute("insert into u values ('x', null)")
    assert count(db, "u") == 2


def test_naming_the_key_of_a_table_without_rowid_raises_after_writing(db: Database) -> None:
    db.execute("create table w (id text not null primary key, v text) strict, without rowid")
    db.table("t").insert({"id": "a"})
    with pytest.raises(sqlite3.OperationalError, match="no such column: rowid"):
        db.table("w").insert({"id": "a", "v": "x"}, pk="id")
    assert count(db, "w") == 1


def test_transform_drops_triggers(db: Database) -> None:
    db.execute("create trigger guard before delete on t begin select raise(abort, 'no'); end")
    db.table("t").transform(rename={"v": "w"})
    assert db.triggers == []


def test_unconditional_delete_empties_the_table(db: Database) -> None:
    db.table("t").insert({"id": "a"})
    db.table("t").delete_where()
    assert count(db) == 0


def test_applying_migrations_is_silent_about_unknown_names(db: Database) -> None:
    newer, older = Migrations("clew"), Migrations("clew")

    @newer()
    def m002_unknown(db: Database) -> None:
        db.execute("create table later (id text)")

    newer.apply(db)
    older.apply(db)
    assert [step.name for step in older.applied(db)] == ["m002_unknown"]
    assert older.pending(db) == []


def test_connection_belongs_to_its_thread(path: Path) -> None:
    with Answers.open(path) as answers:
        solver = started(answers)
        raised: list[Exception] = []

        def elsewhere() -> None:
            try:
                answers.save(attempt_row(solver))
            except Exception as error:
                raised.append(error)

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        assert "thread" in str(raised[0])
        assert answers.attempts() == ()


def test_deferred_begin_fails_at_once_where_an_immediate_one_waits(tmp_path: Path) -> None:
    path = tmp_path / "busy.db"
    with closing(sqlite3.connect(path, isolation_level=None, timeout=60)) as one:
        one.execute("pragma journal_mode = wal")
        one.execute("create table meta (key text primary key, value text)")
        with closing(sqlite3.connect(path, isolation_level=None, timeout=60)) as other:
            reader = Database(one)
            with pytest.raises(sqlite3.OperationalError, match="locked"), reader.atomic():
                reader.execute("select count(*) from meta").fetchall()
                other.execute("insert into meta values ('a', 'b')")
                reader.execute("insert into meta values ('c', 'd')")
            other.execute("pragma busy_timeout = 0")
            with immediate(reader):
                reader.execute("select count(*) from meta").fetchall()
                with pytest.raises(sqlite3.OperationalError, match="locked"):
                    other.execute("insert into meta values ('e', 'f')")
                put_mapping(reader, "meta", {"c": "d"})
            assert other.execute("select count(*) from meta").fetchone() == (2,)
