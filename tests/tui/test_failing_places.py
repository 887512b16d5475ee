"""From the list of requirements a person sees each place that fails, and no key that comes next takes text away."""

from __future__ import annotations

import pytest
from driving import LARGE, SMALL, click, drive, open_task, paste, press, screen_text, until, until_shown, write_fast
from fake_desk import FakeDesk, task
from textual import events
from textual.pilot import Pilot

from tui.app import ClewApp
from tui.widgets.editor import Editor
from tui.widgets.requirements import RequirementList

FAR = "Dear zoo\n" + "\n".join(f"line {nth}" for nth in range(60)) + "\nand a last Z here"
SIZES = {"80x24": SMALL, "120x40": LARGE}


def desk() -> FakeDesk:
    return FakeDesk(puzzles=[], tasks=[task(1), task(2)])


def editor(app: ClewApp) -> Editor:
    return app.screen.query_one(Editor)


def standing_out(app: ClewApp) -> list[str]:
    """Return what the text shows in reverse."""
    text, strips = editor(app), app.screen._compositor.render_strips()
    place = text.scrollable_content_region
    inside = [strip.crop(place.x, place.right) for strip in strips[place.y : place.bottom]]
    parts = [part for strip in inside for part in strip if part.text.strip()]
    return [part.text for part in parts if part.style is not None and part.style.reverse]


async def see_places(pilot: Pilot[None], app: ClewApp, text: str = FAR) -> None:
    """Paste a text with two places that fail the second requirement, and go to that one in the list."""
    await open_task(pilot)
    await paste(pilot, text)
    await until_shown(pilot, "2 uses; none asked")
    await press(pilot, "escape l g down")
    await until(pilot, lambda: isinstance(app.focused, RequirementList))


@pytest.mark.parametrize("size", SIZES)
def test_enter_shows_one_place_after_the_other_and_stays_in_the_list(size: str) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await see_places(pilot, app)
        assert not standing_out(app)
        for shown, line in (("z", "Dear zoo"), ("Z", "and a last Z here"), ("z", "Dear zoo")):
            await press(pilot, "enter")
            await until(pilot, lambda shown=shown: standing_out(app) == [shown])  # type: ignore[misc]
            assert line in screen_text(app)
            assert isinstance(app.focused, RequirementList) and editor(app).selection.is_empty
        await press(pilot, "m")
        own = app.screen.attempt.own  # type: ignore[attr-defined]
        await until(pilot, lambda: set(own.value.ticks) == {2})
        assert isinstance(app.focused, RequirementList) and editor(app).text == FAR

    drive(desk(), script, size=SIZES[size])


@pytest.mark.parametrize("way", ["e", "tab", "z"])
def test_whoever_goes_to_the_text_then_is_at_the_place_and_replaces_nothing(way: str) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await see_places(pilot, app)
        await press(pilot, f"enter enter {way}")
        await until(pilot, lambda: app.focused is editor(app) and not standing_out(app))
        if way != "z":
            await write_fast(pilot, "x")
        after = FAR.replace("last Z", "last Zz" if way == "z" else "last Zx")
        await until(pilot, lambda: editor(app).text == after)

    drive(desk(), script)


def test_keys_in_one_burst_take_nothing_away() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await see_places(pilot, app, "Dear zoo or Zoo")
        for key in ("enter", "e", "enter"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await write_fast(pilot, "x")
        await until(pilot, lambda: "x" in editor(app).text)
        assert editor(app).text.replace("\n", "").replace("x", "") == "Dear zoo or Zoo"

    drive(desk(), script)


@pytest.mark.parametrize("size", SIZES)
def test_a_list_that_has_the_whole_width_makes_room_for_the_place(size: str) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await see_places(pilot, app)
        await press(pilot, "o")
        await until(pilot, lambda: "your text" not in screen_text(app))
        await press(pilot, "enter enter")
        await until(pilot, lambda: standing_out(app) == ["Z"])
        assert isinstance(app.focused, RequirementList)

    drive(desk(), script, size=SIZES[size])


@pytest.mark.parametrize("size", SIZES)
def test_clicks_on_a_requirement_show_its_places_and_leave_the_text_alone(size: str) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await see_places(pilot, app)
        for shown in ("z", "Z"):
            await click(pilot, "2 uses; none asked")
            await until(pilot, lambda shown=shown: standing_out(app) == [shown])  # type: ignore[misc]
        assert isinstance(app.focused, RequirementList)
        await press(pilot, "m enter")
        await until(pilot, lambda: standing_out(app) == ["z"])
        assert editor(app).text == FAR

    drive(desk(), script, size=SIZES[size])
