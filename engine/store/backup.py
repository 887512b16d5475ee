"""Copies of `answers.db`, and the way back from them.

A copy is made by the engine, never by copying the file: with a write-ahead log the file alone may hold nothing.
Nothing here deletes an answer: what stands in the way of a restore is moved aside together with its journals.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from sqlite_utils import Database

from engine.errors import StoreError
from engine.store.clock import Clock, utc_now
from engine.store.connection import (
    DELETE_FULL,
    DamagedError,
    open_read_only,
    open_writer,
    quick_check,
    translated,
)
from engine.store.files import (
    copy_created,
    create_empty,
    plain_path,
    private_folder,
    publish,
    same_file,
    scratch_folder,
    sidecar,
    sidecars,
    sync_file,
    sync_folder,
)
from engine.store.migrations import ANSWERS_STEPS

DAYS = 7
WEEKS = 5
"""How many days and how many ISO weeks keep their newest copy."""


def backup_folder(path: Path) -> Path:
    """Return the folder where the copies of an answers file lie."""
    return path.with_name("backups")


def back_up(path: Path, *, clock: Clock = utc_now) -> Path:
    """Write a checked copy of an answers file into its backup folder, thin out old ones and return it.

    Raises:
        StoreError: the file cannot be read or the copy is not sound; no copy is left behind then.
    """
    path = plain_path(path)
    folder = backup_folder(path)
    private_folder(folder)
    target = folder / f"{path.stem}-{_stamp(clock())}-{os.urandom(4).hex()}.db"
    with scratch_folder(folder) as scratch:
        copy = scratch / "copy.db"
        create_empty(copy, 0o600)
        with translated(path), closing(_open_live(path)) as db:
            db.conn.execute("vacuum into ?", (str(copy),))
        if not is_good(copy):
            raise StoreError(f"The backup of {path} is not sound; the file itself was not touched.")
        sync_file(copy)
        publish(copy, target, replace=False)
    for old in superseded(copies(path)):
        # A copy that holds more than the newest does is the last of something lost: it stays.
        if _answers_in(old) <= _answers_in(target):
            old.unlink(missing_ok=True)
    return target


def _answers_in(copy: Path) -> int:
    """Return how many answers a copy holds; -1 for one that cannot be read."""
    try:
        with translated(copy), closing(_open_live(copy)) as db:
            return int(db.execute("select count(*) from attempt").fetchone()[0])
    except (StoreError, OSError):
        # Another program may be thinning out the same folder.
        return -1


def copies(path: Path) -> tuple[Path, ...]:
    """Return the copies of an answers file, oldest first."""
    named = re.compile(re.escape(path.stem) + r"-\d{8}T\d{9}Z-[0-9a-f]{8}\.db")
    return tuple(sorted(copy for copy in backup_folder(path).glob("*.db") if named.fullmatch(copy.name)))


def superseded(found: Iterable[Path]) -> tuple[Path, ...]:
    """Return the copies that a newer one of the same day and of the same week stands for."""
    ordered = sorted(found, reverse=True)
    days: dict[str, Path] = {}
    weeks: dict[tuple[int, int], Path] = {}
    for copy in ordered:
        made = _made_at(copy)
        days.setdefault(made.strftime("%Y%m%d"), copy)
        weeks.setdefault(made.isocalendar()[:2], copy)
    kept = {*list(days.values())[:DAYS], *list(weeks.values())[:WEEKS]}
    return tuple(copy for copy in ordered if copy not in kept)


def is_good(copy: Path) -> bool:
    """Say whether a copy is a sound, finished answers file of a version that this clew knows."""
    try:
        db = open_read_only(copy, ANSWERS_STEPS.application_id, ANSWERS_STEPS.version)
        with closing(db), translated(copy):
            return quick_check(db)
    except StoreError:
        return False


def newest_good(path: Path) -> Path | None:
    """Return the newest sound copy of an answers file."""
    return next((copy for copy in reversed(copies(path)) if is_good(copy)), None)


def restore(copy: Path, path: Path, *, clock: Clock = utc_now) -> Path | None:
    """Put a backup in the place of an answers file; return where the old file went, if there was one.

    Raises:
        StoreError: the copy is not sound, or another program has the file open.
    """
    path = plain_path(path)
    if not is_good(plain_path(copy)):
        raise StoreError(f"{copy} is not a sound backup.")
    private_folder(path.parent)
    with scratch_folder(path.parent) as scratch:
        copy_created(copy, scratch / "restored.db", 0o600)
        aside = None
        if path.exists():
            _require_unused(path)
        if path.exists() or sidecars(path):
            aside = set_aside(path, "before-restore", clock=clock)
        try:
            publish(scratch / "restored.db", path, replace=False)
        except FileExistsError as error:
            raise StoreError(f"Another program made {path} meanwhile.") from error
    return aside


def set_aside(path: Path, why: str, *, identity: tuple[int, int] | None = None, clock: Clock = utc_now) -> Path | None:
    """Move a file and its journals to a name that says why and when; return that name.

    The journals go along: left behind, they would be replayed into the next file of this name.

    Args:
        identity: move only this very file; None is returned when another one lies there by now.
    """
    if identity is not None and not same_file(path, identity):
        return None
    target = path.with_name(f"{path.stem}-{why}-{_stamp(clock())}-{os.urandom(4).hex()}{path.suffix}")
    for beside in sidecars(path):
        beside.rename(sidecar(target, beside.name.removeprefix(path.name)))
    if path.exists():
        path.rename(target)
    sync_folder(path.parent)
    return target


def damaged(path: Path, identity: tuple[int, int], *, clock: Clock = utc_now) -> DamagedError:
    """Set a damaged answers file aside and return the message that names it and the newest good backup."""
    aside = set_aside(path, "damaged", identity=identity, clock=clock)
    where = f"moved to {aside}" if aside else "moved away by another program"
    return DamagedError(f"{path} is damaged and was {where}; newest good backup: {newest_good(path) or 'none'}.")


def _open_live(path: Path) -> Database:
    return open_read_only(path, ANSWERS_STEPS.application_id, ANSWERS_STEPS.version, finished=False)


def _require_unused(path: Path) -> None:
    """Raise if another program has the file open, as far as the engine can tell.

    Leaving the write-ahead log needs the file for oneself alone. With a rollback journal an idle connection holds no
    lock; such a program finds the file replaced before its next commit and keeps the answer.
    """
    try:
        db = open_writer(path, ANSWERS_STEPS.application_id, ANSWERS_STEPS.version, journal=DELETE_FULL, busy_ms=0)
        with closing(db), translated(path):
            db.execute("begin exclusive")
            db.rollback()
    except DamagedError:
        return


def _stamp(time: str) -> str:
    """Return a time as it stands in file names; it sorts like the time."""
    return time.replace("-", "").replace(":", "").replace(".", "")


def _made_at(copy: Path) -> datetime:
    stamp = copy.stem.rsplit("-", 2)[1]
    return datetime.strptime(stamp[:15], "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
