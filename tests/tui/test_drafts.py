"""What is unsent is kept, and comes back as it was."""

import pytest
from driving import click, drive, open_puzzle, paste, press, screen_text, text_field, until, until_shown, write
from fake_desk import FakeDesk, puzzle
from textual import events
from textual.pilot import Pilot

from engine.public import Draft
from tui.app import ClewApp
from tui.pasting import PASTE_LIMIT, pasted
from tui.screens.puzzle import PuzzleScreen


def work(app: ClewApp) -> PuzzleScreen:
    return next(screen for screen in app.screen_stack if isinstance(screen, PuzzleScreen))


def test_a_draft_is_kept_by_itself_and_restored_whole() -> None:
    desk = FakeDesk()

    async def leave_it(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "s s slash")
        await write(pilot, "!vent load<=2")
        await press(pilot, "enter n")
        await until(pilot, lambda: app.focused is not None and app.focused.id == "notes")
        await write(pilot, "seal helps?")
        await press(pilot, "escape a e 6 plus")
        await until(pilot, lambda: bool(desk.drafts) and desk.drafts[-1].confidence == 65)

    async def come_back(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(
            pilot, "[>empty<]", "[65]", "filter !vent load<=2", "sort number of events", "notes   seal helps?"
        )
        await press(pilot, "n")
        await until(pilot, lambda: app.focused is not None and app.focused.id == "notes")
        assert text_field(app) == "seal helps?"
        await press(pilot, "escape a enter")
        await until_shown(pilot, "Not this time.")

    drive(desk, leave_it)
    kept = desk.drafts[-1]
    assert (kept.answer, kept.confidence, kept.notes) == ("ABSENT", 65, "seal helps?")
    assert (kept.filter, kept.sort) == ("!vent load<=2", "length") and kept.answer_id[14] == "7"
    drive(desk, come_back, resume=True)
    (answer,) = desk.answers
    assert answer.answer_id == kept.answer_id and answer.notes == "seal helps?"
    assert answer.response_ms >= kept.visible_ms
    assert "resume" in {one.kind for one in desk.happenings}


def test_home_goes_on_with_the_draft() -> None:
    desk = FakeDesk(drafts=[Draft(puzzle_id="p6-1", answer="PRESENT", visible_ms=252_000)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "continue", "medium, The tank, 04:12 so far")
        await press(pilot, "enter")
        await until_shown(pilot, "04:1", "[>filled<]", "flush slowly")

    drive(desk, script)


def test_a_puzzle_opened_by_its_length_also_gets_its_draft_back() -> None:
    desk = FakeDesk(drafts=[Draft(puzzle_id="p4-1", answer="PRESENT", confidence=55, answer_id="not a uuid")])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await click(pilot, "short  ")
        await until_shown(pilot, "[>filled<]", "[55]")
        assert work(app).attempt.shown_at.endswith("Z")

    drive(desk, script)


@pytest.mark.parametrize("keys", ["escape", "p", "ctrl+q ctrl+q"])
def test_leaving_home_pausing_and_quitting_keep_the_draft_at_once(keys: str) -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, f"a f escape {keys}")
        await until(pilot, lambda: bool(desk.drafts) and desk.drafts[-1].answer == "PRESENT")

    drive(desk, script)


def test_losing_the_focus_keeps_the_draft_and_stops_the_clock() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f")
        app.post_message(events.AppBlur())
        await until(pilot, lambda: "blur" in {one.kind for one in desk.happenings})
        await until(pilot, lambda: desk.drafts[-1].answer == "PRESENT")
        before = work(app).attempt.clock.visible_ms()
        await pilot.pause()
        assert work(app).attempt.clock.visible_ms() == before
        app.post_message(events.AppFocus())
        await until(pilot, lambda: work(app).attempt.clock.visible_ms() > before)

    drive(desk, script)


def test_the_pause_leaves_nothing_of_the_puzzle_in_sight() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "p")
        await until_shown(pilot, "Paused.")
        shown = screen_text(app)
        assert not any(word in shown for word in ("tank", "seal", "prime", "load", "filled"))
        before = work(app).attempt.clock.visible_ms()
        await pilot.pause()
        assert work(app).attempt.clock.visible_ms() == before
        await press(pilot, "p")
        await until_shown(pilot, "seal")
        await until(pilot, lambda: work(app).attempt.clock.visible_ms() > before)

    drive(FakeDesk(), script)


