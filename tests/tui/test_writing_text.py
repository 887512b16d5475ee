"""What is written is kept byte for byte, comes back as it was, and can be taken back step by step."""

import pytest
from driving import (
    PRINTABLE,
    drive,
    open_task,
    paste,
    press,
    screen_text,
    text_field,
    until,
    until_shown,
    write_fast,
)
from fake_desk import FakeDesk, task
from textual import events
from textual.pilot import Pilot

from engine.public import Draft
from tui.app import ClewApp
from tui.pasting import PASTE_LIMIT

ODD = (
    "Dear  \n\n\ttab, e\u0301 é, \u202ebidi\u2066, zero\u200bwidth\ufeff, line\u2028end\u2029, "
    "[/] [red]x[/red] 漢字 👩\u200d🚀 \n "
)
"""Blanks at ends of lines, a tab, both normal forms, brackets, and six characters that cannot be seen."""


def desk_with(**more: object) -> FakeDesk:
    return FakeDesk(puzzles=[], tasks=[task(1)], **more)  # type: ignore[arg-type]


def test_a_text_is_stored_byte_for_byte_and_what_cannot_be_seen_is_counted() -> None:
    desk = desk_with()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await paste(pilot, ODD.replace("\n", "\r\n") + "\x1b]52;c;aGk=\x07\x9b\x00")
        await until_shown(pilot, "4 characters of the paste left out", "6 invisible characters", "[red]x[/red]")
        assert text_field(app) == ODD + "]52;c;aGk="
        # The joiner of an emoji sequence is no control: it stays on the screen.
        assert screen_text(app).replace("\n", "").replace("\u200d", "").isprintable()
        await press(pilot, "x backspace end enter")
        await write_fast(pilot, " .")
        await press(pilot, "f2")
        await until_shown(pilot, "of 3 met")

    drive(desk, script, size=(120, 40))
    assert desk.answers[0].raw == ODD + "]52;c;aGk=\n ."
    assert desk.answers[0].raw.encode() == desk.drafts[-1].text.encode()
    assert any(one.kind == "paste" and "4 left out" in one.data for one in desk.happenings)


def test_a_paste_that_is_too_long_is_cut_and_one_change_is_one_step_back() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await paste(pilot, "漢字 かな\n" * 5000)
        await until_shown(pilot, "10000 characters of the paste left out")
        assert len(text_field(app)) == PASTE_LIMIT
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: text_field(app) == "")
        await press(pilot, "ctrl+y")
        await until(pilot, lambda: len(text_field(app)) == PASTE_LIMIT)

    drive(desk_with(collects=True), script)


