"""What is really painted can be read: every piece of text on every screen, in every theme of the app's own."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from driving import STILL, drive
from fake_desk import FakeDesk
from rich.segment import Segment
from test_themes import LEAST, contrast
from textual.pilot import Pilot
from textual.theme import Theme
from touring import Visit, desk_to_tour, desk_to_write, tour, tour_of_writing

from tui.app import ClewApp
from tui.themes import COLOURED

GLYPHS = re.compile(r"[\u2500-\u259f\s]*")
"""Lines, blocks and blanks: they need less contrast than letters."""


def pieces(app: ClewApp) -> list[Segment]:
    """Return what is painted of the screen in front; what shimmers through behind it is not there to be read."""
    strips = app.screen._compositor.render_strips()
    if app.screen.is_modal:
        regions = [child.region for child in app.screen.children]
        strips = [
            strips[y].crop(one.x, one.right) for one in regions for y in range(one.y, min(one.bottom, len(strips)))
        ]
    return [segment for strip in strips for segment in strip if segment.text.strip()]


def painted(segment: Segment) -> tuple[str, str]:
    """Return the colours of text and ground as six hex digits each."""
    style = segment.style
    assert style is not None and style.color is not None and style.bgcolor is not None, segment
    text, ground = style.color.get_truecolor().hex, style.bgcolor.get_truecolor().hex
    return (ground, text) if style.reverse else (text, ground)


def poor(app: ClewApp, least: float) -> dict[str, float]:
    """Return the texts whose contrast is too small, with it."""
    found = {}
    for segment in pieces(app):
        assert segment.style is None or not segment.style.dim, f"faint text cannot be measured: {segment.text!r}"
        ratio = contrast(*painted(segment))
        if ratio < (3 if GLYPHS.fullmatch(segment.text) else least):
            found[f"{segment.text.strip()[:40]} {painted(segment)}"] = round(ratio, 2)
    return found


def check_in(theme: Theme, desk: Callable[[], FakeDesk], go: Callable[[Pilot[None], ClewApp, Visit], object]) -> None:
    least, seen, found = LEAST.get(theme.name, 4.5), list[str](), dict[str, dict[str, float]]()

    def visit(app: ClewApp, name: str) -> None:
        seen.append(name)
        if bad := poor(app, least):
            found[name] = bad

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        app.theme = theme.name
        await go(pilot, app, visit)  # type: ignore[misc]

    drive(desk(), script, moments=STILL)
    assert len(seen) > 4 and found == {}


@pytest.mark.parametrize("theme", COLOURED, ids=lambda theme: theme.name)
def test_every_text_of_every_screen_can_be_read(theme: Theme) -> None:
    check_in(theme, desk_to_tour, tour)


@pytest.mark.parametrize("theme", COLOURED, ids=lambda theme: theme.name)
def test_every_text_of_writing_can_be_read(theme: Theme) -> None:
    check_in(theme, desk_to_write, tour_of_writing)


def test_the_measure_sees_a_theme_that_is_too_pale() -> None:
    """A built-in theme of Textual is not good enough, which is why the app has its own."""
    seen: list[dict[str, float]] = []

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        app.theme = "textual-light"
        await tour_of_writing(pilot, app, lambda app, name: seen.append(poor(app, 4.5)))

    drive(desk_to_write(), script, moments=STILL)
    assert any(seen)
