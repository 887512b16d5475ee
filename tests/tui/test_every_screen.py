"""What holds on every screen: help that names its keys, an interrupt that loses nothing, the badge, and the pause."""

from __future__ import annotations

import dataclasses

import pytest
from driving import STILL, click, drive, press, screen_text, until, until_shown
from fake_desk import FakeDesk
from scenes import SCENES, Scene, enter, on_scene, screen_classes
from test_tiny_windows import board, state
from textual.command import CommandPalette
from textual.pilot import Pilot

from tui.app import ClewApp
from tui.keys import own_keys
from tui.moments import Moments
from tui.screens.covers import PAUSED, PauseScreen
from tui.screens.frame import Framed
from tui.screens.help import HelpScreen, help_text
from tui.screens.item import ItemScreen

FIRST = {scene.screen: scene for scene in reversed(SCENES)}
"""One scene of each screen."""
WITHOUT_HELP = {
    "HelpScreen": "it is the help",
    "PauseScreen": "it says its keys itself",
    "SmallScreen": "it has no keys, and no room",
}
PAUSES = {"PuzzleScreen": "", "WritingScreen": "list", "FeedbackScreen": "", "VerdictScreen": "", "StageScreen": ""}
"""Screens that show something of an item or of a study, each in a scene in which no text field has the focus."""


def test_one_scene_of_each_screen_is_looked_at() -> None:
    assert set(FIRST) | {"SmallScreen"} == screen_classes()


@pytest.mark.parametrize("scene", [one for name, one in FIRST.items() if name not in WITHOUT_HELP], ids=str)
@pytest.mark.parametrize("key", ["f1", "question_mark"])
def test_help_names_every_key_and_goes_back(scene: Scene, key: str) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        screen, before, shown = app.screen, state(app), board(app)
        if key == "question_mark" and app.focused is not None and app.focused.check_consume_key("question_mark", "?"):
            return
        keys = [one for node in (screen, *screen.walk_children(with_self=False)) for one in own_keys(node)]
        await press(pilot, key)
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        told = help_text(keys, app).plain
        said = str(app.screen.query_one("#help Static").render())  # type: ignore[attr-defined]
        assert keys and all(line in said for line in told.split("\n\nReading")[0].split("\n"))
        await press(pilot, "escape")
        await until(pilot, lambda: app.screen is screen and board(app) == shown)
        assert state(app) == before

    on_scene(scene, script)


def test_a_pause_names_its_own_keys() -> None:
    keys = {key for binding in PauseScreen.BINDINGS for key in binding.key.split(",")}  # type: ignore[union-attr]
    shown = {"escape": "esc"}
    words = PAUSED.replace(",", " ").replace(":", " ").split()
    assert keys and all(shown.get(key, key) in words for key in keys)
    assert {"^q", "^z"} <= set(words)


@pytest.mark.parametrize("scene", [one for name, one in FIRST.items() if name not in WITHOUT_HELP], ids=str)
def test_help_and_all_keys_open_by_a_click(scene: Scene) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        screen = app.screen
        # What lies below a dialog has such a place too.
        await click(pilot, "? help" if isinstance(screen, Framed) else "; ? help")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await press(pilot, "escape")
        await until(pilot, lambda: app.screen is screen)
        if isinstance(screen, Framed):
            await click(pilot, "all keys")
            await until(pilot, lambda: isinstance(app.screen, CommandPalette))
            await press(pilot, "escape")
            await until(pilot, lambda: app.screen is screen)

    on_scene(scene, script)


@pytest.mark.parametrize("scene", FIRST.values(), ids=str)
def test_a_screen_that_is_told_twice_to_close_takes_no_other_along(scene: Scene) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        below = app.screen_stack[:-1]
        screen = app.screen
        for _ in range(3):
            screen.dismiss()
        await pilot.pause()
        assert app.screen_stack == (below or [screen]) and app.is_running and app.return_code is None

    on_scene(scene, script)


CLOSES = {
    "IntroductionScreen": "back", "SettingsScreen": "back", "CodeScreen": "back", "StatisticsScreen": "back",
    "HelpScreen": "back", "SkipScreen": "stay", "SureScreen": "stay", "PauseScreen": "go_on", "HistoryScreen": "back",
}  # fmt: skip
"""What closes a screen without a way round by home."""


