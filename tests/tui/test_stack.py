"""Which screen lies on which: covers stay on top, one palette at most, and nothing closes what lies below it."""

from __future__ import annotations

import pytest
from driving import drive, open_puzzle, press, screen_text, until, until_shown
from fake_desk import FakeDesk
from textual.pilot import Pilot

from tui.app import ClewApp


def names(app: ClewApp) -> list[str]:
    """Return what kinds of screens lie on each other, home first."""
    return [type(screen).__name__ for screen in app.screen_stack]


@pytest.mark.parametrize(("cover", "shown"), [("p", "Paused"), ("", "too small")])
def test_a_cover_stays_over_what_comes_when_an_answer_is_saved(cover: str, shown: str) -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        desk.lock.clear()
        await press(pilot, f"a f 7 enter escape {cover}".strip())
        if not cover:
            await pilot.resize_terminal(40, 10)
        await until_shown(pilot, shown)
        desk.lock.set()
        await until(pilot, lambda: names(app)[1:2] == ["FeedbackScreen"])
        assert shown in screen_text(app) and "Brier" not in screen_text(app)
        await press(pilot, cover) if cover else await pilot.resize_terminal(80, 24)
        await until_shown(pilot, "ok  Right.")

    drive(desk, script)


def test_what_arrives_in_a_small_window_waits_below_the_notice() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f 7 enter")
        await until_shown(pilot, "ok  Right.")
        await press(pilot, "h")
        await until_shown(pilot, "drafts are kept")
        desk.lock.clear()
        await press(pilot, "h")
        await pilot.resize_terminal(40, 10)
        await until_shown(pilot, "too small")
        desk.lock.set()
        await until(pilot, lambda: "HistoryScreen" in names(app))
        assert names(app)[-1] == "SmallScreen"
        await until_shown(pilot, "too small")
        await pilot.resize_terminal(80, 24)
        await until_shown(pilot, "2025-06-01")
        await press(pilot, "escape")
        await until_shown(pilot, "drafts are kept")

    drive(desk, script)


def test_no_palette_lies_over_the_notice_of_a_small_window() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await pilot.resize_terminal(40, 10)
        await until_shown(pilot, "too small")
        await press(pilot, "ctrl+p")
        await until_shown(pilot, "too small")
        await pilot.resize_terminal(80, 24)
        await until_shown(pilot, "your answer")
        await press(pilot, "ctrl+p")
        await until(pilot, lambda: names(app)[-1] == "Palette")

    drive(FakeDesk(), script)


def test_a_palette_below_the_notice_is_not_opened_a_second_time() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "ctrl+p")
        await until(pilot, lambda: names(app)[-1] == "Palette")
        await pilot.resize_terminal(40, 10)
        await until_shown(pilot, "too small")
        await press(pilot, "ctrl+p")
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: names(app)[-1] == "Palette")
        assert names(app).count("Palette") == 1
        await press(pilot, "escape")
        await until_shown(pilot, "your answer")

    drive(FakeDesk(), script)


def test_a_palette_can_be_opened_the_moment_it_was_closed() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "ctrl+p")
        await until(pilot, lambda: names(app)[-1] == "Palette")
        for _ in range(3):
            app.screen.dismiss()
            app.action_command_palette()
            await until_shown(pilot, "Search for commands")
        await press(pilot, "escape")
        await until_shown(pilot, "your answer")

    drive(FakeDesk(), script)


def test_a_palette_that_is_closed_twice_at_once_closes_nothing_below() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        for _ in range(3):
            await press(pilot, "ctrl+p")
            await until(pilot, lambda: names(app)[-1] == "Palette")
            palette = app.screen
            for _ in range(3):
                palette.dismiss()
            await until(pilot, lambda: names(app)[-1] == "PuzzleScreen")
        await until_shown(pilot, "your answer")

    drive(FakeDesk(), script)
