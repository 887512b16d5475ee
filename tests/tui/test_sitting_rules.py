"""A sitting: item n of N, skips with a reason, stopping, revising in a collection, the end, and two windows at once."""

from __future__ import annotations

import pytest
from driving import click, drive, open_puzzle, press, screen_text, until, until_shown, write
from fake_desk import FakeDesk, puzzle
from textual.pilot import Pilot

from engine.errors import ConflictError
from tui.app import ClewApp
from tui.moments import Moments
from tui.screens.item import MINUTE_MS
from tui.screens.puzzle import PuzzleScreen


def test_a_skip_needs_a_reason_and_is_stored_with_it() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f 7 escape S")
        await until_shown(pilot, "Leave this item without an answer?", "1 skip left")
        await press(pilot, "escape")
        await until(pilot, lambda: isinstance(app.screen, PuzzleScreen))
        assert not desk.answers
        await press(pilot, "S 2")
        await until_shown(pilot, "Skipped, and saved as skipped.", "saved, 1 of 3 short puzzles answered")
        assert not any(word in screen_text(app) for word in ("Right", "exactly", "r shows"))
        await press(pilot, "enter")
        await until_shown(pilot, "item 2/3")
        await press(pilot, "S")
        await until_shown(pilot, "no skip is left in this pack", "stop here")
        assert "skip: I" not in screen_text(app)
        await press(pilot, "1")
        assert not isinstance(app.screen, PuzzleScreen)

    drive(desk, script)
    (skip,) = desk.answers
    assert (skip.answer, skip.reason, skip.confidence) == ("SKIP", "unclear", None)


def test_the_mouse_skips_and_does_not_know() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await click(pilot, "don't know")
        await until_shown(pilot, "[50]", "choose either outcome")
        await click(pilot, "skip...")
        await click(pilot, "I am tired of this one")
        await until_shown(pilot, "Skipped, and saved as skipped.")

    drive(desk, script)
    assert desk.answers[0].reason == "tired"
    assert "dont_know" in {one.kind for one in desk.happenings}


def test_dont_know_is_fifty_percent_and_a_label() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a equals_sign enter")
        await until_shown(pilot, "choose an outcome first")
        await press(pilot, "e enter")
        await until_shown(pilot, "the same as a coin flip")

    drive(desk, script)
    assert (desk.answers[0].answer, desk.answers[0].confidence) == ("ABSENT", 50)


def test_stopping_here_keeps_everything_and_leaves() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "space a f 7 escape S s")
        await until(pilot, lambda: app.return_code == 0)

    drive(desk, script)
    assert desk.drafts[-1].answer == "PRESENT" and not desk.answers
    assert [one.kind for one in desk.happenings][-1] == "stop"


def test_a_collection_goes_through_all_items_in_its_own_order_and_ends() -> None:
    desk = FakeDesk(collects=True, puzzles=[puzzle(1, 5), puzzle(1)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await until_shown(pilot, "COLLECT", "item 1/2")
        await press(pilot, "a f 7 enter")
        await until_shown(pilot, "saved, 1 of 2 items answered")
        await press(pilot, "enter")
        await until_shown(pilot, "item 2/2")
        await press(pilot, "a e 9 enter")
        await until_shown(pilot, "saved, 2 of 2 items answered: all done")
        await press(pilot, "enter")
        await until_shown(
            pilot, "all done: every item of this collection is answered", "ok  2 of 2 items", "Thank you."
        )

    drive(desk, script)
    assert len({one.puzzle_id for one in desk.answers}) == 2


def test_when_a_length_is_done_the_end_says_what_is_left() -> None:
    desk = FakeDesk(puzzles=[puzzle(1), puzzle(1, 6)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f 7 enter")
        await until_shown(pilot, "all done")
        await press(pilot, "enter")
        await until_shown(
            pilot, "all done: every puzzle of short is answered", "ok  1 of 1 short puzzles answered", "0 of 1 medium"
        )
        await press(pilot, "y")
        await until_shown(pilot, "2025-06-01")
        await press(pilot, "escape enter")
        await until_shown(pilot, "medium", "1 of 1 answered")

    drive(desk, script)


def test_in_a_collection_an_answer_can_be_taken_back_as_a_revision() -> None:
    desk = FakeDesk(collects=True, aid="A3")

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "j space n")
        await until(pilot, lambda: app.focused is not None and app.focused.id == "notes")
        await write(pilot, "hm")
        await press(pilot, "escape a f 7 enter")
        await until_shown(pilot, "Saved.", "u change it")
        await press(pilot, "u")
        await until_shown(pilot, "[>filled<]", "[70]", "> 2*  seal", "notes   hm")
        await press(pilot, "a e 9 enter")
        await until_shown(pilot, "Your answer: empty, 90 % sure.")

    drive(desk, script)
    first, second = desk.answers
    assert second.revises == first.answer_id != second.answer_id and first.revises == ""
    assert (first.answer, second.answer) == ("PRESENT", "ABSENT")
    assert second.response_ms >= first.response_ms and second.shown_at == first.shown_at
    assert [one.data for one in desk.happenings if one.kind == "revise"] == [first.answer_id]


def test_practice_takes_nothing_back_after_the_verdict() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f 7 enter")
        await until_shown(pilot, "Right.")
        await press(pilot, "u")
        await pilot.pause()
        assert "Right." in screen_text(app)

    drive(desk, script)
    assert len(desk.answers) == 1


def test_the_second_of_two_windows_is_told_so_and_goes_on() -> None:
    desk = FakeDesk(failures={"submit": [ConflictError("puzzle 'p4-1' was answered before; the first answer stays")]})

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f 7 enter")
        await until_shown(pilot, "this one was answered in another window meanwhile: that answer stays")
        assert "not saved" not in screen_text(app) and not app.trouble
        desk.answers.append(app_answer(desk))
        await press(pilot, "c")
        await until_shown(pilot, "item 2/3")

    drive(desk, script)
    assert [one.data for one in desk.happenings if one.kind == "not_taken"] == ["PRESENT 70"]


def app_answer(desk: FakeDesk):  # type: ignore[no-untyped-def]
    """Return the answer that the other window gave."""
    from engine.public import Answer

    return Answer(
        answer_id="other", puzzle_id="p4-1", rendering_id="r4-1", text_sha=puzzle(1).text_sha, answer="ABSENT",
        confidence=60, shown_at="2025-06-01T10:00:00.000Z", response_ms=1,
    )  # fmt: skip


def test_after_twenty_minutes_there_is_one_soft_nudge() -> None:
    seconds = [0.0]
    moments = Moments(monotonic=lambda: seconds[0])
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        screen = app.screen
        assert isinstance(screen, PuzzleScreen)
        screen._each_second()
        assert "20 minutes" not in screen_text(app)
        seconds[0] += 20 * MINUTE_MS / 1000
        screen._each_second()
        await until_shown(pilot, "20 minutes on this one: p pauses")
        screen._each_second()

    drive(desk, script, moments=moments)
    assert [one.kind for one in desk.happenings].count("nudge") == 1


@pytest.mark.parametrize("collects", [False, True])
def test_no_screen_counts_down(collects: bool) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        assert not any(word in screen_text(app) for word in ("left", "remaining", "time limit"))

    drive(FakeDesk(collects=collects), script)
