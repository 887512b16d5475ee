"""What was derived from answers and gold: labels, scores, findings. Deleting the file loses nothing."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal

from sqlite_utils import Database

from engine.store.connection import DELETE_FULL, open_new, open_writer, translated
from engine.store.content import check_schema
from engine.store.files import plain_path, private_folder, publish, scratch_folder
from engine.store.rows import fetch, immediate, put_all
from engine.store.schema import SCORES


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoreRow:
    """The score of one attempt by one version of the scorer."""

    attempt: str
    scorer_version: str
    puzzle_id: str
    solver: str
    complexity: int
    status: Literal["scored", "skipped", "unparsable"]
    label: Literal["PRESENT", "ABSENT"] | None
    """As given; None where there is none."""
    correct: Literal[0, 1] | None
    """None unless scored."""
    present_probability: str
    """Exact fraction, such as `7/16`."""


class Scores:
    """An open scores file; use it from the thread that opened it."""

    def __init__(self, path: Path, db: Database) -> None:
        self.path = path
        self._db = db

    @classmethod
    def open(cls, path: Path) -> Scores:
        """Open a scores file, made now if it is missing.

        Raises:
            StoreError: foreign, damaged, newer or not writable.
        """
        path = plain_path(path)
        if not path.exists():
            _create(path)
        db = open_writer(path, SCORES.application_id, SCORES.version, journal=DELETE_FULL)
        try:
            with translated(path):
                check_schema(db.conn, SCORES.schema_sha, path)
        except BaseException:
            db.close()
            raise
        return cls(path, db)

    def put_scores(self, rows: Iterable[ScoreRow]) -> None:
        """Store scores in one transaction; each takes the place of an earlier one of its attempt and scorer."""
        kept = {(row.attempt, row.scorer_version): row for row in rows}
        with translated(self.path), immediate(self._db):
            self._db.conn.executemany("delete from score where attempt = ? and scorer_version = ?", tuple(kept))
            put_all(self._db, "score", ScoreRow, kept.values())
        assert not self._db.conn.in_transaction, "no transaction outlives a call"

    def scores(self) -> tuple[ScoreRow, ...]:
        """Return all scores by attempt and scorer version."""
        with translated(self.path):
            return fetch(self._db, ScoreRow, "score", "order by attempt, scorer_version")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Scores:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _create(path: Path) -> None:
    private_folder(path.parent)
    with scratch_folder(path.parent) as folder, translated(path):
        with closing(open_new(folder / "new.db", SCORES.application_id, SCORES.version)) as db, immediate(db):
            for statement in SCORES.ddl:
                db.execute(statement)
        try:
            publish(folder / "new.db", path, replace=False)
        except FileExistsError:
            return
