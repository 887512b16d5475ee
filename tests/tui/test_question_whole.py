"""The question stands whole above the evidence, whatever comes and goes above it and however the window changes."""

from __future__ import annotations

import pytest
from driving import drive, open_puzzle, press, until, until_shown
from fake_desk import FakeDesk
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from engine.randomness import Stream
from tui.app import ClewApp
from tui.widgets.saying import Saying

ASKS = "Which is likelier for the tank: filled or empty?"
SIZES = ((80, 24), (200, 60), (60, 18), (100, 20), (120, 40))


def test_it_is_there_while_hints_are() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "drafts are kept")
        await press(pilot, "i")
        await press(pilot, "n n n")
        await until_shown(pilot, "a puzzle, step by step")
        await press(pilot, "enter")
        await until_shown(pilot, "hint 1 of 6", ASKS)

    drive(FakeDesk(), script)


@pytest.mark.parametrize("seed", range(3))
def test_it_is_there_in_every_window(seed: int) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        stream = Stream("test/question", seed)
        for _ in range(6):
            await pilot.resize_terminal(*stream.choice(SIZES))
            await until_shown(pilot, "Which is likelier", "empty")

    drive(FakeDesk(), script)


def test_a_saying_has_the_height_of_what_it_says_now() -> None:
    """Told something new while a layout is waiting, after another one has measured what it said before."""

    class Telling(App[None]):
        def compose(self) -> ComposeResult:
            yield Saying(id="says")

    async def session() -> None:
        app = Telling()
        async with app.run_test() as pilot:
            says = app.query_one(Saying)
            for lines in (2, 5, 1, 3):
                says.refresh(layout=True)
                app.screen._refresh_layout()
                says.update("\n".join("line" for _ in range(lines)))
                await until(pilot, lambda lines=lines: says.size.height == lines)  # type: ignore[misc]

    import asyncio

    asyncio.run(session())
