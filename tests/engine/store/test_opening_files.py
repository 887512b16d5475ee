"""What a file must be before anything is read from it or written to it, and what is said when it is not."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3
from store_samples import NOW, fixed_clock, started, write_sample_pack

from engine.errors import StoreError
from engine.store.answers import Answers
from engine.store.connection import (
    DELETE_EXTRA,
    DELETE_FULL,
    WAL_FULL,
    Journal,
    failure,
    open_new,
    open_read_only,
    open_writer,
    pragma,
)
from engine.store.content import check_schema
from engine.store.inspection import file_facts
from engine.store.migrations import ANSWERS_STEPS
from engine.store.pack import Pack
from engine.store.schema import PACK, SCORES, SEALED
from engine.store.scores import Scores
from engine.store.sealed import Sealed

OPENERS: dict[str, Callable[[Path], object]] = {
    "answers": Answers.open, "scores": Scores.open, "pack": Pack.open, "sealed": Sealed.open,
}  # fmt: skip


def foreign_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table t (x)")


STRANGERS: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "two bytes": lambda path: path.write_bytes(b"ab"),
    "first words of a database": lambda path: path.write_bytes(b"SQLite format 3\x00" + b"\x10" * 40),
    "text": lambda path: path.write_text("SQLite format 3? no, a letter. " * 20),
    "foreign": foreign_database,
}


@pytest.mark.parametrize("opener", OPENERS.values(), ids=OPENERS)
@pytest.mark.parametrize("make", STRANGERS.values(), ids=STRANGERS)
def test_strangers_are_named_and_not_touched(
    tmp_path: Path, make: Callable[[Path], object], opener: Callable[[Path], object]
) -> None:
    path = tmp_path / "some.db"
    make(path)
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    with pytest.raises(StoreError) as raised:
        opener(path)
    assert raised.value.line() == f"{path} is not a clew file."
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("opener", OPENERS.values(), ids=OPENERS)
def test_another_kind_of_clew_file_is_no_less_a_stranger(tmp_path: Path, opener: Callable[[Path], object]) -> None:
    path = tmp_path / "some.db"
    open_new(path, 0x12345678, 1).close()
    for look in (opener, file_facts):
        with pytest.raises(StoreError, match="is not a clew file"):
            look(path)


@pytest.mark.parametrize("opener", OPENERS.values(), ids=OPENERS)
def test_uri_names_and_folders_are_refused(tmp_path: Path, opener: Callable[[Path], object]) -> None:
    with pytest.raises(StoreError, match="is a URI"):
        opener(Path("file:answers.db?mode=memory"))
    with pytest.raises(StoreError, match="is not a regular file"):
        opener(tmp_path)


def test_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.db")
    with pytest.raises(StoreError, match="is not a regular file"):
        Answers.open(tmp_path / "pipe.db")


def test_missing_files_are_made_by_their_owners_only(tmp_path: Path) -> None:
    for opener in (Pack.open, Sealed.open, lambda path: Answers.open(path, create=False)):
        with pytest.raises(StoreError, match="does not exist"):
            opener(tmp_path / "none.db")
    assert list(tmp_path.iterdir()) == []


def test_names_with_signs_of_a_uri_are_plain_names(tmp_path: Path, journal: Journal) -> None:
    path = tmp_path / "a?mode=memory#b%41 é.db"
    with Answers.open(path, journal=journal) as answers:
        started(answers)
    assert path.stat().st_size > 0
    pack = tmp_path / "p?q#%20.db"
    sha = write_sample_pack(pack)
    with Pack.open(pack) as opened:
        assert opened.sha == sha


@pytest.mark.parametrize("finished", [True, False])
def test_newer_files_are_not_written(path: Path, tmp_path: Path, finished: bool) -> None:
    newer = tmp_path / "newer.db"
    open_new(newer, PACK.application_id, PACK.version + 1).close()
    with pytest.raises(StoreError, match="made by a newer clew; update to read"):
        open_read_only(newer, PACK.application_id, PACK.version, finished=finished)
    with pytest.raises(StoreError, match="made by a newer clew; update to write"):
        open_writer(newer, PACK.application_id, PACK.version)


def test_newer_answers_can_still_be_read(path: Path) -> None:
    with Answers.open(path, journal=DELETE_EXTRA) as answers:
        solver = started(answers)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma user_version = 99")
    with pytest.raises(StoreError, match="made by a newer clew; update to write"):
        Answers.open(path)
    with Answers.open(path, read_only=True) as reader:
        assert [session.solver for session in reader.sessions(solver)] == [solver]
        with pytest.raises(StoreError, match="for reading only"):
            started(reader, "bob")


def test_half_of_an_answers_file_is_moved_aside_and_named(path: Path) -> None:
    with Answers.open(path, journal=DELETE_EXTRA) as answers:
        started(answers)
    half = path.read_bytes()[: path.stat().st_size // 2]
    path.write_bytes(half)
    with pytest.raises(StoreError) as raised:
        Answers.open(path, clock=fixed_clock)
    (aside,) = path.parent.glob("answers-damaged-*.db")
    assert aside.read_bytes() == half
    assert not path.exists()
    assert raised.value.line() == f"{path} is damaged and was moved to {aside}; newest good backup: none."


def test_pages_full_of_rubbish_are_noticed_at_the_start(path: Path) -> None:
    with Answers.open(path, journal=DELETE_EXTRA) as answers:
        started(answers)
    data = bytearray(path.read_bytes())
    data[4096 * 5 : 4096 * 9] = b"\xa5" * (4096 * 4)
    path.write_bytes(data)
    with pytest.raises(StoreError, match="is damaged and was moved to"):
        Answers.open(path)


def test_half_of_a_pack_is_refused_where_it_lies(pack_path: Path) -> None:
    half = pack_path.read_bytes()[: pack_path.stat().st_size // 2]
    pack_path.unlink()
    pack_path.write_bytes(half)
    with pytest.raises(StoreError), Pack.open(pack_path) as pack:
        list(pack.all_payloads())
    assert pack_path.read_bytes() == half


@pytest.mark.parametrize("suffix", ["-wal", "-journal", "-shm"])
def test_pack_with_a_journal_beside_it_is_not_finished(pack_path: Path, suffix: str) -> None:
    pack_path.with_name(pack_path.name + suffix).write_bytes(b"x")
    with pytest.raises(StoreError, match="is not a finished pack"):
        Pack.open(pack_path)


def test_pack_in_write_ahead_mode_is_not_finished(pack_path: Path) -> None:
    data = bytearray(pack_path.read_bytes())
    data[18:20] = b"\x02\x02"
    pack_path.unlink()
    pack_path.write_bytes(data)
    with pytest.raises(StoreError, match="is not a finished pack"):
        Pack.open(pack_path)


def test_log_without_its_database_is_not_played_into_a_new_one(path: Path) -> None:
    path.parent.mkdir()
    log = path.with_name(path.name + "-wal")
    log.write_bytes(b"rows of another file")
    with pytest.raises(StoreError, match=r"is missing, but answers.db-wal is there"):
        Answers.open(path)
    assert log.read_bytes() == b"rows of another file"
    assert not path.exists()


SETTINGS = {"foreign_keys": 1, "busy_timeout": 77, "secure_delete": 1, "trusted_schema": 0, "cell_size_check": 1}


def test_settings_hold_on_every_connection(tmp_path: Path) -> None:
    path = tmp_path / "any.db"
    open_new(path, PACK.application_id, 1).close()
    writer = open_writer(path, PACK.application_id, 1, journal=DELETE_FULL, busy_ms=77)
    with closing(writer):
        assert {name: pragma(writer, name) for name in SETTINGS} == SETTINGS
        assert pragma(writer, "synchronous") == 2
    reader = open_read_only(path, PACK.application_id, 1)
    with closing(reader):
        assert {name: pragma(reader, name) for name in SETTINGS} == SETTINGS | {"busy_timeout": 30_000}
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader.execute("create table t (x)")


def test_frozen_schema_digests_are_those_of_the_statements(tmp_path: Path) -> None:
    for kind in (PACK, SEALED, SCORES):
        with closing(open_new(tmp_path / f"{kind.name}.db", kind.application_id, kind.version)) as db:
            for statement in kind.ddl:
                db.execute(statement)
            check_schema(db.conn, kind.schema_sha, tmp_path)
            db.execute("alter table meta add column note text" if kind is not SCORES else "drop table finding")
            with pytest.raises(StoreError, match="tables that this clew did not make"):
                check_schema(db.conn, kind.schema_sha, tmp_path)


def test_identities_of_the_four_kinds_differ() -> None:
    kinds = {PACK.application_id, SEALED.application_id, SCORES.application_id, ANSWERS_STEPS.application_id}
    assert len(kinds) == 4
    assert all(0 < kind < 2**31 for kind in kinds)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("database is locked", "Another program holds /d/answers.db."),
        ("attempt to write a readonly database", "Cannot write /d/answers.db. Set CLEW_DATA_DIR."),
        ("unable to open database file", "Cannot write /d/answers.db. Set CLEW_DATA_DIR."),
        ("database disk image is malformed", "/d/answers.db is damaged."),
        ("file is not a database", "/d/answers.db is damaged."),
        (
            "database or disk is full",
            "/d/answers.db could not be written: the disk is full. Free space, then run it again.",
        ),
        ("no such table: t", "/d/answers.db: no such table: t."),
    ],
)
def test_engine_errors_without_a_code_are_known_by_their_text(
    text: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLEW_DATA_DIR", "/d")
    assert failure(sqlite3.OperationalError(text), Path("/d/answers.db")).line() == said


def test_the_variable_of_the_data_directory_is_named_for_that_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_DATA_DIR", "/d")
    said = [failure(sqlite3.OperationalError("readonly"), Path(path)).line() for path in ("/d/a.db", "/dd/pack.db")]
    assert ["CLEW_DATA_DIR" in line for line in said] == [True, False]


def test_facts_name_the_live_engine(path: Path) -> None:
    with Answers.open(path, journal=WAL_FULL) as answers:
        started(answers)
        facts = file_facts(path)
    assert (facts.kind, facts.version, facts.journal) == ("answers file", len(ANSWERS_STEPS.names), "wal")
    assert facts.sound
    assert facts.sqlite_version == sqlite3.sqlite_version
    assert facts.module == sqlite3.__name__
    assert str(facts).startswith(f"answers file version {len(ANSWERS_STEPS.names)}, sound, journal wal")
    assert NOW not in str(facts)


def test_missing_folders_are_private_and_existing_ones_stay(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    Answers.open(tmp_path / "new" / "deep" / "answers.db").close()
    modes = {place: place.stat().st_mode & 0o777 for place in (tmp_path, *tmp_path.rglob("*"))}
    assert modes == {
        tmp_path: 0o755, tmp_path / "new": 0o700, tmp_path / "new" / "deep": 0o700,
        tmp_path / "new" / "deep" / "answers.db": 0o600,
    }  # fmt: skip
