"""What a person does is written down as rows: which item, when, what; and the clock counts only what can be seen."""

from __future__ import annotations

from driving import LARGE, SMALL, drive, open_puzzle, press, until, until_shown, write
from fake_desk import FakeDesk
from textual import events
from textual.pilot import Pilot

from tui.app import ClewApp
from tui.moments import Moments
from tui.screens.puzzle import PuzzleScreen
from tui.scrolling import Scrolled
from tui.stack import Palette


def kinds(desk: FakeDesk) -> set[str]:
    return {one.kind for one in desk.happenings}


def test_every_kind_of_event_is_a_row_of_its_item() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "s slash")
        await write(pilot, "n>=1")
        await press(pilot, "enter space 1 x h u U t t G")
        await until(pilot, lambda: "scroll" in kinds(desk))
        await press(pilot, "question_mark escape p p i n")
        await until(pilot, lambda: app.focused is not None and app.focused.id == "notes")
        await write(pilot, "x")
        await press(pilot, "escape")
        await pilot.resize_terminal(*LARGE)
        await until(pilot, lambda: "resize" in kinds(desk))
        await pilot.resize_terminal(20, 5)
        await until(pilot, lambda: "small" in kinds(desk))
        await pilot.resize_terminal(*SMALL)
        app.post_message(events.AppBlur())
        app.post_message(events.AppFocus())
        await until(pilot, lambda: "focus" in kinds(desk))
        await press(pilot, "a f 7 enter")
        await until_shown(pilot, "Right.")

    drive(desk, script)
    assert kinds(desk) >= {
        "open", "clock", "terminal", "sort", "filter", "pin", "mark", "strike", "highlight", "undo", "redo", "view",
        "scroll", "help", "pause", "hint", "note", "resize", "small", "blur", "focus", "back", "answer",
        "focus_reports",
    }  # fmt: skip
    assert {one.puzzle_id for one in desk.happenings} == {"p4-1"}
    times = [one.t_ms for one in desk.happenings]
    assert times == sorted(times), "rows come in the order in which things happened"
    told = {one.kind: one.data for one in desk.happenings}
    assert told["filter"] == "n>=1" and told["pin"] in told["strike"]
    assert told["answer"] == "PRESENT 70" and told["focus_reports"] == "yes"
    assert told["clock"].endswith("Z") and told["terminal"].startswith("80x24")
    assert [one.data for one in desk.happenings if one.kind == "back"] == ["help", "pause", "small"]
    assert max(len(one.data) for one in desk.happenings) < 60, "an event holds a small value"


def test_without_any_focus_report_that_is_stored() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f 7 enter")
        await until_shown(pilot, "Right.")

    drive(desk, script)
    assert [one.data for one in desk.happenings if one.kind == "focus_reports"] == ["no"]


def test_any_number_of_scrolls_is_one_note_at_rest() -> None:
    timers: list[tuple[float, object]] = []
    notes: list[int] = []
    scrolled = Scrolled(later=lambda seconds, call: timers.append((seconds, call)), note=lambda: notes.append(1))
    for _ in range(50):
        scrolled.touch()
    ((seconds, call),) = timers
    call()  # type: ignore[operator]
    assert notes == [1] and seconds <= 0.25
    scrolled.touch()
    assert len(timers) == 2


def test_pause_blur_help_and_a_small_window_stop_the_clock_and_are_not_counted() -> None:
    seconds = [100.0]
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        screen = app.screen
        assert isinstance(screen, PuzzleScreen)
        clock = screen.attempt.clock
        seconds[0] += 5
        for begin, end, back in (("p", "p", "pause"), ("question_mark", "escape", "help")):
            await press(pilot, begin)
            await until(pilot, lambda: app.screen is not screen)
            seconds[0] += 60
            await press(pilot, end)
            await until(pilot, lambda back=back: back in [one.data for one in desk.happenings])  # type: ignore[misc]
            seconds[0] += 1
        app.post_message(events.AppBlur())
        await until(pilot, lambda: "blur" in kinds(desk))
        seconds[0] += 60
        app.post_message(events.AppFocus())
        await until(pilot, lambda: "focus" in kinds(desk))
        await pilot.resize_terminal(10, 3)
        await until(pilot, lambda: "small" in kinds(desk))
        seconds[0] += 60
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: app.screen is screen)
        assert clock.visible_ms() == 7000
        app._hold("suspend")
        seconds[0] += 60
        app._release("suspend")
        seconds[0] += 2
        await press(pilot, "a f 7 enter")
        await until_shown(pilot, "Right.")

    drive(desk, script, moments=Moments(monotonic=lambda: seconds[0]))
    assert desk.answers[0].response_ms == 9000
    assert {"suspend", "blur", "pause", "help", "small"} <= kinds(desk)


def test_a_small_window_stops_the_clock_of_an_item_below_the_palette_too() -> None:
    seconds = [100.0]
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        screen = app.screen
        assert isinstance(screen, PuzzleScreen)
        await press(pilot, "ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, Palette))
        await pilot.resize_terminal(10, 3)
        await until(pilot, lambda: "small" in kinds(desk))
        seconds[0] += 60
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: isinstance(app.screen, Palette))
        seconds[0] += 1
        assert screen.attempt.clock.visible_ms() == 1000

    drive(desk, script, moments=Moments(monotonic=lambda: seconds[0]))
    assert [one.data for one in desk.happenings if one.kind == "back"] == ["small"]
