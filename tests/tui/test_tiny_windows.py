"""However a window is resized, on every screen: a notice while it is too small, and afterwards all is as it was."""

from __future__ import annotations

import pytest
from driving import drive, press, screen_text, until, until_shown, write
from fake_desk import FakeDesk, puzzle
from textual.pilot import Pilot

from tui.app import ClewApp

WAY = {
    "home": ("", "drafts are kept"),
    "puzzle": ("c", "your answer"),
    "compared": ("space j space", "pinned 2/3"),
    "filter": ("slash", "enter applies"),
    "notes": ("escape n", "notes"),
    "story": ("escape t", "With a load of 8 the steps were seal."),
    "find": ("slash", "a word of the story"),
    "skip": ("escape t S", "esc stays with the item"),
    "help": ("escape f1", "write notes"),
    "pause": ("escape p", "Paused"),
    "answer": ("p a f 7", "[70]"),
    "feedback": ("enter", "Brier"),
    "behind": ("r", "The rules behind it"),
    "done": ("enter", "every puzzle of short is answered"),
    "history": ("y", "2025-06-01 10:00"),
}
"""Name, keys from the screen before, and what is then shown."""
STORM = ((1, 1), (200, 60), (59, 18), (60, 18), (60, 17), (3, 50), (120, 40), (20, 5), (110, 24))


@pytest.mark.slow
@pytest.mark.parametrize("stop", ["notes", "pause", "history"])
def test_every_screen_survives_a_storm_of_sizes(stop: str) -> None:
    """Three drives go different ways, so that a cover over a cover, and a field over the board, are met as well."""
    stops = list(WAY)[: list(WAY).index(stop) + 1]

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        for name in stops:
            keys, shown = WAY[name]
            await press(pilot, keys)
            await until_shown(pilot, shown)
            if name in stops[-5:]:
                await storm(pilot, app, name)

    drive(FakeDesk(puzzles=[puzzle(1)]), script)


async def storm(pilot: Pilot[None], app: ClewApp, name: str) -> None:
    """Resize through all sizes and back; the screen, its focus and what it shows are the same afterwards."""
    await until(pilot, lambda: not app.screen.query("Banner.-hint"))
    screen, focused = app.screen, app.focused
    before = board(app)
    for width, height in STORM:
        await pilot.resize_terminal(width, height)
        if width < 60 or height < 18:
            await until(pilot, lambda: "too small"[: app.size.width] in screen_text(app) or app.size.width < 9)
            assert "seal" not in screen_text(app)
    await pilot.resize_terminal(80, 24)
    await until(pilot, lambda: board(app) == before)
    assert app.screen is screen and app.focused is focused, name


def board(app: ClewApp) -> list[str]:
    """Return what is shown below the top line, whose clock goes on."""
    return screen_text(app).split("\n")[1:]


def test_a_key_in_a_window_too_small_changes_nothing() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "drafts are kept")
        await press(pilot, "c")
        await until_shown(pilot, "your answer")
        await press(pilot, "n")
        await write(pilot, "kept")
        before = board(app)
        await pilot.resize_terminal(30, 10)
        await until_shown(pilot, "too small")
        await press(pilot, "x escape q enter a 1 space")
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: board(app) == before)

    drive(FakeDesk(), script)
