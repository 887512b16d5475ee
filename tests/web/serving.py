"""Runs the server on a free port in the test's own loop, with scripted children, and opens it as browsers do."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar, WSMsgType

from tui.web.child import Stage
from tui.web.links import Links
from tui.web.server import Server, listen
from tui.web.sessions import IDLE_S

CHILD = Path(__file__).with_name("scripted_child.py")
WAIT_S = 30
"""Bound of every wait; nothing is measured by it."""


@dataclass(frozen=True, kw_only=True)
class Scripted(Stage):
    """Starts the scripted child in place of the app."""

    folder: Path

    def command(self, player: str) -> list[str]:
        return [sys.executable, "-I", str(CHILD), str(self.folder), player]


class Running:
    """A server that listens, with the tokens it gave out."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server, self.folder = server, folder
        self.tokens = server.links.tokens()
        self.origin = server.address.origin

    def log(self) -> list[str]:
        path = self.folder / "log"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    async def until_logged(self, line: str) -> None:
        async with asyncio.timeout(WAIT_S):
            while line not in self.log():
                await asyncio.sleep(0)

    @asynccontextmanager
    async def browser(self, player: str | None = None, *, origin: str | None = None) -> AsyncIterator[ClientSession]:
        """Open a browser with cookies of its own; with a name it has that participant's cookie."""
        headers = {"Origin": self.origin if origin is None else origin}
        jar = CookieJar(unsafe=True)
        async with ClientSession(self.origin, headers=headers if headers["Origin"] else {}, cookie_jar=jar) as session:
            if player is not None:
                async with session.post("/join", data=self.tokens[player]) as answer:
                    assert answer.status == 204
            yield session


@asynccontextmanager
async def running(
    folder: Path,
    *names: str,
    most: int = 8,
    idle_s: float = IDLE_S,
    stage: Stage | None = None,
    public_url: str | None = None,
) -> AsyncIterator[Running]:
    scripted = Scripted(pack=None, data_folder=str(folder / "data"), config_file=None, folder=folder)
    server = Server(stage or scripted, Links(names or ("ada",)), most=most, idle_s=idle_s)
    listening: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def announce(server: Server) -> None:
        listening.set_result(server.port)

    serving = asyncio.ensure_future(listen(server, "127.0.0.1", 0, public_url=public_url, announce=announce))
    await asyncio.wait([serving, listening], return_when=asyncio.FIRST_COMPLETED, timeout=WAIT_S)
    assert listening.done(), serving
    try:
        yield Running(server, folder)
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


async def painted(socket: ClientWebSocketResponse) -> bytes:
    """Return the next thing that the app painted."""
    message = await socket.receive(timeout=WAIT_S)
    assert message.type is WSMsgType.BINARY, message
    assert isinstance(message.data, bytes)
    return message.data


async def seen_by_child(socket: ClientWebSocketResponse) -> dict[str, Any]:
    """Return what a scripted child tells first: its environment, arguments and home."""
    told = json.loads(await painted(socket))
    assert isinstance(told, dict)
    return told


async def close_code(socket: ClientWebSocketResponse) -> int | None:
    """Read until the server closes; return its code."""
    while (await socket.receive(timeout=WAIT_S)).type is WSMsgType.BINARY:
        pass
    return socket.close_code
