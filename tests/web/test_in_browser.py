"""A participant in a headless browser: a whole session by keys and one by mouse, a reload, and who is refused.

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

from engine.cli import OpenDoors
from tests.engine.world import World
from tests.tui.whole_session import (
    Hand,
    InTerminal,
    by_keys,
    by_mouse,
    in_lines,
    names,
    puzzle_by_keys,
    rows,
    write_session,
)
from tui.app import ClewApp
from tui.web.child import Stage

REQUIRED = "CLEW_BROWSER_REQUIRED"
"""Set where a missing browser is a failure and not a reason to skip."""

pytestmark = pytest.mark.web


@pytest.fixture(autouse=True)
def _browser() -> None:
    if not BROWSER.exists() and REQUIRED not in os.environ:
        pytest.skip(f"{BROWSER} is not installed")


SECOND = "item 2/"


@pytest.fixture
def world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> World:
    return World(tmp_path, capsys)


async def first_half(hand: Hand) -> None:
    """Answer the first puzzle, and pin a row of the second."""
    await hand.until("drafts are kept", "answers")
    await hand.press("c")
    await puzzle_by_keys(hand)
    await hand.press("enter")
    await hand.until(SECOND, "your answer", "sort")
    await hand.press("j space")
    await hand.until("pinned 1")


async def second_half(hand: Hand) -> None:
    """Answer the second puzzle, which is there again as it was left."""
    await hand.until(SECOND, "your answer", "pinned 1")
    await hand.press("a left 7 plus enter")
    await hand.until("Brier score", "saved, 2 of")


async def in_terminal(pack: Path) -> None:
    """Play both halves, with an end and `clew resume` in place of the reload."""
    for half, resume in ((first_half, False), (second_half, True)):
        app = ClewApp(OpenDoors().desk(pack=str(pack), player="ada"), resume=resume)
        async with app.run_test(size=(110, 36)) as pilot:
            await half(InTerminal(pilot))
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
            tab = await browser.tab(server.server.address.link(server.tokens["ada"]))
            await first_half(tab)
            await tab.reload()
            await second_half(tab)
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


@pytest.mark.parametrize("way", ["keys", "mouse"])
def test_a_whole_session_leaves_the_rows_of_the_line_mode(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = write_session(tmp_path / "pack")
    monkeypatch.setenv("CLEW_DATA_DIR", str(tmp_path / "names"))
    named = names(pack)

    async def play() -> None:
        stage = real_stage(pack, tmp_path / "browser")
        async with running(tmp_path, stage=stage) as server, Browser.start() as browser:
            tab = await browser.tab(server.server.address.link(server.tokens["ada"]))
            await (by_keys(tab) if way == "keys" else by_mouse(tab, named))

    asyncio.run(play())
    monkeypatch.setenv("CLEW_DATA_DIR", str(tmp_path / "lines"))
    in_lines(pack, named)
    lines = rows(tmp_path / "lines" / "answers.db")
    assert len(lines) >= 25
    assert rows(tmp_path / "browser" / "answers.db") == lines


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
