"""The conflict box: kept with the draft, reported with the turn that is sent, never more than what the person wrote."""

import json

from driving import click, drive, open_task, paste, press, screen_text, until, until_shown, write, write_fast
from fake_desk import FakeDesk, task
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from tui.app import ClewApp
from tui.conflict import Conflict, read_conflict
from tui.widgets.line_field import LineField

WORDS = st.text(st.characters(codec="utf-8"), max_size=30)


def reports(desk: FakeDesk) -> list[object]:
    return [json.loads(one.data) for one in desk.happenings if one.kind == "conflict"]


def one_task() -> FakeDesk:
    return FakeDesk(puzzles=[], tasks=[task(1)])


@given(st.builds(Conflict, seen=st.booleans(), first=WORDS, second=WORDS, note=WORDS))
def test_a_draft_holds_the_box_as_it_was(conflict: Conflict) -> None:
    assert read_conflict(conflict.text()) == conflict
    assert bool(conflict.report(3)) == conflict.seen


@given(st.text(max_size=30))
def test_anything_else_in_a_draft_is_an_untouched_box(text: str) -> None:
    assert read_conflict(text) == Conflict() or text.strip().startswith("{")


def test_the_report_goes_with_the_text_and_only_when_the_box_is_ticked() -> None:
    desk = one_task()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await write_fast(pilot, "Dear")
        await press(pilot, "escape c")
        await write(pilot, "R1q")
        await press(pilot, "backspace enter")
        await write(pilot, "R2")
        await press(pilot, "enter")
        await write(pilot, "pet")
        await until_shown(pilot, "[x] I see a conflict between: R1", "and R2", "note: pet")
        await press(pilot, "escape")
        await until(pilot, lambda: bool(desk.drafts) and "pet" in desk.drafts[-1].conflict)
        assert not reports(desk)
        await press(pilot, "f2")
        await until_shown(pilot, "of 3 met")

    drive(desk, script)
    assert reports(desk) == [{"turn": 1, "first": "R1", "second": "R2", "note": "pet"}]
    kinds = [one.kind for one in desk.happenings]
    assert kinds.index("conflict") < kinds.index("answer") and desk.answers[0].raw == "Dear"


def test_a_box_that_is_unticked_again_reports_nothing_and_keeps_what_was_written() -> None:
    desk = one_task()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await write_fast(pilot, "Dear")
        await click(pilot, "I see a conflict")
        await write(pilot, "R1")
        await click(pilot, "I see a conflict")
        await until_shown(pilot, "[ ] I see a conflict between: R1")
        await press(pilot, "f2")
        await until_shown(pilot, "of 3 met")

    drive(desk, script)
    assert not reports(desk) and json.loads(desk.drafts[-1].conflict) == {"first": "R1"}


def test_a_click_on_a_field_ticks_the_box_and_a_paste_is_one_line_without_controls() -> None:
    desk = one_task()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await write_fast(pilot, "Dear")
        await pilot.click("#conflict-note")
        await until_shown(pilot, "[x] I see a conflict")
        await pilot.click("#conflict-note")
        await paste(pilot, "two\nlines\x1b[2J\x9b \u202eend" + "x" * 5000)
        await until_shown(pilot, "note: two lines[", "characters of the paste left out")
        assert screen_text(app).replace("\n", "").isprintable()
        await press(pilot, "f2")
        await until_shown(pilot, "of 3 met")

    drive(desk, script)
    (report,) = reports(desk)
    (noted,) = [one.data for one in desk.happenings if one.kind == "paste"]
    assert noted.startswith("2000 kept, ")
    assert report["note"].startswith("two lines[2J \u202eendx") and len(report["note"]) == 2000  # type: ignore[index]


def test_a_session_that_refuses_pastes_refuses_them_in_the_box_too() -> None:
    desk = one_task()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        for field in app.screen.query(LineField):
            field._pastes = False
        await press(pilot, "escape c")
        await until_shown(pilot, "[x] I see a conflict")
        await paste(pilot, "R1")
        await until_shown(pilot, "pasting is off in this study")
        assert app.screen.query_one("#conflict-first", LineField).value == ""

    drive(desk, script)
    assert [one.data for one in desk.happenings if one.kind == "paste"] == ["0 kept, 2 left out"]


def test_letters_typed_on_the_button_or_the_box_go_to_the_text() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await press(pilot, "tab")
        await until_shown(pilot, ">[ send ]<")
        await write_fast(pilot, "Dear")
        await until_shown(pilot, "Dear", "1 word")
        await press(pilot, "tab tab")
        await paste(pilot, " you")
        await until_shown(pilot, "Dear you", "2 words")

    drive(one_task(), script)
