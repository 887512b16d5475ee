"""Goes through every screen of the app, one after the other, and hands each to a visitor."""

from __future__ import annotations

from collections.abc import Callable

from driving import press, until_shown, write
from fake_desk import FakeDesk, task
from fake_players import SOME
from fake_talk import Talk
from textual.pilot import Pilot

from tui.app import ClewApp

Visit = Callable[[ClewApp, str], None]
WAY = (
    ("home", "", ("drafts are kept", "answers")),
    ("introduction", "i", ("vending machine",)),
    ("introduction answered", "enter", ("ok  Right",)),
    ("introduction end", "n n n", ("how to answer",)),
    ("settings", "escape o", ("What is changed here",)),
    ("code", "escape e", ("a shared puzzle",)),
    ("statistics", "escape s", ("How sure you were",)),
    ("help of home", "escape question_mark", ("choose the line under the cursor",)),
    ("palette", "escape ctrl+p", ("Daily",)),
    ("puzzle", "escape c", ("your answer", "13/48")),
    ("compared", "space j space", ("pinned 2/3", "same: hue red")),
    ("filter", "slash", ("enter applies",)),
    ("notes", "escape n", ("notes",)),
    ("story", "escape t", ("With a load of 8 the steps were seal.",)),
    ("skip", "t S", ("esc stays with the item",)),
    ("marked", "escape 1", ("1 prime +",)),
    ("pause", "p", ("Paused",)),
    ("answer bar", "p a f 7", ("[>filled<]", "[70]")),
    ("help of the puzzle", "f1", ("write notes",)),
    ("feedback", "escape enter", ("Brier",)),
    ("behind it", "r", ("The rules behind it",)),
    ("history", "h h", ("2025-06-01 10:00",)),
)
"""Name, keys from the screen before, and what is then shown."""
WAY_OF_WRITING = (
    ("brief", "c", ("[ send ]",)),
    ("writing", "e Z i g", ("1 use",)),
    ("requirements", "escape", ("enter show", "0 of 3 met")),
    ("verdicts", "f2", ("verdicts",)),
    ("next task", "enter", ("[ send ]",)),
)


async def tour(pilot: Pilot[None], app: ClewApp, visit: Visit) -> None:
    """Visit every screen of a practice session with puzzles."""
    for name, keys, shown in WAY:
        if name == "palette":
            await press(pilot, keys)
            await write(pilot, "daily")
            await until_shown(pilot, *shown)
        else:
            await _go(pilot, keys, shown)
        visit(app, name)
    await pilot.resize_terminal(40, 10)
    await until_shown(pilot, "too small")
    visit(app, "too small")
    await pilot.resize_terminal(80, 24)


async def tour_of_writing(pilot: Pilot[None], app: ClewApp, visit: Visit) -> None:
    """Visit the screens of a session with writing tasks alone."""
    await until_shown(pilot, "drafts are kept", "answers")
    for name, keys, shown in WAY_OF_WRITING:
        await _go(pilot, keys, shown)
        visit(app, name)


async def _go(pilot: Pilot[None], keys: str, shown: tuple[str, ...]) -> None:
    if keys:
        await press(pilot, keys)
    await until_shown(pilot, *shown)
    await pilot.pause()


def desk_to_tour() -> FakeDesk:
    """Return a desk on which every line of home leads somewhere."""
    desk = FakeDesk(tasks=[task()])
    desk.side_door.told = SOME
    return desk


def desk_to_write() -> FakeDesk:
    return FakeDesk(puzzles=[], tasks=[task()], talks=[Talk()])
