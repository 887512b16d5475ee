"""Requests to models in the answers file: one transaction with their answer, one final one an item, no odd values."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from store_samples import NOW, SHA, attempt_row, session_row, turn_row

from engine.calls import ModelCall
from engine.errors import ConflictError, UsageError
from engine.store.answers import Answers
from engine.store.call_rows import ModelCallRow, ModelConfigRow, call_row

CALL = ModelCall(
    resume_key=SHA, puzzle_id="p1", try_no=1, status="answered", request_sha=SHA, prompt_sha=SHA, text_sha=SHA,
    params="{}", started_at=NOW, client_versions="openai 3",
)  # fmt: skip


def row(solver: str, identity: str = "m1", **changes: object) -> ModelCallRow:
    return call_row(replace(CALL, **changes), identity=identity, solver=solver)  # type: ignore[arg-type]


def begun(answers: Answers) -> str:
    solver = answers.solver("openai:m", "model")
    answers.begin_session(session_row(solver))
    return solver


def test_request_and_answer_are_stored_together(path: Path) -> None:
    with Answers.open(path) as answers:
        solver = begun(answers)
        answers.save(attempt_row(solver), turns=[turn_row()], calls=[row(solver)])
        assert [call.id for call in answers.calls(solver)] == ["m1"]


def test_answer_is_not_stored_if_its_request_cannot_be(path: Path) -> None:
    with Answers.open(path) as answers:
        solver = begun(answers)
        answers.append_call(row(solver, "earlier"))
        with pytest.raises(ConflictError, match="has a final request already; the first one stays"):
            answers.save(attempt_row(solver), turns=[turn_row()], calls=[row(solver)])
        with pytest.raises(ConflictError, match="final request already"):
            answers.append_turns([turn_row()], [row(solver)])
        assert answers.attempts() == () and answers.turns("s1", "p1") == ()
        assert [call.id for call in answers.calls(solver)] == ["earlier"]


def test_same_request_again_changes_nothing_and_failed_ones_add_up(path: Path) -> None:
    with Answers.open(path) as answers:
        solver = begun(answers)
        for nth in (1, 2, 2):
            answers.append_call(row(solver, f"f{nth}", status="infra_error", try_no=nth))
        answers.append_call(row(solver)), answers.append_call(row(solver))
        assert [call.final for call in answers.calls(solver)] == [0, 0, 1]


def test_what_a_solver_is_never_changes(path: Path) -> None:
    with Answers.open(path) as answers:
        solver = begun(answers)
        config = ModelConfigRow(solver=solver, config="{}", config_sha=SHA, served_model="x", at=NOW)
        assert answers.config(solver) is None
        answers.keep_config(config), answers.keep_config(replace(config, at="2032-05-06T07:08:09.123Z"))
        assert answers.config(solver) == config
        with pytest.raises(ConflictError, match="served as 'x' before, not 'y'"):
            answers.keep_config(replace(config, served_model="y"))
        assert answers.denials == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("status", "wrong"), ("try_no", 0), ("turn", 0), ("sample", -1), ("http_status", 42), ("prompt_tokens", -1),
        ("prompt_tokens", True), ("latency_ms", 1.5), ("resume_key", "short"), ("request_sha", None),
        ("started_at", "now"), ("raw", "x" * 1_000_001), ("served_model", "x" * 201), ("params", None),
    ],
)  # fmt: skip
def test_odd_values_are_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(UsageError, match=rf"model_call\.{field} is "):
        row("s", **{field: value})


def test_texts_that_sqlite_cannot_hold_are_repaired(path: Path) -> None:
    with Answers.open(path) as answers:
        solver = begun(answers)
        answers.append_call(row(solver, raw="a\0b\ud800", refusal="\0", error_text="\udfff", status="infra_error"))
        (call,) = answers.calls(solver)
    assert (call.raw, call.refusal, call.error_text) == ("a\ufffdb\ufffd", "\ufffd", "\ufffd")
