"""A stage's text is read whole by keys or wheel, from its top, in every window; only keys that do something show."""

from __future__ import annotations

import re

import pytest
from driving import drive, press, screen_text, until, until_shown
from fake_study import LONG, FakeGuide, consent, stages
from textual.events import MouseScrollDown
from textual.pilot import Pilot

from engine.public import Stage
from tui.app import ClewApp
from tui.keys import keys_on

SIZES = {"60x18": (60, 18), "80x24": (80, 24), "120x40": (120, 40)}
LINES = len(LONG.split("\n"))
STAGES = {one.kind: one for one in stages()}


def lines_shown(app: ClewApp) -> set[int]:
    return {int(nth) for nth in re.findall(r"line (\d+) of", screen_text(app))}


async def read(pilot: Pilot[None], app: ClewApp, key: str) -> set[int]:
    """Press a key until nothing new comes into sight; return the lines that were seen."""
    seen: set[int] = set()
    while not seen.issuperset(shown := lines_shown(app)):
        seen |= shown
        await press(pilot, key)
        await pilot.pause()
    return seen


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", STAGES)
def test_a_long_text_opens_at_its_top_and_is_read_whole_by_keys(kind: str, size: str) -> None:
    stage = STAGES[kind]

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, stage.title, "line 1 of what")
        await until_shown(pilot, "space read on", "more below")
        assert await read(pilot, app, "pagedown") == set(range(1, LINES + 1))
        assert "more below" not in screen_text(app)
        await press(pilot, "home")
        await until_shown(pilot, stage.title, "line 1 of what")
        assert await read(pilot, app, "space") == set(range(1, LINES + 1))
        await until_shown(pilot, "line 1 of what")
        await press(pilot, "end")
        await until_shown(pilot, f"line {LINES} of what")
        await press(pilot, "pageup")
        await until(pilot, lambda: LINES not in lines_shown(app))

    drive(FakeGuide(to_come=[stage]), script, size=SIZES[size])


@pytest.mark.parametrize("size", SIZES)
def test_whatever_may_be_said_is_in_sight_or_a_few_arrows_away(size: str) -> None:
    desk = FakeGuide(to_come=[consent(), STAGES["end"]])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "line 1 of what", "I agree", "I do not agree")
        await press(pilot, "down up enter")
        await until_shown(pilot, "The end")

    drive(desk, script, size=SIZES[size])
    assert [one.word for one in desk.said] == ["agree"]


@pytest.mark.parametrize("size", SIZES)
def test_every_question_is_seen_with_its_options_by_arrows(size: str) -> None:
    stage = STAGES["check"]

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "line 1 of what", "Question 1", "option 1a")
        for nth in "123":
            for letter in "abcd":
                await until_shown(pilot, f"( ) option {nth}{letter}")
                await press(pilot, "down")
        await press(pilot, "down down")
        await until_shown(pilot, "withdraw; delete")
        for _ in range(14):
            await press(pilot, "up")
        await until_shown(pilot, "Question 1: which")

    drive(FakeGuide(to_come=[stage]), script, size=SIZES[size])


def test_the_wheel_scrolls_the_text_also_over_the_list() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "line 1 of what")
        for widget in ("#stage-text", "#stage-menu"):
            before = lines_shown(app)
            region = app.screen.query_one(widget).region
            at = (region.x + 2, max(region.y, 3))
            await pilot._post_mouse_events([MouseScrollDown], offset=at, button=0)
            await until(pilot, lambda before=before: lines_shown(app) > set() and lines_shown(app) != before)  # type: ignore[misc]

    drive(FakeGuide(to_come=[consent()]), script)


def test_a_text_that_fits_takes_no_keys_from_the_list() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "I agree", "a short form")
        assert "read on" not in screen_text(app) and "more below" not in screen_text(app)
        await press(pilot, "end enter")
        await until_shown(pilot, "nothing is stored  really?")

    drive(FakeGuide(to_come=[consent("a short form")]), script)


@pytest.mark.parametrize("stage", stages("a text"), ids=lambda stage: stage.kind)
def test_going_on_is_offered_where_there_is_something_to_go_on_to(stage: Stage) -> None:
    goes_on = stage.kind != "consent"

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, stage.title, "a text")
        assert ("n go on" in screen_text(app)) == goes_on
        assert ("next" in {key.binding.action for key in keys_on(app.screen)}) == goes_on

    drive(FakeGuide(to_come=[stage]), script)


def test_what_was_scrolled_to_stays_while_one_chooses() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "option 1a", "line 1 of what")
        await press(pilot, "space down down enter")
        await until_shown(pilot, "(o) option 1c")
        assert 1 not in lines_shown(app)

    drive(FakeGuide(to_come=[STAGES["check"]]), script)
