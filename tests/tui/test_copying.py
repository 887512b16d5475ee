"""Copying: to the clipboard by OSC 52, to a file in any case, and never in a collection."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from driving import drive, open_puzzle, press, until_shown, write
from fake_desk import FakeDesk
from textual.pilot import Pilot

from tui.app import ClewApp
from tui.copying import CLIPBOARD_LIMIT, LIMIT_S, Copying


class Stage:
    """Holds what a copy hands out until it is told to go on."""

    def __init__(self, folder: Path) -> None:
        self.clipboard: list[str] = []
        self.reports: list[Callable[[], None]] = []
        self.timers: list[tuple[float, Callable[[], None]]] = []
        self.said: list[str] = []
        self.copying = Copying(
            self.clipboard.append,
            deliver=self.reports.append,
            later=lambda seconds, call: self.timers.append((seconds, call)),
            told=self.said.append,
            folder=folder,
        )

    def written(self) -> None:
        """Wait for the file's thread, then hand over what it reports."""
        import threading

        for thread in threading.enumerate():
            if thread.name == "copy":
                thread.join(10)
        for report in self.reports:
            report()


def test_a_copy_is_on_the_clipboard_and_in_a_file_for_its_owner_alone(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "data")
    stage.copying.copy("row\u202e\n漢", "row 3")
    stage.written()
    path = tmp_path / "data" / "copied.txt"
    assert stage.clipboard == ["row\u202e\n漢"] and path.read_text(encoding="utf-8") == "row\u202e\n漢"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    (said,) = stage.said
    assert said.startswith("copied row 3, 6 characters") and str(path) in said


def test_a_slow_disk_is_not_waited_for(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.copying.copy("text", "the story")
    ((seconds, give_up),) = stage.timers
    assert seconds <= LIMIT_S <= 1
    give_up()
    stage.written()
    (said,) = stage.said
    assert "the file is not written yet" in said


def test_no_folder_is_said_and_loses_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    stage = Stage(tmp_path / "data")
    stage.copying.copy("text", "the story")
    stage.written()
    assert stage.clipboard == ["text"] and "no file could be written" in stage.said[0]


def test_what_is_too_long_for_a_terminal_goes_to_the_file_alone(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.copying.copy("x" * (CLIPBOARD_LIMIT + 1), "the story")
    stage.written()
    assert stage.clipboard == [] and "too long for the clipboard" in stage.said[0]
    assert len((tmp_path / "copied.txt").read_text()) == CLIPBOARD_LIMIT + 1


def test_a_row_and_the_story_are_copied_in_practice(tmp_path: Path) -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "j y")
        await until_shown(pilot, "copied row 2, ")
        assert app.clipboard == "2. seal, load 8, hue red: filled 13 of 48"
        await press(pilot, "t y")
        await until_shown(pilot, "copied the story, ")
        assert app.clipboard == desk.puzzles[0].text

    drive(desk, script)
    assert (tmp_path / "data" / "copied.txt").read_text() == desk.puzzles[0].text
    assert [one.data.split(" ", 1)[1] for one in desk.happenings if one.kind == "copy"] == ["row 2", "the story"]


def test_a_picture_of_the_screen_is_kept_in_practice(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "ctrl+p")
        await write(pilot, "picture")
        await until_shown(pilot, "keep what is shown")
        await press(pilot, "enter")
        await until_shown(pilot, "the picture is in")

    drive(FakeDesk(), script)
    (path,) = (tmp_path / "data").glob("picture-*.svg")
    svg = path.read_text()
    assert svg.startswith("<svg") and "original" in svg and "Theme" not in svg
    assert "url(http" not in svg and "font-face" not in svg and stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("aid", ["A0", "A3"])
def test_a_collection_lets_no_text_out(aid: str, tmp_path: Path) -> None:
    desk = FakeDesk(collects=True, aid=aid)  # type: ignore[arg-type]

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        sent: list[str] = []
        driver = app._driver
        assert driver is not None
        driver.write = sent.append  # type: ignore[method-assign]
        await press(pilot, "y")
        app.copy("the story", "the story")
        await until_shown(pilot, "copying is off in a collection")
        app.copy_to_clipboard("from a text field")
        assert app.clipboard == "from a text field", "inside of the app it can be pasted"
        assert not [one for one in sent if "\x1b]52" in one]
        titles = {command.title for command in app.get_system_commands(app.screen)}
        assert not {"Copy", "Picture"} & titles
        app.take_picture()

    drive(desk, script)
    assert not list((tmp_path / "data").glob("copied.txt")) + list((tmp_path / "data").glob("*.svg"))
