"""Copying a text, to the clipboard by OSC 52 and into a file for terminals that do not know it; pictures too.

A terminal never answers to OSC 52, so the file is always written as well, on a thread of its own that nobody waits for
longer than a second. What is said afterwards names what was copied and where it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from threading import Thread

from tui.clerk import Deliver
from tui.crash import log_folder
from tui.keeper import Later
from tui.shown import shown_cell
from tui.wording import counted

LIMIT_S = 1.0
CLIPBOARD_LIMIT = 74_000
"""Most bytes that go to the clipboard: terminals drop longer sequences, some at 100 kB in base64."""
FILE = "copied.txt"


class Copying:
    """One copy."""

    def __init__(
        self,
        to_clipboard: Callable[[str], None],
        *,
        deliver: Deliver,
        later: Later,
        told: Callable[[str], None],
        folder: Path | None = None,
    ) -> None:
        self._to_clipboard, self._deliver, self._later, self._told = to_clipboard, deliver, later, told
        self._folder = folder
        self._answered = False

    def copy(self, text: str, what: str) -> None:
        """Copy; say what became of it within a second."""
        data = text.encode("utf-8", "replace")
        size = f"{what}, {counted(len(text), 'character')}"
        if len(data) <= CLIPBOARD_LIMIT:
            self._to_clipboard(data.decode())
            done = f"copied {size}: to the clipboard if the terminal allows it"
        else:
            done = f"too long for the clipboard, {size}"
        self._keep(data, FILE, done, ", and in")

    def picture(self, svg: str, at: datetime) -> None:
        """Keep a picture of the screen in a file of its own; say where within a second."""
        self._keep(svg.encode(), f"picture-{at:%Y%m%d-%H%M%S}.svg", "the picture", " is in")

    def _keep(self, data: bytes, name: str, done: str, where: str) -> None:
        self._later(LIMIT_S, lambda: self._answer(f"{done}; the file is not written yet, the disk is slow"))
        Thread(target=self._write, args=(data, name, done, where), name="copy", daemon=True).start()

    def _write(self, data: bytes, name: str, done: str, where: str) -> None:
        try:
            path = write_private(self._folder or log_folder().parent, name, data)
            said = f"{done}{where} {shown_cell(str(path))}"
        except OSError as error:
            said = f"{done}; no file could be written: {os.strerror(error.errno or 0)}"
        self._deliver(lambda: self._answer(said))

    def _answer(self, said: str) -> None:
        if not self._answered:
            self._answered = True
            self._told(said)


def write_private(folder: Path, name: str, data: bytes) -> Path:
    """Write a file in place of an earlier one of that name, for this user's eyes alone.

    Raises:
        OSError: the folder cannot be written.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path, new = folder / name, folder / f".{name}.{os.getpid()}"
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    new.replace(path)
    return path
