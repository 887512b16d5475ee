"""What is said for a moment moves nothing that one may be about to click; what must be read whole has its own line."""

from __future__ import annotations

import pytest
from driving import drive, open_puzzle, press, screen_text, until, until_shown
from fake_desk import FakeDesk
from textual.geometry import Region
from textual.pilot import Pilot

from tui.app import ClewApp
from tui.saving import WATCH_S
from tui.screens.frame import Framed
from tui.widgets.top import Banner, Kind

SIZES = ((60, 18), (80, 24), (120, 40))
LONG = "a hint of several words, which has no room beside what the top line always offers, wherever it is said " * 2


def framed(app: ClewApp) -> Framed:
    assert isinstance(app.screen, Framed)
    return app.screen


def places(app: ClewApp) -> dict[str, Region]:
    return {f"{type(widget).__name__} {nth}": widget.region for nth, widget in enumerate(app.screen.walk_children())}


def first_line(app: ClewApp) -> str:
    return screen_text(app).splitlines()[0]


def below(app: ClewApp) -> str:
    return "\n".join(screen_text(app).splitlines()[1:])


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_hint_moves_nothing(size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        before, was = places(app), first_line(app)
        await press(pilot, "s")
        await until(pilot, lambda: "- sorted by" in first_line(app))
        assert places(app) == before
        assert first_line(app).endswith(was[-16:]), "what is always at hand stays at hand"
        framed(app).silence("hint")
        await until(pilot, lambda: "item 1" in first_line(app))
        assert places(app) == before

    drive(FakeDesk(), script, size=size)


def test_a_hint_goes_by_itself() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        framed(app).tell("gone soon", "hint", 0.05)
        await until(pilot, lambda: "gone soon" not in screen_text(app) and "item 1" in first_line(app))

    drive(FakeDesk(), script)


@pytest.mark.parametrize("kind", ["hint", "trouble"])
def test_what_must_be_read_whole_has_a_line_of_its_own_and_a_short_hint_stands_beside_it(kind: Kind) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await until(pilot, app.clerk.idle)
        banner = framed(app).query_one(Banner)
        for before in (True, False):
            if before:
                framed(app).tell("short")
            framed(app).tell(LONG, kind)
            if not before:
                framed(app).tell("short")
            await until(pilot, lambda: "- short" in first_line(app) and "a hint of several" in below(app))
            assert banner.kind == kind
            framed(app).silence(kind)
            framed(app).silence("hint")
            await until(pilot, lambda: "item 1" in first_line(app) and "a hint of several" not in below(app))

    drive(FakeDesk(), script)


def test_what_takes_long_is_said_beside_a_short_hint_and_after_a_long_one() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        desk.lock.clear()
        await press(pilot, "x")
        await until(pilot, lambda: "~ saving" in below(app))
        await press(pilot, "s")
        await until(pilot, lambda: "- sorted by" in first_line(app))
        assert "~ saving" in below(app)
        framed(app).tell(LONG)
        await until(pilot, lambda: "a hint of several" in below(app))
        waited = app.clerk.waiting_s()
        await until(pilot, lambda: app.clerk.waiting_s() > waited + 2 * WATCH_S)
        assert "a hint of several" in below(app)
        framed(app).silence("hint")
        await until(pilot, lambda: "~ saving" in below(app))
        desk.lock.set()
        await until(pilot, lambda: "~ saving" not in below(app))

    drive(desk, script)


def test_trouble_is_not_hidden_by_a_long_hint() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        framed(app).tell("not saved", "trouble")
        framed(app).tell(LONG)
        await until_shown(pilot, "! not saved")
        assert framed(app).query_one(Banner).kind == "trouble" and "several" not in screen_text(app)

    drive(FakeDesk(), script)


def test_a_hint_is_cut_in_a_window_that_became_narrower() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        framed(app).tell("nine words that fit a line of eighty")
        await until(pilot, lambda: "of eighty" in first_line(app))
        await pilot.resize_terminal(60, 18)
        await until(pilot, lambda: "fit a line of ei…" in first_line(app))
        assert first_line(app).rstrip().endswith("help")

    drive(FakeDesk(), script)


def test_a_fourth_pin_says_which_row_made_room() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "j space j space j space")
        await until_shown(pilot, "pinned 3/3")
        assert "made room" not in screen_text(app)
        await press(pilot, "j space")
        await until_shown(pilot, "- row 2 made room: 3 pins at most", "pinned 3/3")
        await press(pilot, "space")
        await until_shown(pilot, "pinned 2/3")

    drive(FakeDesk(), script)
