"""The sessions of one run of the server: one a participant, a bounded number at once, started one after the other.

A session lives as long as its socket. What it did is in the store by then, so a participant who comes back, with a
reload or a day later, goes on where the last session ended.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from tui.web.child import Child, Size, Stage, clamped

IDLE_S = 30 * 60
"""A session ends when no key and no mouse came for so long."""
START_BOUND_S = 30
"""How long an app may take until it is about to paint."""


class Seat:
    """A participant's place: taken when the socket opens, left when all is saved."""

    def __init__(self) -> None:
        self.asked_to_leave = asyncio.Event()
        self.left = asyncio.Event()

    async def leave(self) -> None:
        self.asked_to_leave.set()
        await self.left.wait()


class Sessions:
    def __init__(self, stage: Stage, *, most: int, idle_s: float = IDLE_S) -> None:
        """Begin with none; at most `most` run at once."""
        self._stage, self._most, self._idle_s = stage, most, idle_s
        self._seats: dict[str, Seat] = {}
        self._starting = asyncio.Lock()

    def full_for(self, player: str) -> bool:
        """Say whether there is no place for a participant; one who has a session may take it over."""
        return player not in self._seats and len(self._seats) >= self._most

    async def play(self, player: str, socket: web.WebSocketResponse, size: Size) -> None:
        """Run a session over an open socket until one of them ends; an earlier one of the participant ends first."""
        seat, earlier = Seat(), self._seats.get(player)
        self._seats[player] = seat
        try:
            if earlier is not None:
                await earlier.leave()
            if not seat.asked_to_leave.is_set():
                with TemporaryDirectory(prefix="clew-home-") as home:
                    await self._run(player, socket, size, seat, Path(home))
        finally:
            self._free(player, seat)

    async def close(self) -> None:
        """End all sessions; what they did is saved."""
        await asyncio.gather(*(seat.leave() for seat in self._seats.values()))

    def _free(self, player: str, seat: Seat) -> None:
        """Give the place free; who waits for it need not wait until the browser has heard of the end."""
        seat.left.set()
        if self._seats.get(player) is seat:
            del self._seats[player]

    async def _run(self, player: str, socket: web.WebSocketResponse, size: Size, seat: Seat, home: Path) -> None:
        environment = self._stage.environment(os.environ, home=str(home), size=size)
        async with self._starting:
            if seat.asked_to_leave.is_set():
                return
            child = await Child.start(self._stage.command(player), environment, home=home)
            ready = await _within(child.ready(), START_BOUND_S)
        reading = asyncio.ensure_future(self._read(child, socket))
        try:
            if ready:
                await _first(_show(child, socket), asyncio.wait([reading]), seat.asked_to_leave.wait())
        finally:
            await child.end()
            self._free(player, seat)
            # The page says now that all is saved. Closing wakes the reader; one that is cancelled would break it off.
            await socket.close(code=WSCloseCode.GOING_AWAY)
            with suppress(ConnectionError):
                await reading

    async def _read(self, child: Child, socket: web.WebSocketResponse) -> None:
        """Hand on what the browser says, until it leaves, says what is no message, or is idle for too long."""
        loop = asyncio.get_running_loop()
        last = loop.time()
        while True:
            try:
                async with asyncio.timeout_at(last + self._idle_s):
                    message = await socket.receive()
            except TimeoutError:
                return
            if message.type is not WSMsgType.TEXT or not await _hand_on(message.data, child, socket):
                return
            if message.data.startswith('["stdin"'):
                last = loop.time()


async def _show(child: Child, socket: web.WebSocketResponse) -> None:
    """Hand on what the app paints; requests to open an address or to fetch a file are not passed on."""
    async for kind, payload in child.packets():
        if kind == b"D":
            await socket.send_bytes(payload)
        elif kind == b"M" and b'"exit"' in payload:
            return


async def _hand_on(text: str, child: Child, socket: web.WebSocketResponse) -> bool:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return False
    match said:
        case ["stdin", str(keys)]:
            await child.type(keys)
        case ["resize", {"width": columns, "height": rows}]:
            size = clamped(columns, rows)
            await child.tell("resize", width=size.columns, height=size.rows)
        case ["ping", str(when)]:
            await socket.send_json(["pong", when])
        case ["focus"]:
            await child.tell("focus")
        case ["blur"]:
            await child.tell("blur")
        case _:
            return False
    return True


async def _within(work: Coroutine[Any, Any, bool], bound_s: float) -> bool:
    try:
        async with asyncio.timeout(bound_s):
            return await work
    except TimeoutError:
        return False


async def _first(*works: Coroutine[Any, Any, object]) -> None:
    """Run all until one ends, then stop the others; a connection that breaks is an end like any other."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
    for end in ends:
        if isinstance(end, Exception) and not isinstance(end, ConnectionError):
            raise end
