"""What was derived from answers and gold: labels, scores, findings. Deleting the file loses nothing."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal

from sqlite_utils import Database

from engine.calls import Unread
from engine.store.connection import DELETE_FULL, open_new, open_writer, pragma, translated
from engine.store.content import check_schema
from engine.store.files import plain_path, private_folder, publish, scratch_folder
from engine.store.rows import Row, fetch, immediate, put_all
from engine.store.schema import SCORE_DDL, SCORES

ScoreStatus = Literal["scored", "skipped", "ambiguous", "unparsable"] | Unread
"""How an answer counts. Only `scored` has a verdict; all but `skipped` are in the accuracy over all, as not correct."""
Flag = Literal[0, 1]


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoreRow:
    """The score of one attempt by one version of the scorer."""

    attempt: str
    scorer_version: str
    puzzle_id: str
    solver: str
    family: str = "hidden-systems"
    kind: str = ""
    """What the pack calls it; `single` or `multi` for writing tasks."""
    complexity: int
    status: ScoreStatus
    label: Literal["PRESENT", "ABSENT"] | None
    """As given; None where there is none."""
    correct: Flag | None
    """None unless scored; of a writing task, whether every check of every turn passed."""
    present_probability: str | None
    """Exact fraction, such as `7/16`; None for writing tasks."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnScoreRow:
    """One answer of a writing task; rewards are exact fractions, None unless it was scored."""

    attempt: str
    scorer_version: str
    turn: int
    status: ScoreStatus
    total: str | None = None
    all_satisfied: str | None = None
    fraction_satisfied: str | None = None
    task_relevance: str | None = None
    no_leakage: str | None = None
    self_audit_accuracy: str | None = None
    conflict_flagged: str | None = None
    words: int | None = None
    floored: Flag | None = None
    """Too short, so that all rewards are 0."""
    overlap: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckScoreRow:
    """What the checker of one constraint found in one answer."""

    attempt: str
    scorer_version: str
    turn: int
    position: int
    """In brief order, from 0."""
    constraint_id: str
    family: str
    expect: Flag
    scored: Flag
    passed: Flag
    """What the user wanted: of a revoked constraint, its absence."""
    seen: str
    patterns: str
    """Canonical JSON list."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ParsedRow:
    """What one version of the parser reads out of a model's text."""

    attempt: str
    parser_version: str
    status: str
    label: Literal["PRESENT", "ABSENT"] | None
    flags: str
    """Words with a comma between them."""


MADE_BY_NOBODY = "/"
"""Stands in the attempt of a score that belongs to no answer: `solver/puzzle`."""


class Scores:
    """An open scores file; use it from the thread that opened it."""

    def __init__(self, path: Path, db: Database) -> None:
        self.path = path
        self._db = db

    @classmethod
    def open(cls, path: Path) -> Scores:
        """Open a scores file, made now if it is missing and brought up to date if it is older.

        Raises:
            StoreError: foreign, damaged, newer or not writable.
        """
        path = plain_path(path)
        if not path.exists():
            _create(path)
        db = open_writer(path, SCORES.application_id, SCORES.version, journal=DELETE_FULL)
        try:
            with translated(path):
                if pragma(db, "user_version") == 1:
                    _update(db)
                check_schema(db.conn, SCORES.schema_sha, path)
        except BaseException:
            db.close()
            raise
        return cls(path, db)

    def put_scores(
        self,
        rows: Iterable[ScoreRow],
        turns: Iterable[TurnScoreRow] = (),
        checks: Iterable[CheckScoreRow] = (),
        parsed: Iterable[ParsedRow] = (),
    ) -> None:
        """Store scores in one transaction; each takes the place of an earlier one of its attempt and scorer."""
        kept = {(row.attempt, row.scorer_version): row for row in rows}
        read = {(row.attempt, row.parser_version): row for row in parsed}
        with translated(self.path), immediate(self._db):
            for table in ("score", "turn_score", "check_score"):
                self._db.conn.executemany(f"delete from {table} where attempt = ? and scorer_version = ?", tuple(kept))
            self._db.conn.executemany("delete from parsed where attempt = ? and parser_version = ?", tuple(read))
            put_all(self._db, "score", ScoreRow, kept.values())
            put_all(self._db, "turn_score", TurnScoreRow, turns)
            put_all(self._db, "check_score", CheckScoreRow, checks)
            put_all(self._db, "parsed", ParsedRow, read.values())
        assert not self._db.conn.in_transaction, "no transaction outlives a call"

    def scores(self) -> tuple[ScoreRow, ...]:
        """Return the scores of all answers by attempt and scorer version."""
        return tuple(row for row in self._all_scores() if MADE_BY_NOBODY not in row.attempt)

    def references(self) -> tuple[ScoreRow, ...]:
        """Return the scores that stand beside those of answers, of shortcuts and floors."""
        return tuple(row for row in self._all_scores() if MADE_BY_NOBODY in row.attempt)

    def turn_scores(self) -> tuple[TurnScoreRow, ...]:
        """Return the scores of all answers to writing tasks by attempt, scorer version and turn."""
        return self._fetch(TurnScoreRow, "turn_score", "attempt, scorer_version, turn")

    def check_scores(self) -> tuple[CheckScoreRow, ...]:
        """Return the verdicts of all checkers by attempt, scorer version, turn and position."""
        return self._fetch(CheckScoreRow, "check_score", "attempt, scorer_version, turn, position")

    def parsed(self) -> tuple[ParsedRow, ...]:
        """Return what parsers read, by attempt and parser version."""
        return self._fetch(ParsedRow, "parsed", "attempt, parser_version")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Scores:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _all_scores(self) -> tuple[ScoreRow, ...]:
        return self._fetch(ScoreRow, "score", "attempt, scorer_version")

    def _fetch(self, kind: type[Row], table: str, order: str) -> tuple[Row, ...]:
        with translated(self.path):
            return fetch(self._db, kind, table, f"order by {order}")


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


def _update(db: Database) -> None:
    """Bring a file of version 1 up to date: scores stay, which people's history rests on; the rest is made anew."""
    with immediate(db):
        if pragma(db, "user_version") != 1:
            return
        old = db.execute("select * from score").fetchall()
        names = [row[1] for row in db.execute("pragma table_info(score)").fetchall()]
        kept = [ScoreRow(**dict(zip(names, row, strict=True))) for row in old]
        db.execute("drop table score")
        for statement in SCORES.ddl:
            if statement == SCORE_DDL or "_score (" in statement.partition("\n")[0]:
                db.execute(statement)
        put_all(db, "score", ScoreRow, kept)
        db.execute(f"pragma user_version = {SCORES.version}")
