"""The server: three pages, the socket, and nothing else; every answer carries the same strict headers.

What a browser needs of a terminal (xterm.js and a font) comes out of the package textual-serve; its server does not,
for it lets any page and anybody in. Nothing is logged: a token stands in no address, only in the body of one request.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import web

from engine.errors import UsageError, quoted
from tui.web.child import Stage, clamped
from tui.web.links import Links
from tui.web.sessions import IDLE_S, Sessions

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Nothing of other hosts and nothing inline. The terminal's script tries to write a style sheet into the page, which
browsers refuse and say so; the page links the same sheet as a file."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Server": "clew",
}
PAGES = Path(__file__).with_name("pages")
LARGEST_BODY, LARGEST_MESSAGE = 1_000, 1_000_000
HEARTBEAT_S = 15
RETRY_S = 60
SHUTDOWN_S = 2


@dataclass(frozen=True, kw_only=True)
class Address:
    """Where people open the app, which is not where it listens if a proxy stands before it."""

    origin: str
    """Scheme, host and port as a browser says them in `Origin`."""
    path: str
    """Ends in a slash."""

    @classmethod
    def read(cls, url: str) -> Address:
        """Take an address apart.

        Raises:
            UsageError: not an http or https address, or one with a query.
        """
        told = f"the address {quoted(url)} is not usable; give one such as https://play.example.org/clew/"
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise UsageError(told) from None
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise UsageError(told)
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        usual = {"http": 80, "https": 443}[parts.scheme]
        origin = f"{parts.scheme}://{host}" + (f":{port}" if port not in (None, usual) else "")
        return cls(origin=origin, path=parts.path.rstrip("/") + "/")

    def link(self, token: str) -> str:
        """Return a participant's link: the token is a fragment, which browsers send to nobody."""
        return f"{self.origin}{self.path}#{token}"


class Server:
    def __init__(self, stage: Stage, links: Links, *, most: int, idle_s: float = IDLE_S) -> None:
        """Prepare it; `port` and `address` are set once it listens, before the first request."""
        self.links = links
        self.sessions = Sessions(stage, most=most, idle_s=idle_s)
        self.address, self.port = Address(origin="", path="/"), 0
        terminal = Path(str(files("textual_serve"))) / "static"
        self._statics = {
            "page.css": PAGES / "page.css",
            "join.js": PAGES / "join.js",
            "play.js": PAGES / "play.js",
            "terminal.js": terminal / "js" / "textual.js",
            "terminal.css": terminal / "css" / "xterm.css",
            "mono.ttf": terminal / "fonts" / "RobotoMono-VariableFont_wght.ttf",
            "mono-italic.ttf": terminal / "fonts" / "RobotoMono-Italic-VariableFont_wght.ttf",
        }

    def app(self) -> web.Application:
        app = web.Application(client_max_size=LARGEST_BODY)
        app.add_routes(
            [
                web.get("/", self._page),
                web.post("/join", self._join),
                web.get("/ws", self._socket),
                web.get("/static/{name}", self._static),
            ]
        )
        app.on_response_prepare.append(_add_headers)
        app.on_shutdown.append(self._close)
        return app

    @property
    def _cookie(self) -> str:
        """Name the cookie after the port: cookies of one host are shared by all its ports."""
        return f"clew-{self.port}"

    def _holder(self, request: web.Request) -> str | None:
        return self.links.holder(request.cookies.get(self._cookie))

    async def _page(self, request: web.Request) -> web.StreamResponse:
        player = self._holder(request)
        if player is None:
            return web.FileResponse(PAGES / "join.html")
        if self.sessions.full_for(player):
            return web.FileResponse(PAGES / "full.html", status=503, headers={"Retry-After": str(RETRY_S)})
        return web.FileResponse(PAGES / "play.html")

    async def _join(self, request: web.Request) -> web.Response:
        """Swap a token for a cookie; a used one is refused, but whoever has a cookie already keeps that."""
        self._refuse_others(request)
        response = web.Response(status=204)
        cookie = self.links.swap(await request.text())
        if cookie is None:
            if self._holder(request) is None:
                raise web.HTTPForbidden(text="this link is unknown or used\n")
            return response
        secure = self.address.origin.startswith("https:")
        response.set_cookie(
            self._cookie, cookie, path=self.address.path, httponly=True, samesite="Strict", secure=secure
        )
        return response

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        self._refuse_others(request)
        player = self._holder(request)
        if player is None:
            raise web.HTTPUnauthorized(text="open the link that was given to you\n")
        if self.sessions.full_for(player):
            raise web.HTTPServiceUnavailable(text="all places are taken\n", headers={"Retry-After": str(RETRY_S)})
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT_S, max_msg_size=LARGEST_MESSAGE)
        await socket.prepare(request)
        size = clamped(request.query.get("width"), request.query.get("height"))
        await self.sessions.play(player, socket, size)
        return socket

    async def _static(self, request: web.Request) -> web.StreamResponse:
        path = self._statics.get(request.match_info["name"])
        if path is None:
            raise web.HTTPNotFound
        return web.FileResponse(path)

    def _refuse_others(self, request: web.Request) -> None:
        """Refuse a page of another origin, and a program that names none."""
        if request.headers.get("Origin") != self.address.origin:
            raise web.HTTPForbidden(text=f"this page must be opened at {self.address.origin}\n")

    async def _close(self, app: web.Application) -> None:
        await self.sessions.close()


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)


async def listen(
    server: Server, host: str, port: int, *, public_url: str | None, announce: Callable[[Server], None]
) -> int:
    """Serve until a signal asks to end; return 128 plus its number.

    Args:
        port: 0 for one that is free.
        public_url: where people open it; None for the place where it listens.
        announce: called once it listens.

    Raises:
        UsageError: the place is taken, not ours, or unknown.
    """
    public = None if public_url is None else Address.read(public_url)
    runner = web.AppRunner(server.app(), access_log=None, handle_signals=False, shutdown_timeout=SHUTDOWN_S)
    await runner.setup()
    try:
        await _take_place(runner, host, port)
        server.port = runner.addresses[0][1]
        named = f"[{host}]" if ":" in host else host
        server.address = public or Address.read(f"http://{named}:{server.port}/")
        ended = _end_by_signal()
        announce(server)
        return await ended
    finally:
        await runner.cleanup()


async def _take_place(runner: web.AppRunner, host: str, port: int) -> None:
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        raise UsageError(f"cannot listen at {quoted(host)}, port {port}: {error.strerror}; give another") from error


def _end_by_signal() -> asyncio.Future[int]:
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()

    def end(number: int) -> None:
        if not ended.done():
            ended.set_result(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, end, number)
    return ended
