"""A text field draws only the lines that change, and what it shows is what drawing all of them anew would show."""

from __future__ import annotations

import pytest
from driving import drive, open_puzzle, press, until
from fake_desk import FakeDesk, task
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import TextArea

from engine.randomness import Stream
from tui.app import ClewApp

MOVES = ("left", "right", "up", "down", "home", "end", "shift+left", "shift+right", "shift+up", "shift+down")
EDITS = ("a", "space", "enter", "backspace", "delete", "ctrl+z", "ctrl+y", "ctrl+k", "ctrl+u", "ctrl+w")
TEXT = "one line (with brackets) that is long enough to be wrapped in every window\n\nfew\n\tand [one] more, 漢字 🙂\n"


def field_of(app: ClewApp) -> TextArea:
    return app.screen.query_one(TextArea)


def lines(field: TextArea) -> list[Strip]:
    """Return what the field would be painted as now: lines from before wherever nothing called for new ones."""
    return field.render_lines(field.outer_size.region)


async def compare(pilot: Pilot[None], app: ClewApp, seed: int) -> None:
    field, stream = field_of(app), Stream("test/cursor", seed)
    field.cursor_blink = False
    field.load_text(TEXT)
    for _ in range(6):
        keys = [stream.choice(MOVES if stream.chance(2, 3) else EDITS) for _ in range(5)]
        await press(pilot, " ".join(keys))
        shown = lines(field)
        field.refresh()
        assert lines(field) == shown, f"after {keys} of seed {seed}"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_editor_shows_what_it_would_show_drawn_anew(seed: int, size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until(pilot, lambda: app.session is not None)
        await press(pilot, "c")
        await until(pilot, lambda: bool(app.screen.query(TextArea)))
        await compare(pilot, app, seed)

    drive(FakeDesk(puzzles=[], tasks=[task(1)]), script, size=size)


@pytest.mark.parametrize("seed", range(3))
def test_the_notes_show_what_they_would_show_drawn_anew(seed: int) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "n")
        await until(pilot, lambda: bool(app.screen.query(TextArea)))
        await compare(pilot, app, seed)

    drive(FakeDesk(), script)
