"""Headless Chromium over its DevTools protocol, and what its terminal got to paint.

The terminal draws on a canvas, where no text can be read. So the frames of the socket, as the browser reports them, are
painted once more by an emulator: the screen is what the browser was given, and pictures prove that it painted.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import re
import shutil
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import pyte
from aiohttp import ClientSession, ClientWebSocketResponse

BROWSER = Path("/usr/bin/chromium")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-port=0",
    "--window-size=1000,640",
)  # fmt: skip
UNKNOWN = re.compile(rb"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p")
"""Sequences that the emulator does not know and would print."""
BEGUN = re.compile(rb"\x1b(\[[<>=?0-9;$]*)?\Z")
"""A sequence whose end is in the next frame."""
WAIT_S = 60
KEYS = {
    "space": (" ", " ", 32), "enter": ("Enter", "\r", 13), "escape": ("Escape", "", 27), "left": ("ArrowLeft", "", 37),
    "tab": ("Tab", "", 9), "f2": ("F2", "", 113), "plus": ("+", "+", 0),
}  # fmt: skip
"""Keys by their names in the app: what the browser calls each, the text that it types, and its number."""


class Browser:
    """A browser; each tab has cookies of its own."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self._socket, self._ids = socket, itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._tabs: dict[str, Tab] = {}

    @classmethod
    @asynccontextmanager
    async def start(cls) -> AsyncIterator[Self]:
        folder = tempfile.mkdtemp(prefix="clew-chromium-")
        process = await asyncio.create_subprocess_exec(
            str(BROWSER), *FLAGS, f"--user-data-dir={folder}", "about:blank", stdout=DEVNULL, stderr=PIPE
        )
        assert process.stderr is not None
        try:
            async with asyncio.timeout(WAIT_S):
                while b"DevTools listening on " not in (line := await process.stderr.readline()):
                    assert line, "the browser ended before it listened"
            async with ClientSession() as session:
                address = line.decode().split("listening on ")[1].strip()
                async with session.ws_connect(address, max_msg_size=0) as socket:
                    browser = cls(socket)
                    listening = asyncio.ensure_future(browser._listen())
                    yield browser
                    await browser.ask("Browser.close")
                    await listening
        finally:
            if process.returncode is None:
                try:
                    async with asyncio.timeout(10):
                        await process.communicate()
                except TimeoutError:
                    process.kill()
                    await process.wait()
            shutil.rmtree(folder, ignore_errors=True)

    async def tab(self, url: str) -> Tab:
        """Open an address in a tab that shares no cookie with the others."""
        context = (await self.ask("Target.createBrowserContext"))["browserContextId"]
        target = await self.ask("Target.createTarget", url="about:blank", browserContextId=context)
        attached = await self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        tab = Tab(self, attached["sessionId"])
        self._tabs[attached["sessionId"]] = tab
        for domain in ("Network", "Page", "Log", "Runtime"):
            await tab.ask(f"{domain}.enable")
        await tab.ask("Page.navigate", url=url)
        return tab

    async def ask(self, method: str, session: str | None = None, **values: object) -> dict[str, Any]:
        number = next(self._ids)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        to = {} if session is None else {"sessionId": session}
        await self._socket.send_json({"id": number, "method": method, "params": values, **to})
        async with asyncio.timeout(WAIT_S):
            return await answer

    async def _listen(self) -> None:
        async for message in self._socket:
            said = message.json()
            if "id" in said:
                assert "error" not in said, said
                self._answers.pop(said["id"]).set_result(said["result"])
            elif tab := self._tabs.get(said.get("sessionId", "")):
                tab.hear(said["method"], said["params"])


