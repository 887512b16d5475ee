"""Opening an item in the app against a plain Textual app, in pseudo-terminals that take turns in one run.

    python benchmarks/opening.py [--rounds 11]

Both families, a puzzle of ten events and a writing task of 16 requirements, at 80x24 and 120x40. The other app is
`plain_app.py`: a header, a table of a hundred rows, a text in Markdown, a field to write in, a footer. For each:
time until the item stands on the screen, processor time and proportional memory half a second later (Linux), and the
time from a key to the last byte that it paints, and from the key that sorts all rows; in the wide writing task
letters, while the checkers load with the first of them, and the memory once all is judged. Ratios of medians in the
same run. Needs pyte.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import pyte

from engine.cli import OpenDoors
from engine.public import Draft

QUIET_S, FRAME_S, LONGEST_S = 0.5, 0.04, 20.0
KEYS, SORTS = 20, 8
SORT = b"s"
READY, MEMORY, PROCESSOR, SORTING = 1.5, 1.4, 1.9, 2.0
KEY_MS, SLOW_KEY_MS = 10.0, 35.0
"""The claims: four ratios, and milliseconds of the median and of the 95th percentile of keys. The clock ticks once in
the twenty keys, and counts as painted by one of them. On the machine of the claims the other app takes 2.7 and 4.2."""
USUAL, WIDE = (80, 24), (120, 40)
LETTERS = b"a plain text about the pump, "
ANSWERS = {b"\x1b[6n": b"\x1b[1;1R", b"\x1b[c": b"\x1b[?62c", b"\x1b[?2026$p": b"\x1b[?2026;2$y"}
UNKNOWN = re.compile(rb"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p|\x1b\[[0-9;]*t|\x1b[P_].*?\x1b\\")
REFERENCE_READY = "all is here"
REFERENCE = Path(__file__).with_name("plain_app.py")


class Opening(NamedTuple):
    """One start of one app."""

    ready_s: float
    memory_kib: int
    processor_s: float
    keys_ms: tuple[float, ...]
    sorts_ms: tuple[float, ...] = ()
    """Of the key that sorts a table."""
    letters_ms: tuple[float, ...] = ()
    """Of letters, in a text."""
    judged_kib: int = 0
    """Memory once the text is judged."""


class Child:
    """A program in a terminal of its own."""

    def __init__(self, command: list[str], size: tuple[int, int], data: Path) -> None:
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.began = time.perf_counter()
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", CLEW_DATA_DIR=str(data))
            os.execvp(command[0], command)

    def read(self, quiet_s: float) -> float | None:
        """Feed the screen until nothing came for so long; return when the last bytes came, None without any."""
        last = None
        while select.select([self._terminal], [], [], quiet_s)[0]:
            try:
                data = os.read(self._terminal, 1 << 16)
            except OSError:
                break
            last = time.perf_counter()
            for asked, said in ANSWERS.items():
                if asked in data:
                    os.write(self._terminal, said)
            # Pixels, key protocols and window requests: pyte would print what it does not know.
            self._stream.feed(_known(data))
            if quiet_s <= FRAME_S / 4:
                break
        return last

    def until(self, text: str) -> float:
        """Return the seconds from the start until a text stands on the screen."""
        while time.perf_counter() - self.began < LONGEST_S:
            came = self.read(FRAME_S / 4)
            if came is not None and any(text in line for line in self.screen.display):
                return came - self.began
        raise SystemExit(f"{text!r} never came; the screen shows\n" + "\n".join(self.screen.display))

    def key(self, data: bytes) -> float:
        """Return the milliseconds from a key to the last bytes that it paints."""
        time.sleep(FRAME_S)  # the pace of a person: what the key before still paints must not count for this one
        sent = time.perf_counter()
        os.write(self._terminal, data)
        return ((self.read(FRAME_S) or sent) - sent) * 1000

    def memory_kib(self) -> int:
        """Return the proportional memory now."""
        rollup = Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        return next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))

    def end(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        os.close(self._terminal)


def _known(data: bytes) -> bytes:
    return UNKNOWN.sub(b"", data)


def opened(
    command: list[str], size: tuple[int, int], data: Path, ready: str, keys: tuple[bytes, bytes], *,
    sorts: bool, judged: str = "",
) -> Opening:  # fmt: skip
    """Open an app, press keys, sort where there is a table, and where it shows a text `judged` for it, type letters."""
    child = Child(command, size, data)
    try:
        ready_s = child.until(ready)
        child.read(QUIET_S)
        stat = Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()
        processor_s = (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
        memory = child.memory_kib()
        keys_ms = tuple(child.key(keys[nth % 2]) for nth in range(KEYS))
        if not judged:
            sorts_ms = tuple(child.key(SORT) for _ in range(SORTS if sorts else 0))
            return Opening(ready_s, memory, processor_s, keys_ms, sorts_ms)
        letters_ms = tuple(child.key(bytes([letter])) for letter in LETTERS)
        child.until(judged)
        child.read(QUIET_S)
        return Opening(ready_s, memory, processor_s, keys_ms, (), letters_ms, child.memory_kib())
    finally:
        child.end()


def left_open(pack: Path, *, writes: bool) -> None:
    """Leave the first item of a pack open."""
    with closing(OpenDoors().desk(pack=str(pack), player="ada")) as desk:
        desk.open()
        item = desk.next_task() if writes else desk.next()
        desk.keep(Draft(puzzle_id=item.puzzle_id))


def told(name: str, ours: list[Opening], theirs: list[Opening]) -> bool:
    """Print what was measured; return whether all claims hold."""

    def ratio(field: str) -> float:
        return statistics.median(getattr(one, field) for one in ours) / statistics.median(
            getattr(one, field) for one in theirs
        )

    def keys(field: str, ones: list[Opening]) -> tuple[float, float]:
        """Return median and 95th percentile of keys, in milliseconds."""
        times = [sorted(getattr(one, field)) for one in ones]
        return statistics.median(map(statistics.median, times)), statistics.median(
            one[int(0.95 * (len(one) - 1))] for one in times
        )

    ready, memory, processor = ratio("ready_s"), ratio("memory_kib"), ratio("processor_s")
    (key, slow), (plain, plain_slow) = keys("keys_ms", ours), keys("keys_ms", theirs)
    held = ready <= READY and memory <= MEMORY and processor <= PROCESSOR
    held = held and key <= KEY_MS and slow <= SLOW_KEY_MS
    print(
        f"{name:16} ready {ready:.2f}x  memory {memory:.2f}x  processor {processor:.2f}x  key {key / plain:.1f}x"
        f" ({key:.1f} ms), p95 {slow / plain_slow:.1f}x ({slow:.1f} ms)  {'holds' if held else 'MISSED'}",
        flush=True,
    )
    if ours[0].sorts_ms:
        (sort, _), (plain_sort, _) = keys("sorts_ms", ours), keys("sorts_ms", theirs)
        held = held and sort < SORTING * plain_sort
        print(f"{'':16} sort {sort / plain_sort:.1f}x ({sort:.1f} ms)", flush=True)
    if ours[0].letters_ms:
        letter, slow_letter = keys("letters_ms", ours)
        judged = statistics.median(one.judged_kib for one in ours) / statistics.median(one.memory_kib for one in theirs)
        print(
            f"{'':16} letters {letter:.1f} ms, p95 {slow_letter:.1f} ms  memory with checkers {judged:.2f}x", flush=True
        )
    return held


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=11)
    options = parser.parse_args()
    clew = [sys.executable, "-m", "engine.start"]
    plain = [sys.executable, str(REFERENCE)]
    down, up = b"\x1b[B", b"\x1b[A"
    families = {
        "puzzle": (("hidden-systems", "--length", "10"), "rows 1-", (down, up), ""),
        "writing": (("instruction-adherence", "--constraints", "16"), "your text", (b"\x1b[C", b"\x1b[D"), "of 16 met"),
    }
    held = True
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CLEW_DATA_DIR"] = folder
        for name, (made, ready, keys, judged) in families.items():
            pack = Path(folder) / name
            subprocess.run([*clew, "generate", *made, "--count", "1", "--seed", "3", "--out", str(pack)], check=True)
            left_open(pack, writes=name == "writing")
            command = [*clew, "resume", "--pack", str(pack), "--as", "ada"]
            for size in (USUAL, WIDE):
                ours: list[Opening] = []
                theirs: list[Opening] = []
                for nth in range(options.rounds + 1):
                    # Each start finds what was left open without what the one before has typed.
                    with tempfile.TemporaryDirectory() as apart_name:
                        shutil.copytree(folder, apart_name, dirs_exist_ok=True)
                        sorts, apart = name == "puzzle", Path(apart_name)
                        checked = judged if size == WIDE else ""
                        one = opened(command, size, apart, ready, keys, sorts=sorts, judged=checked)
                        other = opened(plain, size, apart, REFERENCE_READY, (down, up), sorts=sorts)
                    if nth:  # The first round warms the disk.
                        ours.append(one)
                        theirs.append(other)
                held &= told(f"{name} {size[0]}x{size[1]}", ours, theirs)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
