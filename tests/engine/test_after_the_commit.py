"""An answer on disk is never told as not saved, whatever breaks while its feedback is made."""

from __future__ import annotations

from engine.errors import StoreError
from engine.feedback import with_feedback
from engine.public import Receipt
from engine.store.answers import Answers
from tests.engine.test_writing_desk import pack
from tests.engine.world import World, answer_to

SAVED = Receipt(answer_id="a", answered_at="t", reveal=None)


def broken(error: Exception) -> Receipt:
    raise error


def test_a_crash_after_the_commit_is_a_notice_that_holds_no_value() -> None:
    receipt = with_feedback(SAVED, lambda: broken(KeyError("gold-is-PRESENT")))
    assert receipt.notice.startswith("saved, but no feedback: internal error: KeyError at test_after_the_commit.py:")
    assert "gold" not in receipt.notice and receipt.answer_id == "a"
    told = with_feedback(SAVED, lambda: broken(StoreError("sealed.db is damaged."))).notice
    assert told == "saved, but no feedback: sealed.db is damaged."


def test_an_answer_whose_sealed_half_makes_the_reveal_crash_is_saved(world: World) -> None:
    with world.desk(world.pack()) as desk:
        shown = desk.next()
        assert shown is not None and desk._revealer is not None
        desk._revealer.reveal = lambda *_: broken(ZeroDivisionError())  # type: ignore[method-assign,assignment,return-value]
        receipt = desk.submit(answer_to(shown))
        assert receipt.reveal is None and "saved, but no feedback: internal error: ZeroDivisionError" in receipt.notice
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        assert [row.id for row in answers.attempts()] == [receipt.answer_id]


def test_a_text_whose_check_crashes_is_saved_and_shown_without_verdicts(world: World) -> None:
    with world.desk(pack(world)) as desk:
        shown = desk.next_task()
        assert shown is not None and desk._revealer is not None
        desk._revealer.judged = lambda *_: broken(ZeroDivisionError())  # type: ignore[method-assign,assignment,return-value]
        receipt = desk.submit(answer_to(shown, None, confidence=None, raw="text"))
        assert receipt.judged == () and "saved, but no feedback" in receipt.notice
        (turn,) = desk.review(shown.puzzle_id)
        assert turn.written == "text" and turn.judged == ()
