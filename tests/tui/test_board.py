"""The board: pins, strikes, marks and notes are the person's own, one step each, and undo goes back over them all."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from driving import LARGE, drive, open_puzzle, press, screen_text, text_field, until, until_shown, write
from fake_desk import FakeDesk
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from textual.pilot import Pilot

from engine.public import Draft
from tui.app import ClewApp
from tui.board import (
    EVENT_MARKS,
    MOST_PINS,
    Board,
    BoardView,
    board_view_text,
    read_board_view,
)
from tui.screens.puzzle import PuzzleScreen
from tui.steps import Steps

CASES = st.sampled_from([f"c{nth}" for nth in range(6)])
CHANGES: st.SearchStrategy[Callable[[Board], Board]] = st.one_of(
    CASES.map(lambda case: lambda board: board.with_pin(case)),
    CASES.map(lambda case: lambda board: board.with_strike(case)),
    st.sampled_from(["E1", "E2"]).map(lambda event: lambda board: board.with_next_mark(event)),
    st.text(max_size=3).map(lambda text: lambda board: replace(board, notes=text)),
)


def board(app: ClewApp) -> Board:
    return puzzle_screen(app).attempt.board


def puzzle_screen(app: ClewApp) -> PuzzleScreen:
    return next(screen for screen in app.screen_stack if isinstance(screen, PuzzleScreen))


@given(st.lists(CHANGES, max_size=60))
def test_undo_goes_back_to_the_start_and_redo_to_the_end_whatever_was_done(
    changes: list[Callable[[Board], Board]],
) -> None:
    steps, seen = Steps(Board()), [Board()]
    for change in changes:
        if steps.put(change(steps.value)):
            seen.append(steps.value)
        assert len(steps.value.pins) <= MOST_PINS
    assert [steps.value, *_each(steps, steps.undo)] == seen[::-1]
    assert [steps.value, *_each(steps, steps.redo)] == seen


def _each(steps: Steps[Board], step: Callable[[], bool]) -> list[Board]:
    found = []
    while step():
        found.append(steps.value)
    return found


@given(CASES, st.lists(CHANGES, max_size=10))
def test_a_pin_or_strike_twice_is_none(case: str, changes: list[Callable[[Board], Board]]) -> None:
    now = Board()
    for change in changes:
        now = change(now)
    assert now.with_strike(case).with_strike(case).struck.count(case) == now.struck.count(case)
    twice = now.with_pin(case).with_pin(case)
    assert set(twice.pins) <= set(now.pins) and len(twice.pins) >= len(now.pins) - 1


def test_a_fourth_pin_takes_the_place_of_the_oldest() -> None:
    now = Board()
    for case in ("c1", "c2", "c3", "c4"):
        now = now.with_pin(case)
    assert now.pins == ("c2", "c3", "c4")


def test_a_mark_goes_round() -> None:
    now, seen = Board(), []
    for _ in EVENT_MARKS:
        now = now.with_next_mark("E1")
        seen.append(now.mark("E1"))
    assert seen == ["+", "-", "?", "."] and now == Board()


@given(st.lists(CHANGES, max_size=20), st.booleans(), st.integers(0, 99))
def test_a_view_is_read_as_it_was_written_without_the_notes(
    changes: list[Callable[[Board], Board]], highlight: bool, top: int
) -> None:
    now = Board()
    for change in changes:
        now = change(now)
    view = BoardView(board=now, highlight=highlight, top=top, row="c3", side="story", compare=False)
    assert read_board_view(board_view_text(view)) == replace(view, board=replace(now, notes=""))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"board": 3}', '{"top": "x"}', '{"board": {"events": {"E1": "!"}}}', "\ud800"]
)
def test_a_view_that_cannot_be_read_is_a_fresh_one(text: str) -> None:
    assert read_board_view(text) == BoardView()


def test_what_fits_no_case_or_event_is_left_out() -> None:
    now = Board(pins=("c1", "x", "c1"), struck=("y",), events={"E1": "+", "E9": "-", "E2": "."})
    assert now.fitting({"c1"}, {"E1", "E2"}) == Board(pins=("c1",), events={"E1": "+"})


def test_pins_marks_and_strikes_show_and_are_taken_back_one_by_one() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "space j space j x 1 2 2")
        await until_shown(pilot, " 1*  prime", " 2*  seal", "> 3x  vent", "pinned 2/3", "1 prime +  2 seal -  3 vent .")
        await until_shown(pilot, "compare    1 prime  .00 |*", "same: hue red; differs: load 2 / 8; no shared event")
        await press(pilot, "j space j space")
        await until_shown(pilot, "pinned 3/3", " 1   prime", " 2*  seal", "compare    2 seal")
        for shown in (
            "pinned 3/3",
            "pinned 2/3",
            "2 seal +",
            "2 seal .",
            "1 prime .",
            " 3   vent",
            "pinned 1/3",
            "pinned 0/3",
        ):
            await press(pilot, "u")
            await until_shown(pilot, shown)
        await press(pilot, "u")
        await until_shown(pilot, "nothing to undo")
        await press(pilot, "U U U")
        await until_shown(pilot, "pinned 2/3", "> 5", " 3x  vent")
        assert board(app) == Board(pins=("c01", "c02"), struck=("c03",))

    drive(desk, script)
    kinds = [one.kind for one in desk.happenings]
    assert kinds.count("pin") == 4 and kinds.count("mark") == 3 and kinds.count("strike") == 1
    assert kinds.count("undo") == 8 and kinds.count("redo") == 3
    assert [one.data for one in desk.happenings if one.kind == "mark"] == ["E1 +", "E2 +", "E2 -"]


def test_notes_are_one_step_however_long_they_were_written() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        for text in ("first", " second"):
            await press(pilot, "n")
            await until(pilot, lambda: app.focused is not None and app.focused.id == "notes")
            await write(pilot, text)
            await press(pilot, "escape")
        await until_shown(pilot, "notes   first second")
        await press(pilot, "u")
        await until_shown(pilot, "notes   first  ")
        await press(pilot, "u")
        await until_shown(pilot, "notes   none")
        await press(pilot, "U n")
        await until(pilot, lambda: app.focused is not None and app.focused.id == "notes")
        assert text_field(app) == "first"
        await press(pilot, "escape a f 7 enter")
        await until_shown(pilot, "Right.")

    drive(desk, script)
    assert desk.answers[0].notes == "first"
    assert [one.data for one in desk.happenings if one.kind == "note"] == ["5", "12"]


def test_the_lower_panes_are_boxes_lines_or_asked_for() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "space 3")
        await until_shown(pilot, "marks", "3 vent  +  raises", "compare (up to 3", "notes (kept", "pin another row")
        await pilot.resize_terminal(80, 24)
        await until_shown(pilot, "marks   1 prime .", "3 vent +")
        await press(pilot, "c")
        await until(pilot, lambda: "marks" not in screen_text(app))
        await press(pilot, "c")
        await until_shown(pilot, "marks   1 prime .")
        await pilot.resize_terminal(60, 18)
        await until(pilot, lambda: app.size.width == 60)
        await press(pilot, "c c")
        await until_shown(pilot, "compare    1 prime")
        assert "marks" not in screen_text(app), "a low window has room for one of them"
        await press(pilot, "space")
        await until_shown(pilot, "marks   1 prime .")
        await press(pilot, "c 4")
        await until_shown(pilot, "4 purge: + raises")

    drive(FakeDesk(), script, size=LARGE)


def test_the_part_of_a_row_in_query_order_can_be_made_to_stand_out() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "j j j j h")
        await until_shown(pilot, "order shown")
        strips = app.screen._compositor.render_strips()
        row = next(strip for strip in strips if "> 5" in strip.text)
        shown = [one.text for one in row if one.style is not None and one.style.underline and one.text.strip()]
        assert "".join(shown) == "prime > seal"
        question = next(strip for strip in strips if "Question" in strip.text)
        reverse = [one.text for one in question if one.style is not None and one.style.reverse]
        assert reverse == ["prime", "seal"]
        await press(pilot, "h")
        await until(pilot, lambda: "order shown" not in screen_text(app))

    drive(FakeDesk(), script)


def test_the_mouse_pins_marks_and_writes_notes() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        rows = screen_text(app).split("\n")
        y = next(index for index, row in enumerate(rows) if row.strip().startswith("4   purge"))
        await pilot.click(offset=(2, y))
        await until_shown(pilot, "> 4*  purge", "pinned 1/3")
        marks = next(index for index, row in enumerate(screen_text(app).split("\n")) if row.startswith(" marks"))
        await pilot.click(offset=(10, marks))
        await until_shown(pilot, "1 prime +")
        await pilot.click(offset=(10, marks + 1))
        await until(pilot, lambda: app.focused is not None and app.focused.id == "notes")

    drive(desk, script)
    assert {"pin", "mark"} <= {one.kind for one in desk.happenings}


def test_an_old_draft_without_a_view_is_read() -> None:
    desk = FakeDesk(drafts=[Draft(puzzle_id="p4-1", notes="old", filter="seal", sort="share", answer="ABSENT")])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await until_shown(pilot, "notes   old", "filter seal", "[>empty<]", "pinned 0/3")

    drive(desk, script)
