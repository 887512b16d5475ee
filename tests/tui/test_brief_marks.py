"""Underlines and ticks of one's own: by keys and by mouse, kept, taken back, and part of no computation."""

from driving import LARGE, drive, open_task, press, screen_text, until, until_shown, write_fast
from fake_desk import FakeDesk, task
from fake_talk import Talk
from textual.pilot import Pilot

from tui.app import ClewApp
from tui.writing import View, read_view


def kept(desk: FakeDesk) -> View:
    return read_view(desk.drafts[-1].view)


def underlined(app: ClewApp) -> str:
    """Return what is underlined on the screen, joined."""
    strips = app.screen._compositor.render_strips()
    return " ".join(
        part.text for strip in strips for part in strip if part.style and part.style.underline and part.text.strip()
    )


def test_keys_underline_words_tick_erase_and_take_back() -> None:
    desk = FakeDesk(puzzles=[], tasks=[task(1)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await press(pilot, "escape right right space right")
        await until(pilot, lambda: underlined(app) == "short note,")
        await press(pilot, "space")
        await until_shown(pilot, "Write a [ ] short note,")
        await press(pilot, "m")
        await until_shown(pilot, "Write a [x] short note,")
        await press(pilot, "down space space")
        await until(pilot, lambda: screen_text(app).count("[ ]") == 2)
        await press(pilot, "x u u u")
        await until_shown(pilot, "Write a [ ] short note,")
        await press(pilot, "U")
        await until_shown(pilot, "Write a [x] short note,")
        await press(pilot, "u u u")
        await until_shown(pilot, "there is no mark to take back")
        await press(pilot, "U U U U")

    drive(desk, script)
    (marks,) = kept(desk).own.marks.values()
    text = task(1).text
    assert [(text[one.start : one.end], one.ticked) for one in marks] == [("short note,", True)]
    assert {"underline", "undo", "redo"} <= {one.kind for one in desk.happenings}


def test_the_mouse_draws_an_underline_and_ticks_its_box_in_a_collection_too() -> None:
    desk = FakeDesk(puzzles=[], tasks=[task(1, collects=True)], collects=True, aid="A0")

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        lines = screen_text(app).split("\n")
        row = max(index for index, line in enumerate(lines) if "short note" in line)
        first, last = lines[row].index("short"), lines[row].index("note")
        await pilot.mouse_down(offset=(first, row))
        await pilot.hover(offset=(last, row))
        await pilot.mouse_up(offset=(last, row))
        await until_shown(pilot, "[ ] short note")
        await pilot.click(offset=(first + 1, row))
        await until_shown(pilot, "[x] short note")
        await write_fast(pilot, "Dear")
        await until(pilot, lambda: bool(desk.drafts) and desk.drafts[-1].text == "Dear")

    drive(desk, script, size=LARGE)
    (marks,) = kept(desk).own.marks.values()
    assert [one.ticked for one in marks] == [True] and "judge" not in desk.called


def test_marks_of_an_earlier_turn_come_along_and_can_still_be_made() -> None:
    desk = FakeDesk(puzzles=[], talks=[Talk()])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await press(pilot, "escape space space e")
        await write_fast(pilot, "Dear")
        await press(pilot, "f2")
        await until_shown(pilot, "turn 2 of 3")
        await press(pilot, "escape t up enter")
        await until_shown(pilot, "[ ] Write a short note", "what you wrote")
        await press(pilot, "G space space")
        await until_shown(pilot, "[ ] Dear.")

    drive(desk, script)
    assert {turn: len(marks) for turn, marks in kept(desk).own.marks.items()} == {1: 2}


def test_a_requirement_can_be_ticked_by_hand() -> None:
    desk = FakeDesk(puzzles=[], tasks=[task(1)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await press(pilot, "escape l down m")
        await until_shown(pilot, "v 2   lexical")
        await press(pilot, "m u")
        await until_shown(pilot, "v 2   lexical")

    drive(desk, script)
    assert kept(desk).own.ticks == (2,)
