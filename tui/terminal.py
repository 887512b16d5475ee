"""Textual's terminal driver, made to survive a terminal that goes away (POSIX only).

The stock driver reads an ended terminal for ever at full speed and can block on writing to it. This one notices
the hang-up without polling, stops both, and tells the app.
"""

from __future__ import annotations

import os
import select
import signal
from codecs import getincrementaldecoder
from threading import Event, Thread
from typing import TYPE_CHECKING, TextIO, cast

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from tui.messages import HungUp
from tui.pasting import PasteStream

if TYPE_CHECKING:
    from io import TextIOWrapper

    from textual.app import App


READ_S = 0.1
"""How long one wait for input lasts, so that an end of the app and a lone escape key are noticed."""
READ_BYTES = 65_536


class Lasting:
    """A text file whose writes are lost, not fatal, once the terminal is gone."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        try:
            return self._file.write(text)
        except OSError:
            return 0

    def flush(self) -> None:
        try:
            self._file.flush()
        except OSError:
            return

    def fileno(self) -> int:
        return self._file.fileno()


class Terminal(LinuxDriver):
    """The driver of every real session."""

    def __init__(
        self, app: App[object], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file = cast("TextIOWrapper", Lasting(self._file)) if self._file is not None else None
        self._gone = Event()
        self.running = False
        """Whether the terminal is in application mode."""
        self._watcher: Thread | None = None

    def start_application_mode(self) -> None:
        self.running = True
        super().start_application_mode()  # type: ignore[no-untyped-call]  # as Textual declares it
        if self._watcher is None and hasattr(select, "poll"):
            self._watcher = Thread(target=self._watch, name="hang-up", daemon=True)
            self._watcher.start()

    def stop_application_mode(self) -> None:
        super().stop_application_mode()
        self.running = False

    def run_input_thread(self) -> None:
        """Read, decode and parse, as the stock driver does, with pastes kept whole and foreign bytes survived."""
        parser, pastes = XTermParser(self._debug), PasteStream()
        decode = getincrementaldecoder("utf-8")(errors="replace").decode
        while not self.exit_event.is_set():
            if select.select([self.fileno], [], [], READ_S)[0]:
                try:
                    data = os.read(self.fileno, READ_BYTES)
                except OSError:
                    data = b""
                if not data:
                    return
                ready = pastes.feed(decode(data))
            else:
                ready = pastes.tick()
            # Nothing at all would mean the end of the input to the parser.
            if ready:
                for message in parser.feed(ready):
                    self.process_message(message)
            for message in parser.tick():
                self.process_message(message)

    def stop_process(self) -> None:
        """Give the terminal back and stop, as a shell expects; the driver takes it again on CONT and tells the app."""
        if self._auto_restart:
            self.suspend_application_mode()
            self._must_signal_resume = True
        os.kill(os.getpid(), signal.SIGSTOP)

    def write(self, data: str) -> None:
        if not self._gone.is_set():
            super().write(data)

    def _watch(self) -> None:
        """Wait for the hang-up: a poll that asks for no event reports that one alone."""
        poll = select.poll()
        poll.register(self.fileno, 0)
        poll.poll()
        self._gone.set()
        self.exit_event.set()
        self._app.post_message(HungUp())
