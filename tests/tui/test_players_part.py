"""Daily puzzle, ladder, codes, statistics: opened by key and mouse, hidden by one switch, absent in a collection."""

from __future__ import annotations

import asyncio

import pytest
from driving import SMALL, STILL, Script, click, drive, press, screen_text, until, until_shown, write
from fake_desk import FakeDesk, puzzle, task
from fake_players import CODE, SOME
from textual.pilot import Pilot

from engine.public import Standing
from tui.app import ClewApp
from tui.config import Config
from tui.keys import keys_on
from tui.pastime import daily_words, ladder_sentence, ladder_words, streak_words
from tui.screens.home import EXTRAS
from tui.screens.settings import SettingsScreen


def drive_with(config: Config, desk: FakeDesk, script: Script, *, mono: bool = False, code: str = "") -> None:
    """Run the app with settings."""

    async def session() -> None:
        app = ClewApp(desk, moments=STILL, config=config, mono=mono, code=code)
        async with app.run_test(size=SMALL) as pilot:
            await script(pilot, app)
        app.before_end()
        assert app.clerk.finish(10)

    asyncio.run(session())


async def home(pilot: Pilot[None]) -> None:
    await until_shown(pilot, "drafts are kept", "0 answers")


def test_the_daily_puzzle_by_keys_and_its_feedback_afterwards() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        await until_shown(pilot, "daily         not played yet   streak 4 days")
        await press(pilot, "d")
        await until_shown(pilot, "your answer")
        assert "item" not in screen_text(app).split("\n")[0], "it is none of the pack's row"
        await press(pilot, "a f 7 enter")
        await until_shown(pilot, "Right.")
        assert " of 2 medium" not in screen_text(app)
        await press(pilot, "h")
        await until_shown(pilot, "done, the next one tomorrow   streak 5 days")
        await press(pilot, "d")
        await until_shown(pilot, "Right.")
        await press(pilot, "escape")
        await until_shown(pilot, "drafts are kept")

    drive(desk, script)
    assert [one.puzzle_id for one in desk.answers] == ["p6-91"]


def test_the_ladder_by_mouse_goes_on_with_the_ladder() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        await click(pilot, "5 events   3 of 10")
        await until_shown(pilot, "your answer")
        await press(pilot, "a f 7 enter")
        await until_shown(pilot, "Right.")
        await press(pilot, "enter")
        await until_shown(pilot, "your answer")
        await press(pilot, "escape")
        await until_shown(pilot, "drafts are kept")
        await press(pilot, "g j enter")
        await until_shown(pilot, "your answer")

    drive(desk, script)
    opened = [one.puzzle_id for one in desk.happenings if one.kind == "open"]
    assert opened[:2] == ["p5-92", "p5-93"] and opened[2].startswith("p4-"), "away from the ladder, its length again"


def test_a_code_opens_its_puzzle_and_a_wrong_one_says_what_is_right() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        await press(pilot, "e enter")
        await until_shown(pilot, "A code names one practice puzzle", "enter a code first")
        await write(pilot, "no")
        await press(pilot, "enter")
        await until_shown(pilot, "not possible now: code 'no' is not one")
        await press(pilot, "backspace backspace")
        await write(pilot, CODE.lower())
        await press(pilot, "enter")
        await until_shown(pilot, "your answer")
        await press(pilot, "a f 8 enter")
        await until_shown(pilot, "Right.", "y share")
        await press(pilot, "y")
        await until_shown(pilot, f"copied code {CODE}")
        assert app.clipboard == CODE

    drive(desk, script)
    assert [one.puzzle_id for one in desk.answers] == ["p6-94"]


def test_every_letter_goes_into_the_code() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        await press(pilot, "e")
        await until_shown(pilot, "a shared puzzle")
        await write(pilot, "qwhdlesioc?p")
        await until_shown(pilot, "qwhdlesioc?p")
        await press(pilot, "escape")
        await until_shown(pilot, "drafts are kept")

    drive(FakeDesk(), script)


def test_a_puzzle_of_a_pack_of_one_s_own_has_no_code() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        await press(pilot, "c")
        await until_shown(pilot, "your answer")
        await press(pilot, "a f 8 enter")
        await until_shown(pilot, "Right.")
        await click(pilot, "y share")
        await until_shown(pilot, "this one has no code")

    drive(FakeDesk(), script)


def test_the_command_line_s_code_is_opened_first() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "your answer")

    drive_with(Config(), desk, script, code=CODE)
    assert [one.puzzle_id for one in desk.happenings if one.kind == "open"] == ["p6-94"]


def test_statistics_show_curve_tallies_ladder_and_streak() -> None:
    desk = FakeDesk()
    desk.side_door.told = SOME

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        await press(pilot, "s")
        await until_shown(pilot, "How sure you were", "95 % range", "24    71 %     .18")
        await press(pilot, "end")
        await until_shown(pilot, "ladder  5 events, 3 answers so far", "4 days in a row", "2 texts written")
        await press(pilot, "escape")
        await until_shown(pilot, "drafts are kept")

    drive(desk, script)


def test_statistics_without_answers_say_so() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        await click(pilot, "s statistics")
        await until_shown(pilot, "Nothing to count yet")

    drive(FakeDesk(), script)


def offered(app: ClewApp) -> set[str]:
    return {key.binding.action for key in keys_on(app.screen)} & set(EXTRAS)


