"""Writing tasks in the sealed file: what comes back, what a commitment covers, what printing shows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import UsageError
from engine.store.sealed import Sealed, write_sealed
from engine.store.sealed_tasks import SealedCheck, SealedTask, SealedTurn, task_commitment

TASK = SealedTask(
    puzzle_id="a" * 32,
    checks=tuple(
        SealedCheck(
            puzzle_id="a" * 32, turn=turn, position=position, constraint_id="length.word_range",
            params='{"max":9,"min":3}', requirement="Use 3 to 9 words.", label="R1" if position else None, expect=1,
            scored=1, since_turn=1, patterns="[]",
        )
        for turn in (1, 2)
        for position in (0, 1)
    ),
    turns=tuple(
        SealedTurn(puzzle_id="a" * 32, turn=turn, keywords='["oven"]', conflict=None, witness="An oven for bread.")
        for turn in (1, 2)
    ),
    salt=bytes(range(16)),
)  # fmt: skip


def test_a_task_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "s" / "sealed.db"
    write_sealed(path, meta={}, puzzles=(), canaries=(), tasks=[TASK])
    with Sealed.open(path) as sealed:
        assert sealed.task(TASK.puzzle_id) == TASK
        with pytest.raises(UsageError, match="no writing task"):
            sealed.task("b" * 32)


@pytest.mark.parametrize(
    "changed",
    [
        replace(TASK, turns=TASK.turns[:1]),
        replace(TASK, checks=TASK.checks[1:]),
        replace(TASK, checks=(replace(TASK.checks[0], params='{"max":8,"min":3}'), *TASK.checks[1:])),
        replace(TASK, turns=(replace(TASK.turns[0], witness="Another."), *TASK.turns[1:])),
        replace(TASK, salt=bytes(16)),
    ],
)
def test_a_commitment_covers_everything(changed: SealedTask) -> None:
    assert task_commitment(changed) != task_commitment(TASK)


def test_a_short_salt_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="16 are needed"):
        write_sealed(tmp_path / "s" / "x.db", meta={}, puzzles=(), canaries=(), tasks=[replace(TASK, salt=b"short")])


def test_printing_shows_the_public_id_only() -> None:
    for value in (TASK, TASK.checks[0], TASK.turns[0]):
        assert repr(value) == f"{type(value).__name__}(puzzle_id={TASK.puzzle_id!r})"
