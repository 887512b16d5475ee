"""A person finishes a puzzle with keys alone, with the mouse alone, and both leave the same record."""

from driving import LARGE, SMALL, click, drive, open_puzzle, press, screen_text, until, until_shown, write
from fake_desk import FakeDesk, puzzle
from textual.pilot import Pilot

from engine.public import Answer
from tui.app import ClewApp


async def by_keys(pilot: Pilot[None], app: ClewApp) -> None:
    await until_shown(pilot, "0 of 3 answered")
    await press(pilot, "enter")
    await until_shown(pilot, "Which is likelier for the tank: filled or empty?", "48")
    await press(pilot, "j down s")
    await until_shown(pilot, "sort share, high first")
    await press(pilot, "slash")
    await write(pilot, "seal")
    await press(pilot, "enter")
    await until_shown(pilot, "rows 7 of 16")
    await press(pilot, "t")
    await until_shown(pilot, "> With a load of 8 the steps were vent, then seal.")
    await press(pilot, "t a f 7 plus enter")
    await until_shown(pilot, "ok  Right.", "68.8 %", "saved, 1 of 3 short puzzles answered")


async def by_mouse(pilot: Pilot[None], app: ClewApp) -> None:
    await click(pilot, "short  ")
    await until_shown(pilot, "Which is likelier for the tank:", "48")
    await click(pilot, "prime > vent")
    await until_shown(pilot, "> 6   prime > vent")
    await click(pilot, "original order")
    await until_shown(pilot, "sort share, high first")
    await click(pilot, "[ filled ]")
    await until_shown(pilot, "[>filled<]")
    await click(pilot, " 75 ")
    await until_shown(pilot, "[75]")
    await click(pilot, "[ send ]")
    await until_shown(pilot, "ok  Right.", "68.8 %", "saved, 1 of 3 short puzzles answered")
    await click(pilot, "next puzzle")
    await until_shown(pilot, "item 2/3")


def judged(answer: Answer) -> tuple[object, ...]:
    return answer.puzzle_id, answer.rendering_id, answer.text_sha, answer.answer, answer.confidence, answer.notes


RECORD = ("p4-1", "r4-1", puzzle(1).text_sha, "PRESENT", 75, "")


def test_keys_alone_finish_a_puzzle() -> None:
    desk = FakeDesk()
    drive(desk, by_keys, size=SMALL)
    (answer,) = desk.answers
    assert judged(answer) == RECORD
    assert {"open", "sort", "filter", "view"} <= {one.kind for one in desk.happenings}
    assert len(desk.threads) == 1 and desk.closed, "the desk is called from one thread only"
    assert answer.answer_id[14] == "7" and answer.shown_at.endswith("Z") and len(answer.shown_at) == 24


def test_mouse_alone_finishes_a_puzzle_with_the_same_record() -> None:
    desk = FakeDesk()
    drive(desk, by_mouse, size=LARGE)
    assert judged(desk.answers[0]) == RECORD
    assert {"open", "sort"} <= {one.kind for one in desk.happenings}


def test_feedback_comes_only_after_the_answer_is_stored() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f 7")
        desk.lock.clear()
        await press(pilot, "enter")
        await until_shown(pilot, "saving ...")
        assert not desk.answers
        desk.lock.set()
        await until_shown(pilot, "saved, 1 of 3")

    drive(desk, script)


def test_sending_twice_sends_once() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a e 0")
        desk.lock.clear()
        await press(pilot, "enter enter enter")
        desk.lock.set()
        await until_shown(pilot, "Not this time.", "1.00", "costly")

    drive(desk, script)
    assert len(desk.answers) == 1


def test_an_incomplete_answer_is_not_sent_and_says_what_is_missing() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a enter")
        await until_shown(pilot, "choose an outcome first")
        await press(pilot, "f enter")
        await until_shown(pilot, "say how sure you are first")

    drive(desk, script)
    assert not desk.answers


def test_keys_that_come_in_a_burst_all_count() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        for key in ("a", "e", "5", "plus", "plus", "minus"):
            app.simulate_key(key)
        await until_shown(pilot, "[>empty<]", "[55]")

    drive(desk, script)


def test_outcomes_stand_in_the_order_the_session_drew() -> None:
    desk = FakeDesk(puzzles=[puzzle(labels=("ABSENT", "PRESENT"))])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await until_shown(pilot, "[ empty ]  [ filled ]", "empty or filled?")
        await press(pilot, "a left 9 enter")
        await until_shown(pilot, "Not this time.")

    drive(desk, script)
    assert desk.answers[0].answer == "ABSENT"


def test_collection_says_saved_and_nothing_of_the_truth() -> None:
    desk = FakeDesk(collects=True)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f 8 enter")
        await until_shown(pilot, "Saved.", "saved, 1 of 6 items answered", "COLLECT")
        shown = "\n".join(str(widget.render()) for widget in app.screen.query("#told"))
        assert not any(word in shown for word in ("Right", "Brier", "exactly", "68", "rules"))

    drive(desk, script)


def test_the_story_alone_is_shown_where_the_session_has_no_table() -> None:
    desk = FakeDesk(aid="A0")

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await until_shown(pilot, "Tank number 1 is filled in steps.")
        assert not app.screen.query("#evidence, #status, #compare, #marks")
        await press(pilot, "t s c h 1 a f 6 enter")
        await until_shown(pilot, "Right.")

    drive(desk, script)


def test_counts_stand_without_bars_and_ranges_where_the_aid_says_so() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await until_shown(pilot, "13/48")
        header = next(line for line in screen_text(app).split("\n") if "steps in order" in line)
        assert not any(word in header for word in ("share", "range", "ov"))

    drive(FakeDesk(aid="A1"), script)


def test_when_all_is_done_the_app_says_so() -> None:
    desk = FakeDesk(puzzles=[puzzle(1)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f 7 enter")
        await until_shown(pilot, "all done")
        await press(pilot, "enter")
        await until_shown(pilot, "all done: every puzzle of short is answered")
        await press(pilot, "h")
        await until_shown(pilot, "all done: every puzzle of this pack is answered")

    drive(desk, script)


def test_history_opens_the_feedback_of_an_answer() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a e 8 enter")
        await until_shown(pilot, "Not this time.")
        await press(pilot, "h")
        await until_shown(pilot, "1 answer")
        await press(pilot, "h")
        await until_shown(pilot, "2025-06-01 10:00", "The tank", "empty", "80 %")
        await press(pilot, "enter")
        await until_shown(pilot, "Not this time.", "31.2 %")
        await press(pilot, "escape")
        await until(pilot, lambda: bool(app.screen.query("#past")))

    drive(desk, script)
