"""What is read is read whole by listed keys, says where there is more, and stands in the middle of a wide window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from driving import STILL, drive, press, screen_text, until, until_shown
from fake_desk import FakeDesk, task
from scenes import SCENES, Scene, on_scene
from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, TextArea

from engine.public import Past
from tui.app import ClewApp
from tui.keys import keys_on
from tui.screens.frame import Framed
from tui.widgets.reading import MORE_ABOVE, MORE_BELOW, Page

READ = ("HelpScreen", "StatisticsScreen", "FeedbackScreen", "VerdictScreen", "DoneScreen")
LONG = ("HelpScreen", "StatisticsScreen", "FeedbackScreen")
"""Those that a low window cannot show at once."""
FIRST = {scene.screen: scene for scene in reversed(SCENES)}
SIDEWAYS = {"ctrl+pageup", "ctrl+pagedown"}
"""Textual's keys for scrolling sideways, where nothing is wider than its pane."""
LOW, WIDEST, SCROLL_BAR = (60, 18), 90, 196


def unlisted(app: ClewApp) -> Iterator[str]:
    """Yield the keys that some pane obeys, and help does not name."""
    listed = {one for key in keys_on(app.screen) for one in key.binding.key.split(",")}
    for key, active in app.screen.active_bindings.items():
        if not isinstance(active.node, Screen | App) and key not in listed | SIDEWAYS:
            yield key


@pytest.mark.parametrize("scene", SCENES, ids=str)
def test_what_help_lists_is_all_that_a_pane_obeys(scene: Scene) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        if isinstance(app.screen, Framed) and not isinstance(app.focused, Input | TextArea):
            assert list(unlisted(app)) == []

    on_scene(scene, script)


@pytest.mark.parametrize("name", READ)
def test_arrows_and_vim_keys_read_a_screen_and_a_line_says_where_there_is_more(name: str) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await pilot.resize_terminal(*LOW)
        await press(pilot, "home")
        await until(pilot, lambda: (MORE_BELOW in screen_text(app)) == (name in LONG))
        page = app.screen.query_one(Page)
        most = page.max_scroll_y
        assert page.longer == (most > 0) == (name in LONG)
        for key, line in (
            ("j", 1), ("down", 2), ("k", 1), ("up", 0), ("G", most), ("g", 0), ("end", most), ("home", 0),
        ):  # fmt: skip
            await press(pilot, key)
            await until(pilot, lambda line=line: page.scroll_offset.y == min(line, most))  # type: ignore[misc]
        for forward, back in (("space", "pageup"), ("pagedown", "pageup")):
            await press(pilot, forward)
            await until(pilot, lambda: page.scroll_offset.y == min(page.size.height, most))
            await press(pilot, back)
            await until(pilot, lambda: page.scroll_offset.y == 0)
        await press(pilot, "G")
        await until(pilot, lambda: (MORE_ABOVE in screen_text(app)) == page.longer)
        await pilot.resize_terminal(120, 120)
        await until(pilot, lambda: not page.longer and not screen_text(app).split("\n")[-2].strip())
        assert not any(isinstance(key.node, Page) for key in keys_on(app.screen)), "keys that would do nothing"

    on_scene(FIRST[name], script)


@pytest.mark.parametrize("name", [*READ, "HistoryScreen"])
def test_in_a_wide_window_lines_are_short_and_in_the_middle(name: str) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        lines = [line[:SCROLL_BAR] for line in screen_text(app).split("\n")[1:-1] if line[:SCROLL_BAR].strip()]
        left, right = min(len(line) - len(line.lstrip()) for line in lines), max(len(line.rstrip()) for line in lines)
        assert left >= (200 - WIDEST) // 2 - 1 and right <= (200 + WIDEST) // 2 + 1

    on_scene(FIRST[name], script, size=(200, 60))


def answers(count: int) -> list[Past]:
    """Return answers with words as long as those of the built-in worlds."""
    kinds = (("Kiln and bell", "blooming", 100, True, 5), ("A reply to the landlord", "", None, None, 12))
    return [
        Past(
            answer_id=f"a{nth}", puzzle_id=f"p{nth}", title=title, complexity=size,
            answered_at=f"2025-06-01T10:{nth % 60:02}:00.000Z", answer=answer, confidence=sure, correct=right,
        )
        for nth, (title, answer, sure, right, size) in ((nth, kinds[nth % 2]) for nth in range(count))
    ]  # fmt: skip


@pytest.mark.parametrize(("size", "shown"), [
    ((60, 18), ("sure", "result", "blooming", "100 %", "ok", "12 asked", "2025-06-01 10:00")),
    ((80, 24), ("Kiln and bell", "sure", "result", "blooming", "100 %", "ok", "12 asked", "2025-06-01 10:00")),
    ((120, 40), ("A reply to the landlord", "sure", "result", "your answer", "100 %", "2025-06-01 10:00")),
])  # fmt: skip
def test_the_history_has_all_that_counts_in_every_window(size: tuple[int, int], shown: tuple[str, ...]) -> None:
    desk = FakeDesk(tasks=[task()])
    desk.past = answers(30)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "drafts are kept")
        await press(pilot, "h")
        await until_shown(pilot, *shown)
        table = app.screen.query_one("#past")
        assert table.max_scroll_x == 0
        assert size[0] >= 120 or "landlord" not in screen_text(app)

    drive(desk, script, size=size, moments=STILL)


def test_the_history_keeps_its_row_when_the_window_changes_and_moves_by_vim_keys() -> None:
    desk = FakeDesk()
    desk.past = answers(30)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "drafts are kept")
        await press(pilot, "h")
        await until_shown(pilot, "1 to 30 of 30", "enter open")
        table = app.screen.query_one("#past")
        await press(pilot, "j j down k")
        assert table.cursor_row == 2  # type: ignore[attr-defined]
        await pilot.resize_terminal(60, 18)
        await until(pilot, lambda: "Kiln" not in screen_text(app))
        assert table.cursor_row == 2  # type: ignore[attr-defined]
        await press(pilot, "G")
        assert table.cursor_row == 29  # type: ignore[attr-defined]
        await press(pilot, "g")
        assert table.cursor_row == 0  # type: ignore[attr-defined]

    drive(desk, script, moments=STILL)
