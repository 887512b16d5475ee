"""Which journal keeps acknowledged answers, by the version of the engine and the file system."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3
from store_samples import started

from engine.errors import StoreError
from engine.store.answers import Answers
from engine.store.connection import (
    DELETE_EXTRA,
    SYNCHRONOUS,
    WAL_FULL,
    Journal,
    journal_for,
    live_version,
    open_writer,
    pragma,
    safe_journal,
)
from engine.store.files import is_network, mount_type
from engine.store.inspection import file_facts
from engine.store.migrations import ANSWERS_STEPS


@pytest.mark.parametrize(
    ("version", "journal"),
    [
        ((3, 40, 1), DELETE_EXTRA),
        ((3, 44, 5), DELETE_EXTRA),
        ((3, 44, 6), WAL_FULL),
        ((3, 45, 0), DELETE_EXTRA),
        ((3, 50, 6), DELETE_EXTRA),
        ((3, 50, 7), WAL_FULL),
        ((3, 51, 2), DELETE_EXTRA),
        ((3, 51, 3), WAL_FULL),
        ((3, 53, 4), WAL_FULL),
    ],
)
def test_write_ahead_log_only_where_its_defect_is_mended(version: tuple[int, int, int], journal: Journal) -> None:
    assert journal_for(version) == journal


def test_version_is_asked_of_the_live_connection() -> None:
    connection = sqlite3.connect(":memory:")
    assert ".".join(map(str, live_version(connection))) == sqlite3.sqlite_version
    connection.close()


def test_file_has_the_journal_of_the_live_engine(path: Path) -> None:
    Answers.open(path).close()
    with closing(open_writer(path, ANSWERS_STEPS.application_id, ANSWERS_STEPS.version)) as db:
        expected = safe_journal(db.conn, path)
        assert pragma(db, "journal_mode") == expected.mode
        assert pragma(db, "synchronous") == SYNCHRONOUS[expected.synchronous]
    facts = file_facts(path)
    assert (facts.journal, facts.synchronous) == (expected.mode, expected.synchronous)


def test_asked_journal_holds_after_reopening(path: Path, journal: Journal) -> None:
    Answers.open(path, journal=journal).close()
    assert file_facts(path).journal == journal.mode
    other = DELETE_EXTRA if journal == WAL_FULL else WAL_FULL
    Answers.open(path, journal=other).close()
    assert file_facts(path).journal == other.mode


def test_file_held_in_another_journal_is_not_written(path: Path) -> None:
    with Answers.open(path, journal=WAL_FULL) as holder:
        started(holder)
        with pytest.raises(StoreError, match=r"journal 'wal', and SQLite .* needs 'delete'"):
            Answers.open(path, journal=DELETE_EXTRA, busy_ms=0)


MOUNTS = (
    "/dev/root / ext4 rw 0 0",
    "server:/home /home nfs4 rw 0 0",
    "/dev/sdb1 /home/ada/local\\040disk xfs rw 0 0",
    "share /mnt/c 9p rw 0 0",
    "broken line",
)


@pytest.mark.parametrize(
    ("place", "kind", "network"),
    [
        ("/var/x.db", "ext4", False),
        ("/home/ada/x.db", "nfs4", True),
        ("/homestead/x.db", "ext4", False),
        ("/home/ada/local disk/x.db", "xfs", False),
        ("/mnt/c/x.db", "9p", True),
    ],
)
def test_deepest_mount_decides_the_file_system(place: str, kind: str, network: bool) -> None:
    assert mount_type(Path(place), MOUNTS) == kind
    assert is_network(kind) is network


def test_later_mount_on_the_same_place_wins() -> None:
    assert mount_type(Path("/a/x"), ["one /a ext4 rw 0 0", "two /a cifs rw 0 0"]) == "cifs"


def test_user_space_shares_count_as_network_and_local_ones_do_not() -> None:
    assert is_network("fuse.sshfs")
    assert not is_network("fuseblk")
    assert mount_type(Path("/x"), []) == ""
