"""Rows of answers never change and never go, whatever statement tries, unless their solver withdrew."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database
from sqlite_utils.utils import sqlite3
from store_samples import NOW, SHA, attempt_row, event_row, started, turn_row

from engine.store.answers import Answers
from engine.store.connection import DELETE_EXTRA

KEYS: dict[str, dict[str, str | int]] = {
    "session": {"id": "s1"},
    "attempt": {"id": "a1"},
    "turn": {"session": "s1", "puzzle_id": "p1", "attempt_no": 1, "turn": 1, "role": "solver"},
    "event": {"session": "s1", "n": 0},
    "model_call": {"id": "m1"},
    "model_config": {"solver": "m"},
}
TEXT_COLUMN = {
    "session": "site", "attempt": "notes", "turn": "text", "event": "data", "model_call": "raw",
    "model_config": "served_model",
}  # fmt: skip


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with one row in most append-only tables."""
    path = tmp_path_factory.mktemp("filled") / "answers.db"
    with Answers.open(path, journal=DELETE_EXTRA) as answers:
        answers.save(attempt_row(started(answers)), turns=[turn_row()], events=[event_row()])
    return path


@pytest.fixture(params=[True, False], ids=["recursive", "plain"])
def db(filled: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Database]:
    """A bare connection, without the authorizer, to a copy of that file with a model call added."""
    path = tmp_path / "answers.db"
    path.write_bytes(filled.read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        database = Database(connection, recursive_triggers=request.param)
        connection.execute(f"pragma recursive_triggers = {int(request.param)}")
        connection.execute("pragma foreign_keys = on")
        (solver,) = connection.execute("select id from solver").fetchone()
        connection.execute(
            "insert into model_call (id, resume_key, solver, puzzle_id, sample, try_no, status, final, request_sha,"
            " params, started_at, client_versions) values ('m1', 'k', ?, 'p1', 0, 1, 'answered', 1, ?, '{}', ?, '')",
            (solver, SHA, NOW),
        )
        connection.execute("insert into solver (id, kind, alias) values ('m', 'model', 'openai:m')")
        connection.execute(
            "insert into model_config (solver, config, config_sha, served_model, at) values ('m', '{}', ?, 'x', ?)",
            (SHA, NOW),
        )
        yield database


def contents(db: Database) -> list[list[tuple[object, ...]]]:
    return [db.execute(f"select * from {table}").fetchall() for table in KEYS]


def row_of(db: Database, table: str) -> dict[str, object]:
    (row,) = db.query(f"select * from {table}")
    return dict(row)


def condition(table: str) -> str:
    return " and ".join(f"{name} = {value!r}" for name, value in KEYS[table].items())


def attempts_to_change(db: Database, table: str) -> dict[str, str]:
    columns = list(row_of(db, table))
    changed = ", ".join("'forged'" if name == TEXT_COLUMN[table] else name for name in columns)
    names = ", ".join(columns)
    same, text = condition(table), TEXT_COLUMN[table]
    copied = f"into {table} ({names}) select {changed} from {table} where {same}"
    first = next(iter(KEYS[table]))
    return {
        "insert": f"insert {copied}",
        "insert or replace": f"insert or replace {copied}",
        "replace": f"replace {copied}",
        "insert or ignore": f"insert or ignore {copied}",
        "upsert": f"insert {copied} on conflict do update set {text} = excluded.{text}",
        "upsert nothing": f"insert {copied} on conflict do nothing",
        "update": f"update {table} set {text} = 'forged' where {same}",
        "update or replace": f"update or replace {table} set {text} = 'forged' where {same}",
        "update or ignore": f"update or ignore {table} set {first} = {first} where {same}",
        "delete": f"delete from {table} where {same}",
        "delete all": f"delete from {table}",
        "delete returning": f"delete from {table} returning *",
    }


@pytest.mark.parametrize("table", KEYS)
def test_every_way_to_change_a_row_raises(db: Database, table: str) -> None:
    before = contents(db)
    for name, statement in attempts_to_change(db, table).items():
        with pytest.raises(sqlite3.IntegrityError, match=r"exists already|never change|rows stay"):
            db.conn.execute(statement).fetchall()
        assert contents(db) == before, name


@pytest.mark.parametrize("table", KEYS)
@pytest.mark.parametrize("way", [{"replace": True}, {"ignore": True}, {}], ids=["replace", "ignore", "plain"])
def test_library_calls_that_overwrite_raise_as_well(db: Database, table: str, way: dict[str, bool]) -> None:
    before = contents(db)
    row = row_of(db, table) | {TEXT_COLUMN[table]: "forged"}
    with pytest.raises(sqlite3.IntegrityError):
        db.table(table).insert(row, **way)  # type: ignore[arg-type]
    with pytest.raises(sqlite3.IntegrityError):
        db.table(table).upsert(row, pk=tuple(KEYS[table]))
    assert contents(db) == before


def test_natural_key_of_an_answer_is_kept_under_another_id(db: Database) -> None:
    before = contents(db)
    forged = row_of(db, "attempt") | {"id": "a2", "answer": "ABSENT"}
    columns, marks = ", ".join(forged), ", ".join("?" * len(forged))
    for verb in ("insert", "insert or replace", "insert or ignore"):
        with pytest.raises(sqlite3.IntegrityError, match="attempt exists already"):
            db.conn.execute(f"{verb} into attempt ({columns}) values ({marks})", list(forged.values()))
    assert contents(db) == before


def test_second_final_call_of_one_item_is_refused_and_another_try_is_not(db: Database) -> None:
    forged = row_of(db, "model_call") | {"id": "m2"}
    columns, marks = ", ".join(forged), ", ".join("?" * len(forged))
    with pytest.raises(sqlite3.IntegrityError, match="model_call exists already"):
        db.conn.execute(f"replace into model_call ({columns}) values ({marks})", list(forged.values()))
    db.conn.execute(
        f"insert into model_call ({columns}) values ({marks})", list((forged | {"final": 0, "try_no": 2}).values())
    )
    assert len(db.execute("select * from model_call").fetchall()) == 2


def test_rows_of_a_solver_who_withdrew_can_be_deleted_and_no_others(db: Database) -> None:
    (solver,) = db.execute("select solver from session").fetchone()
    db.conn.execute("insert into withdrawal (solver, at) values ('somebody else', ?)", (NOW,))
    for table in KEYS:
        with pytest.raises(sqlite3.IntegrityError, match="rows stay unless their solver withdrew"):
            db.conn.execute(f"delete from {table}")
    db.conn.executemany("insert into withdrawal (solver, at) values (?, ?)", [(solver, NOW), ("m", NOW)])
    for table in ("model_config", "model_call", "event", "turn", "attempt", "session"):
        db.conn.execute(f"delete from {table}")
    assert contents(db) == [[]] * len(KEYS)
