"""What keeps an opening short: an item is painted once it is whole, styles are read once, garbage waits."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator

import pyte
import pytest
from driving import drive, open_puzzle, press, screen_text, until, until_shown
from fake_desk import FakeDesk, task
from pty_session import COLUMNS, LINES, UNKNOWN, Session
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot
from textual.widget import Widget

from engine.errors import StoreError
from tui import early, shell
from tui.app import ClewApp
from tui.config import Config
from tui.screens.home import HomeScreen
from tui.screens.puzzle import PuzzleScreen
from tui.themes import OWN

FRAME = b"\x1b[?2026h"
"""What begins a frame, in a terminal that paints whole ones."""


def frames(output: bytes) -> Iterator[str]:
    """Yield the screen after each frame."""
    screen = pyte.Screen(COLUMNS, LINES)
    stream = pyte.ByteStream(screen)
    for frame in output.split(FRAME):
        stream.feed(UNKNOWN.sub(b"", frame))
        yield "\n".join(screen.display)


@pytest.mark.parametrize(
    ("options", "frame", "content"),
    [
        (("--cases", "110"), "sure  50", "rows 1-"),
        (("--talk",), "[ send ]", "begin with Dear"),
        (("--cases", "110", "--", "play", "--aid", "A0"), "don't know", "48 tanks"),
    ],
    ids=["puzzle", "writing", "story alone"],
)
def test_an_item_is_never_painted_without_its_content(options: tuple[str, ...], frame: str, content: str) -> None:
    session = Session(*options)
    session.read_until("start")
    session.press("c")
    session.read_until(frame, content)
    session.press("\x11")
    session.wait()
    shown = [one for one in frames(session.output) if frame in one]
    assert shown and all(content in one for one in shown), shown[0]


@pytest.mark.parametrize("theme", [theme.name for theme in OWN])
def test_a_dark_theme_to_begin_with_is_read_once_and_looks_as_if_it_was_chosen(theme: str) -> None:
    async def colours(config: Config, chosen: str = "") -> tuple[dict[str, str], set[str], int]:
        read = 0
        reparse = Stylesheet.reparse

        def counted(sheet: Stylesheet) -> None:
            nonlocal read
            read += 1
            reparse(sheet)

        app = ClewApp(FakeDesk(), config=config)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Stylesheet, "reparse", counted)
            async with app.run_test() as pilot:
                await until_shown(pilot, "start")
                if chosen:
                    before, app.theme = read, chosen
                    await until(pilot, lambda: read > before)
                styles = {str(one): _look(one) for one in app.screen.query(Widget)}
                return styles, {name for name in app.classes if name.endswith("-mode")}, read

    other = next(one.name for one in OWN if one.name != theme)
    began, classes, read = asyncio.run(colours(Config(theme=theme)))
    chosen, same_classes, _ = asyncio.run(colours(Config(theme=other), chosen=theme))
    assert began == chosen and classes == same_classes
    assert read == (0 if next(one for one in OWN if one.name == theme).dark else 1)


def _look(widget: Widget) -> str:
    return f"{widget.styles.color.hex} on {widget.styles.background.hex}, {widget.styles.text_style}"


def test_home_is_laid_out_once_one_goes_there_after_going_on() -> None:
    desk = FakeDesk(tasks=[task(1)])

    async def leave(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "j escape")
        await until(pilot, lambda: bool(desk.drafts))

    async def come_back(pilot: Pilot[None], app: ClewApp) -> None:
        assert not app.screen_stack[0].query("#home")
        await until(pilot, lambda: isinstance(app.screen, PuzzleScreen))
        assert not app.screen_stack[0].query("#home")
        await press(pilot, "escape")
        await until_shown(pilot, "continue", "writing", "what every key does", "all keys")
        assert isinstance(app.screen, HomeScreen) and screen_text(app).count("what every key does") == 1
        await press(pilot, "down enter")
        await until(pilot, lambda: isinstance(app.screen, PuzzleScreen))

    drive(desk, leave)
    drive(desk, come_back, resume=True)


def test_home_says_why_nothing_can_be_gone_on_with() -> None:
    desk = FakeDesk(failures={"draft": [StoreError("the draft is damaged")]})

    async def come_back(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "the draft is damaged", "start", "what every key does")

    drive(desk, come_back, resume=True)


@pytest.fixture
def collector() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


@pytest.mark.usefixtures("collector")
def test_garbage_waits_for_the_opening_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    early.hurry()
    assert not gc.isenabled()
    monkeypatch.setattr(shell, "SETTLED_S", 0.01)

    async def settled() -> None:
        app = ClewApp(FakeDesk(), listens=True)
        async with app.run_test() as pilot:
            await until(pilot, gc.isenabled)

    asyncio.run(settled())
    assert gc.get_freeze_count() > 0
