"""Scores are derived: replaced at will, and a lost file is made again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import StoreError
from engine.store.schema import SCORES
from engine.store.scores import CheckScoreRow, ParsedRow, ScoreRow, Scores, TurnScoreRow

OLD = Path(__file__).parent / "old"


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


def test_rows_of_turns_checks_and_parsers_come_and_go_with_their_attempt(tmp_path: Path) -> None:
    writing = replace(score_row(), family="instruction-adherence", kind="multi", label=None, present_probability=None)
    turns = [TurnScoreRow(attempt="a1", scorer_version="1", turn=nth, status="scored", total="7/5") for nth in (1, 2)]
    check = CheckScoreRow(
        attempt="a1", scorer_version="1", turn=2, position=0, constraint_id="lex.no_commas", family="lexical", expect=1,
        scored=1, passed=0, seen="2 commas", patterns='["addition"]',
    )  # fmt: skip
    parsed = ParsedRow(attempt="a1", parser_version="p", status="ambiguous", label=None, flags="")
    with Scores.open(tmp_path / "scores.db") as scores:
        scores.put_scores([writing, score_row("a2")], turns, [check], [parsed])
        assert scores.turn_scores() == tuple(turns) and scores.check_scores() == (check,)
        assert scores.parsed() == (parsed,)
        scores.put_scores([writing], turns[:1], (), [replace(parsed, status="read", label="ABSENT")])
        assert scores.turn_scores() == (turns[0],) and scores.check_scores() == ()
        assert [row.status for row in scores.parsed()] == ["read"] and len(scores.scores()) == 2


def test_file_of_version_1_keeps_its_scores(tmp_path: Path) -> None:
    path = tmp_path / "scores.db"
    path.write_bytes((OLD / "scores-1.db").read_bytes())
    for _ in range(2):
        with Scores.open(path) as scores:
            rows = scores.scores()
            assert scores._db.execute("pragma user_version").fetchone() == (SCORES.version,)
    assert [(row.attempt, row.status, row.correct, row.family, row.present_probability) for row in rows] == [
        ("a1", "scored", 1, "hidden-systems", "7/16"),
        ("a2", "skipped", None, "hidden-systems", "9/16"),
    ]
