"""Each screen, as text, is the reviewed one; set CLEW_WRITE_GOLDEN to write the files anew."""

import os
from pathlib import Path

import pytest
from driving import (
    LARGE,
    SMALL,
    STILL,
    drive,
    open_puzzle,
    open_task,
    paste,
    press,
    screen_text,
    until,
    until_shown,
)
from fake_desk import FakeDesk, puzzle, task
from textual.pilot import Pilot

from tui.app import ClewApp

GOLDEN = Path(__file__).parent / "golden"
SIZES = {"80x24": SMALL, "120x40": LARGE, "60x18": (60, 18)}


def check(app: ClewApp, name: str) -> None:
    path = GOLDEN / f"{name}.txt"
    text = screen_text(app) + "\n"
    if os.environ.get("CLEW_WRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{name} differs; it now shows\n{text}"


@pytest.mark.parametrize("size", SIZES)
def test_home_puzzle_and_feedback(size: str) -> None:
    desk = FakeDesk(puzzles=[puzzle(1), puzzle(2), puzzle(1, 6)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "0 of 2 answered", "history")
        check(app, f"home-{size}")
        await open_puzzle(pilot)
        await until_shown(pilot, "13/48")
        await press(pilot, "j")
        await until(pilot, lambda: app.screen.query_one("#story")._marked == 2)  # type: ignore[attr-defined]
        await pilot.pause()
        check(app, f"puzzle-{size}")
        await press(pilot, "a f 7 plus")
        await until_shown(pilot, "[75]")
        await press(pilot, "enter")
        await until_shown(pilot, "Brier")
        check(app, f"feedback-{size}")

    drive(desk, script, size=SIZES[size], moments=STILL)


@pytest.mark.parametrize("size", SIZES)
def test_writing_and_verdicts(size: str) -> None:
    desk = FakeDesk(puzzles=[], tasks=[task(1), task(2)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "0 of 2 answered", "history")
        check(app, f"home-writing-{size}")
        await open_task(pilot)
        await until(pilot, lambda: desk.judged == [""])
        await pilot.pause()
        check(app, f"brief-{size}")
        await press(pilot, "e")
        await paste(pilot, "Dear all, the new puzzle\ncorner opens in March. \u202eIt is free.")
        await until_shown(pilot, "12 words; 12", "2 uses", "Dear all, the new puzzle")
        check(app, f"writing-{size}")
        await press(pilot, "f2")
        await until_shown(pilot, "saved, 1 of 2")
        check(app, f"verdicts-{size}")

    drive(desk, script, size=SIZES[size], moments=STILL)


def test_the_check_notices_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLEW_WRITE_GOLDEN", raising=False)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "0 of 3 answered")
        with pytest.raises(AssertionError, match="differs"):
            check(app, "puzzle-80x24")

    drive(FakeDesk(), script, moments=STILL)
