"""One app in a process of its own, which speaks Textual's packets on its standard streams.

A packet is one byte for its kind (D data, M a JSON object, P for files, which clew never sends), four bytes for its
length, big-endian, and the payload.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from tui.cli import WEB_DRIVER
from tui.ends import SIGNAL_BOUND_S

PASSED_ON = ("PATH", "LANG", "NO_COLOR")
"""Variables of the server that a child gets, beside those of the locale."""
READY = b"__GANGLION__\n"
PRELUDE_LINES = 10
END_BOUND_S = SIGNAL_BOUND_S + 3.5
"""How long a child may take to save and end, before it is killed."""
LARGEST_PACKET = 16_000_000


class Size(NamedTuple):
    """Cells of a terminal: 20 to 300 columns, 10 to 100 rows."""

    columns: int
    rows: int


def clamped(columns: object, rows: object) -> Size:
    """Return what a browser says of its size, within bounds; 80 x 24 where it says nothing that is a number."""
    return Size(_within(columns, 20, 300, otherwise=80), _within(rows, 10, 100, otherwise=24))


def _within(value: object, low: int, high: int, *, otherwise: int) -> int:
    try:
        return min(max(int(value), low), high) if isinstance(value, int | str) else otherwise
    except ValueError:
        return otherwise


@dataclass(frozen=True, kw_only=True)
class Stage:
    """What the sessions of one run of the server have in common."""

    pack: str | None
    """An absolute path; None for the built-in pack."""
    data_folder: str
    config_file: str | None
    """None if there is none, for a settings file that is named must be there."""

    def command(self, player: str) -> list[str]:
        """Return the command of a participant's session; empty name: the player of the settings."""
        named = [f"--as={player}"] if player else []
        packed = [f"--pack={self.pack}"] if self.pack is not None else []
        return [sys.executable, "-P", "-m", "engine.start", "resume", *packed, *named]

    def environment(self, ours: Mapping[str, str], *, home: str, size: Size) -> dict[str, str]:
        """Return all that a child sees of the world: an allow-list, and an empty folder as its home."""
        kept = {name: value for name, value in ours.items() if name in PASSED_ON or name.startswith("LC_")}
        settings = {"CLEW_CONFIG": self.config_file} if self.config_file is not None else {}
        return (
            kept
            | settings
            | {
                "HOME": home,
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                "TEXTUAL_DRIVER": WEB_DRIVER,
                "TEXTUAL_COLOR_SYSTEM": "truecolor",
                "COLUMNS": str(size.columns),
                "ROWS": str(size.rows),
                "CLEW_DATA_DIR": self.data_folder,
            }
        )


class Packet(NamedTuple):
    kind: bytes
    payload: bytes


class Child:
    """A running app."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._process, self._input, self._output = process, process.stdin, process.stdout

    @classmethod
    async def start(cls, command: list[str], environment: dict[str, str], *, home: Path) -> Child:
        """Start it without a shell, in a session of its own, so that an interrupt of the server ends it in order."""
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, env=environment, cwd=home, start_new_session=True
        )
        return cls(process)

    async def ready(self) -> bool:
        """Wait until the app is about to paint; False if it ended before that."""
        for _ in range(PRELUDE_LINES):
            line = await self._output.readline()
            if line in (READY, b""):
                return line == READY
        return False

    async def packets(self) -> AsyncIterator[Packet]:
        """Yield what the app says, until it ends."""
        with suppress(asyncio.IncompleteReadError):
            while True:
                head = await self._output.readexactly(5)
                size = int.from_bytes(head[1:], "big")
                if size > LARGEST_PACKET:
                    return
                yield Packet(head[:1], await self._output.readexactly(size))

    async def type(self, text: str) -> None:
        """Have the app read a text as keys."""
        await self._send(b"D", text.encode("utf-8", "replace"))

    async def tell(self, kind: Literal["resize", "focus", "blur", "quit"], **values: int) -> None:
        await self._send(b"M", json.dumps({"type": kind, **values}).encode())

    async def _send(self, kind: bytes, payload: bytes) -> None:
        # A child that has just ended reads nothing more; its last packet tells so.
        with suppress(ConnectionError, RuntimeError):
            self._input.write(kind + len(payload).to_bytes(4, "big") + payload)
            await self._input.drain()

    async def end(self, bound_s: float = END_BOUND_S) -> int:
        """Have the app save and end; return its exit code, negative if it had to be killed."""
        await self.tell("quit")
        with suppress(TimeoutError):
            async with asyncio.timeout(bound_s):
                await asyncio.gather(self._drain(), self._process.wait())
        if self._process.returncode is None:
            self._process.kill()
        return await self._process.wait()

    async def _drain(self) -> None:
        """Read what nobody will see, so that the app is not held up on a full pipe while it saves."""
        while await self._output.read(65_536):
            pass
