"""What is called saved is on the disk, and a quit that once failed does not make the next one careless."""

from __future__ import annotations

from driving import drive, open_puzzle, open_task, press, screen_text, until, until_shown, write
from fake_desk import FakeDesk, task
from textual.pilot import Pilot

from engine.errors import StoreError
from tui.app import ClewApp

FULL = StoreError("the disk is full")


def top(app: ClewApp) -> str:
    return screen_text(app).split("\n")[0]


def test_a_text_is_called_saved_once_the_desk_has_it() -> None:
    desk = FakeDesk(puzzles=[], tasks=[task(1)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await until(pilot, lambda: bool(desk.drafts))
        desk.lock.clear()
        await write(pilot, "Dear all")
        await until_shown(pilot, "saving ... another program holds the file")
        assert "..." in top(app) and "saved" not in top(app)
        assert all("Dear all" not in (draft.text or "") for draft in desk.drafts)
        desk.lock.set()
        await until(pilot, lambda: "saved" in top(app))
        assert desk.drafts[-1].text == "Dear all"
        desk.lock.clear()
        await write(pilot, "!")
        await until(pilot, lambda: "saved" not in top(app))
        desk.lock.set()

    drive(desk, script)


def test_after_a_quit_that_failed_the_next_one_keeps_the_last_words_too() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "n")
        await write(pilot, "first")
        desk.failures["keep"] = [FULL] * 2
        await press(pilot, "ctrl+q")
        await until_shown(pilot, "not saved: the disk is full (ctrl+q again quits without it)")
        await until(pilot, lambda: "not saved" not in screen_text(app))
        await write(pilot, " second")
        await press(pilot, "ctrl+q")
        await until(pilot, lambda: app.return_code is not None)

    app = drive(desk, script)
    assert app.last_words() == [] and desk.drafts[-1].notes == "first second"


def test_a_second_quit_on_a_full_disk_hands_over_what_was_written_since() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "n")
        await write(pilot, "first")
        desk.failures["keep"] = [FULL] * 1000
        await press(pilot, "ctrl+q")
        await until_shown(pilot, "ctrl+q again quits without it")
        await write(pilot, " second")
        desk.failures["keep"].clear()
        await press(pilot, "ctrl+q")
        await until(pilot, lambda: app.return_code is not None)

    drive(desk, script)
    assert desk.drafts[-1].notes == "first second"


def test_each_item_says_once_that_its_answer_is_not_sent() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        for _ in range(2):
            await press(pilot, "a f 7 escape ctrl+q")
            await until_shown(pilot, "your answer is not sent")
            await press(pilot, "a enter")
            await until_shown(pilot, "ok  Right.")
            await press(pilot, "enter")
            await until_shown(pilot, "your answer")
        assert app.return_code is None

    drive(FakeDesk(), script)


def test_trouble_with_view_events_alone_ends_when_they_are_stored() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await until(pilot, lambda: bool(desk.drafts) and not app.keeper.waits)
        desk.failures["log"] = [FULL] * 3
        await press(pilot, "question_mark")
        await until(pilot, lambda: bool(app.trouble))
        await until(pilot, lambda: not app.trouble)

    drive(desk, script)
