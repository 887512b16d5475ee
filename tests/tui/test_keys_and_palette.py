"""Every action has key, help line and palette entry; letters are dead in text fields; no window is too small."""

import pytest
from driving import (
    PRINTABLE,
    drive,
    open_puzzle,
    open_task,
    press,
    screen_text,
    text_field,
    until,
    until_shown,
    write,
    write_fast,
)
from fake_desk import FakeDesk, task
from textual.pilot import Pilot
from textual.screen import Screen

from tui.app import ClewApp
from tui.keys import keys_on
from tui.screens.help import HelpScreen, help_text, scope_title
from tui.widgets.answer_bar import differing_letters


def check_keys(app: ClewApp, screen: Screen[object]) -> None:
    commands = {command.title.casefold() for command in app.get_system_commands(screen)}
    keys = list(keys_on(screen))
    assert keys
    told = help_text(keys, app).plain
    for key in keys:
        binding = key.binding
        assert binding.description.casefold() in commands, f"{binding.key} has no palette entry"
        assert binding.tooltip and binding.tooltip in told, f"{binding.key} has no line of help"
        name = binding.action.split("(")[0].split(".")[-1]
        owners = (key.node, app)
        assert any(hasattr(owner, f"action_{name}") for owner in owners), f"nothing does {binding.action}"
        assert scope_title(type(key.node).__name__) in told


def test_every_key_of_every_screen_has_its_twins() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "0 of 3 answered")
        check_keys(app, app.screen)
        await open_puzzle(pilot)
        check_keys(app, app.screen)
        await press(pilot, "slash")
        check_keys(app, app.screen)
        await press(pilot, "escape a f 9 enter")
        await until_shown(pilot, "Brier")
        check_keys(app, app.screen)
        await press(pilot, "h")
        await until_shown(pilot, "1 answer")
        await press(pilot, "h")
        await until_shown(pilot, "2025-06-01")
        check_keys(app, app.screen)

    drive(FakeDesk(), script)


def test_every_key_of_a_writing_task_has_its_twins() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        check_keys(app, app.screen)
        await press(pilot, "e a")
        command = next(one for one in app.get_system_commands(app.screen) if one.title == "Undo")
        await command.callback()
        await until(pilot, lambda: text_field(app) == "")
        await press(pilot, "f1")
        await until_shown(pilot, "send the text, from anywhere")
        await press(pilot, "escape b ctrl+p")
        await write(pilot, "send")
        await until_shown(pilot, "send the text")
        await press(pilot, "enter")
        await until_shown(pilot, "of 3 met")
        check_keys(app, app.screen)

    drive(FakeDesk(puzzles=[], tasks=[task()]), script)


def test_the_palette_names_the_keys() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "ctrl+p")
        await write(pilot, "redo")
        await until_shown(pilot, "U: make it again")
        await press(pilot, "escape ctrl+p")
        await write(pilot, "help")
        await until_shown(pilot, "? f1: what every key does")

    drive(FakeDesk(), script)


def test_the_palette_does_what_the_key_does() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        command = next(one for one in app.get_system_commands(app.screen) if one.title == "Sort")
        await command.callback()
        await until_shown(pilot, "sort share, high first")
        await press(pilot, "ctrl+p")
        await write(pilot, "story/table")
        await until_shown(pilot, "go from the table to the story and back")
        await press(pilot, "enter")
        await until_shown(pilot, "> With a load of 2 the steps were prime.")

    drive(FakeDesk(), script)


@pytest.mark.parametrize("opener", ["slash", "n"])
def test_text_fields_take_every_letter(opener: str) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        puzzle_screen = app.screen
        await press(pilot, opener)
        await until(pilot, lambda: app.focused is not None and app.focused.id in ("filter-text", "notes"))
        await write_fast(pilot, PRINTABLE)
        await until(pilot, lambda: text_field(app) == PRINTABLE)
        assert app.screen is puzzle_screen

    drive(FakeDesk(), script)


def test_ctrl_c_says_that_nothing_is_selected() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "0 of 3 answered")
        await press(pilot, "ctrl+c ctrl+c")
        await until_shown(pilot, "nothing is selected to copy")
        await open_puzzle(pilot)
        await press(pilot, "a f ctrl+c ctrl+c ctrl+c")
        await until_shown(pilot, "[>filled<]", "nothing is selected to copy")
        assert app.return_code is None

    drive(FakeDesk(), script)


def test_help_opens_over_the_puzzle_and_closes_again() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await press(pilot, "question_mark")
        await press(pilot, "q")
        await until_shown(pilot, "your answer")

    drive(FakeDesk(), script)


@pytest.mark.parametrize("small", [(1, 1), (20, 5), (59, 18), (60, 17)])
def test_a_window_too_small_shows_a_notice_and_keeps_everything(small: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "j j s a f 7")
        before = screen_text(app).split("\n")[1:]
        await pilot.resize_terminal(*small)
        await until(pilot, lambda: "tank" not in screen_text(app))
        await press(pilot, "x q escape")
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: screen_text(app).split("\n")[1:] == before)

    drive(FakeDesk(), script)


@pytest.mark.parametrize(
    ("first", "second", "letters"),
    [
        ("filled", "empty", ["f", "e"]),
        ("bell rang", "bell silent", ["r", "s"]),
        ("on", "on!", []),
        ("a1", "a2", []),
        ("", "", []),
    ],
)
def test_the_letters_are_the_first_in_which_the_outcomes_differ(first: str, second: str, letters: list[str]) -> None:
    assert differing_letters(first, second) == letters
