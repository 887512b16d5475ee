"""A participant's process is killed at any moment: what was acknowledged is on disk, once, and they go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.randomness import Stream
from engine.store.answers import Answers
from engine.store.collected import read_collected
from engine.study.progress import CONSENT
from tests.study.study_world import Lab

ROOT = Path(__file__).parents[2]
KILLS = 12


def begin(lab: Lab, code: str) -> subprocess.Popen[str]:
    lab.answers(code).parent.mkdir(exist_ok=True, mode=0o700)
    child = ROOT / "tests" / "study" / "study_child.py"
    return subprocess.Popen(
        [sys.executable, str(child), str(lab.bundle(code)), code, str(lab.answers(code))],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


@pytest.mark.slow
def test_kill_after_kill_nothing_acknowledged_is_missing_or_doubled(lab: Lab) -> None:
    lab.freeze(systems=8, writing=1, block_items="3")
    lab.recruit("ada-lab")
    stream, said, ended = Stream("tests/kills"), [], False
    for _ in range(KILLS):
        process = begin(lab, "ada-lab")
        assert process.stdout is not None
        for _ in range(stream.between(1, 3)):
            line = process.stdout.readline().strip()
            said += [line] if line else []
        process.send_signal(signal.SIGKILL)
        # What was printed before the kill counts as acknowledged too, whether or not it was read in time.
        said += process.stdout.read().split("\n")[:-1]
        process.wait()
        process.stdout.close()
        ended = ended or "end" in said
        if lab.answers("ada-lab").exists():
            _holds_all(lab, said)
    last = begin(lab, "ada-lab")
    out, _ = last.communicate(timeout=120)
    assert out.endswith("end\n") and last.returncode == 0
    said += out.splitlines()
    _holds_all(lab, said)
    found = read_collected(lab.answers("ada-lab"))
    assert len({row.puzzle_id for row in found.attempts}) == len(found.attempts) == 13
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
