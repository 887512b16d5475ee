"""What holds in a sitting whatever shows the items: aid levels, skips, and the one answer that may be revised."""

from __future__ import annotations

from contextlib import closing

import pytest

from engine.desk import RealDesk
from engine.errors import ConflictError, UsageError
from engine.public import Happening, Presented
from engine.scoring import counted
from engine.sitting import OPENING, skips_left
from engine.store.answer_rows import AttemptRow
from engine.store.answers import Answers
from tests.engine.world import World, answer_to


def opened(shown: Presented) -> tuple[Happening, ...]:
    return (Happening(puzzle_id=shown.puzzle_id, t_ms=1, kind=OPENING[0]),)


def handed(desk: RealDesk) -> Presented:
    shown = desk.next()
    assert shown is not None
    desk.log(opened(shown))
    return shown


def stored(world: World) -> tuple[AttemptRow, ...]:
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        assert answers.check() == ()
        return answers.attempts()


@pytest.mark.parametrize("aid", ["A0", "A1", "A2", "A3"])
def test_practice_takes_any_aid_level_and_stores_it(world: World, aid: str) -> None:
    folder = world.pack()
    with closing(RealDesk.for_player(pack=str(folder), player="ada", aid=aid)) as desk:  # type: ignore[arg-type]
        assert desk.open().aid == aid
        shown = desk.next()
        assert shown is not None
        desk.submit(answer_to(shown))
        session = desk.open()
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        (row,) = answers.sessions(answers.attempts()[0].solver)
    assert (row.aid, row.feedback, row.id) == (aid, "now", session.session_id)


def test_a_collection_keeps_its_own_aid_level(world: World) -> None:
    folder = world.pack(seed=None)
    with (
        closing(RealDesk.for_player(pack=str(folder), player="ada", aid="A3")) as desk,
        pytest.raises(UsageError, match="the aid level of this collection is A0, not A3"),
    ):
        desk.open()
    with closing(RealDesk.for_player(pack=str(folder), player="ada", aid="A0")) as desk:
        assert desk.open().aid == "A0"


@pytest.mark.parametrize(("items", "skipped", "left"), [(4, 0, 1), (4, 1, 0), (60, 2, 4), (99, 9, 0), (20, 1, 1)])
def test_one_item_in_ten_may_be_skipped_but_always_one(items: int, skipped: int, left: int) -> None:
    def attempt(nth: int, answer: str) -> AttemptRow:
        return AttemptRow(
            id=f"{nth}{answer}", session="s", solver="v", puzzle_id=f"p{nth}", puzzle_sha="", text_sha="",
            answer=answer, confidence=None, shown_at="", answered_at="", response_ms=0,
        )  # type: ignore[arg-type]  # fmt: skip

    skips = [attempt(nth, "SKIP") for nth in range(skipped)]
    assert skips_left(items, [*skips, attempt(99, "PRESENT")]) == left
    assert skips_left(items, skips * 2) == left, "two tellings of one item are one skip"


def test_a_skip_needs_a_reason_and_is_counted(world: World) -> None:
    folder = world.pack()
    with world.desk(folder) as desk:
        shown = handed(desk)
        with pytest.raises(UsageError, match="one of tired, unclear, technical, not None"):
            desk.submit(answer_to(shown, "SKIP", confidence=None))
        assert desk.skips_left() == 1 and desk.history() == ()
        skip = answer_to(shown, "SKIP", confidence=None, reason="unclear")
        desk.submit(skip)
        assert desk.submit(skip).answer_id == skip.answer_id, "a retry is the same skip"
        assert desk.skips_left() == 0
        following = handed(desk)
        with pytest.raises(UsageError, match=r"no skip is left.*stop here"):
            desk.submit(answer_to(following, "SKIP", confidence=None, reason="tired"))
        assert [past.answer for past in desk.history()] == ["SKIP"]
        session = desk.open().session_id
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        assert [(event.kind, event.data) for event in answers.events(session)] == [
            ("open", ""), ("skipped", "unclear"), ("open", ""),
        ]  # fmt: skip


def test_in_collection_the_last_answer_may_be_revised_until_another_item_opens(world: World) -> None:
    folder = world.pack(seed=None)
    with world.desk(folder) as desk:
        shown = handed(desk)
        first = answer_to(shown, "PRESENT")
        desk.submit(first)
        second = answer_to(shown, "ABSENT", revises=first.answer_id, confidence=60)
        desk.log(opened(shown))
        desk.submit(second)
        assert desk.submit(second).answer_id == second.answer_id, "a retry is the same revision"
        third = answer_to(shown, "PRESENT", revises=second.answer_id)
        with pytest.raises(ConflictError, match="first answer stays"):
            desk.submit(answer_to(shown, "PRESENT", revises=first.answer_id))
        desk.submit(third)
        assert [shelf.answered for shelf in desk.shelves()] == [1]
        handed(desk)
        with pytest.raises(ConflictError, match="first answer stays"):
            desk.submit(answer_to(shown, "ABSENT", revises=third.answer_id))
    rows = stored(world)
    assert [(row.attempt_no, row.answer) for row in rows] == [(1, "PRESENT"), (2, "ABSENT"), (3, "PRESENT")]
    assert [row.attempt_no for row in counted(rows)] == [3]


def test_a_sitting_that_ended_leaves_nothing_to_revise(world: World) -> None:
    folder = world.pack(seed=None)
    with world.desk(folder) as desk:
        shown = handed(desk)
        first = answer_to(shown)
        desk.submit(first)
    with world.desk(folder) as desk, pytest.raises(ConflictError):
        desk.submit(answer_to(shown, "ABSENT", revises=first.answer_id))


def test_practice_revises_nothing(world: World) -> None:
    folder = world.pack()
    with world.desk(folder) as desk:
        shown = handed(desk)
        first = answer_to(shown)
        desk.submit(first)
        with pytest.raises(ConflictError):
            desk.submit(answer_to(shown, "ABSENT", revises=first.answer_id))
    assert len(stored(world)) == 1


def test_hints_come_in_order_and_end(world: World) -> None:
    folder = world.pack()
    with world.desk(folder) as desk:
        shown = handed(desk)
        hints = [desk.hint(shown.puzzle_id, nth) for nth in range(1, 9)]
        assert hints[0] is not None and hints[-1] is None
        given = [one for one in hints if one is not None]
        assert hints[: len(given)] == given and len({one.sentence for one in given}) == len(given)
        assert desk.hint(shown.puzzle_id, 0) is None
