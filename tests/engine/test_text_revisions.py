"""In collection a text may be changed until another item is opened: a revision beside the first one."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import ConflictError, UsageError
from engine.public import Happening
from engine.store.answers import Answers
from engine.store.clock import uuid7
from tests.engine.conversation_pack import write_conversation
from tests.engine.world import World, answer_to


def study(world: World) -> Path:
    folder = world.folder / "study"
    base = ("generate", "instruction-adherence", "--count", "2", "--constraints", "3", "--secret-seed", "--out", folder)
    assert world.clew(*base).code == 0
    return folder


def test_a_revised_text_stands_beside_the_first_until_another_item_is_opened(world: World) -> None:
    with world.desk(study(world)) as desk:
        shown = desk.next_task()
        assert shown is not None
        first = answer_to(shown, None, confidence=None, raw="first")
        second = answer_to(shown, None, confidence=None, raw="second", revises=first.answer_id)
        desk.submit(first)
        for _ in range(2):
            assert desk.submit(second).answer_id == second.answer_id
        (turn,) = desk.review(shown.puzzle_id)
        assert (turn.written, turn.judged, turn.requirements) == ("second", (), ())
        other = desk.next_task()
        assert other is not None
        desk.log((Happening(puzzle_id=other.puzzle_id, t_ms=1, kind="open"),))
        with pytest.raises(ConflictError, match="first answer stays"):
            desk.submit(answer_to(shown, None, confidence=None, raw="third", revises=second.answer_id))
        session = desk.open().session_id
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        assert [row.attempt_no for row in answers.attempts()] == [1, 2]
        texts = [answers.turns(session, shown.puzzle_id, nth)[0].text for nth in (1, 2)]
        assert texts == ["first", "second"] and answers.check() == ()


def test_a_turn_on_which_others_were_built_is_not_revised(world: World) -> None:
    with world.desk(write_conversation(world.folder / "talk", study=True)) as desk:
        answer_id = ""
        while (shown := desk.next_task()) is not None:
            answer_id = uuid7()
            desk.submit(answer_to(shown, None, confidence=None, raw="a", turn=shown.turn, answer_id=answer_id))
            last = shown
        with pytest.raises(UsageError, match="not at hand"):
            desk.submit(answer_to(last, None, confidence=None, raw="b", turn=last.turn, revises=answer_id))
