"""Textual's driver for a browser, made to end well when the server or the browser goes away.

The stock one ends at once when it is told to quit, waits for ever on an input that has ended, and breaks on a pipe that
nobody reads. This one tells the app, which then saves as it does when a terminal hangs up.
"""

from __future__ import annotations

import asyncio
import os
from codecs import getincrementaldecoder
from functools import partial

from textual._xterm_parser import XTermParser
from textual.drivers._byte_stream import ByteStream
from textual.drivers.web_driver import WebDriver

from tui import ends
from tui.messages import HungUp
from tui.pasting import PasteStream
from tui.shell import Shell


class Served(WebDriver):
    """The driver of a session in a browser: packets on the standard streams of a child of `clew serve`."""

    def start_application_mode(self) -> None:
        self._write = partial(self._write_if_read)
        super().start_application_mode()
        if isinstance(self._app, Shell):
            ends.listen(asyncio.get_running_loop(), self._app.end)

    def run_input_thread(self) -> None:
        """Read, decode and parse, with pastes kept whole and foreign bytes survived; the end of input is a hang-up."""
        self._parser, self._pastes = XTermParser(debug=self._debug), PasteStream()
        self._decode = getincrementaldecoder("utf-8")(errors="replace").decode
        packets = ByteStream()
        for data in self._input_reader:
            if data:
                for kind, payload in packets.feed(data):
                    self._take(kind, payload)
            self._parse(self._pastes.tick())
            for message in self._parser.tick():
                self.process_message(message)
        if not self.exit_event.is_set():
            self._app.post_message(HungUp())

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        if packet_type == "quit":
            self._app.post_message(HungUp())
        else:
            super().on_meta(packet_type, payload)

    def _take(self, kind: str, payload: bytes) -> None:
        if kind != "D":
            self._on_meta(kind, payload)
        else:
            self._parse(self._pastes.feed(self._decode(payload)))

    def _parse(self, ready: str) -> None:
        # Nothing at all would mean the end of the input to the parser.
        if ready:
            for message in self._parser.feed(ready):
                self.process_message(message)

    def _write_if_read(self, data: bytes) -> int:
        """Write all of it; what nobody reads any more is lost, and the end of input tells the app."""
        try:
            return self._write_all(data)
        except BrokenPipeError:
            return len(data)

    def _write_all(self, data: bytes) -> int:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self.fileno, rest) :]
        return len(data)
