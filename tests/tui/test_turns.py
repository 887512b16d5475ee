"""A writing task of several turns: each is committed on its own, earlier ones can be read, and nothing runs ahead."""

import json

import pytest
from driving import (
    LARGE,
    SMALL,
    click,
    drive,
    open_task,
    paste,
    press,
    screen_text,
    text_field,
    until,
    until_shown,
    write,
    write_fast,
)
from fake_desk import FakeDesk
from fake_talk import BRIEFS, Talk
from textual.pilot import Pilot

from engine.errors import StoreError
from engine.public import Draft
from tui.app import ClewApp

TEXTS = ("Dear all of you in the bakery", "Dear all, will you come early?", "Hello, a zoo of bakers is here, no?")


def talking(**more: object) -> FakeDesk:
    return FakeDesk(puzzles=[], talks=[Talk(collects=bool(more.get("collects")))], **more)  # type: ignore[arg-type]


async def by_keys(pilot: Pilot[None], app: ClewApp) -> None:
    await open_task(pilot)
    await until_shown(pilot, "turn 1 of 3", "Write a short note")
    await write_fast(pilot, TEXTS[0])
    await until_shown(pilot, "3 of 3 met")
    await press(pilot, "f2")
    await until_shown(pilot, "brief of turn 2", "Now a version for the window", "turn 1 is saved")
    await write_fast(pilot, TEXTS[1])
    await until_shown(pilot, "4 of 4 met  4 in force, 1 new", "NEW End with", "for someone else: Write")
    await press(pilot, "tab enter")
    await until_shown(pilot, "turn 3 of 3", "One for the suppliers")
    await write_fast(pilot, TEXTS[2])
    await until_shown(pilot, "4 in force, 1 dropped", "dropped, must NOT hold", "disputed: Begin")
    await press(pilot, "tab tab space")
    await write(pilot, "R3")
    await press(pilot, "tab")
    await write(pilot, "R6")
    await press(pilot, "enter")
    await write(pilot, "Dear or Hello")
    await press(pilot, "f2")


async def by_mouse(pilot: Pilot[None], app: ClewApp) -> None:
    await open_task(pilot)
    for turn, text in enumerate(TEXTS, start=1):
        await until_shown(pilot, f"turn {turn} of 3", BRIEFS[turn - 1][:20])
        await pilot.click("#text")
        await paste(pilot, text)
        if turn == 3:
            await click(pilot, "I see a conflict")
            for name, said in (("first", "R3"), ("second", "R6"), ("note", "Dear or Hello")):
                await pilot.click(f"#conflict-{name}")
                await paste(pilot, said)
        await click(pilot, "[ send ]")


@pytest.mark.parametrize(("script", "size"), [(by_keys, SMALL), (by_mouse, LARGE)], ids=["keys", "mouse"])
def test_a_whole_conversation_leaves_one_answer_a_turn_and_all_verdicts(script, size: tuple[int, int]) -> None:  # type: ignore[no-untyped-def]
    desk = talking()

    async def played(pilot: Pilot[None], app: ClewApp) -> None:
        await script(pilot, app)
        await until_shown(pilot, "3 of 3 turns meet all that counts", "saved, 1 of 1 writing tasks answered", "Turn 1")
        shown = app.screen.query_one("#told").content  # type: ignore[attr-defined]
        told = shown.plain
        assert all(f"Turn {turn}" in told for turn in (1, 2, 3)) and all(text in told for text in TEXTS)

    drive(desk, played, size=size)
    assert [(one.turn, one.raw) for one in desk.answers] == list(enumerate(TEXTS, start=1))
    assert len({one.answer_id for one in desk.answers}) == 1 and all(one.text_sha for one in desk.answers)
    (report,) = [one for one in desk.happenings if one.kind == "conflict"]
    assert json.loads(report.data) == {"turn": 3, "first": "R3", "second": "R6", "note": "Dear or Hello"}
    assert [one.data for one in desk.happenings if one.kind == "turn"] == ["1 of 3", "2 of 3", "3 of 3"]


def test_a_later_turn_is_not_shown_before_it_is_reached_and_earlier_ones_can_be_read() -> None:
    desk = talking()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await write_fast(pilot, TEXTS[0])
        await press(pilot, "escape t")
        await until_shown(pilot, "turns (enter reads)", ">1 ")
        assert "window" not in screen_text(app) and "suppliers" not in screen_text(app)
        await press(pilot, "f2")
        await until_shown(pilot, "turn 2 of 3")
        await write_fast(pilot, "Dear")
        await press(pilot, "escape t up enter")
        await until_shown(pilot, "turn 1, sent", "Write a short note", "what you wrote", TEXTS[0])
        await press(pilot, "x escape")
        await until_shown(pilot, "brief of turn 2", "Now a version")
        assert "suppliers" not in screen_text(app)

    drive(desk, script)
    assert [one.raw for one in desk.answers] == [TEXTS[0]] and desk.drafts[-1].text == "Dear"


