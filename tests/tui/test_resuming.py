"""After a break the puzzle is as it was left: row, scroll, filter, sort, pins, marks, notes, side, answer."""

from __future__ import annotations

import pytest
from driving import drive, open_puzzle, press, screen_text, until, until_shown, write
from fake_desk import FakeDesk, puzzle
from textual.pilot import Pilot

from engine.public import Draft
from tui.app import ClewApp
from tui.board import BoardView, read_board_view
from tui.screens.puzzle import PuzzleScreen
from tui.widgets.evidence import EvidenceTable
from tui.widgets.story import StoryPane


def big_desk() -> FakeDesk:
    return FakeDesk(puzzles=[puzzle(1, 6, cases=110)])


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_everything_is_where_it_was(size: tuple[int, int]) -> None:
    desk = big_desk()
    before: dict[str, object] = {}

    def state(app: ClewApp) -> dict[str, object]:
        table = app.screen.query_one(EvidenceTable)
        return {"row": table.current(), "top": table.top, "lines": screen_text(app).split("\n")[1:]}

    async def leave(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "s slash")
        await write(pilot, "n>=2")
        await press(pilot, "enter pagedown pagedown space j x k k h 1 1 3 n")
        await until(pilot, lambda: app.focused is not None and app.focused.id == "notes")
        await write(pilot, "see 16")
        await press(pilot, "escape a e 6 escape")
        await until_shown(pilot, "notes" if size[0] > 100 else "notes   see 16", "[>empty<]")
        await until(pilot, lambda: "scroll" in {one.kind for one in desk.happenings})
        await until(pilot, lambda: "sorted by" not in screen_text(app))
        await pilot.pause()
        before.update(state(app))

    async def come_back(pilot: Pilot[None], app: ClewApp) -> None:
        await until(pilot, lambda: isinstance(app.screen, PuzzleScreen))
        await until(pilot, lambda: state(app) == before)

    drive(desk, leave, size=size)
    assert desk.drafts[-1].view and isinstance(before["top"], int) and before["top"] > 0
    drive(desk, come_back, size=size, resume=True)
    assert "resume" in {one.kind for one in desk.happenings}


def test_the_story_is_where_it_was_and_in_front_and_the_row_is_not_lost() -> None:
    desk = big_desk()

    def kept() -> BoardView:
        return read_board_view(desk.drafts[-1].view)

    async def leave(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "j j j t pagedown pagedown pagedown")
        await until(pilot, lambda: bool(desk.drafts) and kept().place > 500 and kept().row == "c04")

    async def come_back(pilot: Pilot[None], app: ClewApp) -> None:
        await until(pilot, lambda: isinstance(app.screen, PuzzleScreen))
        story = app.screen.query_one(StoryPane)
        await until(pilot, lambda: story.place == left.place and story.has_focus)
        await press(pilot, "t")
        await until_shown(pilot, ">  4")
        await until(pilot, lambda: kept().row == "c04" and kept().side == "table")

    drive(desk, leave)
    left = kept()
    assert left.side == "story"
    drive(desk, come_back, resume=True)


def test_each_puzzle_keeps_its_own_draft() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "space a f escape escape")
        await until_shown(pilot, "history")
        desk.keep(Draft(puzzle_id="p6-1", answer="ABSENT"))
        from tui.messages import OpenPuzzle

        app.post_message(OpenPuzzle(complexity=4))
        await until_shown(pilot, "[>filled<]", "pinned 1/3")
        await press(pilot, "escape")
        await until_shown(pilot, "history")
        app.post_message(OpenPuzzle(complexity=6))
        await until_shown(pilot, "[>empty<]", "flush slowly")

    drive(desk, script)
