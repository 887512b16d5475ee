"""The command `clew serve`: what it refuses before anything listens, what it prints, and how it ends."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.engine.world import World

START = [sys.executable, "-P", "-m", "engine.start", "serve"]


@pytest.fixture
def world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> World:
    return World(tmp_path, capsys)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--as", "ada", "--as", "ada"], "the name 'ada' is given twice"),
        (["--as", "openai:x"], "the name 'openai:x' has a colon"),
        (["--host", "0.0.0.0"], "--host '0.0.0.0' needs --public-url"),
        (["--pack", "none.db"], "none.db"),
        (["--sessions", "0"], "--sessions"),
        (["--port", "70000"], "--port"),
        (["--public-url", "ftp://x", "--port", "0"], "the address 'ftp://x' is not usable"),
    ],
)
def test_what_could_not_be_served_is_refused_in_one_line(
    world: World, tmp_path: Path, arguments: list[str], said: str
) -> None:
    done = world.clew("serve", *arguments)
    assert done.code == 2 and done.out == "" and said in done.err and done.err.count("\n") == 1
    assert not (tmp_path / "data").exists(), "nothing was written"


def test_a_theme_that_no_session_could_have_is_refused(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_THEME", "nope")
    done = world.clew("serve", "--sessions", "1", "--host", "0.0.0.0")
    assert done.code == 2 and "CLEW_THEME: theme is 'nope'" in done.err and done.err.count("\n") == 1


def test_a_collection_is_refused(world: World) -> None:
    done = world.clew("serve", "--pack", str(world.pack(seed=None)))
    assert done.code == 2 and done.out == "" and "only practice is served" in done.err


def test_without_the_extra_the_command_says_what_to_install(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("tui.web.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    done = world.clew("serve")
    assert done.code == 2 and done.out == "" and "pip install 'clew[web]'" in done.err


def test_a_port_that_is_taken_is_named(world: World) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = world.clew("serve", "--port", str(taken.getsockname()[1]))
    assert done.code == 2 and done.out == "" and "cannot listen at '127.0.0.1', port" in done.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_each_participant_gets_a_link_and_a_signal_ends_it(tmp_path: Path, number: signal.Signals) -> None:
    arguments = [*START, "--port", "0", "--as", "ada", "--as", "ben", "--public-url", "https://play.example.org/clew"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ) as run:
        assert run.stdout is not None and run.stderr is not None
        links = [run.stdout.readline(), run.stdout.readline()]
        run.stderr.readline()
        run.send_signal(number)
        out, err = run.communicate(timeout=60)
    assert run.returncode == 128 + number and (out, err) == ("", "")
    found = [re.fullmatch(r"(ada|ben): https://play\.example\.org/clew/#([\w-]{22})\n", link) for link in links]
    assert [one and one[1] for one in found] == ["ada", "ben"] and links[0][-23:] != links[1][-23:]