def test_collection_computes_nothing_and_takes_the_conflict_report() -> None:
    desk = talking(collects=True)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        for turn, text in enumerate(TEXTS, start=1):
            await until_shown(pilot, f"turn {turn} of 3", "COLLECT")
            await write_fast(pilot, text)
            await press(pilot, "escape t")
            await until_shown(pilot, "turns (enter reads)", "writing")
            shown = screen_text(app)
            assert not any(
                word in shown for word in ("requirements", " met", "word", "line", "asked", "NEW", "in force")
            )
            if turn == 3:
                await press(pilot, "c")
                await write(pilot, "dear hello")
            await press(pilot, "f2")
        await until_shown(pilot, "Saved.", "saved, 1 of 1")
        assert "Turn" not in screen_text(app) and "met" not in screen_text(app)

    drive(desk, script)
    assert "judge" not in desk.called and len(desk.answers) == 3
    assert [json.loads(one.data)["first"] for one in desk.happenings if one.kind == "conflict"] == ["dear hello"]


def test_a_conversation_that_was_left_comes_back_as_it_was() -> None:
    desk = talking()
    where: list[int] = []
    cursor: list[tuple[int, int]] = []

    async def leave_it(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await write_fast(pilot, TEXTS[0])
        await press(pilot, "f2")
        await until_shown(pilot, "turn 2 of 3")
        await paste(pilot, "\n".join(f"line {nth}" for nth in range(60)))
        await press(pilot, "pageup pageup left")
        await press(pilot, "escape c")
        await write(pilot, "R1")
        await press(pilot, "escape b right right space right space m")
        await until_shown(pilot, "[x] version for")
        cursor.append(app.screen.query_one("#text").cursor_location)  # type: ignore[attr-defined]
        where.append(app.screen.query_one("#text").scroll_offset.y)
        await press(pilot, "escape")
        await until_shown(pilot, "continue")

    async def come_back(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "turn 2 of 3", "line 20", "[x] version for", "[x] I see a conflict", "R1")
        editor = app.focused
        assert text_field(app).startswith("line 0\nline 1")
        assert editor.cursor_location == cursor[0]  # type: ignore[union-attr]
        await until(pilot, lambda: editor.scroll_offset.y == where[0] > 0)  # type: ignore[union-attr]

    drive(desk, leave_it)
    assert [one.turn for one in desk.answers] == [1] and desk.drafts[-1].turn == 2
    drive(desk, come_back, resume=True)


def test_a_draft_of_a_turn_that_was_sent_since_is_not_put_into_the_next_one() -> None:
    desk = talking(drafts=[Draft(puzzle_id="m5-1", text="old", turn=2, conflict='{"seen":true}')])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "turn 1 of 3")
        assert text_field(app) == "" and "[ ] I see" in screen_text(app)

    drive(desk, script, resume=True)


def test_a_turn_that_could_not_be_saved_stays_and_is_sent_again_as_the_same_answer() -> None:
    desk = talking(failures={"submit": [StoreError("the disk is full")]})

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await write_fast(pilot, "Dear")
        await press(pilot, "f2")
        await until_shown(pilot, "not saved: the disk is full (F2 tries again)", "turn 1 of 3")
        await press(pilot, "f2")
        await until_shown(pilot, "turn 2 of 3")

    drive(desk, script)
    assert [(one.turn, one.raw) for one in desk.answers] == [(1, "Dear")]


def test_what_follows_can_fail_too_and_the_turn_is_still_sent_once() -> None:
    desk = talking(failures={"shelves": []})

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await write_fast(pilot, "Dear")
        desk.failures["shelves"] = [StoreError("busy")]
        await press(pilot, "f2")
        await until_shown(pilot, "not saved: busy")
        assert len(desk.answers) == 1

    drive(desk, script)


def test_a_skipped_conversation_ends_there() -> None:
    desk = talking()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await write_fast(pilot, TEXTS[0])
        await press(pilot, "f2")
        await until_shown(pilot, "turn 2 of 3")
        await press(pilot, "escape S 1")
        await until_shown(pilot, "Skipped, and saved as skipped.")

    drive(desk, script)
    assert [(one.turn, one.answer, one.reason) for one in desk.answers] == [(1, None, None), (2, "SKIP", "tired")]
