"""Textual's terminal driver, made to survive a terminal that goes away (POSIX only).

The stock driver reads an ended terminal for ever at full speed and can block on writing to it. This one notices
the hang-up without polling, stops both, and tells the app.
"""

from __future__ import annotations

import select
from threading import Event, Thread
from typing import TYPE_CHECKING, TextIO, cast

from textual.drivers.linux_driver import LinuxDriver

from tui.messages import HungUp

if TYPE_CHECKING:
    from io import TextIOWrapper

    from textual.app import App


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
