"""Runs a command as a participant does: in a terminal of its own or through pipes, with all its folders in one place.

Every byte that comes out is kept as it came, escape sequences and window titles with it.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple

QUIET_S = 0.35
"""A screen that has not changed for so long is waiting for a key."""
PATIENCE_S = 15.0
COLUMNS, LINES = 100, 40
LEFT, ESCAPE, ENTER, QUIT = "\x1b[D", "\x1b", "\r", "\x11"
MODES = {b"\x1b[?2026$p": b"\x1b[?2026;2$y", b"\x1b[?2048$p": b"\x1b[?2048;0$y"}
"""What a terminal answers when it is asked for a mode."""
MAIN = "import sys; from engine.cli import run; sys.exit(run(sys.argv[1:]))"


class Ran(NamedTuple):
    """What a process left in its outputs."""

    code: int
    out: bytes
    err: bytes = b""


class Home(NamedTuple):
    """The folders of one participant."""

    root: Path

    @classmethod
    def made(cls, root: Path) -> Home:
        home = cls(root)
        for name in ("home", "data", "tmp", "work"):
            (root / name).mkdir(parents=True)
        return home

    @property
    def work(self) -> Path:
        return self.root / "work"

    @property
    def data(self) -> Path:
        return self.root / "data"

    def environment(self, extra: Mapping[str, str] = {}) -> dict[str, str]:  # never written to
        """Return the environment in which everything a program writes by itself lands under this root."""
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "LC_ALL", "SYSTEMROOT")}
        folder = str(self.root / "home")
        named = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"), folder)
        return {
            **kept,
            **named,
            "CLEW_DATA_DIR": str(self.data),
            "TMPDIR": str(self.root / "tmp"),
            "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry),
            "PYTHONDONTWRITEBYTECODE": "1",
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            **extra,
        }


def piped(home: Home, code: str, arguments: Sequence[str], extra: Mapping[str, str] = {}) -> Ran:
    """Run Python code with arguments through pipes; bounded in time."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=home.work, env=home.environment(extra), stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
        check=False,
    )  # fmt: skip
    return Ran(done.returncode, done.stdout, done.stderr)


BATCH = "; from audits.terminal import run_all; run_all(sys.argv[1])"
"""Behind imports of its own, runs several commands in one process."""
MARK = b"\n\0clew step\0\n"
"""Stands behind what each command wrote, in either stream."""


def batched(home: Home, prelude: str, commands: Sequence[Sequence[str]]) -> list[Ran]:
    """Run several commands in one process, which saves a start for each, and take their outputs apart.

    Args:
        prelude: Python code that goes before, and imports `sys`.
    """
    whole = piped(home, prelude + BATCH, (json.dumps(commands),))
    outs, errs = whole.out.split(MARK), whole.err.split(MARK)
    codes = [int(err[-4:]) for err in errs[:-1]]
    ran = [Ran(code, out, err[:-4]) for code, out, err in zip(codes, outs, errs, strict=False)]
    died = Ran(whole.code or 1, outs[-1], errs[-1])
    return [*ran, *[died] * (len(commands) - len(ran))]


def run_all(commands: str) -> None:
    """Run a JSON list of commands; behind each, its exit code in four digits and `MARK`. Runs in the other process."""
    from engine.cli import run

    for arguments in json.loads(commands):
        code = run(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
        sys.stdout.buffer.write(MARK)
        sys.stderr.buffer.write(f"{code:04d}".encode() + MARK)
        sys.stdout.buffer.flush()
        sys.stderr.buffer.flush()


def in_terminal(
    home: Home,
    code: str,
    arguments: Sequence[str],
    keys: Sequence[str],
    extra: Mapping[str, str] = {},
    *,
    pace: float = 1.0,
) -> Ran:
    """Run Python code in a pseudo-terminal, pressing each key once the screen has gone quiet.

    Args:
        pace: how much longer than usual a screen must be quiet, for a machine that is busy.

    Raises:
        OSError: this system has no pseudo-terminals.
    """
    import fcntl
    import pty
    import struct
    import termios

    pid, terminal = pty.fork()
    if pid == 0:
        try:
            os.chdir(home.work)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
            os.execve(sys.executable, [sys.executable, "-c", code, *arguments], home.environment(extra))
        finally:
            os._exit(127)
    output = b""
    try:
        for nth, key in enumerate((*keys, "")):
            output += _until_quiet(terminal, QUIET_S * pace, PATIENCE_S if nth == 0 else QUIET_S * pace * 4)
            with suppress(OSError):
                os.write(terminal, key.encode())
        return Ran(_ended(pid, terminal), output + _until_quiet(terminal, QUIET_S, QUIET_S))
    finally:
        with suppress(OSError):
            os.close(terminal)


def _until_quiet(terminal: int, quiet_s: float, first_s: float) -> bytes:
    """Read until nothing has come for a while, or the other side has closed; wait `first_s` for the first byte."""
    output, end = b"", monotonic() + PATIENCE_S
    while monotonic() < end:
        if not select.select([terminal], [], [], quiet_s if output else first_s)[0]:
            break
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        output += data
        for asked, answer in MODES.items():
            if asked in data:
                os.write(terminal, answer)
    return output


def _ended(pid: int, terminal: int) -> int:
    """Wait for the end, hanging up and at last killing; return the exit status, negative for a signal."""
    for number in (None, signal.SIGHUP, signal.SIGKILL):
        if number is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        end = monotonic() + 5
        while monotonic() < end:
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            select.select([], [], [], 0.02)
    return -signal.SIGKILL
