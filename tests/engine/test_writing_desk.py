"""Writing tasks at the desk: what is handed out, stored and judged, and what a collection never computes."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import UsageError
from engine.store.answers import Answers
from engine.store.sealed import Sealed
from tests.engine.world import World, answer_to


def pack(world: World, *more: str) -> Path:
    folder = world.folder / "w"
    base = ("generate", "instruction-adherence", "--count", "3", "--constraints", "5", "--out", folder)
    assert world.clew(*base, *(more or ("--seed", "4"))).code == 0
    return folder


def test_a_task_is_judged_live_and_its_text_is_kept_byte_for_byte(world: World) -> None:
    folder = pack(world)
    with world.desk(folder) as desk:
        shown = desk.next_task()
        assert shown is not None and shown.complexity == 5
        assert all(one.text in shown.text for one in shown.requirements) and len(shown.requirements) == 5
        with Sealed.open(folder / "sealed.db") as sealed:
            witness = sealed.task(shown.puzzle_id).turns[0].witness
        assert all(one.passed for one in desk.judge(shown.puzzle_id, witness))
        assert not all(one.passed for one in desk.judge(shown.puzzle_id, "No."))
        text = "  e\u0301 \u202e tab\tand trailing \n\n"
        receipt = desk.submit(answer_to(shown, None, confidence=None, raw=text))
        assert [one.nth for one in receipt.judged] == [1, 2, 3, 4, 5] and receipt.notice == ""
        assert desk.next_task() is not None and desk.next() is None
        assert [past.answer for past in desk.history()] == [""]
        session = desk.open().session_id
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        (turn,) = answers.turns(session, shown.puzzle_id)
        assert turn.text == text


def test_a_collection_lists_and_judges_nothing(world: World) -> None:
    folder = pack(world, "--secret-seed")
    (folder / "sealed.db").unlink()
    with world.desk(folder) as desk:
        shown = desk.next_task()
        assert shown is not None and shown.requirements == ()
        with pytest.raises(UsageError, match="for practice"):
            desk.judge(shown.puzzle_id, "text")
        assert desk.submit(answer_to(shown, None, confidence=None, raw="text")).judged == ()


def test_shelves_tell_families_apart(world: World) -> None:
    with world.desk(pack(world)) as desk:
        assert [(shelf.family, shelf.complexity, shelf.puzzles) for shelf in desk.shelves()] == [
            ("instruction-adherence", 5, 3)
        ]
