"""The real app as a child of the server: how it ends when the server tells it to, or goes away, and what is kept."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pyte
import pytest
from chromium import UNKNOWN
from serving import WAIT_S

from engine.store.answers import Answers
from tests.engine.world import World
from tui.web.child import Child, Size, Stage

HANG_UP = 129


@pytest.fixture
def world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> World:
    return World(tmp_path, capsys)


async def begun(world: World, data: Path) -> Child:
    """Start the app, open the first puzzle and write a note."""
    stage = Stage(pack=str(world.pack(complexities=(4,))), data_folder=str(data), config_file=None)
    home = world.folder / "home"
    home.mkdir()
    environment = stage.environment(os.environ, home=str(home), size=Size(100, 40))
    child = await Child.start(stage.command("ada"), environment, home=home)
    assert await child.ready()
    async with asyncio.timeout(WAIT_S):
        await follow(child, ("drafts are kept", "c"), ("your answer", "n"), ("leave notes", "why"), (" why ", ""))
    return child


async def follow(child: Child, *steps: tuple[str, str]) -> None:
    """Type keys as soon as the screen shows what they wait for."""
    emulated, left = pyte.Screen(100, 40), list(steps)
    stream = pyte.ByteStream(emulated)
    async for kind, payload in child.packets():
        if kind == b"D":
            stream.feed(UNKNOWN.sub(b"", payload))
        if left[0][0] in "\n".join(emulated.display):
            await child.type(left.pop(0)[1])
        if not left:
            return


def drafts(data: Path) -> list[bytes | str]:
    with Answers.open(data / "answers.db", read_only=True) as answers:
        assert answers.check() == ()
        return [row.body for row in answers.drafts(next(iter(answers.solvers())))]


def test_the_app_saves_and_ends_when_it_is_told_to(world: World) -> None:
    data = world.folder / "data"

    async def run() -> int:
        child = await begun(world, data)
        return await child.end(WAIT_S)

    assert asyncio.run(run()) == HANG_UP
    (draft,) = drafts(data)
    assert "why" in str(draft)


def test_the_app_saves_and_ends_when_the_server_is_gone(world: World) -> None:
    data = world.folder / "data"

    async def run() -> int:
        child = await begun(world, data)
        child._input.close()
        async with asyncio.timeout(WAIT_S):
            await child._drain()
            return await child._process.wait()

    assert asyncio.run(run()) == HANG_UP
    (draft,) = drafts(data)
    assert "why" in str(draft)


def test_a_child_that_does_not_end_is_killed(tmp_path: Path) -> None:
    async def run() -> int:
        command = ["/bin/sh", "-c", "trap '' TERM; while :; do read line || exec tail -f /dev/null; done"]
        child = await Child.start(command, {"PATH": os.environ["PATH"]}, home=tmp_path)
        return await child.end(0.05)

    assert asyncio.run(run()) == -9
