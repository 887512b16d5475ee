"""However a window is resized, on every screen: a notice while it is too small, and afterwards all is as it was."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path

import pytest
from driving import drive, press, screen_text, until, until_shown, write
from fake_desk import FakeDesk
from msgspec.structs import replace
from scenes import IDS, SCENES, Scene, on_scene, screen_classes
from textual import events
from textual.geometry import Size
from textual.pilot import Pilot
from textual.widgets import DataTable, Input, OptionList, TextArea

import tui
from tui.app import ClewApp
from tui.screens.item import ItemScreen

SMALL, LARGE = (80, 24), (120, 40)
STORMS = [
    pytest.param(scene, start, id=f"{name}-{start[0]}x{start[1]}")
    for scene, name in zip(SCENES, IDS, strict=True)
    for start in (SMALL, LARGE)
    # Other screens have the same parts in both, and the storm passes the larger one too.
    if start == SMALL or scene.screen in ("PuzzleScreen", "WritingScreen")
]
TOO_SMALL = ((1, 1), (25, 40), (59, 18), (60, 17), (3, 50), (20, 5), (200, 3), (2, 2), (25, 24))
ROOMY = ((60, 18), (200, 60), (60, 40), (110, 18), (80, 24), (120, 40))
NO_SCENE = {"SmallScreen": "what every storm is about"}


def test_the_storm_visits_every_screen_there_is() -> None:
    assert {scene.screen for scene in SCENES} | set(NO_SCENE) == screen_classes()
    assert len(set(IDS)) == len(IDS)


@pytest.mark.slow
@pytest.mark.parametrize(("scene", "start"), STORMS)
def test_every_screen_survives_a_storm_of_sizes(scene: Scene, start: tuple[int, int]) -> None:
    async def storm(pilot: Pilot[None], app: ClewApp) -> None:
        before, places, shown = state(app), scrolls(app), board(app)
        for width, height in TOO_SMALL:
            await pilot.resize_terminal(width, height)
            await until(pilot, lambda: "too small"[: app.size.width] in screen_text(app) or app.size.width < 9)
            assert "seal" not in screen_text(app)
        await pilot.resize_terminal(*start)
        await until(pilot, lambda: board(app) == shown)
        assert (state(app), scrolls(app)) == (before, places)
        for width, height in ROOMY:
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            await pilot.resize_terminal(1, 1)
        await pilot.resize_terminal(*start)
        await until(pilot, lambda: state(app) == before)

    on_scene(scene, storm, size=start)


def board(app: ClewApp) -> list[str]:
    """Return what is shown below the top line, whose clock goes on."""
    return screen_text(app).split("\n")[1:]


def state(app: ClewApp) -> dict[str, object]:
    """Return what must outlive any window: screen, focus, draft, and of each widget its cursor and text."""
    screen = app.screen
    found: dict[str, object] = {"screen": id(screen), "focus": id(app.focused)}
    for below in app.screen_stack:
        if isinstance(below, ItemScreen):
            found["draft"] = replace(below.attempt.draft(), view="")
    for widget in screen.walk_children(with_self=False):
        name = f"{type(widget).__name__} {widget.id or ''}"
        if isinstance(widget, OptionList):
            # A list that was not in sight yet is not filled.
            found[f"{name} cursor"] = widget.highlighted or 0
        if isinstance(widget, DataTable):
            found[f"{name} cursor"] = widget.cursor_coordinate
        if isinstance(widget, TextArea):
            found[f"{name} text"] = (widget.text, widget.selection)
        if isinstance(widget, Input):
            found[f"{name} text"] = (widget.value, widget.cursor_position)
    return found


def scrolls(app: ClewApp) -> list[object]:
    """Return where everything is scrolled to, and what a draft keeps of that."""
    items = [one for one in app.screen_stack if isinstance(one, ItemScreen)]
    widgets = [widget.scroll_offset for widget in app.screen.walk_children(with_self=False)]
    return [*widgets, *(item.attempt.draft().view for item in items)]


@pytest.mark.parametrize("scene", [one for one in SCENES if not one.part], ids=str)
def test_the_notice_fits_whichever_screen_hears_of_the_window_first(scene: Scene) -> None:
    """All screens get one and the same event, and which of them has its turn first is up to the loop."""

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await pilot.resize_terminal(2, 2)
        await until(pilot, lambda: app.screen.outer_size == (2, 2))
        now = Size(25, 24)
        event = events.Resize(now, now)
        for screen in app.screen_stack:
            screen.post_message(event)
            heard = asyncio.Event()
            screen.call_later(heard.set)
            await heard.wait()
        assert app.screen.outer_size == now

    on_scene(scene, script)


def test_a_list_of_choices_can_be_measured_at_any_width() -> None:
    """Only the one base class of all lists knows what to do without a column: Textual's own fails there."""
    direct = [
        path.name
        for path in Path(tui.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "OptionList")
        or (isinstance(node, ast.ClassDef) and any(getattr(base, "id", "") == "OptionList" for base in node.bases))
    ]
    assert direct == ["menu.py"]


@pytest.mark.parametrize("scene", [one for one in SCENES if one.part == "turns" or one.screen == "HomeScreen"], ids=str)
def test_a_list_without_a_column_has_a_line_for_each_choice(scene: Scene) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        lists = [one for one in app.screen.query(OptionList) if one.option_count]
        nothing = Size(0, 0)
        assert lists
        for one in lists:
            assert one.get_content_height(nothing, nothing, 0) == one.option_count

    on_scene(scene, script)


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
