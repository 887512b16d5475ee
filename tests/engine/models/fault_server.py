"""A loopback server that speaks the chat protocol and fails as it is told; and a clock that never waits.

A script is called with each request's number (from 0) and body, and returns what to send. The server lives in the
test's own loop, or in a thread of its own for programs under test; every request that came in is kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

Result = TypeVar("Result")
MODEL = "scripted-1"


@dataclass(frozen=True)
class Reply:
    """What is sent back."""

    body: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    """Close after so many bytes of the body; its length is announced in full."""
    together: int = 1
    """Answer only once so many requests are waiting."""


HANG = Reply(status=-1)
"""Send nothing and keep the connection."""
DROP = Reply(status=-2)
"""Close the connection without a word."""
Script = Callable[[int, Mapping[str, Any]], Reply]


def chat(text: str | None = "ANSWER: PRESENT", **changes: object) -> Reply:
    """Return an answer of the model; `changes` are fields of the choice, the message (`refusal`, ...) or the body."""
    message: dict[str, object] = {"role": "assistant", "content": text}
    choice: dict[str, object] = {"index": 0, "message": message, "finish_reason": "stop"}
    body: dict[str, object] = {
        "id": "c1", "object": "chat.completion", "model": MODEL, "choices": [choice],
        "usage": {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 40}},
    }  # fmt: skip
    for name, value in changes.items():
        target = message if name in ("refusal", "reasoning_content") else choice if name == "finish_reason" else body
        target[name] = value
    return Reply(json.dumps({name: value for name, value in body.items() if value is not ...}))


def failure(status: int, message: str = "no", code: str | None = None, **headers: str) -> Reply:
    """Return an error in the protocol's form."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(json.dumps({"error": {"message": message, "type": code, "code": code}}), status, named)


def steps(*replies: Reply, then: Reply | None = None) -> Script:
    """Return a script that sends the replies one after another and then always the last one, or `then`."""
    last = then or replies[-1]
    return lambda nth, body: replies[nth] if nth < len(replies) else last


class FaultServer:
    """The server; use `serving` or `in_thread`."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: list[dict[str, Any]] = []
        self.heads: list[str] = []
        self.stuck = asyncio.Event()
        self.base_url = ""
        self.most_at_once = 0
        self._waiting: list[asyncio.Event] = []
        self._server: asyncio.Server | None = None

    @property
    def hits(self) -> int:
        return len(self.requests)

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._converse, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.base_url = f"http://127.0.0.1:{port}/v1"

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._server.wait_closed(), 1)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _meet(self, together: int) -> None:
        self._waiting.append(asyncio.Event())
        mine = self._waiting[-1]
        self.most_at_once = max(self.most_at_once, len(self._waiting))
        if len(self._waiting) >= together:
            for event in self._waiting:
                event.set()
            self._waiting.clear()
        await mine.wait()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        sizes = [line for line in head.lower().split("\r\n") if line.startswith("content-length:")]
        body = json.loads(await reader.readexactly(int(sizes[0].partition(":")[2])))
        nth = self.hits
        self.requests.append(body)
        self.heads.append(head)
        reply = self.script(nth, body)
        if reply is HANG:
            self.stuck.set()
            await reader.read()
            return False
        if reply is DROP:
            return False
        await self._meet(reply.together)
        data = reply.body.encode()
        headers = {"content-type": "application/json", **reply.headers, "content-length": str(len(data))}
        lines = [f"HTTP/1.1 {reply.status} X", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        writer.write("\r\n".join(lines).encode() + data[: reply.cut])
        await writer.drain()
        return reply.cut is None


@contextlib.asynccontextmanager
async def serving(script: Script) -> AsyncIterator[FaultServer]:
    """Run a server in this loop."""
    server = FaultServer(script)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


@contextlib.contextmanager
def in_thread(script: Script) -> Iterator[FaultServer]:
    """Run a server in a thread, for programs under test."""
    server, ready, loops = FaultServer(script), threading.Event(), []

    async def run() -> None:
        await server.start()
        ended = asyncio.Event()
        loops.append((asyncio.get_running_loop(), ended))
        ready.set()
        await ended.wait()
        await server.stop()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    ready.wait()
    try:
        yield server
    finally:
        loop, ended = loops[0]
        loop.call_soon_threadsafe(ended.set)
        thread.join()


class VirtualTime:
    """A clock on which waiting takes no time; a hanging request is over once the server says that it hangs."""

    def __init__(self, server: FaultServer) -> None:
        self._server = server
        self.now = 1000.0
        self.slept: list[float] = []
        self._told = 0

    def monotonic(self) -> float:
        return self.now

    def utc(self) -> str:
        """Each time told is a millisecond after the one before, so that rows have an order."""
        self._told += 1
        return f"2031-05-06T07:{self._told // 60_000:02d}:{self._told // 1000 % 60:02d}.{self._told % 1000:03d}Z"

    def local(self, seconds_from_now: float) -> str:
        return f"+{seconds_from_now:.0f} s"

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        end = self.now + seconds
        for _ in range(50):  # whoever can go on does so before time does
            await asyncio.sleep(0)
        self.now = max(self.now, end)

    async def within(self, work: Awaitable[Result], seconds: float) -> Result:
        task = asyncio.ensure_future(work)
        stuck = asyncio.ensure_future(self._server.stuck.wait())
        try:
            await asyncio.wait([task, stuck], return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            self._server.stuck.clear()
            self.now += seconds
            raise TimeoutError
        finally:
            stuck.cancel()
            task.cancel()
            await asyncio.gather(task, stuck, return_exceptions=True)
