"""Home and the screens beside the items, as text, are the reviewed ones in every size, and the same in every theme.

Set CLEW_WRITE_GOLDEN to write the files anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from driving import STILL, drive, press, screen_text, until_shown
from fake_desk import FakeDesk, puzzle, task
from fake_players import SOME
from fake_talk import Talk
from textual.pilot import Pilot

from tui.app import ClewApp
from tui.themes import OWN

GOLDEN = Path(__file__).parent / "golden"
SIZES = {"60x18": (60, 18), "80x24": (80, 24), "120x40": (120, 40), "200x60": (200, 60)}
TURNS = 30
"""Turns of the app's loop that a layout may take."""
THEMED = "80x24"
"""The size in which every theme is tried."""
NAMES_THEME = "settings"
"""The screen that names the theme."""


async def check(pilot: Pilot[None], app: ClewApp, name: str, size: str) -> None:
    """Compare the screen with its file; a new layout takes a turn or two of the loop."""
    path = GOLDEN / f"side-{name}-{size}.txt"
    for _ in range(TURNS if os.environ.get("CLEW_WRITE_GOLDEN") else 0):
        await pilot.pause()
    if os.environ.get("CLEW_WRITE_GOLDEN"):
        path.write_text(screen_text(app) + "\n", encoding="utf-8")
    golden = path.read_text(encoding="utf-8")
    for theme in OWN if size == THEMED and name != NAMES_THEME else OWN[:1]:
        app.theme = theme.name
        for _ in range(TURNS):
            if screen_text(app) + "\n" == golden:
                break
            await pilot.pause()
        assert screen_text(app) + "\n" == golden, f"{name} differs in {theme.name}; it now shows\n{screen_text(app)}"
    app.theme = OWN[0].name


@pytest.mark.parametrize("size", SIZES)
def test_home_and_what_is_beside_it(size: str) -> None:
    desk = FakeDesk(puzzles=[puzzle(1), puzzle(2), puzzle(1, 6)], tasks=[task(1), task(2)], talks=[Talk()])
    desk.first_time, desk.side_door.told = True, SOME

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "new here?", "of 2 answered")
        await check(pilot, app, "home", size)
        for name, keys, shown in (
            ("introduction", "i", "vending machine"),
            ("introduction-answered", "j enter", "Rather not"),
            ("introduction-end", "n n n", "how to answer"),
            ("settings", "escape o", "What is changed here"),
            ("code", "escape e", "a shared puzzle"),
            ("statistics", "escape s", "How sure you were"),
            ("help", "escape question_mark", "Home"),
        ):
            await press(pilot, keys)
            await until_shown(pilot, shown)
            await check(pilot, app, name, size)

    drive(desk, script, size=SIZES[size], moments=STILL)


@pytest.mark.parametrize("size", SIZES)
def test_the_beginning_of_a_collection(size: str) -> None:
    desk = FakeDesk(puzzles=[puzzle(1), puzzle(2)], collects=True, first_time=True, aid="A0")

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "new here?", "0 of 2 answered")
        await check(pilot, app, "collection", size)
        await press(pilot, "i n n n j enter")
        await until_shown(pilot, "Noted.")
        await check(pilot, app, "question", size)

    drive(desk, script, size=SIZES[size], moments=STILL)


def test_the_check_notices_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLEW_WRITE_GOLDEN", raising=False)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "0 of 3 answered")
        with pytest.raises(AssertionError, match="differs"):
            await check(pilot, app, "code", "80x24")

    drive(FakeDesk(), script, moments=STILL)
