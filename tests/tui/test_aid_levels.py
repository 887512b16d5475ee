"""The aid level of the session decides what there is: panes, keys, help lines, palette entries, alike."""

from __future__ import annotations

import pytest
from driving import drive, open_puzzle, press, screen_text, until, until_shown
from fake_desk import FakeDesk
from textual.pilot import Pilot

from tui.app import ClewApp
from tui.keys import keys_on
from tui.screens.help import help_text
from tui.screens.puzzle import PuzzleScreen

TABLE = {"filter", "sort", "original", "turn", "cursor_down", "read"}
BOARD = {"pin", "strike", "compare", "highlight", "mark"}
ALWAYS = {"answer", "notes", "skip", "pause", "back", "choose", "sure", "send"}


def actions(app: ClewApp) -> set[str]:
    return {key.binding.action.split("(")[0] for key in keys_on(app.screen)}


def offered_elsewhere(app: ClewApp) -> set[str]:
    """Return the help lines and palette entries of the screen, as one set of texts."""
    commands = {command.help for command in app.get_system_commands(app.screen)}
    return {help_text(list(keys_on(app.screen)), app).plain, *commands}


@pytest.mark.parametrize(
    ("aid", "panes", "there", "not_there"),
    [
        ("A0", {"story"}, ALWAYS | {"underline", "tick"}, TABLE | BOARD),
        ("A1", {"story", "evidence"}, ALWAYS | TABLE, BOARD),
        ("A2", {"story", "evidence"}, ALWAYS | TABLE, BOARD),
        ("A3", {"story", "evidence", "compare", "marks"}, ALWAYS | TABLE | BOARD, set()),
    ],
)
def test_each_level_has_its_panes_and_keys(aid: str, panes: set[str], there: set[str], not_there: set[str]) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await until_shown(pilot, f"PRACTICE {aid}")
        found = {pane for pane in ("story", "evidence", "compare", "marks") if app.screen.query(f"#{pane}")}
        assert found == panes
        assert there <= actions(app) and not not_there & actions(app)
        told = "\n".join(offered_elsewhere(app))
        assert ("pin the row" in told) == ("pin" in there) and ("sort by original" in told) == ("sort" in there)

    drive(FakeDesk(aid=aid), script)  # type: ignore[arg-type]


@pytest.mark.parametrize("collects", [False, True])
def test_keys_of_what_is_not_there_do_nothing_at_a0(collects: bool) -> None:
    desk = FakeDesk(aid="A0", collects=collects)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        before = screen_text(app).split("\n")[1:]
        await press(pilot, "s t c x h 1 9 number_sign")
        await pilot.pause()
        assert screen_text(app).split("\n")[1:] == before
        await press(pilot, "a f 6 enter")
        await until_shown(pilot, "saved, 1 of")

    drive(desk, script)
    kinds = {one.kind for one in desk.happenings}
    assert not kinds & {"sort", "filter", "view", "compare", "highlight", "mark", "pin", "strike"}


def test_underlines_of_ones_own_are_kept_with_the_draft_at_a0() -> None:
    desk = FakeDesk(aid="A0")

    async def mark(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "space right right space m")
        await until_shown(pilot, "[x] Tank number 1")
        await press(pilot, "u")
        await until_shown(pilot, "[ ] Tank number 1")
        await press(pilot, "U")
        await until_shown(pilot, "[x] Tank number 1")

    async def come_back(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "[x] Tank number 1")

    drive(desk, mark)
    drive(desk, come_back, resume=True)
    assert "underline" in {one.kind for one in desk.happenings}


def test_a_collection_offers_neither_hint_nor_copy_nor_reveal() -> None:
    desk = FakeDesk(collects=True, aid="A3")

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        assert not {"hint", "copy_here"} & actions(app)
        await press(pilot, "i y")
        await press(pilot, "ctrl+c")
        assert isinstance(app.screen, PuzzleScreen)
        await press(pilot, "a f 8 enter")
        await until_shown(pilot, "Saved.")
        assert "reveal" not in actions(app) and {"revise", "next"} <= actions(app)
        await press(pilot, "r h")
        await until(pilot, lambda: "1 answer" in screen_text(app))
        await press(pilot, "h")
        await until_shown(pilot, "2025-06-01")
        await press(pilot, "enter")
        await until_shown(pilot, "Your answer: filled, 80 % sure.")

    drive(desk, script)
    assert not {"hint", "reveal", "judge"} & set(desk.called)


def test_hints_come_one_by_one_in_practice_and_are_events() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "i")
        await until_shown(pilot, "hint: Begin with the rows of a single step.")
        await press(pilot, "i")
        await until_shown(pilot, "hint: Compare rows 2 and 5", "> 2   seal")
        await press(pilot, "i")
        await until_shown(pilot, "there are no more hints")

    drive(desk, script)
    assert [one.data for one in desk.happenings if one.kind == "hint"] == ["1", "2 c02 c05"]


def test_check_and_reveal_are_two_acts() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a e 8 enter")
        await until_shown(pilot, "Not this time.", "you said", "exactly", "Brier", "r shows what is behind it")
        assert "Seal fills" not in screen_text(app)
        await press(pilot, "r")
        await until_shown(
            pilot, "One pair of rows that could change your mind", "Rows 2 and 5 are alike but for vent", "Seal fills"
        )
        assert "reveal" not in actions(app)

    drive(desk, script, size=(100, 40))
    assert [one.puzzle_id for one in desk.happenings if one.kind == "reveal"] == ["p4-1"]
