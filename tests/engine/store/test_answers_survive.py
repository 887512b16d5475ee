"""Answers under kill, crowds and locks: each is stored once and whole, or not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from store_processes import child, told
from store_samples import NOW, attempt_row, event_row, session_row, started, write_sample_pack

from engine.errors import StoreError
from engine.store.answers import Answers
from engine.store.backup import back_up, restore
from engine.store.connection import DELETE_EXTRA, WAL_FULL, Journal
from engine.store.inspection import file_facts


def test_kill_before_each_statement_leaves_all_or_nothing(path: Path, journal: Journal) -> None:
    report = told("kill_points", path, journal.mode)
    left = report["left"]
    assert isinstance(left, list)
    assert report["status"] == 0
    assert [point["killed"] for point in left] == [True] * (len(left) - 1) + [False]
    assert {point["before"] for point in left} == {0, 4}
    assert {point["after"] for point in left} == {4}
    assert {point["bad"] for point in left} == {0}
    whole = [point["before"] == 4 for point in left]
    assert whole == sorted(whole), "once a kill comes after the commit, every later one does"
    assert whole.count(False) > 5


def test_success_that_rests_on_an_earlier_commit_is_synced_first(path: Path, journal: Journal) -> None:
    """The process that committed may have been killed between writing and syncing; the file itself stays closed."""
    expected = ["answers.db-wal"] if journal == WAL_FULL else []
    assert told("resubmit", path, journal.mode) == {"opened": [*expected, path.parent.name]}


def test_death_inside_a_transaction_leaves_nothing(path: Path) -> None:
    Answers.open(path).close()
    with child("abandon", path) as process:
        process.communicate()
    assert process.returncode < 0
    with Answers.open(path) as answers:
        assert answers.attempts() == ()
        assert answers.events("s9") == ()
        assert answers.check() == ()


READERS: dict[str, Callable[[Path], object]] = {
    "backup": back_up,
    "doctor": lambda path: file_facts(path).sound or pytest.fail("not sound"),
    "reader": lambda path: Answers.open(path, create=False, read_only=True).close(),
}


@pytest.mark.parametrize("reader", READERS)
def test_a_half_written_file_is_mended_by_whoever_opens_it_first(path: Path, journal: Journal, reader: str) -> None:
    """Only who may write can undo a commit that a kill left half done, and the first to open is often a reader."""
    with Answers.open(path, journal=journal) as answers:
        solver = started(answers)
        answers.save(attempt_row(solver), events=[event_row()])
    with child("half_write", path, journal.mode) as process:
        process.communicate()
    assert process.returncode < 0
    left = path.with_name(path.name + ("-wal" if journal == WAL_FULL else "-journal"))
    assert left.stat().st_size > 0 and path.stat().st_size > 100
    READERS[reader](path)
    with Answers.open(path, create=False, read_only=True) as answers:
        assert len(answers.attempts()) == 1 and answers.check() == ()


def test_a_half_written_file_that_may_not_be_mended_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Answers.open(path, journal=DELETE_EXTRA) as answers:
        started(answers)
    with child("half_write", path, "delete") as process:
        process.communicate()
    monkeypatch.setattr("engine.store.connection.os.access", lambda *_: False)
    with pytest.raises(StoreError, match=r"answers\.db-journal") as caught:
        Answers.open(path, create=False, read_only=True)
    assert "CLEW_DATA_DIR" not in caught.value.line()


@pytest.mark.parametrize("size", [4, 50])
def test_first_starts_at_once(path: Path, size: int) -> None:
    journal = WAL_FULL if size == 4 else DELETE_EXTRA
    assert told("crowd", path, str(size), "1", journal.mode) == {"failed": 0}
    with Answers.open(path, journal=journal) as answers:
        rows = answers.attempts()
        assert len(rows) == size
        assert len({row.solver for row in rows}) == 1, "one player, made once"
        assert all(len(answers.events(row.session)) == 1 for row in rows)
        assert answers.check() == ()
    assert [place.name for place in path.parent.iterdir()] == ["answers.db"]


def test_writers_wait_for_each_other(path: Path, journal: Journal) -> None:
    assert told("crowd", path, "4", "5", journal.mode) == {"failed": 0}
    with Answers.open(path, journal=journal) as answers:
        assert len(answers.attempts()) == 20


def test_one_of_many_answers_to_one_puzzle_wins(path: Path) -> None:
    assert told("duel", path, "6") == {"failed": 5}
    with Answers.open(path) as answers:
        assert len(answers.attempts()) == 1


def test_lock_of_another_program_is_named_and_the_repeated_call_succeeds(path: Path) -> None:
    with Answers.open(path, busy_ms=0) as answers:
        solver = started(answers)
        with child("hold", path) as holder:
            assert holder.stdout is not None
            assert holder.stdout.readline() == '"held"\n'
            with pytest.raises(StoreError) as raised:
                answers.save(attempt_row(solver), events=[event_row()])
            assert raised.value.line() == f"Another program holds {path}."
            assert answers.attempts() == ()
            holder.communicate()
        answers.save(attempt_row(solver), events=[event_row()])
        assert [row.id for row in answers.attempts()] == ["a1"]
        assert len(answers.events("s1")) == 1


def test_open_reader_does_not_stop_a_save(path: Path, journal: Journal) -> None:
    with Answers.open(path, journal=journal, busy_ms=0) as answers, Answers.open(path, read_only=True) as reader:
        solver = started(answers)
        for nth in range(3):
            answers.save(attempt_row(solver, f"a{nth}", f"p{nth}"))
            assert len(reader.attempts()) == nth + 1


def test_backup_during_writes_holds_every_acknowledged_row(path: Path, journal: Journal) -> None:
    with Answers.open(path, journal=journal) as answers:
        solver = started(answers)
        for nth in range(5):
            answers.save(attempt_row(solver, f"a{nth}", f"p{nth}"))
            copy = back_up(path)
            with Answers.open(copy, read_only=True) as stored:
                assert len(stored.attempts()) == nth + 1


def test_restored_file_is_not_mixed_with_an_old_log(path: Path, journal: Journal) -> None:
    with Answers.open(path, journal=journal) as answers:
        solver = started(answers)
        answers.save(attempt_row(solver))
        copy = back_up(path)
        with child("abandon", path) as process:
            process.communicate()
        answers.save(attempt_row(solver, "a2", "p2"))
    path.unlink()
    path.with_name(path.name + "-wal").write_bytes(b"an old log")
    aside = restore(copy, path)
    assert aside is not None
    with Answers.open(path, journal=journal) as answers:
        assert [row.id for row in answers.attempts()] == ["a1"]
    assert aside.with_name(aside.name + "-wal").read_bytes() == b"an old log"


def test_pack_is_read_from_a_protected_folder_by_another_user() -> None:
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "pack.db"
        sha = write_sample_pack(pack)
        before = (pack.read_bytes(), pack.stat().st_mtime_ns)
        Path(folder).chmod(0o555)
        try:
            assert told("read_pack", pack) == {"writable": False, "payloads": 3, "sha": sha}
            assert (pack.read_bytes(), pack.stat().st_mtime_ns) == before
            assert list(Path(folder).iterdir()) == [pack]
        finally:
            Path(folder).chmod(0o755)


def test_file_replaced_under_us_is_not_written(path: Path, journal: Journal) -> None:
    with Answers.open(path, journal=journal) as answers:
        solver = started(answers)
        kept = path.with_name("kept.db")
        path.rename(kept)
        for name in ("missing", "replaced"):
            if name == "replaced":
                path.write_bytes(kept.read_bytes())
            with pytest.raises(StoreError) as raised:
                answers.save(attempt_row(solver))
            assert raised.value.line() == f"{path} was replaced while open; is it in a synced folder?"
            assert not answers._db.conn.in_transaction


def test_file_replaced_within_a_transaction_is_not_written(path: Path, journal: Journal) -> None:
    with Answers.open(path, journal=journal) as answers:
        solver = started(answers)
        with pytest.raises(StoreError, match="was replaced while open"), answers._write():
            answers._put_attempt(attempt_row(solver), (), ())
            path.rename(path.with_name("kept.db"))
        path.with_name("kept.db").rename(path)
        assert answers.attempts() == ()


def test_full_disk_loses_nothing_and_the_repeated_call_succeeds(path: Path) -> None:
    with Answers.open(path, journal=DELETE_EXTRA) as answers:
        solver = started(answers)
        answers.save(attempt_row(solver))
        answers._db.conn.set_authorizer(None)
        (pages,) = answers._db.execute("pragma page_count").fetchone()
        answers._db.execute(f"pragma max_page_count = {pages}").fetchall()
        big = [event_row(kind="view") for _ in range(400)]
        with pytest.raises(StoreError) as raised:
            answers.save(attempt_row(solver, "a2", "p2"), events=big)
        assert raised.value.line() == "Not saved: disk full. What was saved before stays; free space, then try again."
        assert [row.id for row in answers.attempts()] == ["a1"]
        assert answers.events("s1") == ()
        answers._db.execute("pragma max_page_count = 100000").fetchall()
        answers.save(attempt_row(solver, "a2", "p2"), events=big)
        assert len(answers.events("s1")) == 400


def test_committed_answer_is_seen_by_a_fresh_connection(path: Path, journal: Journal) -> None:
    with Answers.open(path, journal=journal) as answers:
        solver = started(answers)
        assert not answers.is_committed("a1")
        with answers._write():
            answers._put_attempt(attempt_row(solver), (), ())
            assert not answers.is_committed("a1")
        assert answers.is_committed("a1")


def test_session_and_answer_are_one_transaction(path: Path) -> None:
    with Answers.open(path) as answers:
        solver = answers.solver("ada", "human")
        answers.save(attempt_row(solver), events=[event_row()], session=session_row(solver))
        assert [session.started_at for session in answers.sessions(solver)] == [NOW]
