"""Hostile text in every field that others write, on every screen: shown as it is, never obeyed, never fatal."""

from driving import drive, open_puzzle, press, screen_text, until, until_shown, write
from fake_desk import FakeDesk, puzzle
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from textual.pilot import Pilot

from engine.errors import StoreError
from engine.public import Draft
from tui.app import ClewApp
from tui.shown import shown_cell

STRINGS = [
    "[/]",
    "[red]x[/red]",
    "\x1b[2J\x1b]0;t\x07",
    "\x1b]52;c;aGk=\x07",
    "a\u202eb\u2066c\u200bd",
    "\0\x7f\x9b",
    "@click=app.quit",
]


def hostile_desk(text: str, title: str = "") -> FakeDesk:
    one = puzzle(1, words=lambda word: f"{word[:4]}{text}")
    drafts = [Draft(puzzle_id="p4-1", notes=text, filter=text, sort=text)]
    return FakeDesk(puzzles=[one], rule=text, pack_title=title or text, player=text, drafts=drafts)


async def every_screen(pilot: Pilot[None], app: ClewApp) -> None:
    """Go through all screens; on each, nothing but newlines may steer the terminal."""

    def calm() -> bool:
        return screen_text(app).replace("\n", "").isprintable()

    await until_shown(pilot, "0 of 1 answered")
    assert calm()
    await press(pilot, "c")
    await until_shown(pilot, "your answer", "13/48")
    assert calm()
    await press(pilot, "t")
    await until_shown(pilot, "With a load")
    assert calm()
    await press(pilot, "t slash")
    await write(pilot, "nothing")
    await until_shown(pilot, "^ ")
    assert calm()
    await press(pilot, "escape n")
    await until(pilot, lambda: bool(app.screen.query("#notes")) or "too long" in screen_text(app))
    assert calm()
    await press(pilot, "escape question_mark" if app.screen.query("#notes") else "question_mark")
    await until_shown(pilot, "help", "go to the answer bar")
    assert calm()
    await press(pilot, "escape a right 7 enter")
    await until_shown(pilot, "Brier")
    assert calm()
    await press(pilot, "r")
    await until(pilot, lambda: "r shows what is behind it" not in screen_text(app))
    assert calm()
    await press(pilot, "escape h")
    await until_shown(pilot, "1 answer")
    await press(pilot, "h")
    await until_shown(pilot, "2025-06-01")
    assert calm()


def test_each_screen_shows_hostile_text_and_stores_it_unchanged() -> None:
    text = "".join(STRINGS)
    desk = hostile_desk(text)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, shown_cell(text)[:90])
        await every_screen(pilot, app)

    drive(desk, script, size=(120, 40))
    assert desk.answers[0].notes == text


def test_a_line_of_a_megabyte_in_every_field_is_survived() -> None:
    desk = hostile_desk("[/]" * 333_333)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await every_screen(pilot, app)

    drive(desk, script)


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(st.text(st.sampled_from("[/]=@\x1b\x9b\u202e\ud800\u0301漢🙂a "), min_size=1, max_size=12))
def test_any_text_is_survived_on_every_screen(text: str) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        # Between two letters, since lines are compared without the blanks at their ends.
        await until_shown(pilot, shown_cell(f"<{text}>"))
        await every_screen(pilot, app)

    drive(hostile_desk(text, title=f"<{text}>"), script, size=(120, 40))


def test_messages_of_errors_are_foreign_too() -> None:
    desk = FakeDesk(failures={"next": [StoreError(f"bad {text}") for text in STRINGS]})

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "0 of 3 answered")
        for text in STRINGS:
            await press(pilot, "enter")
            await until_shown(pilot, f"not possible now: {shown_cell(StoreError(f'bad {text}').line())}")
            assert screen_text(app).replace("\n", "").isprintable()

    drive(desk, script)


def test_the_screen_check_sees_what_it_must() -> None:
    """The positive control: a control character that does reach the screen is noticed."""

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        app.get_line_filters = lambda: []  # type: ignore[method-assign]
        app.screen.query_one("#status").update("\x1b[2J")  # type: ignore[attr-defined]
        await until(pilot, lambda: "\x1b" in screen_text(app))
        assert not screen_text(app).replace("\n", "").isprintable()

    drive(FakeDesk(), script)
