"""How an answers file is made and how an existing one is opened: whole, sound and up to date, or not at all."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from engine.errors import StoreError
from engine.store.backup import back_up
from engine.store.clock import Clock
from engine.store.connection import (
    DamagedError,
    Journal,
    Notify,
    open_new,
    open_read_only,
    open_writer,
    quick_check,
    translated,
)
from engine.store.files import private_folder, publish, scratch_folder, sidecars, sync_file
from engine.store.migrations import ANSWERS_STEPS, migrate


def create_answers(path: Path, journal: Journal | None, notify: Notify) -> None:
    """Build a whole new file under another name and give it `path` in one step; another program may win."""
    if sidecars(path) and not path.exists():
        raise StoreError(f"{path} is missing, but {sidecars(path)[0].name} is there; restore a backup or move it away.")
    private_folder(path.parent)
    with scratch_folder(path.parent) as folder, translated(path):
        new = folder / "new.db"
        with closing(open_new(new, ANSWERS_STEPS.application_id, 0)) as db:
            migrate(db, path, ANSWERS_STEPS, back_up=lambda: None, notify=notify)
        open_writer(new, ANSWERS_STEPS.application_id, ANSWERS_STEPS.version, journal=journal, notify=notify).close()
        sync_file(new)
        try:
            publish(new, path, replace=False)
        except FileExistsError:
            return


def read_answers(path: Path) -> Database:
    """Return a connection that cannot write; the schema may be newer."""
    return open_read_only(path, ANSWERS_STEPS.application_id, ANSWERS_STEPS.version, finished=False, newer=True)


def open_answers(path: Path, *, journal: Journal | None, busy_ms: int, notify: Notify, clock: Clock) -> Database:
    """Return a connection to a file whose structure is sound and whose schema is the newest."""
    known = (ANSWERS_STEPS.application_id, ANSWERS_STEPS.version)
    db = open_writer(path, *known, journal=journal, busy_ms=busy_ms, notify=notify)
    try:
        with translated(path):
            if not quick_check(db):
                raise DamagedError(f"{path} is damaged.")
        migrate(db, path, ANSWERS_STEPS, back_up=lambda: back_up(path, clock=clock), notify=notify)
    except BaseException:
        db.close()
        raise
    return db
