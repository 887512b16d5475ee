"""The app on the real desk: rows on disk, a file that another program holds, a full disk, two windows, a collection."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from driving import drive, paste, press, screen_text, until, until_shown, write
from real_desk import desk_on, small_pack
from sqlite_utils.utils import sqlite3
from textual.pilot import Pilot

from engine.public import Draft
from engine.store.answer_rows import AttemptRow, EventRow
from engine.store.answers import Answers
from engine.store.places import answers_path
from tui.app import ClewApp
from tui.screens.introduction import IntroductionScreen
from tui.screens.puzzle import PuzzleScreen


@contextmanager
def stored() -> Iterator[Answers]:
    with Answers.open(answers_path(), read_only=True) as answers:
        assert answers.check() == () and answers.denials == ()
        yield answers


def rows() -> tuple[list[AttemptRow], list[EventRow]]:
    with stored() as answers:
        attempts = list(answers.attempts())
        events = [event for session in {row.session for row in attempts} for event in answers.events(session)]
    return attempts, events


async def open_first(pilot: Pilot[None], app: ClewApp) -> None:
    await until(pilot, lambda: isinstance(app.screen, PuzzleScreen) or "answered" in screen_text(app))
    if not isinstance(app.screen, PuzzleScreen):
        await press(pilot, "c")
        await until(pilot, lambda: isinstance(app.screen, PuzzleScreen | IntroductionScreen))
    if isinstance(app.screen, IntroductionScreen):
        await press(pilot, "escape")
        await until_shown(pilot, "answered")
        await press(pilot, "c")
    await until(pilot, lambda: isinstance(app.screen, PuzzleScreen))
    await until_shown(pilot, "your answer")


def test_a_session_leaves_its_rows(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_first(pilot, app)
        await press(pilot, "s space j space 1 i h n")
        await until(pilot, lambda: app.focused is not None and app.focused.id == "notes")
        await write(pilot, "both?")
        await press(pilot, "escape a left 7 enter")
        await until_shown(pilot, "Brier")
        await press(pilot, "r")
        await until_shown(pilot, "The rules behind it", "One pair of rows")

    drive(desk_on(small_pack(tmp_path / "pack")), script, size=(100, 40))
    (attempt,), events = rows()
    assert attempt.notes == "both?" and attempt.confidence == 70 and attempt.attempt_no == 1
    kinds = [event.kind for event in events]
    assert {"open", "sort", "pin", "mark", "hint", "highlight", "note", "answer", "answered", "reveal"} <= set(kinds)
    assert kinds.index("answer") < kinds.index("answered") < kinds.index("reveal")


def test_a_file_that_another_program_holds_stops_no_key_and_loses_nothing(tmp_path: Path) -> None:
    """The hold lasts until the banner has come and every key was painted, whatever the machine's pace."""

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_first(pilot, app)
        await press(pilot, "space")
        await until(pilot, app.clerk.idle)
        with closing(sqlite3.connect(answers_path())) as other:
            other.execute("begin immediate")
            await press(pilot, "j j x s")
            await until_shown(pilot, "share, high first")
            await press(pilot, "a left 8 enter escape")
            await until_shown(pilot, "another program holds the file; still trying, nothing is lost")
            await press(pilot, "3 slash")
            await write(pilot, "n>=1")
            await press(pilot, "enter")
            await until_shown(pilot, "filter n>=1", "3 ")
            assert isinstance(app.screen, PuzzleScreen), "nothing is said to be saved"
            other.rollback()
        await until_shown(pilot, "Brier")

    drive(desk_on(small_pack(tmp_path / "pack")), script)
    (attempt,), events = rows()
    assert attempt.confidence == 80
    assert {"strike", "mark", "filter", "sort"} <= {event.kind for event in events}