def test_a_bad_filter_shows_its_place_and_keeps_the_old_one() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "slash")
        await write(pilot, "seal")
        await press(pilot, "enter slash")
        await write(pilot, " load<x")
        await until_shown(pilot, "            ^ a whole number belongs here", "rows 7 of 16")
        await press(pilot, "enter")
        await until_shown(pilot, "a whole number belongs here")
        await press(pilot, "escape")
        await until_shown(pilot, "filter seal", "rows 7 of 16")
        assert work(app).attempt.filter == "seal"

    drive(FakeDesk(), script)


def test_the_story_marks_the_row_under_the_cursor_whatever_moved_it() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await until_shown(pilot, "> With a load of 2 the steps were prime.")
        await press(pilot, "j j")
        await until_shown(pilot, "> With a load of 2 the steps were vent.")
        await press(pilot, "s s s slash")
        await write(pilot, "purge !vent")
        await press(pilot, "enter g")
        await until_shown(pilot, "> With a load of 2 the steps were prime, then purge.")
        await press(pilot, "slash")
        await press(pilot, "ctrl+u")
        await write(pilot, "warm")
        await until_shown(pilot, "no such event")
        await press(pilot, "escape")
        await until_shown(pilot, "> With a load of 2 the steps were prime, then purge.")

    drive(FakeDesk(), script, size=(200, 50))


def test_notes_too_long_for_the_editor_are_kept() -> None:
    notes = "x" * 1_000_000
    desk = FakeDesk(drafts=[Draft(puzzle_id="p4-1", notes=notes)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "n")
        await until_shown(pilot, "too long for the editor")
        await press(pilot, "a f 7 enter")
        await until_shown(pilot, "Right.")

    drive(desk, script)
    assert desk.answers[0].notes == notes


def test_a_paste_drops_controls_and_what_is_too_long_and_counts_them() -> None:
    assert pasted("a\r\nb\rc\td\x1b[31m\x9b") == ("a\nb\nc\td[31m", 2)
    assert pasted("a\ud800b\x85") == ("ab", 2)
    assert pasted("\u202ex\u200b") == ("\u202ex\u200b", 0)
    assert pasted("x" * (PASTE_LIMIT + 5)) == ("x" * PASTE_LIMIT, 5)


def test_a_paste_into_the_notes_is_cut_said_and_noted() -> None:
    desk = FakeDesk(puzzles=[puzzle(1)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "n")
        await until(pilot, lambda: app.focused is not None and app.focused.id == "notes")
        await paste(pilot, "x" * (PASTE_LIMIT + 5))
        await until_shown(pilot, "5 characters of the paste left out")
        assert work(app).attempt.notes == "x" * PASTE_LIMIT

    drive(desk, script)
    assert [one.data for one in desk.happenings if one.kind == "paste"] == [f"{PASTE_LIMIT} kept, 5 left out"]


def test_pasted_text_reaches_the_notes_and_invisible_characters_are_counted() -> None:
    desk = FakeDesk(puzzles=[puzzle(1)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "n")
        await until(pilot, lambda: app.focused is not None and app.focused.id == "notes")
        app.focused.post_message(events.Paste("漢字 \u202eok\x1b"))  # type: ignore[union-attr]
        await until(pilot, lambda: work(app).attempt.notes == "漢字 \u202eok")
        assert "\u202e" not in screen_text(app)

    drive(desk, script)
