"""A person finishes a writing task with keys alone, with the mouse alone, and both leave the same record."""

from driving import (
    LARGE,
    SMALL,
    click,
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
from fake_desk import FakeDesk, puzzle, task
from textual.pilot import Pilot

from engine.errors import StoreError
from engine.public import Answer
from tui.app import ClewApp

TEXT = "Dear all, we open early on Monday so come and see us, please"


def writing_desk(**more: object) -> FakeDesk:
    collects = bool(more.get("collects"))
    return FakeDesk(puzzles=[], tasks=[task(nth, collects=collects) for nth in (1, 2, 3)], **more)  # type: ignore[arg-type]


def underlined(app: ClewApp) -> list[str]:
    """Return the pieces of the screen that are underlined."""
    strips = app.screen._compositor.render_strips()
    parts = [part for strip in strips for part in strip if part.text.strip()]
    return [part.text for part in parts if part.style is not None and part.style.underline]


async def by_keys(pilot: Pilot[None], app: ClewApp) -> None:
    await until_shown(pilot, "3 requirements", "0 of 3 answered")
    await press(pilot, "c")
    await until_shown(pilot, "writing 1/3", "Write a short note, number 1", "It has to be longer")
    await write_fast(pilot, "Dear z")
    await until_shown(pilot, "1 of 3 met  3 in force", "2 words; 12", "(ln 1 col", "2 words   1 line")
    assert underlined(app) == ["z"]
    await press(pilot, "escape down enter e backspace")
    await write_fast(pilot, TEXT.removeprefix("Dear "))
    await until_shown(pilot, "3 of 3 met", "13 words")
    assert not underlined(app)
    await press(pilot, "f2")
    await until_shown(pilot, "ok  All met: 3 of 3 met.", "13 words; 12", "saved, 1 of 3 writing tasks answered")
    await press(pilot, "enter")
    await until_shown(pilot, "writing 2/3", "number 2")


async def drag_over(pilot: Pilot[None], line: str, text: str) -> None:
    """Select a text in the editor, which the screen shows in this line, with the mouse."""
    lines = screen_text(pilot.app).split("\n")
    row = next(index for index, shown in enumerate(lines) if line in shown)
    start = lines[row].rindex(line) + line.index(text)
    await pilot.mouse_down(offset=(start, row))
    await pilot.hover(offset=(start + len(text), row))
    await pilot.mouse_up(offset=(start + len(text), row))


async def by_mouse(pilot: Pilot[None], app: ClewApp) -> None:
    await click(pilot, "writing  ")
    await until_shown(pilot, "Write a short note, number 1", "?    1   length  Use 12 words", "?    3   posit   Begin")
    await click(pilot, "l  list")
    await pilot.click("#text")
    await paste(pilot, "Dear z")
    await until_shown(pilot, "1 of 3 met")
    await click(pilot, "1 uses; none asked")
    await drag_over(pilot, "Dear z", "z")
    await paste(pilot, TEXT.removeprefix("Dear "))
    await until_shown(pilot, "3 of 3 met")
    await click(pilot, "[ send ]")
    await until_shown(pilot, "ok  All met: 3 of 3 met.")
    await click(pilot, "next task")
    await until_shown(pilot, "writing 2/3")


def kept(answer: Answer) -> tuple[object, ...]:
    return answer.puzzle_id, answer.rendering_id, answer.text_sha, answer.answer, answer.confidence, answer.raw


RECORD = ("w3-1", "wr3-1", task(1).text_sha, None, None, TEXT)


def test_keys_alone_finish_a_task() -> None:
    desk = writing_desk()
    drive(desk, by_keys, size=SMALL)
    (answer,) = desk.answers
    assert kept(answer) == RECORD
    assert answer.answer_id[14] == "7" and answer.shown_at.endswith("Z") and answer.notes == ""
    assert "open" in {one.kind for one in desk.happenings} and len(desk.threads) == 1 and desk.closed


def test_mouse_alone_finishes_a_task_with_the_same_record() -> None:
    desk = writing_desk()
    drive(desk, by_mouse, size=LARGE)
    assert kept(desk.answers[0]) == RECORD
    assert {"open", "paste"} <= {one.kind for one in desk.happenings}


def test_collection_shows_the_brief_alone_and_checks_nothing() -> None:
    desk = writing_desk(collects=True)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await until_shown(pilot, "COLLECT")
        await press(pilot, "escape l")
        await until_shown(pilot, "this session shows the brief alone")
        await press(pilot, "t")
        await until_shown(pilot, "this task has one turn")
        await press(pilot, "e")
        await write_fast(pilot, "Dear z")
        await until(pilot, lambda: bool(desk.drafts) and desk.drafts[-1].text == "Dear z")
        shown = screen_text(app)
        assert not any(word in shown for word in ("requirements", "met", "words  ", "1 line", "asked"))
        assert not app.screen.query("#requirements") and not underlined(app)
        await press(pilot, "f2")
        await until_shown(pilot, "Saved.", "saved, 1 of 3 writing tasks answered")
        assert not any(word in screen_text(app) for word in ("met", "asked", "verdict", " x "))

    drive(desk, script)
    assert "judge" not in desk.called and desk.answers[0].raw == "Dear z"


def test_an_empty_text_is_not_sent_and_the_send_button_takes_enter() -> None:
    desk = writing_desk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await press(pilot, "f2")
        await until_shown(pilot, "write something first")
        await write_fast(pilot, "a")
        await press(pilot, "tab")
        await until_shown(pilot, ">[ send ]<")
        desk.lock.clear()
        await press(pilot, "enter enter enter f2")
        desk.lock.set()
        await until_shown(pilot, "x   1 of 3 met.")

    drive(desk, script)
    assert [one.raw for one in desk.answers] == ["a"]


def test_a_failed_text_is_sent_again_as_the_same_answer() -> None:
    desk = writing_desk(failures={"submit": [StoreError("the disk is full")]})

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await write_fast(pilot, "Dear")
        await press(pilot, "f2")
        await until_shown(pilot, "not saved: the disk is full (F2 tries again)", "Dear")
        assert not desk.answers
        await press(pilot, "f2")
        await until_shown(pilot, "of 3 met.")

    drive(desk, script)
    assert desk.called.count("submit") == 2 and desk.answers[0].answer_id == desk.drafts[-1].answer_id


def test_keys_go_on_while_a_check_is_slow_and_its_late_result_is_dropped() -> None:
    desk = writing_desk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        desk.judge_lock.clear()
        await write_fast(pilot, "Dear")
        await until(pilot, lambda: desk.judged == ["Dear"])
        await write_fast(pilot, " z")
        await until(pilot, lambda: text_field(app) == "Dear z")
        await until_shown(pilot, "Dear z", "3 in force ...")
        assert "saving" not in screen_text(app), "nobody waits for a check"
        desk.judge_lock.set()
        await until_shown(pilot, "2 words; 12 or more asked")

    drive(desk, script)
    assert desk.judged == ["Dear", "Dear z"], "an empty text is not checked: that would load all checkers"


def test_marks_stay_with_their_letters_until_the_text_is_checked_anew() -> None:
    desk = writing_desk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await paste(pilot, "Dear z b z")
        await until(pilot, lambda: underlined(app) == ["z", "z"])
        desk.judge_lock.clear()
        await press(pilot, "home x enter end backspace")
        await until_shown(pilot, "Dear z b")
        await until(pilot, lambda: underlined(app) == ["z"])
        desk.judge_lock.set()

    drive(desk, script)


def test_a_failing_check_says_so_and_the_writing_goes_on() -> None:
    desk = writing_desk(failures={"judge": [StoreError("the pack is damaged")]})

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await write_fast(pilot, "De")
        await until_shown(pilot, "not checked: the pack is damaged")
        await write_fast(pilot, "ar")
        await until_shown(pilot, "1 words; 12 or more asked")

    drive(desk, script)


def test_the_aid_of_the_session_says_what_stands_beside_the_text() -> None:
    async def list_alone(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await press(pilot, "escape l")
        await until_shown(pilot, "requirements  3 ", "1   length  Use 12 words or more.", "0 words")
        await press(pilot, "enter")
        await until_shown(pilot, "there is no one place")

    async def nothing(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        assert not app.screen.query("#requirements") and "0 words" not in screen_text(app)

    desks = writing_desk(aid="A2"), writing_desk(aid="A0")
    for desk, script in zip(desks, (list_alone, nothing), strict=True):
        drive(desk, script)
        assert "judge" not in desk.called


def test_enter_in_the_list_goes_to_each_failing_place_in_turn() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await paste(pilot, "Dear zoo\n\u0301漢z")
        await until_shown(pilot, "2 uses; none asked", "ln 1 col 6")
        editor = app.screen.query_one("#text")
        await press(pilot, "escape g down")
        for location in ((0, 6), (1, 3), (0, 6)):
            await press(pilot, "enter")
            place = (location, location)
            await until(pilot, lambda place=place: tuple(editor.selection) == place)  # type: ignore[misc,attr-defined]

    drive(writing_desk(), script)


def test_one_side_can_have_the_whole_width() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await press(pilot, "escape o")
        await until(pilot, lambda: "your text" not in screen_text(app))
        await press(pilot, "e ctrl+o")
        await until_shown(pilot, "your text")
        await until(pilot, lambda: "It has to be longer" not in screen_text(app))
        await press(pilot, "escape l")
        await until_shown(pilot, "your text", "requirements")
        await press(pilot, "b")
        await until_shown(pilot, "your text", "It has to be longer")

    drive(writing_desk(), script)


def test_history_lists_a_text_and_opens_what_may_be_seen_again() -> None:
    desk = writing_desk()
    desk.puzzles = [puzzle(1)]

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "0 of 3 answered")
        await press(pilot, "down down enter")
        await until_shown(pilot, "brief")
        await write_fast(pilot, "Dear")
        await press(pilot, "f2")
        await until_shown(pilot, "of 3 met")
        await press(pilot, "h")
        await until_shown(pilot, "the next writing task", "1 answer")
        await press(pilot, "h")
        await until_shown(pilot, "3 asked", "note", "text")
        await press(pilot, "enter")
        await until_shown(pilot, "x   2 of 3 met.", "1   length  Use 12 words or more.", "What you wrote", "  Dear")
        await press(pilot, "escape")
        await until(pilot, lambda: bool(app.screen.query("#past")))

    drive(desk, script)


def test_when_all_tasks_are_done_the_app_says_so() -> None:
    desk = writing_desk()
    desk.tasks = [task(1)]

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        await press(pilot, "a f2")
        await until_shown(pilot, "saved, 1 of 1 writing tasks answered: all done")
        await press(pilot, "enter")
        await until_shown(pilot, "all done: every writing task of this pack is answered")
        await press(pilot, "h")
        await until_shown(pilot, "all done: every puzzle of this pack is answered", "1 of 1 answered   all")

    drive(desk, script)
