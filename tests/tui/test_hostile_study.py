"""Hostile text in what a study shows: stages, questions, options, and how sure one is; shown as it is, never obeyed."""

from __future__ import annotations

import pytest
from driving import LARGE, SMALL, drive, press, screen_text, until, until_shown
from fake_desk import task
from fake_study import LEAVING, ON, FakeGuide
from msgspec.structs import replace
from test_hostile_text import STRINGS
from textual.pilot import Pilot

from engine.public import Question, Session, Stage, StageKind
from tui.app import ClewApp
from tui.screens.help import HelpScreen
from tui.screens.study import StageScreen
from tui.shown import shown_cell
from tui.stack import Palette

KINDS: tuple[StageKind, ...] = ("consent", "intake", "instructions", "practice", "check", "break", "end")
ASKING = ("intake", "check")
TITLE, TEXT, ASKS, OPTION, OTHER = "<title>", "<text>", "<asks>", "<option>", "<other>"
HOSTILE = " ".join(STRINGS)
SHOWN = shown_cell(HOSTILE)
STUDY = "[b]\x1b[2J"


class HostileGuide(FakeGuide):
    """A study whose very name is hostile."""

    def open(self) -> Session:
        return replace(super().open(), study=STUDY)


def stage(kind: StageKind, text: str) -> Stage:
    """Return a stage that says a text wherever a study's maker can say something."""
    asked = (Question(text=ASKS + text, options=(OPTION + text, OTHER + text)),) if kind in ASKING else ()
    return Stage(
        key=kind, kind=kind, title=TITLE + text, text=TEXT + text, questions=asked,
        puzzle_id="p4-1" if kind == "practice" else "",
        words={"consent": ("agree", "decline"), "practice": LEAVING, "end": ("next", "withdraw")}.get(kind, ON),
    )  # fmt: skip


def calm(app: ClewApp) -> bool:
    return screen_text(app).replace("\n", "").isprintable()


def flat(text: str) -> str:
    """Return a text without blanks, as wrapping leaves it."""
    return "".join(text.split())


def in_place(app: ClewApp, widget: str) -> str:
    """Return what the screen shows where a widget is."""
    place = app.screen.query_one(widget).region
    lines = app.screen._compositor.render_strips()[place.y : place.bottom]
    return "\n".join(line.crop(place.x, place.right).text for line in lines)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x40"])
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_stage_shows_hostile_text_as_it_is(kind: StageKind, size: tuple[int, int]) -> None:
    asks = kind in ASKING
    parts = (TITLE, TEXT, ASKS, OPTION, OTHER) if asks else (TITLE, TEXT)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        for part in parts:
            await until(pilot, lambda part=part: flat(part + SHOWN) in flat(screen_text(app)))  # type: ignore[misc]
        await until_shown(pilot, "clew", shown_cell(f"study {STUDY}"))
        assert calm(app) and isinstance(app.screen, StageScreen)
        if asks:
            await press(pilot, "down enter")
            await until_shown(pilot, f"(o) {OTHER}")
        for keys, above in (("question_mark", HelpScreen), ("ctrl+p", Palette)):
            await press(pilot, keys)
            await until(pilot, lambda above=above: isinstance(app.screen, above))  # type: ignore[misc]
            await pilot.pause()
            assert calm(app)
            await press(pilot, "escape")
            await until_shown(pilot, TITLE)

    drive(HostileGuide(to_come=[stage(kind, HOSTILE)]), script, size=size)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x40"])
def test_the_question_how_sure_shows_hostile_text_as_it_is(size: tuple[int, int]) -> None:
    item = Stage(
        key="item/1", kind="item", puzzle_id="w3-1", family="instruction-adherence", confidence_question=ASKS + HOSTILE
    )
    desk = HostileGuide(to_come=[item], puzzles=[], tasks=[task(collects=True)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "[ send ]")
        await press(pilot, "a f2")
        await until_shown(pilot, ASKS, "60 %", "esc: back to the text")
        assert flat(in_place(app, "#sure-says")) == flat(ASKS + SHOWN) and calm(app)
        await press(pilot, "f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        assert calm(app)
        await press(pilot, "escape down down enter")
        await until(pilot, lambda: bool(desk.answers))

    drive(desk, script, size=size)
    assert desk.answers[0].raw == "a" and desk.answers[0].confidence is not None


def test_the_check_of_the_screen_sees_what_steers_a_terminal() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, TEXT)
        app.get_line_filters = lambda: []  # type: ignore[method-assign]
        app.screen.query_one("#stage-text").update("\x1b[2J")  # type: ignore[attr-defined]
        await until(pilot, lambda: "\x1b" in screen_text(app))
        assert not calm(app)

    drive(HostileGuide(to_come=[stage("break", "")]), script)
