"""Every letter of a brief can be seen, however much of it fits and however the window changes."""

from __future__ import annotations

import pytest
from driving import drive, open_task, press, until
from fake_desk import FakeDesk, task
from msgspec.structs import replace
from textual.geometry import Size
from textual.pilot import Pilot

from engine.randomness import Stream
from tui.app import ClewApp
from tui.widgets.brief import BriefPane

SIZES = ((60, 18), (80, 24), (120, 40), (200, 60), (100, 20))
LINES = "\n".join("x" * (20 + nth % 120) for nth in range(8, 120))
"""Words of many lengths, so that some line is full at any width."""


def brief(app: ClewApp) -> BriefPane:
    return app.screen.query_one("#brief", BriefPane)


def whole(app: ClewApp) -> bool:
    """Whether what was laid out is as wide as what is in sight."""
    pane = brief(app)
    return bool(pane.region) and pane.virtual_size.width <= pane.scrollable_content_region.width


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_no_line_is_wider_than_what_is_in_sight(size: tuple[int, int], seed: int) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await press(pilot, "escape b")
        stream = Stream("test/brief", seed)
        for width, height in (size, *(stream.choice(SIZES) for _ in range(6))):
            await pilot.resize_terminal(width, height)
            await until(pilot, lambda width=width, height=height: app.screen.outer_size == Size(width, height))  # type: ignore[misc]
            await until(pilot, lambda: whole(app))

    drive(FakeDesk(puzzles=[], tasks=[replace(task(), text=LINES)]), script, size=size)
