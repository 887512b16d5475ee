"""The screens of writing tasks, as text, are the reviewed ones, at four sizes."""

import pytest
from driving import STILL, drive, open_task, paste, press, until, until_shown, write, write_fast
from fake_desk import FakeDesk, task
from fake_talk import Talk
from grids import FOUR_SIZES, check_grid
from textual.pilot import Pilot

from tui.app import ClewApp


async def settled(pilot: Pilot[None], app: ClewApp, desk: FakeDesk, text: str) -> None:
    """Wait until a text was checked and what came of it is painted."""
    await until(pilot, lambda: bool(desk.judged) and desk.judged[-1] == text and app.clerk.idle())
    await pilot.pause()
    await pilot.pause()


async def saved(pilot: Pilot[None], app: ClewApp) -> None:
    """Have the draft saved, which a clock that stands still never asks for, and the top line say so."""
    app.keeper.flush()
    await until(pilot, app.clerk.idle)
    app.screen.tick()  # type: ignore[attr-defined]
    await pilot.pause()


@pytest.mark.parametrize("size", FOUR_SIZES)
def test_a_single_turn_and_its_verdicts(size: str) -> None:
    desk = FakeDesk(puzzles=[], tasks=[task(1), task(2)])
    text = "Dear all, the new puzzle\ncorner opens in March. \u202eIt is free."

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await until_shown(pilot, "your text")
        assert not desk.judged
        check_grid(app, f"brief-{size}")
        await paste(pilot, text)
        await settled(pilot, app, desk, text)
        await saved(pilot, app)
        check_grid(app, f"writing-{size}")
        await press(pilot, "f2")
        await until_shown(pilot, "saved, 1 of 2")
        check_grid(app, f"verdicts-{size}")

    drive(desk, script, size=FOUR_SIZES[size], moments=STILL)


@pytest.mark.parametrize("size", FOUR_SIZES)
def test_several_turns_and_their_verdicts(size: str) -> None:
    desk = FakeDesk(puzzles=[], talks=[Talk()])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        for turn, text in enumerate(("Dear all of the bakery, hello", "Dear all, come early, will you?"), start=2):
            await write_fast(pilot, text)
            await press(pilot, "f2")
            await until_shown(pilot, f"your text of turn {turn}")
        app.screen.silence("hint")  # type: ignore[attr-defined]
        await press(pilot, "escape right space right right space m")
        await write(pilot, "e")
        await write_fast(pilot, "Hello a zoo of bakers")
        await press(pilot, "escape c")
        await write(pilot, "R3")
        await press(pilot, "tab R 6 escape")
        await settled(pilot, app, desk, "Hello a zoo of bakers")
        await saved(pilot, app)
        check_grid(app, f"turn-list-{size}")
        await press(pilot, "t up enter")
        await until_shown(pilot, "turn 2, sent")
        await pilot.pause()
        check_grid(app, f"turn-read-{size}")
        await press(pilot, "f2")
        await until_shown(pilot, "turns meet all that counts")
        check_grid(app, f"turn-verdicts-{size}")

    drive(desk, script, size=FOUR_SIZES[size], moments=STILL)


@pytest.mark.parametrize("size", FOUR_SIZES)
def test_a_collection_shows_the_brief_and_nothing_computed(size: str) -> None:
    desk = FakeDesk(puzzles=[], talks=[Talk(collects=True)], collects=True, aid="A0")

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await press(pilot, "escape space right right space")
        await write(pilot, "e")
        await write_fast(pilot, "Dear all")
        await saved(pilot, app)
        check_grid(app, f"turn-collect-{size}")

    drive(desk, script, size=FOUR_SIZES[size], moments=STILL)
