"""The web's part of the run of everything: `clew serve` on a practice pack of tokens, and a client in place of a page.

The sealed file lies beside the pack, as practice needs it; what its feedback says of an answer is rounded, so that no
token is due at any moment. The client does what the pages do: it swaps the link for a cookie, fetches what they name,
and plays over the socket. It also asks for what is refused. Every byte that the server sends is kept.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from types import SimpleNamespace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from audits.study_flow import Done
from audits.terminal import COLUMNS, ENTER, ESCAPE, LEFT, LINES, MAIN, PATIENCE_S, QUIT, Home, Ran

if TYPE_CHECKING:
    from aiohttp import ClientSession, ClientWebSocketResponse, TraceConfig, TraceRequestEndParams

PLAYER = "cleo"
ENDED = 128 + signal.SIGINT
"""What the server ends with."""
BOUND_S = 180.0
_LINK = re.compile(rb"(http://[\d.]+:\d+)/#([\w-]{22})")
_PAINT = re.compile(rb"\x1b\[[0-9;?<=>]*[a-zA-Z]")
"""How a terminal is told colours and places."""
_NAMED = re.compile(r'(?:src|href)="(static/[\w.-]+)"')
STEPS = (
    ("drafts are kept", "c"), ("your answer", "jy"), ("copied row", "t"), ("next sentence", "n"),
    ("leave notes", "a note"), ("a note", ESCAPE), ("your answer", "a"), ("how sure", f"{LEFT}7"), ("[70]", ENTER),
    ("feedback", "r"), ("The rules behind", "h"), ("drafts are kept", "h"), ("70", QUIT),
)  # fmt: skip
"""What the screen shows, and the keys that are pressed then: a row copied, a note, an answer, what it comes to, the
history."""
TOLD = "print(sys.argv, dict(os.environ), file=open(os.path.join(os.environ['TMPDIR'], 'session.txt'), 'a'))"
"""Keeps the arguments and the environment that the server gave to a session."""
REFUSED = (("GET", "ws"), ("GET", "none"), ("GET", "static/none"), ("POST", "join"))
"""What somebody without a link asks for."""


@dataclass(frozen=True, kw_only=True)
class Sent:
    """All that the server sent to its clients, growing as it comes."""

    pages: bytearray = field(default_factory=bytearray)
    """Status lines, headers and bodies of every answer."""
    socket: bytearray = field(default_factory=bytearray)
    """What the socket carried, in order."""


def possible() -> bool:
    """Tell whether the extra `web` is there."""
    return all(find_spec(name) is not None for name in ("aiohttp", "textual_serve"))


def serve(home: Home, prelude: str) -> tuple[Sent, Done]:
    """Serve the pack in a home, play in it once, and interrupt the server.

    Args:
        prelude: Python code that goes before the server and before each of its sessions, and imports `sys`.
    """
    return asyncio.run(_bounded(home, prelude))


async def _bounded(home: Home, prelude: str) -> tuple[Sent, Done]:
    code = f"{prelude}; from audits.served import carry; carry({prelude!r}); {MAIN.removeprefix('import sys; ')}"
    arguments = ("serve", "--pack", ".", "--as", PLAYER, "--port", "0")
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, *arguments, cwd=home.work, env=home.environment(), stdout=PIPE, stderr=PIPE
    )
    sent, output = Sent(), b""
    assert server.stdout is not None
    try:
        output = await asyncio.wait_for(server.stdout.readline(), BOUND_S)
        if link := _LINK.search(output):
            await asyncio.wait_for(_visit(sent, *(part.decode() for part in link.groups())), BOUND_S)
    except TimeoutError:
        pass  # What came until then is searched; without an answer the run proves nothing.
    finally:
        rest, err = await _interrupted(server)
    return sent, Done("serve", Ran(server.returncode or 0, output + rest, err), ENDED)


async def _interrupted(server: Process) -> tuple[bytes, bytes]:
    """End the server in order, or kill it; return what is left in its outputs."""
    reading = asyncio.ensure_future(server.communicate())
    for number in (signal.SIGINT, signal.SIGKILL):
        with suppress(ProcessLookupError):
            server.send_signal(number)
        if (await asyncio.wait([reading], timeout=PATIENCE_S))[0]:
            break
    return await reading


def carry(prelude: str) -> None:
    """Let sessions begin with a prelude, though all that they see of the world is an allow-list. Runs in the server."""
    from tui.web.child import Stage

    given = f"sys.path[:0] = {sys.path!r}; os.environ['TMPDIR'] = {os.environ['TMPDIR']!r}"
    code = f"import os, sys; {given}; {TOLD}; {prelude}; from engine.start import main; main()"
    kept = Stage.command

    def command(stage: Stage, player: str) -> list[str]:
        python, apart, _m, _module, *rest = kept(stage, player)
        return [python, apart, "-c", code, *rest]

    setattr(Stage, "command", command)  # noqa: B010  # the armed runs replace functions on purpose


# The client -----------------------------------------------------------------------------------------------------------


async def _visit(sent: Sent, origin: str, token: str) -> None:
    """Do what a participant's browser does with a link, and before that what a stranger's may try."""
    from aiohttp import ClientError, ClientSession, CookieJar

    async with ClientSession(
        origin, headers={"Origin": origin}, cookie_jar=CookieJar(unsafe=True), trace_configs=[_tracing(sent)]
    ) as browser:
        with suppress(ClientError):
            for method, path in REFUSED:
                await _ask(browser, sent, method, path)
            await _open_page(browser, sent)
            await _ask(browser, sent, "POST", "join", token)
            await _open_page(browser, sent)
            await _play(browser, sent)
            await _open_page(browser, sent)


def _tracing(sent: Sent) -> TraceConfig:
    """Return a client's setting that keeps status lines and headers, those of the socket's opening too."""
    from aiohttp import TraceConfig

    async def ended(session: ClientSession, context: SimpleNamespace, params: TraceRequestEndParams) -> None:
        got = params.response
        sent.pages.extend(f"\n{got.status} {got.reason}\n".encode())
        sent.pages.extend(b"".join(b"%s: %s\n" % header for header in got.raw_headers))

    tracing = TraceConfig()
    tracing.on_request_end.append(ended)
    return tracing


async def _ask(browser: ClientSession, sent: Sent, method: str, path: str, body: str = "") -> str:
    async with browser.request(method, f"/{path}", data=body or None) as answer:
        data = await answer.read()
    sent.pages.extend(data)
    return data.decode("utf-8", "replace")


async def _open_page(browser: ClientSession, sent: Sent) -> None:
    """Get the page and all that it names."""
    for path in _NAMED.findall(await _ask(browser, sent, "GET", "")):
        await _ask(browser, sent, "GET", path)


async def _play(browser: ClientSession, sent: Sent) -> None:
    """Say what a page says, and press each key once the screen shows what it waits for."""
    size = {"width": COLUMNS, "height": LINES}
    async with browser.ws_connect(f"/ws?{urlencode(size)}") as socket:
        for said in (["focus"], ["resize", size], ["ping", "0"]):
            await socket.send_json(said)
        for awaited, keys in STEPS:
            await _until(socket, sent, awaited)
            if not socket.closed:
                await socket.send_json(["stdin", keys])
        await _until(socket, sent, None)


async def _until(socket: ClientWebSocketResponse, sent: Sent, awaited: str | None) -> None:
    """Read until a text was painted, or the server has closed; not longer than one is patient."""
    start = len(sent.socket)
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            while not socket.closed and (
                awaited is None or awaited.encode() not in _PAINT.sub(b"", sent.socket[start:])
            ):
                frame = await socket.receive()
                sent.socket.extend(frame.data if isinstance(frame.data, bytes) else str(frame.data or "").encode())
