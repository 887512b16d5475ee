"""A participant in a headless browser: the link, a puzzle by keys, one by mouse, a reload, and who is refused.

Runs with `-m web` where Chromium is installed.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from aiohttp import web
from chromium import BROWSER, Browser, Tab
from serving import WAIT_S, Running, running
from textual.pilot import Pilot

from engine.cli import OpenDoors
from engine.store.answers import Answers
from tests.engine.world import World
from tui.app import ClewApp
from tui.web.child import Stage

REQUIRED = "CLEW_BROWSER_REQUIRED"
"""Set where a missing browser is a failure and not a reason to skip."""

pytestmark = pytest.mark.web


@pytest.fixture(autouse=True)
def _browser() -> None:
    if not BROWSER.exists() and REQUIRED not in os.environ:
        pytest.skip(f"{BROWSER} is not installed")


OF_THE_SCREEN = {
    "resize", "terminal", "view", "scroll", "typed", "paste", "covered", "clock", "focus_reports", "blur", "focus",
    "wall",
}  # fmt: skip
"""Kinds of events that tell of a window, a keyboard or a clock."""
FIRST = (
    ("j space s n", "esc leave notes"),
    ("w h y", "why"),
    ("Escape", "n notes"),
    ("1 u a ArrowLeft 7 +", "[75]"),
    ("Enter", "Brier score"),
    ("Enter", "item 2/"),
)
"""Keys, and what the screen shows then: keys that come faster than a field gets the focus are commands."""
PINNED = "j space"
TEXTUAL = {"Escape": "escape", "ArrowLeft": "left", "+": "plus", "Enter": "enter"}
SECOND = "a ArrowLeft 7 + Enter"


@pytest.fixture
def world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> World:
    return World(tmp_path, capsys)


def rows(database: Path) -> list[tuple[object, ...]]:
    """Return what is stored, apart from ids, times and what tells of the screen alone."""
    with Answers.open(database, read_only=True) as answers:
        sessions = sorted(answers.sessions(next(iter(answers.solvers()))), key=lambda row: row.started_at)
        found: list[tuple[object, ...]] = [(row.mode, row.aid, row.label_order, row.pack_sha) for row in sessions]
        for row in answers.attempts():
            found.append((row.puzzle_id, row.text_sha, row.answer, row.confidence, row.notes, row.attempt_no))
        for session in sessions:
            told = [event for event in answers.events(session.id) if event.kind not in OF_THE_SCREEN]
            found += [(event.kind, event.puzzle_id, event.data) for event in told]
        assert answers.check() == ()
    return found


async def in_browser(browser: Browser, server: Running) -> Tab:
    """Play the first puzzle by keys; pin a row of the second, reload, answer it by mouse."""
    tab = await browser.tab(server.server.address.link(server.tokens["ada"]))
    await tab.until("drafts are kept")
    await tab.press("c")
    await tab.until("your answer", "sort")
    for keys, shown in FIRST:
        await tab.press(keys)
        await tab.until(shown)
    await tab.until("your answer", "sort")
    await tab.press(PINNED)
    await tab.until("pinned 1")
    await tab.reload()
    await tab.until("item 2/", "your answer", "pinned 1")
    await tab.click("[ ")
    await tab.click(" 75 ")
    await tab.click("[ send ]")
    await tab.until("Brier score", "saved, 2 of")
    return tab


class Terminal:
    """The app as in a terminal, on the same pack."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self._pilot = pilot

    def screen(self) -> str:
        app = self._pilot.app
        return "\n".join(strip.text for strip in app.screen._compositor.render_strips())

    async def until(self, *texts: str) -> None:
        async with asyncio.timeout(WAIT_S):
            while not all(text in self.screen() for text in texts):
                await self._pilot.pause()

    async def press(self, keys: str) -> None:
        await self._pilot.press(*(TEXTUAL.get(key, key) for key in keys.split()))


async def first_half(terminal: Terminal) -> None:
    await terminal.until("drafts are kept")
    await terminal.press("c")
    await terminal.until("your answer", "sort")
    for keys, shown in FIRST:
        await terminal.press(keys)
        await terminal.until(shown)
    await terminal.until("your answer", "sort")
    await terminal.press(PINNED)
    await terminal.until("pinned 1")


async def second_half(terminal: Terminal) -> None:
    await terminal.until("item 2/", "your answer", "pinned 1")
    await terminal.press(SECOND)
    await terminal.until("Brier score", "saved, 2 of")


async def in_terminal(pack: Path) -> None:
    """Play the same by keys alone, with an end and `clew resume` in place of the reload."""
    for half, resume in ((first_half, False), (second_half, True)):
        app = ClewApp(OpenDoors().desk(pack=str(pack), player="ada"), resume=resume)
        async with app.run_test(size=(110, 36)) as pilot:
            await half(Terminal(pilot))
        app.before_end()
        assert app.clerk.finish(WAIT_S)


def real_stage(pack: Path, data: Path) -> Stage:
    return Stage(pack=str(pack), data_folder=str(data), config_file=None)


def test_a_participant_plays_reloads_and_leaves_the_rows_of_the_terminal(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack, data = world.pack(complexities=(4, 4)), world.folder / "browser"

    async def play() -> None:
        async with running(world.folder, stage=real_stage(pack, data)) as server, Browser.start() as browser:
            tab = await in_browser(browser, server)
            assert all("Applying inline style violates" in told for told in tab.complaints), tab.complaints
            assert {urlsplit(address).netloc for address in tab.asked} == {urlsplit(server.origin).netloc}
            assert server.tokens["ada"] not in await tab.run("location.href + document.referrer")
            await used_link_refused(browser, server)
            await foreign_page_refused(tab, server)

    asyncio.run(play())
    monkeypatch.setenv("CLEW_DATA_DIR", str(world.folder / "terminal"))
    asyncio.run(in_terminal(pack))
    played = rows(data / "answers.db")
    assert len(played) >= 12 and played == rows(world.folder / "terminal" / "answers.db")


async def used_link_refused(browser: Browser, server: Running) -> None:
    again = await browser.tab(server.server.address.link(server.tokens["ada"]))
    await again.until_page("This link was used already")
    await again.close()


async def foreign_page_refused(tab: Tab, server: Running) -> None:
    """Open a page of another port in the participant's own browser: it is the same site, so the cookie goes along."""
    app = web.Application()
    app.router.add_get("/", _foreign_page)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        await tab.ask("Page.navigate", url=f"http://127.0.0.1:{runner.addresses[0][1]}/")
        await tab.until_page("another program")
        address = f"{server.origin.replace('http', 'ws')}/ws"
        opened = f"""new Promise((done) => {{
            const socket = new WebSocket("{address}");
            socket.onopen = () => done("open");
            socket.onerror = () => done("refused");
        }})"""
        assert await tab.run(opened) == "refused"
    finally:
        await runner.cleanup()


async def _foreign_page(request: web.Request) -> web.Response:
    return web.Response(text="<p>another program's page</p>", content_type="text/html")
