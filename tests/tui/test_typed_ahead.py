"""What is typed while a screen is opening is meant for that screen, and a desk that is busy says with what."""

from driving import drive, open_puzzle, press, screen_text, until, until_shown
from fake_desk import FakeDesk, task
from textual.pilot import Pilot

from engine.errors import StoreError
from tui.app import ClewApp
from tui.screens.home import HomeScreen
from tui.screens.puzzle import PuzzleScreen
from tui.screens.writing import WritingScreen

PREPARING = "making what practice needs"


def test_letters_typed_while_a_task_is_opening_are_in_its_text() -> None:
    desk = FakeDesk(puzzles=[], tasks=[task(1)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "continue", "writing")
        desk.lock.clear()
        await press(pilot, "c")
        await press(pilot, "D e a r")
        assert not isinstance(app.screen, WritingScreen)
        desk.lock.set()
        await until(pilot, lambda: isinstance(app.screen, WritingScreen) and app.screen.attempt.text == "Dear")

    drive(desk, script)


def test_keys_typed_while_resuming_reach_the_puzzle() -> None:
    desk = FakeDesk()

    async def leave(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "j escape")
        await until(pilot, lambda: bool(desk.drafts))

    async def come_back(pilot: Pilot[None], app: ClewApp) -> None:
        await press(pilot, "s")
        desk.lock.set()
        await until(pilot, lambda: isinstance(app.screen, PuzzleScreen))
        await until_shown(pilot, "sort share, high first")

    drive(desk, leave)
    desk.lock.clear()
    drive(desk, come_back, resume=True)


def test_what_was_typed_for_an_item_that_did_not_open_does_nothing() -> None:
    desk = FakeDesk(failures={"next": [StoreError("the pack is damaged")]})

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "start")
        desk.lock.clear()
        await press(pilot, "c")
        await press(pilot, "q o")
        desk.lock.set()
        await until_shown(pilot, "not possible now: the pack is damaged")
        assert isinstance(app.screen, HomeScreen) and app.is_running

    drive(desk, script)


def test_a_busy_desk_says_with_what_and_blames_no_other_program() -> None:
    desk = FakeDesk(works_on=PREPARING)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "start")
        desk.lock.clear()
        await press(pilot, "c")
        await until_shown(pilot, f"opening ... {PREPARING}")
        await until(pilot, lambda: app.clerk.waiting_s() > 1.8)
        assert "another program" not in screen_text(app)
        desk.lock.set()
        await until(pilot, lambda: isinstance(app.screen, PuzzleScreen))

    drive(desk, script)