@pytest.mark.parametrize("screen", [*CLOSES, "VerdictScreen", "FeedbackScreen"])
def test_a_key_that_closes_counts_once_in_a_burst(screen: str) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        top = app.screen
        if screen not in CLOSES:
            top.told = dataclasses.replace(top.told, answered_here=False)  # type: ignore[attr-defined]
        below = app.screen_stack[:-1]
        for _ in range(3):
            getattr(top, f"action_{CLOSES.get(screen, 'back')}")()
        await pilot.pause()
        assert app.screen_stack == below and app.is_running and app.return_code is None

    on_scene(FIRST[screen], script)


def test_an_introduction_that_is_left_twice_is_left_once() -> None:
    desk = FIRST["IntroductionScreen"].desk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await enter(pilot, app, FIRST["IntroductionScreen"])
        screen = app.screen
        for _ in range(3):
            screen.action_back()  # type: ignore[attr-defined]
        await pilot.pause()

    drive(desk, script)
    assert [one.data for one in desk.happenings if one.kind == "introduction"][1:] == ["left on page 1 of 4"]


@pytest.mark.parametrize("screen", ["SkipScreen", "SureScreen"])
def test_the_clock_stands_still_while_help_lies_over_a_question(screen: str) -> None:
    seconds = [100.0]
    moments = Moments(monotonic=lambda: seconds[0], now=STILL.now, chance=STILL.chance)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await enter(pilot, app, FIRST[screen])
        (item,) = (one for one in app.screen_stack if isinstance(one, ItemScreen))
        before = item.attempt.clock.visible_ms()
        seconds[0] += 5
        assert item.attempt.clock.visible_ms() == before + 5000
        await press(pilot, "f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await pilot.pause()
        seconds[0] += 60
        assert item.attempt.clock.visible_ms() == before + 5000
        await press(pilot, "escape")
        await until(pilot, lambda: type(app.screen).__name__ == screen)
        await pilot.pause()
        seconds[0] += 2
        assert item.attempt.clock.visible_ms() == before + 7000

    drive(FIRST[screen].desk(), script, moments=moments)


@pytest.mark.parametrize("scene", FIRST.values(), ids=str)
def test_an_interrupt_loses_nothing(scene: Scene) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        screen, before = app.screen, state(app)
        await press(pilot, "ctrl+c ctrl+c ctrl+c ctrl+c")
        await pilot.pause()
        assert app.screen is screen and state(app) == before and app.return_code is None

    on_scene(scene, script)


def test_an_interrupt_in_a_window_too_small_loses_nothing() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        before = state(app)
        await pilot.resize_terminal(30, 10)
        await until_shown(pilot, "too small")
        await press(pilot, "ctrl+c ctrl+c ctrl+c")
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: state(app) == before)
        assert app.return_code is None

    on_scene(FIRST["PuzzleScreen"], script)


@pytest.mark.parametrize("scene", [one for one in SCENES if PAUSES.get(one.screen) == one.part], ids=str)
def test_whatever_shows_an_item_or_a_study_can_be_hidden(scene: Scene) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        screen, before, shown = app.screen, state(app), board(app)
        await press(pilot, "p")
        await until(pilot, lambda: isinstance(app.screen, PauseScreen))
        lines = {line.strip() for line in screen_text(app).split("\n") if line.strip()}
        assert lines == {line for line in PAUSED.split("\n") if line}
        await press(pilot, "p")
        await until(pilot, lambda: app.screen is screen and board(app) == shown)
        assert state(app) == before

    on_scene(scene, script)


@pytest.mark.parametrize("scene", FIRST.values(), ids=str)
def test_the_badge_is_on_every_screen(scene: Scene) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        if isinstance(app.screen, Framed):
            badge = "COLLECT" if scene.desk().collects else "PRACTICE"
            assert screen_text(app).split("\n")[0].split()[:2] == ["clew", badge]

    on_scene(scene, script)


def test_the_badge_is_on_every_screen_of_a_collection() -> None:
    ways = {"i": "vending machine", "o": "What is changed here", "h": "no answers yet", "f1": "Everywhere"}

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "drafts are kept")
        for key, shown in ways.items():
            await press(pilot, key)
            await until_shown(pilot, shown)
            assert screen_text(app).split("\n")[0].split()[:2] == ["clew", "COLLECT"]
            await press(pilot, "escape")
            await until_shown(pilot, "drafts are kept")

    drive(FakeDesk(collects=True), script, moments=STILL)