def test_a_full_disk_keeps_the_draft_in_memory_and_saves_it_once_there_is_room(tmp_path: Path) -> None:
    desk = desk_on(small_pack(tmp_path / "pack"))

    def pages(most: int) -> None:
        answers = desk._answers
        answers._db.conn.set_authorizer(None)
        answers._db.execute(f"pragma max_page_count = {most}")
        answers._tripwire.arm(answers._db)

    async def at_the_desk(app: ClewApp, most: int) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        app.clerk.ask(lambda _: pages(most), done.set_result, done.set_exception)
        await done

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_first(pilot, app)
        await until(pilot, app.clerk.idle)
        await at_the_desk(app, 1)
        await press(pilot, "n")
        await until(pilot, lambda: app.focused is not None and app.focused.id == "notes")
        await paste(pilot, "x" * 15_000)
        await until_shown(pilot, "not saved:")
        await press(pilot, "escape j")
        await until_shown(pilot, "> 2")
        await at_the_desk(app, 1_000_000)
        await press(pilot, "x")
        await until(pilot, lambda: "not saved" not in screen_text(app))
        await press(pilot, "a left 9 enter")
        await until_shown(pilot, "Brier")

    drive(desk, script)
    (attempt,), events = rows()
    assert attempt.notes == "x" * 15_000 and "strike" in {event.kind for event in events}


def test_the_loser_of_two_windows_goes_on_with_the_next_puzzle(tmp_path: Path) -> None:
    pack = small_pack(tmp_path / "pack")

    async def other_window(pilot: Pilot[None], app: ClewApp) -> None:
        await open_first(pilot, app)
        await press(pilot, "a left 6 enter")
        await until_shown(pilot, "Brier")

    async def this_window(pilot: Pilot[None], app: ClewApp) -> None:
        await open_first(pilot, app)
        await press(pilot, "a right 9")
        await asyncio.to_thread(drive, desk_on(pack), other_window)
        await press(pilot, "enter")
        await until_shown(pilot, "answered in another window meanwhile", "1 of 2 answered")
        await press(pilot, "c")
        await until_shown(pilot, "item 2/2")
        await press(pilot, "a left 7 enter")
        await until_shown(pilot, "Brier")

    drive(desk_on(pack), this_window)
    attempts, _ = rows()
    assert [attempt.confidence for attempt in attempts] == [60, 70]
    with stored() as answers:
        told = [event for row in answers.sessions(attempts[0].solver) for event in answers.events(row.id)]
    assert "not_taken" in {event.kind for event in told}


def test_a_collection_stores_revisions_and_opens_no_sealed_file(tmp_path: Path) -> None:
    pack = small_pack(tmp_path / "study", study=True)
    (pack / "sealed.db").unlink()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_first(pilot, app)
        await until_shown(pilot, "COLLECT A0", "item 1/3")
        await press(pilot, "a left 7 enter")
        await until_shown(pilot, "saved, 1 of 3 items")
        await press(pilot, "u")
        await until_shown(pilot, "[70]")
        await press(pilot, "a right 6 enter")
        await until_shown(pilot, "60 % sure")
        await press(pilot, "enter")
        await until_shown(pilot, "item 2/3")
        await press(pilot, "S 1")
        await until_shown(pilot, "saved as skipped")

    drive(desk_on(pack), script)
    attempts, events = rows()
    assert [(row.attempt_no, row.answer == "SKIP") for row in attempts] == [(1, False), (2, False), (1, True)]
    assert attempts[0].puzzle_id == attempts[1].puzzle_id != attempts[2].puzzle_id
    assert {"revise", "skipped", "open"} <= {event.kind for event in events}
    with stored() as answers:
        (session,) = answers.sessions(attempts[0].solver)
    assert (session.mode, session.aid, session.feedback) == ("collect", "A0", "never")


def test_a_draft_of_an_older_app_is_opened(tmp_path: Path) -> None:
    pack = small_pack(tmp_path / "pack")
    with closing(desk_on(pack)) as desk:
        desk.open()
        shown = desk.next()
        assert shown is not None
        desk.keep(Draft(puzzle_id=shown.puzzle_id, notes="from before", sort="length"))

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_first(pilot, app)
        await until_shown(pilot, "notes   from before", "sort number of events")

    drive(desk_on(pack), script, resume=True)
