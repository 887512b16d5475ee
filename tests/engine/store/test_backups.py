"""Backups are sound, few enough to keep, and lead back."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlite_utils.utils import sqlite3
from store_samples import NOW, attempt_row, fixed_clock, started

from engine.errors import StoreError
from engine.store.answers import Answers
from engine.store.backup import (
    DAYS,
    WEEKS,
    back_up,
    backup_folder,
    copies,
    damaged,
    newest_good,
    restore,
    set_aside,
    superseded,
)
from engine.store.connection import DELETE_EXTRA, WAL_FULL
from engine.store.files import file_identity


@pytest.fixture
def filled(path: Path) -> Path:
    with Answers.open(path, journal=DELETE_EXTRA) as answers:
        answers.save(attempt_row(started(answers)))
    return path


def test_copy_is_private_finished_and_named_by_time(filled: Path) -> None:
    copy = back_up(filled, clock=fixed_clock)
    assert copy.parent == backup_folder(filled)
    assert copy.name.startswith("answers-20310506T070809123Z-")
    assert copy.stat().st_mode & 0o777 == 0o600
    assert copy.parent.stat().st_mode & 0o777 == 0o700
    assert list(copy.parent.iterdir()) == [copy]
    assert copy.read_bytes()[18:20] == b"\x01\x01"


def test_damaged_file_makes_no_copy(filled: Path) -> None:
    good = back_up(filled)
    filled.write_bytes(filled.read_bytes()[: filled.stat().st_size // 2])
    with pytest.raises(StoreError):
        back_up(filled)
    assert copies(filled) == (good,)


def test_damaged_file_is_restored_by_the_message(filled: Path) -> None:
    back_up(filled, clock=lambda: "2031-05-06T07:08:09.000Z")
    copy = back_up(filled, clock=lambda: "2031-05-08T07:08:09.000Z")
    spoiled = copy.with_name("answers-20310509T000000000Z-00000000.db")
    spoiled.write_bytes(copy.read_bytes()[:5000])
    filled.write_bytes(filled.read_bytes()[: filled.stat().st_size // 2])
    with pytest.raises(StoreError) as raised:
        Answers.open(filled)
    assert raised.value.line().endswith(f"newest good backup: {copy}.")
    assert newest_good(filled) == copy
    assert restore(copy, filled) is None, "the damaged file was moved aside before"
    with Answers.open(filled) as answers:
        assert [row.id for row in answers.attempts()] == ["a1"]
        assert answers.check() == ()


def test_file_that_took_the_place_of_a_damaged_one_is_not_moved(filled: Path) -> None:
    seen = file_identity(filled)
    fresh = filled.with_name("fresh.db")
    fresh.write_bytes(filled.read_bytes())
    fresh.replace(filled)
    assert set_aside(filled, "damaged", identity=seen) is None
    assert "was moved away by another program" in damaged(filled, seen).line()
    assert filled.exists()


def test_restore_keeps_the_file_it_replaces(filled: Path) -> None:
    copy = back_up(filled)
    with Answers.open(filled) as answers:
        (session,) = answers.sessions(answers.solver("ada", "human"))
        answers.save(attempt_row(session.solver, "a2", "p2"))
    aside = restore(copy, filled, clock=fixed_clock)
    assert aside is not None
    assert aside.name.startswith("answers-before-restore-20310506T070809123Z-")
    for place, ids in ((filled, ["a1"]), (aside, ["a1", "a2"])):
        with Answers.open(place, read_only=True) as answers:
            assert [row.id for row in answers.attempts()] == ids
    assert filled.stat().st_mode & 0o777 == 0o600


def test_restore_refuses_while_another_program_has_the_file(path: Path) -> None:
    with Answers.open(path, journal=WAL_FULL) as answers:
        started(answers)
        copy = back_up(path)
        with pytest.raises(StoreError, match="another program holds it"):
            restore(copy, path)
        answers.solver("bob", "human")
    assert restore(copy, path) is not None


def test_restore_refuses_while_another_program_writes(filled: Path) -> None:
    copy = back_up(filled)
    with closing(sqlite3.connect(filled, isolation_level=None)) as connection:
        connection.execute("begin immediate")
        with pytest.raises(StoreError, match="Another program holds"):
            restore(copy, filled)


def test_unsound_or_foreign_copies_are_not_restored(filled: Path, tmp_path: Path) -> None:
    before = filled.read_bytes()
    for content in (b"", b"x" * 500, before[: len(before) // 2]):
        (tmp_path / "copy.db").write_bytes(content)
        with pytest.raises(StoreError, match="is not a sound backup"):
            restore(tmp_path / "copy.db", filled)
    assert filled.read_bytes() == before


def named(moment: datetime) -> Path:
    return Path("backups") / f"answers-{moment.strftime('%Y%m%dT%H%M%S')}000Z-00000000.db"


START = datetime(2031, 1, 1, tzinfo=UTC)
MOMENTS = st.lists(st.integers(0, 24 * 100).map(lambda hours: START + timedelta(hours=hours)), unique=True, max_size=60)


@given(MOMENTS)
def test_newest_of_each_of_the_last_days_and_weeks_is_kept(moments: list[datetime]) -> None:
    found = [named(moment) for moment in moments]
    kept = {named(moment): moment for moment in moments if named(moment) not in superseded(found)}
    assert len(kept) <= DAYS + WEEKS
    if moments:
        assert named(max(moments)) in kept
    for day in sorted({moment.date() for moment in moments})[-DAYS:]:
        assert named(max(moment for moment in moments if moment.date() == day)) in kept
    for week in sorted({moment.isocalendar()[:2] for moment in moments})[-WEEKS:]:
        assert named(max(moment for moment in moments if moment.isocalendar()[:2] == week)) in kept
    assert superseded(list(kept)) == ()


def test_superseded_copies_go_and_strange_names_stay(filled: Path) -> None:
    for hour in range(3):
        back_up(filled, clock=lambda hour=hour: f"2031-05-06T0{hour}:00:00.000Z")  # type: ignore[misc]
    strange = backup_folder(filled) / "answers-mine.db"
    strange.write_bytes(b"kept by hand")
    copy = back_up(filled, clock=lambda: NOW)
    assert copies(filled) == (copy,)
    assert strange.read_bytes() == b"kept by hand"


def test_a_copy_with_more_answers_than_the_newest_stays(filled: Path) -> None:
    full = back_up(filled, clock=lambda: "2031-05-06T01:00:00.000Z")
    filled.unlink()
    with Answers.open(filled, journal=DELETE_EXTRA):
        pass
    empty = back_up(filled, clock=lambda: "2031-05-06T02:00:00.000Z")
    assert copies(filled) == (full, empty)
