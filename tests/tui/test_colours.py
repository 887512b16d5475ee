"""Without colour no colour is sent, and every theme can be worn."""

import re

import pytest
from driving import drive, open_puzzle, open_task, press, until_shown
from fake_desk import FakeDesk, task
from rich.color import ColorType
from textual.pilot import Pilot

from tui.app import ClewApp
from tui.themes import MONO


def sent(app: ClewApp) -> set[str]:
    """Return the select-graphic-rendition codes of the screen as it would be sent."""
    codes: set[str] = set()
    for strip in app.screen._compositor.render_strips():
        for found in re.findall(r"\x1b\[([0-9;]*)m", strip.render(app.console)):
            codes |= set(found.split(";"))
    return codes


def colours(app: ClewApp) -> set[ColorType]:
    styles = [segment.style for strip in app.screen._compositor.render_strips() for segment in strip if segment.style]
    return {colour.type for style in styles for colour in (style.color, style.bgcolor) if colour is not None}


@pytest.mark.parametrize("by_theme", [False, True])
def test_without_colour_only_weight_and_reverse_are_sent(by_theme: bool) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        if by_theme:
            app.theme = MONO.name
        for step in ("c", "t", "t", "a f 7", "slash", "escape n", "escape a enter"):
            await until_shown(pilot, "clew")
            await pilot.pause()
            assert colours(app) <= {ColorType.DEFAULT}
            assert sent(app) <= {"", "0", "1", "2", "3", "4", "7", *map(str, range(22, 28)), "39", "49"}
            await press(pilot, step)

    drive(FakeDesk(), script, mono=not by_theme)


def test_without_colour_failing_places_are_underlined() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        for step, shown in (("e z", "1 uses"), ("escape", "e write"), ("t", "brief"), ("f2", "verdicts")):
            await press(pilot, step)
            await until_shown(pilot, shown)
            assert colours(app) <= {ColorType.DEFAULT}
            strips = app.screen._compositor.render_strips()
            marked = [one.text for strip in strips for one in strip if one.style and one.style.underline]
            assert ("z" in marked) == (step != "f2"), step

    drive(FakeDesk(puzzles=[], tasks=[task()]), script, mono=True)


@pytest.mark.parametrize("name", ["clew-light", "clew-contrast", "textual-dark", "nord", "ansi-dark"])
def test_the_app_can_be_shown_in_other_themes(name: str) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        app.theme = name
        await open_puzzle(pilot)
        assert colours(app)

    drive(FakeDesk(), script)


def test_an_empty_no_color_asks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "")

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        assert ColorType.TRUECOLOR in colours(app)

    drive(FakeDesk(), script)
