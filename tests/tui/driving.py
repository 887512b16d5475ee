"""Drives the app as a person does, by keys and clicks, and reads the screen as text."""

from __future__ import annotations

import asyncio
import string
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from time import monotonic

from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from engine.public import Desk
from tui.app import ClewApp
from tui.moments import Moments

Script = Callable[[Pilot[None], ClewApp], Awaitable[None]]
TRIES, LONGEST_S = 250, 10.0
PRINTABLE = string.ascii_lowercase + string.digits + "GU?/+-[]"
"""Keys that are commands somewhere, and letters in every text field."""
SMALL, LARGE = (80, 24), (120, 40)
STILL = Moments(
    monotonic=lambda: 100.0,
    now=lambda: datetime(2025, 6, 1, 9, 30, 0, 250_000, tzinfo=UTC),
    chance=lambda count: b"\7" * count,
)
"""A clock that stands still, so that a screen is the same every time."""


def drive(
    desk: Desk,
    script: Script,
    *,
    size: tuple[int, int] = SMALL,
    moments: Moments | None = None,
    resume: bool = False,
    mono: bool = False,
) -> ClewApp:
    """Run the app on a desk, let a script press its keys, and return the app once its clerk is done."""

    async def session() -> ClewApp:
        app = ClewApp(desk, moments=moments, resume=resume, mono=mono)
        async with app.run_test(size=size) as pilot:
            await script(pilot, app)
        return app

    app = asyncio.run(session())
    app.before_end()
    assert app.clerk.finish(10), "the clerk did not finish"
    return app


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Wait for a condition: so many turns of the app's loop, and on a busy machine so many seconds, whichever is more.

    A turn takes no time while the app is idle, but the clerk's thread may need some.
    """
    end, tries = monotonic() + LONGEST_S, 0
    while tries < TRIES or monotonic() < end:
        if condition():
            return
        await pilot.pause()
        tries += 1
    raise AssertionError(f"never came true; the screen shows\n{screen_text(pilot.app)}")


async def until_shown(pilot: Pilot[None], *texts: str) -> None:
    await until(pilot, lambda: all(text in screen_text(pilot.app) for text in texts))


async def press(pilot: Pilot[None], keys: str) -> None:
    """Press keys given as words, such as `a f 7 plus enter`."""
    await pilot.press(*keys.split())


async def write(pilot: Pilot[None], text: str) -> None:
    """Press the characters of a text."""
    await pilot.press(*("space" if character == " " else character for character in text))


async def click(pilot: Pilot[None], text: str, *, below: int = 0) -> None:
    """Click on the first place where the screen shows `text`, or so many lines below it."""
    await until_shown(pilot, text)
    lines = screen_text(pilot.app).split("\n")
    row = next(index for index, line in enumerate(lines) if text in line)
    await pilot.click(offset=(lines[row].index(text) + len(text) // 2, row + below))


async def open_puzzle(pilot: Pilot[None]) -> None:
    """Open the first puzzle that home offers."""
    await until_shown(pilot, "history")
    await until(pilot, lambda: "opening the pack" not in screen_text(pilot.app))
    await press(pilot, "c")
    await until_shown(pilot, "your answer")


async def open_task(pilot: Pilot[None]) -> None:
    """Open the writing task that home offers in a pack without puzzles."""
    await until_shown(pilot, "history", "drafts are kept")
    await press(pilot, "c")
    await until_shown(pilot, "[ send ]")


async def write_fast(pilot: Pilot[None], text: str) -> None:
    """Send the characters of a text in one burst."""
    for character in text:
        pilot.app.post_message(events.Key("space" if character == " " else character, character))
    await pilot.pause()


async def paste(pilot: Pilot[None], text: str) -> None:
    """Paste as a terminal does."""
    pilot.app.post_message(events.Paste(text))
    await pilot.pause()


def screen_text(app: object) -> str:
    """Return the screen as lines of text, as the compositor would send them."""
    assert isinstance(app, ClewApp)
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


def text_field(app: ClewApp) -> str:
    """Return what the focused text field holds."""
    field = app.focused
    if isinstance(field, Input):
        return field.value
    assert isinstance(field, TextArea), f"no text field has the focus, {field!r} has"
    return field.text
