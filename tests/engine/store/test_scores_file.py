"""Scores are derived: replaced at will, and a lost file is made again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import StoreError
from engine.store.scores import ScoreRow, Scores


def score_row(attempt: str = "a1", version: str = "1") -> ScoreRow:
    return ScoreRow(
        attempt=attempt, scorer_version=version, puzzle_id="p1", solver="ada", complexity=4, status="scored",
        label="PRESENT", correct=1, present_probability="7/16",
    )  # fmt: skip


def test_scores_are_kept_by_attempt_and_scorer(tmp_path: Path) -> None:
    rows = [score_row("a2"), score_row("a1", "2"), score_row("a1")]
    with Scores.open(tmp_path / "data" / "scores.db") as scores:
        scores.put_scores(rows)
    with Scores.open(tmp_path / "data" / "scores.db") as scores:
        assert scores.scores() == (rows[2], rows[1], rows[0])
        assert not scores._db.conn.in_transaction


def test_later_score_takes_the_place_of_the_earlier_one(tmp_path: Path) -> None:
    with Scores.open(tmp_path / "scores.db") as scores:
        scores.put_scores([score_row(), score_row("a2")])
        skipped = replace(score_row(), status="skipped", label=None, correct=None)
        scores.put_scores([score_row(), skipped])
        assert scores.scores() == (skipped, score_row("a2"))


def test_failed_batch_leaves_all_as_it_was(tmp_path: Path) -> None:
    with Scores.open(tmp_path / "scores.db") as scores:
        scores.put_scores([score_row()])
        with pytest.raises(StoreError, match="CHECK"):
            scores.put_scores([replace(score_row(), correct=0), replace(score_row("a2"), status="guessed")])  # type: ignore[arg-type]
        assert scores.scores() == (score_row(),)


def test_deleted_file_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "scores.db"
    Scores.open(path).close()
    path.unlink()
    with Scores.open(path) as scores:
        assert scores.scores() == ()
    assert path.stat().st_mode & 0o777 == 0o600