def test_a_draft_is_kept_by_itself_and_restored_with_the_cursor_at_its_end() -> None:
    desk = desk_with()

    async def leave_it(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await paste(pilot, ODD)
        await until(pilot, lambda: bool(desk.drafts) and desk.drafts[-1].text == ODD)

    async def come_back(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "[red]x[/red]", "in force")
        assert text_field(app) == ODD
        await write_fast(pilot, "!")
        await press(pilot, "f2")
        await until_shown(pilot, "of 3 met")

    drive(desk, leave_it)
    first = desk.drafts[-1]
    drive(desk, come_back, resume=True)
    (answer,) = desk.answers
    assert answer.raw == ODD + "!" and answer.answer_id == first.answer_id
    assert answer.response_ms >= first.visible_ms and "resume" in {one.kind for one in desk.happenings}


def test_home_goes_on_with_the_draft_of_a_text() -> None:
    desk = desk_with(drafts=[Draft(puzzle_id="w3-1", text="so far", visible_ms=252_000)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "continue", "writing, note, 04:12 so far")
        await press(pilot, "enter")
        await until_shown(pilot, "so far", "04:1")

    drive(desk, script)


@pytest.mark.parametrize("end", ["signal", "escape escape", "ctrl+q ctrl+q"])
def test_the_last_letter_is_kept_however_the_task_is_left(end: str) -> None:
    desk = desk_with()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await write_fast(pilot, "Dear")
        if end == "signal":
            app.end(143)
        else:
            await press(pilot, end)

    drive(desk, script)
    assert desk.drafts[-1].text == "Dear"


def test_quitting_warns_of_an_unsent_text_and_a_blur_keeps_it() -> None:
    desk = desk_with()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await press(pilot, "a")
        app.post_message(events.AppBlur())
        await until(pilot, lambda: bool(desk.drafts) and desk.drafts[-1].text == "a")
        await press(pilot, "ctrl+q")
        await until_shown(pilot, "your answer is not sent")

    drive(desk, script)


def test_the_editor_takes_every_letter_and_paste_also_in_a_burst() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        screen = app.screen
        app.post_message(events.Paste("Dear"))
        await until(pilot, lambda: app.focused is not None and app.focused.id == "text" and text_field(app) == "Dear")
        await press(pilot, "ctrl+z escape")
        for key in ("e", *"tope"):
            app.simulate_key(key)
        await until(pilot, lambda: app.focused is not None and app.focused.id == "text" and text_field(app) == "tope")
        await write_fast(pilot, PRINTABLE)
        await until(pilot, lambda: text_field(app) == "tope" + PRINTABLE)
        assert app.screen is screen

    drive(desk_with(), script)


def test_the_pause_and_a_small_window_hide_the_text_and_keep_it() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await write_fast(pilot, "Dear all")
        await until_shown(pilot, "2 words; 12 or more asked")
        before = screen_text(app).split("\n")[1:-1]
        await pilot.resize_terminal(20, 5)
        await until_shown(pilot, "too small")
        await press(pilot, "x q escape")
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: screen_text(app).split("\n")[1:-1] == before)
        await press(pilot, "escape p")
        await until_shown(pilot, "Paused.")
        assert not any(word in screen_text(app) for word in ("Dear", "bakery", "Use 12"))
        await press(pilot, "p")
        await until_shown(pilot, "Dear all")

    drive(desk_with(), script)


def test_what_an_input_method_commits_is_a_step_of_its_own() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await write_fast(pilot, "abc")
        await write_fast(pilot, "漢字")
        await write_fast(pilot, "d")
        for left in ("abc漢字", "abc", ""):
            await press(pilot, "ctrl+z")
            await until(pilot, lambda left=left: text_field(app) == left)
        await press(pilot, "ctrl+y ctrl+y")
        await until(pilot, lambda: text_field(app) == "abc漢字")
        await paste(pilot, "かな\nかな")
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: text_field(app) == "abc漢字")

    drive(desk_with(collects=True), script)


def test_ctrl_v_obeys_the_rules_of_a_paste() -> None:
    desk = desk_with()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        app._clipboard = "Dear\x1b[2J\r\n" + "x" * (2 * PASTE_LIMIT)
        await press(pilot, "ctrl+v")
        await until(pilot, lambda: len(text_field(app)) == PASTE_LIMIT)
        assert text_field(app).startswith("Dear[2J\nx")
        await until_shown(pilot, "of the paste left out")
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: text_field(app) == "")

    drive(desk, script)
    (event,) = [one for one in desk.happenings if one.kind == "paste"]
    assert event.data == f"{PASTE_LIMIT} kept, {PASTE_LIMIT + 9} left out"


def test_a_session_may_refuse_pastes() -> None:
    desk = desk_with()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        app.screen.query_one("#text").pastes = False  # type: ignore[attr-defined]
        await paste(pilot, "Dear")
        await until_shown(pilot, "pasting is off in this study")
        assert text_field(app) == ""

    drive(desk, script)
    assert [one.data for one in desk.happenings if one.kind == "paste"] == ["0 kept, 4 left out"]


def test_the_conflict_fields_take_every_letter() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        screen = app.screen
        await press(pilot, "escape c")
        for name in ("first", "second", "note"):
            await until(pilot, lambda name=name: app.focused is not None and app.focused.id == f"conflict-{name}")
            await write_fast(pilot, PRINTABLE)
            await until(pilot, lambda: text_field(app) == PRINTABLE)
            await press(pilot, "tab")
        assert app.screen is screen

    drive(desk_with(), script)


def test_letters_without_a_meaning_beside_the_text_go_to_the_text() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await press(pilot, "escape")
        await write_fast(pilot, "Dear")
        await until(pilot, lambda: text_field(app) == "Dear")
        await press(pilot, "escape")
        await paste(pilot, " you")
        await until(pilot, lambda: text_field(app) == "Dear you")

    drive(desk_with(), script)


def test_typing_is_counted_by_the_ten_seconds_and_nothing_finer_is_kept() -> None:
    desk = desk_with()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await write_fast(pilot, "Dear")
        await press(pilot, "f2")
        await until_shown(pilot, "of 3 met")

    drive(desk, script)
    assert [one.data for one in desk.happenings if one.kind == "typed"] == ["4"]
