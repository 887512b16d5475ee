"""The puzzle and what comes after it, as text, are the reviewed ones in every size, and the same in every theme.

Set CLEW_WRITE_GOLDEN to write the files anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import STILL, drive, open_puzzle, press, screen_text, until, until_shown, write
from fake_desk import FakeDesk, puzzle
from grids import FOUR_SIZES, check_grid
from ten_events import ten_puzzle
from textual.pilot import Pilot

from tui.app import ClewApp
from tui.themes import OWN

THEMED = "80x24"
"""The size in which every theme is tried."""


async def check(pilot: Pilot[None], app: ClewApp, name: str, size: str) -> None:
    """Compare the screen with its file once it has come to rest; hints are gone by then."""
    for one in app.screen.query("Banner"):
        one.silence()  # type: ignore[attr-defined]
    for theme in OWN if size == THEMED else OWN[:1]:
        app.theme = theme.name
        seen = ""
        while seen != screen_text(app):
            seen = screen_text(app)
            await pilot.pause()
        check_grid(app, f"{name}-{size}")
    app.theme = OWN[0].name


@pytest.mark.parametrize("size", FOUR_SIZES)
def test_a_puzzle_from_its_opening_to_what_is_behind_it(size: str) -> None:
    desk = FakeDesk(puzzles=[puzzle(1), puzzle(1, 6)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await until_shown(pilot, "13/48")
        await press(pilot, "j")
        await check(pilot, app, "puzzle", size)
        await press(pilot, "t")
        await check(pilot, app, "story", size)
        await press(pilot, "t space j j space j x 1 2 2 4 4 4 n")
        await until(pilot, lambda: app.focused is not None and app.focused.id == "notes")
        await write(pilot, "seal first?")
        await check(pilot, app, "notes", size)
        await press(pilot, "escape")
        if size == "60x18":
            await press(pilot, "c")
        await check(pilot, app, "board", size)
        await press(pilot, "a f 7 plus")
        await until_shown(pilot, "[75]")
        await check(pilot, app, "answer", size)
        await press(pilot, "escape S")
        await until_shown(pilot, "Leave this item")
        await check(pilot, app, "skip", size)
        await press(pilot, "escape a enter")
        await until_shown(pilot, "Brier")
        await check(pilot, app, "feedback", size)
        await press(pilot, "r")
        await check(pilot, app, "behind", size)
        await press(pilot, "enter")
        await until_shown(pilot, "all done")
        await check(pilot, app, "done", size)

    drive(desk, script, size=FOUR_SIZES[size], moments=STILL)


@pytest.mark.parametrize("size", FOUR_SIZES)
def test_the_largest_puzzle_and_its_filter(size: str) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await until_shown(pilot, "/64")
        await check(pilot, app, "ten", size)
        assert "…" not in screen_text(app), "no cell, heading or key is cut"
        await press(pilot, "j space j space j space h")
        if size == "60x18":
            await press(pilot, "c")
        await check(pilot, app, "ten-board", size)
        await press(pilot, "slash")
        await write(pilot, "whisk flour=")
        await check(pilot, app, "ten-filter", size)

    drive(FakeDesk(puzzles=[ten_puzzle()]), script, size=FOUR_SIZES[size], moments=STILL)


@pytest.mark.parametrize("size", FOUR_SIZES)
def test_a_collection_has_the_story_alone(size: str) -> None:
    desk = FakeDesk(collects=True, aid="A0", puzzles=[puzzle(1), puzzle(2)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "down right space right space m")
        await check(pilot, app, "alone", size)
        await press(pilot, "a f 7 enter")
        await until_shown(pilot, "Saved.")
        await check(pilot, app, "saved", size)

    drive(desk, script, size=FOUR_SIZES[size], moments=STILL)


@pytest.mark.parametrize("aid", ["A1", "A2"])
def test_lower_aid_levels(aid: str) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await check(pilot, app, f"aid-{aid}", "80x24")

    drive(FakeDesk(aid=aid), script, moments=STILL)  # type: ignore[arg-type]


def test_the_check_notices_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLEW_WRITE_GOLDEN", raising=False)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "0 of 3 answered")
        with pytest.raises(AssertionError, match="differs"):
            check_grid(app, "puzzle-80x24")

    drive(FakeDesk(), script, moments=STILL)
