"""Own themes can be read; without colour no colour is sent."""

import re

import pytest
from driving import drive, open_puzzle, open_task, press, until_shown
from fake_desk import FakeDesk, task
from rich.color import ColorType
from textual.color import Color
from textual.pilot import Pilot

from tui.app import ClewApp
from tui.themes import DARK, LIGHT, MONO, OWN

TEXT = ("foreground", "muted", "primary", "accent", "success", "warning", "error", "footer-key-foreground")
GROUNDS = ("background", "surface", "panel")
PAIRS = [
    *((text, ground) for text in TEXT for ground in GROUNDS),
    ("block-cursor-foreground", "block-cursor-background"),
    ("block-cursor-blurred-foreground", "block-cursor-blurred-background"),
    *((text, "block-cursor-blurred-background") for text in ("muted", "success", "error", "foreground")),
    *((text, "block-hover-background") for text in ("muted", "success", "error", "foreground")),
    ("input-cursor-foreground", "input-cursor-background"),
    ("input-selection-foreground", "input-selection-background"),
]
GLYPHS = [("border", ground) for ground in GROUNDS]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""

    def luminance(text: str) -> float:
        parts = [channel / 255 for channel in Color.parse(text).rgb]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_text_and_glyphs_stand_out(theme) -> None:  # type: ignore[no-untyped-def]
    variables = theme.to_color_system().generate() | theme.variables
    for text, ground in PAIRS:
        assert contrast(variables[text], variables[ground]) >= 4.5, (text, ground)
    for glyph, ground in GLYPHS:
        assert contrast(variables[glyph], variables[ground]) >= 3, (glyph, ground)


def test_the_contrast_check_would_see_a_bad_pair() -> None:
    assert contrast("#777777", "#888888") < 4.5 < contrast("#000000", "#ffffff")


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


@pytest.mark.parametrize("name", ["clew-light", "textual-dark", "nord", "ansi-dark"])
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
    assert {theme.name for theme in OWN} == {"clew-dark", "clew-light", "clew-mono"}
