"""Conversations at the desk: each turn is committed on its own, and none is lost, doubled or taken out of order."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.errors import ConflictError, UsageError
from engine.public import Answer, Desk, Draft, PresentedTask
from engine.store.answers import Answers
from tests.engine.conversation_pack import TURNS, write_conversation
from tests.engine.world import World, answer_to


def at_hand(desk: Desk) -> PresentedTask:
    shown = desk.next_task()
    assert isinstance(shown, PresentedTask)
    return shown


def reply(shown: PresentedTask, text: str, **changes: object) -> Answer:
    return answer_to(shown, None, **{"confidence": None, "raw": text, "turn": shown.turn, **changes})


def stored(world: World) -> Answers:
    return Answers.open(world.folder / "data" / "answers.db", read_only=True)


@pytest.fixture
def folder(world: World) -> Path:
    return write_conversation(world.folder / "talk")


def test_a_conversation_goes_on_turn_by_turn_across_sittings_and_ends_as_one_answer(world: World, folder: Path) -> None:
    texts = ["  one,\n\n", "two e\u0301", "three", "four"]
    sessions = []
    for nth, text in enumerate(texts, start=1):
        with world.desk(folder) as desk:
            sessions.append(desk.open().session_id)
            shown = at_hand(desk)
            assert (shown.turn, shown.turns, shown.text) == (nth, 4, TURNS[nth - 1])
            assert [(one.turn, one.asked, one.written) for one in shown.earlier] == [
                (before + 1, TURNS[before], texts[before]) for before in range(nth - 1)
            ]
            receipt = desk.submit(reply(shown, text))
            assert receipt.next_turn == (nth + 1 if nth < 4 else None) and receipt.notice == ""
            assert (desk.next_task() is None) == (nth == 4)
    with stored(world) as answers:
        (attempt,) = answers.attempts()
        rows = answers.turns(sessions[0], attempt.puzzle_id)
        assert attempt.session == sessions[0] and attempt.response_ms == 4 * 1200
        assert [(row.turn, row.text) for row in rows if row.role == "assistant"] == list(enumerate(texts, start=1))
        assert [(row.turn, row.text) for row in rows if row.role == "user"] == list(enumerate(TURNS, start=1))
        assert answers.check() == ()


def test_requirements_and_verdicts_are_those_of_the_turn_at_hand(world: World, folder: Path) -> None:
    states = []
    with world.desk(folder) as desk:
        for text in ("<<A>>", "<<A>> no", "plain, text?", "x, y"):
            shown = at_hand(desk)
            states.append([(one.text, one.state, one.since_turn) for one in shown.requirements])
            live = desk.judge(shown.puzzle_id, text)
            assert desk.submit(reply(shown, text)).judged == live
            assert [one.nth for one in live] == [one.nth for one in shown.requirements]
            states[-1].append(tuple(one.passed for one in live))
    assert states == [
        [("Start with a title.", "active", 1), (True,)],
        [("Start with a title.", "active", 1), ("Use no commas.", "new", 2), (False, True)],
        [
            ("Start with a title.", "dropped", 1),
            ("Use no commas.", "active", 2),
            ("End with a question.", "quoted", 3),
            (True, False, False),
        ],
        [("Use no commas.", "active", 2), (False,)],
    ]


def test_a_turn_sent_again_is_the_same_turn_and_another_text_is_refused(world: World, folder: Path) -> None:
    with world.desk(folder) as desk:
        first = at_hand(desk)
        again = reply(first, "one")
        assert desk.submit(again).next_turn == desk.submit(again).next_turn == 2
        with pytest.raises(ConflictError, match=r"turn 1 of puzzle .* was sent already; the first text stays"):
            desk.submit(reply(first, "other"))
        with pytest.raises(UsageError, match=r"turn 3 of puzzle .* is not at hand; turn 2 is next"):
            desk.submit(reply(at_hand(desk), "three", turn=3))
        with pytest.raises(UsageError, match="the text answered is not the text of this pack"):
            desk.submit(answer_to(first, None, raw="two", turn=2))
        for text in ("two", "three", "four"):
            last = reply(at_hand(desk), text)
            receipt = desk.submit(last)
        assert desk.submit(last).answer_id == receipt.answer_id
        with pytest.raises(ConflictError, match="turn 4 of puzzle"):
            desk.submit(replace(last, raw="else"))
    with stored(world) as answers:
        assert len(answers.attempts()) == 1


def test_a_draft_counts_for_its_own_turn_only(world: World, folder: Path) -> None:
    with world.desk(folder) as desk:
        shown = at_hand(desk)
        desk.keep(Draft(puzzle_id=shown.puzzle_id, text="half", turn=1))
        desk.submit(reply(shown, "one"))
        assert desk.draft() == Draft(puzzle_id=shown.puzzle_id, turn=2)
        desk.keep(Draft(puzzle_id=shown.puzzle_id, text="second half", turn=2, conflict="x"))
        assert (desk.draft() or Draft(puzzle_id="")).text == "second half"
        for text in ("two", "three", "four"):
            desk.submit(reply(at_hand(desk), text))
        assert desk.draft() is None


def test_a_conversation_can_be_skipped_half_way_and_two_players_do_not_mix(world: World, folder: Path) -> None:
    with world.desk(folder) as desk, world.desk(folder, "bob") as other:
        shown = at_hand(desk)
        desk.submit(reply(shown, "one"))
        assert at_hand(other).turn == 1 and at_hand(other).earlier == ()
        desk.submit(answer_to(at_hand(desk), "SKIP", confidence=None, turn=2, reason="unclear"))
        assert desk.next_task() is None and at_hand(other).turn == 1
    with stored(world) as answers:
        assert [attempt.answer for attempt in answers.attempts()] == ["SKIP"]


def test_a_collection_shows_the_turns_and_computes_nothing(world: World) -> None:
    folder = write_conversation(world.folder / "study", study=True)
    (folder / "sealed.db").unlink()
    with world.desk(folder) as desk:
        for nth in range(1, 5):
            shown = at_hand(desk)
            assert (shown.turn, shown.requirements) == (nth, ())
            assert desk.submit(reply(shown, "text")).judged == ()
        (shelf,) = desk.shelves()
        assert (shelf.kind, shelf.complexity, shelf.puzzles, shelf.answered) == ("multi", 2, 1, 1)
