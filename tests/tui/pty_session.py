"""A program in a pseudo-terminal: keys go in, bytes and screens come out, and the terminal is inspected afterwards."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pyte

HERE = Path(__file__).parent
COLUMNS, LINES = 80, 24
UNKNOWN = re.compile(rb"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p")
"""Sequences that the emulator does not know and would print."""
BEGUN = re.compile(rb"\x1b(\[([<>=?][0-9;]*\$?)?)?\Z")
"""The beginning of such a sequence at the end of what came so far."""
MODES = ("1049", "1000", "1003", "1006", "2004", "1004")
ANSWERS = {b"\x1b[?2026$p": b"\x1b[?2026;2$y", b"\x1b[?2048$p": b"\x1b[?2048;0$y"}
"""What a terminal says when it is asked for a mode."""


class Emulator:
    """A terminal that takes bytes as they come, in any pieces."""

    def __init__(self) -> None:
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream, self._begun = pyte.ByteStream(self._screen), b""

    def feed(self, data: bytes) -> None:
        data = self._begun + data
        begun = BEGUN.search(data)
        whole = begun.start() if begun else len(data)
        self._begun = data[whole:]
        self._stream.feed(UNKNOWN.sub(b"", data[:whole]))

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display)


class Session:
    """One run; every wait is bounded."""

    def __init__(
        self,
        *arguments: str,
        ignore_hang_up: bool = False,
        env: dict[str, str] | None = None,
        program: str = "play_fake.py",
    ) -> None:
        self.output = b""
        self._emulator = Emulator()
        self.status: int | None = None
        self.cpu_s = 0.0
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            if ignore_hang_up:
                signal.signal(signal.SIGHUP, signal.SIG_IGN)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
            path = os.pathsep.join([str(HERE), str(HERE.parent.parent)])
            settings = {
                **os.environ,
                "PYTHONPATH": path,
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                **(env or {}),
            }
            os.execve(sys.executable, [sys.executable, str(HERE / program), *arguments], settings)
        self.attributes = termios.tcgetattr(self.fd)

    def read_until(self, *texts: str, within_s: float = 20) -> None:
        """Read until the screen shows all texts."""
        end = monotonic() + within_s
        while not all(map(self.screen().__contains__, texts)):
            assert monotonic() < end, f"{texts} never came; the screen shows\n{self.screen()}"
            assert self._read(0.2) or self.status is None, f"ended early:\n{self.screen()}"

    def read_until_gone(self, *texts: str, within_s: float = 20) -> None:
        """Read until the screen shows none of the texts."""
        end = monotonic() + within_s
        while found := list(filter(self.screen().__contains__, texts)):
            assert monotonic() < end, f"{found} stayed; the screen shows\n{self.screen()}"
            self._read(0.2)

    def read_until_true(self, condition: Callable[[], bool], within_s: float = 20) -> None:
        """Read until something holds that does not stand on the screen."""
        end = monotonic() + within_s
        while not condition():
            assert monotonic() < end, f"never came true; the screen shows\n{self.screen()}"
            self._read(0.02)

    def _read(self, seconds: float) -> bool:
        """Read what there is; return False once the program has closed the terminal."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        if not data:
            return False
        for asked, answer in ANSWERS.items():
            if asked in data:
                os.write(self.fd, answer)
        self.output += data
        self._emulator.feed(data)
        return True

    def wipe(self) -> None:
        """Forget all output and clear the screen: what is shown from now on was sent from now on."""
        self.output, self._emulator = b"", Emulator()

    def press(self, keys: str) -> None:
        os.write(self.fd, keys.encode())

    def send(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def cpu_so_far_s(self) -> float:
        """Return the processor time used so far, where the system tells it; else 0."""
        stat = Path(f"/proc/{self.pid}/stat")
        if not stat.exists():
            return 0.0
        fields = stat.read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def until_stopped(self, within_s: float = 10) -> None:
        """Wait until the program has stopped itself, as a shell does."""
        end = monotonic() + within_s
        while monotonic() < end:
            self._read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG | os.WUNTRACED)
            if pid:
                assert os.WIFSTOPPED(status), f"ended with {status}"
                self._read(0.05)
                return
        raise AssertionError("did not stop in time")

    def hang_up(self) -> None:
        """Close the terminal under the program."""
        os.close(self.fd)

    def wait(self, within_s: float = 10) -> int:
        """Wait for the end and return the exit status, negative for a signal."""
        end = monotonic() + within_s
        reading = True
        while monotonic() < end:
            try:
                reading = reading and self._read(0.05)
            except (OSError, ValueError):
                reading = False
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
                self.cpu_s = usage.ru_utime + usage.ru_stime
                while reading and self._read(0.05) and select.select([self.fd], [], [], 0.05)[0]:
                    pass
                return self.status
        os.kill(self.pid, signal.SIGKILL)
        os.wait4(self.pid, 0)
        raise AssertionError("did not end in time")

    def screen(self) -> str:
        return self._emulator.text()

    def after_the_end(self) -> list[str]:
        """Return the lines printed after the alternate screen was left."""
        tail = self.output.rsplit(b"\x1b[?1049l", 1)[-1] if b"\x1b[?1049l" in self.output else self.output
        plain = re.sub(rb"\x1b\[[0-9;?<>=]*[a-zA-Z]", b"", tail).decode()
        return [line.strip() for line in plain.splitlines() if line.strip()]

    def left_behind(self) -> list[str]:
        """Return what of the terminal was not given back."""
        left = [mode for mode in MODES if self._last(f"\x1b[?{mode}h") > self._last(f"\x1b[?{mode}l")]
        if self._last("\x1b[?25l") > self._last("\x1b[?25h"):
            left.append("hidden cursor")
        if termios.tcgetattr(self.fd) != self.attributes:
            left.append("attributes of the terminal")
        return left

    def _last(self, sequence: str) -> int:
        return self.output.rfind(sequence.encode())