class Tab:
    """A page with a terminal."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session
        self.asked: list[str] = []
        """Addresses that the page asked for."""
        self.complaints: list[str] = []
        """What the browser refused: the content policy above all."""
        self.size = 80, 24
        """Columns and rows, as the page tells them to the server."""
        self._frames, self._sockets = b"", 0
        self._clean()
        self._changed = asyncio.Event()

    def _clean(self) -> None:
        self._painted = pyte.Screen(*self.size)
        self._brush = pyte.ByteStream(self._painted)

    async def ask(self, method: str, **values: object) -> dict[str, Any]:
        return await self._browser.ask(method, self._session, **values)

    def hear(self, method: str, values: dict[str, Any]) -> None:
        if method == "Network.webSocketCreated":
            self._frames = b""
            self._clean()
            self._sockets += 1
            self.asked.append(values["url"])
        elif method == "Network.requestWillBeSent":
            self.asked.append(values["request"]["url"])
        elif method == "Network.webSocketFrameReceived" and values["response"]["opcode"] == 2:
            self._frames += base64.b64decode(values["response"]["payloadData"])
        elif method == "Network.webSocketFrameSent" and values["response"]["payloadData"].startswith('["resize"'):
            size = json.loads(values["response"]["payloadData"])[1]
            self.size = size["width"], size["height"]
            self._painted.resize(lines=size["height"], columns=size["width"])
        elif method == "Log.entryAdded" and values["entry"]["source"] == "security":
            self.complaints.append(values["entry"]["text"])
        self._changed.set()

    async def run(self, script: str) -> Any:
        """Return what a script returns, once it has."""
        found = await self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def screen(self) -> list[str]:
        """Return the lines that the terminal was given to paint."""
        return list(self._emulated().display)

    def underlined(self) -> str:
        """Return what is underlined, which in a line of fields is the one that has the focus."""
        screen = self._emulated()
        cells = (screen.buffer[row][column] for row in range(screen.lines) for column in range(screen.columns))
        return "".join(cell.data for cell in cells if cell.underscore)

    def _emulated(self) -> pyte.Screen:
        """Paint the frames that came since it was last asked."""
        begun = BEGUN.search(self._frames)
        whole = begun.start() if begun else len(self._frames)
        self._brush.feed(UNKNOWN.sub(b"", self._frames[:whole]))
        self._frames = self._frames[whole:]
        return self._painted

    async def until(self, *texts: str) -> None:
        """Wait until the screen shows all texts."""
        await self._until(lambda: all(map(self.shows, texts)), *texts)

    async def until_in(self, placeholder: str) -> None:
        """Wait until an empty field of one line has the focus; its first cell may be the cursor's."""
        await self._until(lambda: placeholder[1:] in self.underlined(), "a field", placeholder)

    async def _until(self, condition: Callable[[], bool], *what: str) -> None:
        try:
            async with asyncio.timeout(WAIT_S):
                while not condition():
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"{what} never came; the screen shows\n" + "\n".join(self.screen())) from None

    async def until_page(self, text: str) -> None:
        """Wait until the page itself, not its terminal, says something to be read."""
        async with asyncio.timeout(WAIT_S):
            while text not in (await self.run("document.body ? document.body.innerText : ''")):
                self._changed.clear()

    def shows(self, text: str) -> bool:
        """Say whether the screen shows a text now."""
        return text in "\n".join(self.screen())

    async def press(self, keys: str) -> None:
        """Press keys that stand between spaces: a character each, or a name of `KEYS`."""
        for key in keys.split():
            await self._type(*(KEYS.get(key) or (key, key, _code(key))))

    async def write(self, text: str) -> None:
        """Type a text, character by character."""
        for character in text:
            await self._type(character, character, _code(character))

    async def _type(self, key: str, text: str, code: int) -> None:
        values: dict[str, object] = {"key": key, "text": text, "windowsVirtualKeyCode": code}
        await self.ask("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **values)
        await self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    async def click(self, text: str, *, below: int = 0) -> None:
        """Click the middle of a text on the screen, once it is there, or so many lines below it."""
        await self.until(text)
        row = next(nth for nth, line in enumerate(self.screen()) if text in line)
        column = self.screen()[row].index(text) + len(text) // 2
        box = await self.run("document.querySelector('.xterm-screen').getBoundingClientRect().toJSON()")
        x = box["x"] + (column + 0.5) * box["width"] / self.size[0]
        y = box["y"] + (row + below + 0.5) * box["height"] / self.size[1]
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            button = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            await self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, **button)

    async def reload(self) -> None:
        """Reload, and wait until the page has a new socket: what was painted before counts no more."""
        before = self._sockets
        await self.ask("Page.reload")
        async with asyncio.timeout(WAIT_S):
            while self._sockets == before:
                self._changed.clear()
                await self._changed.wait()

    async def picture(self) -> bytes:
        """Return what the page looks like, as PNG."""
        return base64.b64decode((await self.ask("Page.captureScreenshot"))["data"])

    async def close(self) -> None:
        await self.ask("Page.close")


def _code(character: str) -> int:
    """Return the number of a character's key; that of a sign depends on the keyboard, so it has none."""
    return ord(character.upper()) if character.isalnum() or character == " " else 0