def test_one_switch_hides_all_of_it() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        shown = screen_text(app)
        assert not any(word in shown for word in ("daily", "ladder", "code", "statistics", "streak"))
        assert offered(app) == set()
        commands = {command.title for command in app.get_system_commands(app.screen)}
        assert not commands & {"Daily", "Ladder", "Enter a code", "Statistics"}
        await press(pilot, "d l e s")
        await until_shown(pilot, "drafts are kept")

    drive_with(Config(players=False), desk, script)
    assert not {"standing", "daily", "ladder", "statistics"} & set(desk.called), "the desk is not even asked"


def test_a_collection_has_none_of_it() -> None:
    desk = FakeDesk(collects=True)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        assert offered(app) == set()
        assert not any(word in screen_text(app) for word in ("daily", "ladder", "streak", "short", "medium"))
        await press(pilot, "d l e s")
        await until_shown(pilot, "0 of 6 answered")
        await press(pilot, "o")
        await until_shown(pilot, "clew-dark", "To keep it")
        assert "ladder" not in screen_text(app) and "streak" not in screen_text(app)

    drive(desk, script)


def test_the_streak_can_be_left_out_alone() -> None:
    desk = FakeDesk()
    desk.side_door.told = SOME

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        await until_shown(pilot, "not played yet")
        assert "streak" not in screen_text(app)
        await press(pilot, "s")
        await until_shown(pilot, "How sure you were")
        await press(pilot, "end")
        await until_shown(pilot, "ladder  5 events")
        assert "in a row with" not in screen_text(app)

    drive_with(Config(streak=False), desk, script)


def test_settings_are_changed_for_the_session_and_told_how_to_keep() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        await press(pilot, "o")
        await until_shown(pilot, "settings", "theme", "clew-dark", "/x/config.toml", "players = true")
        await press(pilot, "enter")
        await until(pilot, lambda: app.theme == "clew-light")
        await until_shown(pilot, "clew-light   (changed here)", 'theme = "clew-light"')
        await click(pilot, "daily, ladder, statistics")
        await until_shown(pilot, "players = false")
        await press(pilot, "escape")
        await until(pilot, lambda: "daily" not in screen_text(app) and "drafts are kept" in screen_text(app))
        await press(pilot, "o down enter escape")
        await until_shown(pilot, "daily")

    drive_with(Config(file="/x/config.toml"), FakeDesk(), script)


def test_foreign_words_of_the_settings_show_literally() -> None:
    hostile = "[/]\x1b[2J[red]x[/red]\u202e"

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        await press(pilot, "o")
        await until_shown(pilot, "[/]␛[2J[red]x[/red]<U+202E>", "players = true")

    drive_with(Config(file=hostile, sources=(("streak", hostile),)), FakeDesk(), script)


def test_no_color_cannot_be_overridden_by_a_theme() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        await press(pilot, "o enter")
        await until_shown(pilot, "NO_COLOR is set", "clew-mono   (NO_COLOR)")
        assert isinstance(app.screen, SettingsScreen) and app.theme == "clew-mono"

    drive_with(Config(theme="clew-light"), FakeDesk(), script, mono=True)


def test_a_theme_of_the_settings_is_in_force_from_the_start() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        assert app.theme == "clew-contrast"

    drive_with(Config(theme="clew-contrast"), FakeDesk(), script)


def test_the_menu_takes_vim_keys() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        menu = app.screen.query_one("#menu")
        for keys, at in (("j j", 2), ("k", 1), ("g", 0), ("G", menu.option_count - 1)):  # type: ignore[attr-defined]
            await press(pilot, keys)
            assert menu.highlighted == at  # type: ignore[attr-defined]

    drive(FakeDesk(), script)


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (200, 60)])
def test_every_line_of_home_can_be_reached_in_every_size(size: tuple[int, int]) -> None:
    desk = FakeDesk(puzzles=[puzzle(1, length) for length in range(4, 11)][:3], tasks=[task()])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until(pilot, lambda: app.screen.query_one("#menu").option_count > 10)  # type: ignore[attr-defined]
        await press(pilot, "G")
        await until_shown(pilot, "q quit")
        await press(pilot, "g")
        await until_shown(pilot, "c start")

    drive(desk, script, size=size)


def test_a_report_that_comes_while_the_app_ends_is_dropped() -> None:
    """A screen loses its parts before it goes, and the clerk may still have something to say then."""
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await home(pilot)
        await app.screen.remove_children()
        asked = desk.called.count("open")
        app.refresh_home()
        await until(pilot, lambda: desk.called.count("open") > asked and app.clerk.idle())
        await pilot.pause()
        assert app.return_code is None

    drive(desk, script)


def test_words_for_where_one_stands() -> None:
    def standing(**changes: object) -> Standing:
        fields: dict[str, object] = {
            "day": "2025-06-01", "daily_done": False, "streak": 0, "frozen": False, "step": 4, "answers": 0,
            "brier": None, "top": False,
        }  # fmt: skip
        return Standing(**{**fields, **changes})  # type: ignore[arg-type]

    assert daily_words(standing(), streak=True) == "not played yet"
    assert daily_words(standing(streak=1, daily_done=True), streak=True) == "done, the next one tomorrow   streak 1 day"
    assert daily_words(standing(streak=9), streak=False) == "not played yet"
    assert ladder_words(standing()) == "4 events   0 of 10"
    assert ladder_words(standing(answers=1, brier=0.5)) == "4 events   1 of 10   Brier .50, goal .20"
    assert ladder_words(standing(step=10, top=True)) == "10 events   top reached"
    told = ladder_sentence(standing(answers=1, brier=0.5))
    assert told.startswith("4 events, 1 answer so far, mean Brier score .50; 10 in a row")
    assert streak_words(standing(streak=1)) == "1 day in a row with something finished; one day off a week is free"
    assert "is used" in streak_words(standing(streak=2, frozen=True))
