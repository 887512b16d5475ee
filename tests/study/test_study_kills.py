"""A participant's process is killed at any moment: what was acknowledged is on disk, once, and they go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from engine.randomness import Stream
from engine.store.answers import Answers
from engine.store.collected import read_collected
from engine.study.marks import slots_of
from engine.study.progress import CONSENT
from tests.study.study_world import Lab

ROOT = Path(__file__).parents[2]
KILLS = 12


@contextmanager
def participant(lab: Lab, code: str) -> Iterator[subprocess.Popen[str]]:
    """A program that begins a participant's process for each line that it is sent."""
    lab.answers(code).parent.mkdir(exist_ok=True, mode=0o700)
    child = ROOT / "tests" / "study" / "study_child.py"
    with subprocess.Popen(
        [sys.executable, str(child), str(lab.bundle(code)), code, str(lab.answers(code))],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as program:  # fmt: skip
        yield program


def begin(program: subprocess.Popen[str], lines: int | None = None) -> tuple[list[str], int]:
    """Begin the participant's process, kill it after so many lines if it is to be; return all it said, and its end."""
    assert program.stdin is not None and program.stdout is not None
    print(file=program.stdin, flush=True)
    pid, said = int(program.stdout.readline()), []
    while not (line := program.stdout.readline().rstrip("\n")).startswith("ended"):
        assert line, "the program itself ended"
        said.append(line)
        if len(said) == lines:
            # What is printed before the kill counts as acknowledged too, whether or not it was read in time.
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    return said, int(line.split()[1])


@pytest.mark.slow
def test_kill_after_kill_nothing_acknowledged_is_missing_or_doubled(lab: Lab) -> None:
    lab.freeze(systems=8, writing=1, block_items="3")
    lab.recruit("ada-lab")
    stream, said, ends = Stream("tests/kills"), [], set()
    with participant(lab, "ada-lab") as program:
        for _ in range(KILLS):
            heard, status = begin(program, stream.between(1, 3))
            said, ends = [*said, *heard], {*ends, status}
            if lab.answers("ada-lab").exists():
                _holds_all(lab, said)
        heard, status = begin(program)
    assert heard[-1] == "end" and status == 0 and -signal.SIGKILL in ends
    said += heard
    _holds_all(lab, said)
    found = read_collected(lab.answers("ada-lab"))
    listed = len(slots_of(found.events))
    assert listed in (12, 13) and len({row.puzzle_id for row in found.attempts}) == len(found.attempts) == listed + 2
    assert len(found.solvers) == 1 and [event.data for event in found.events].count(CONSENT) == 1
    lab.merge("ada-lab")
    assert "finished" in lab.clew("study", "status", lab.home).out


def _holds_all(lab: Lab, said: list[str]) -> None:
    """Check that every acknowledged answer and stage is on disk, and that every row has its own digest."""
    found = read_collected(lab.answers("ada-lab"))
    ids = [line for line in said if line and not line.startswith(("stage", "end"))]
    stored = {row.id for row in found.attempts}
    assert set(ids) <= stored and len(ids) == len(set(ids))
    passed = {event.data for event in found.events if event.kind == "passed"}
    kinds = {event.kind for event in found.events}
    for line in said:
        if line.startswith("stage "):
            key = line.removeprefix("stage ")
            assert key in passed or key in kinds, key
    with Answers.open(lab.answers("ada-lab"), create=False, read_only=True) as answers:
        assert answers.check() == ()
