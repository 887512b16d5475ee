"""What `doctor`, `paths` and `completion` say, what messages name as the remedy, and numbers with their nouns."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from engine.errors import counted
from engine.store import connection
from tests.engine.world import World

ROOT = Path(__file__).parent.parent.parent.parent


def test_doctor_tries_to_write(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    done = world.clew("doctor")
    assert done.code == 0 and "works, " in done.out and "GiB free" in done.out
    assert [path for path in (world.folder / "data").iterdir() if path.name.startswith(".doctor")] == []
    (world.folder / "blocked").write_text("a file where a folder should be")
    monkeypatch.setenv("CLEW_DATA_DIR", str(world.folder / "blocked" / "data"))
    done = world.clew("doctor")
    assert done.code == 2 and "Set CLEW_DATA_DIR" in done.err and len(done.err.splitlines()) == 1


def test_doctor_knows_every_extra_of_the_package(world: World) -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = set(tomllib.load(file)["project"]["optional-dependencies"]) - {"test"}
    states = {words[0]: words[1] for line in world.clew("doctor").lines if (words := line.split(maxsplit=1))}
    assert extras <= set(states)
    assert states["analysis"] == "installed"
    missing = [extra for extra in extras if states[extra] != "installed"]
    assert all(states[extra] == f"not installed: pip install 'clew[{extra}]'" for extra in missing)


def test_paths_name_the_settings_file(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLEW_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(world.folder / "xdg"))
    lines = dict(line.split(maxsplit=1) for line in world.clew("paths").lines)
    assert lines["config"].endswith("config.toml") and set(lines) >= {"pack", "data", "answers", "players"}
    if sys.platform == "linux":
        assert lines["config"] == str(world.folder / "xdg" / "clew" / "config.toml")
    monkeypatch.setenv("CLEW_CONFIG", str(world.folder / "mine.toml"))
    assert str(world.folder / "mine.toml") in world.clew("paths").out
    (world.folder / "mine.toml").write_text('theme = "clew-light"\n')
    done = world.clew("doctor")
    assert done.code == 0 and "settings file" in done.out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_call_clew(world: World, shell: str) -> None:
    done = world.clew("completion", shell)
    assert done.code == 0 and "_CLEW_COMPLETE" in done.out and "clew" in done.out


def test_an_unknown_shell_is_one_line_and_2(world: World) -> None:
    done = world.clew("completion", "tcsh")
    assert done.code == 2 and "bash" in done.err and len(done.err.splitlines()) == 1


def test_the_shell_is_told_commands_and_choices() -> None:
    def completed(words: str) -> str:
        count = str(len(words.split(" ")) - 1)
        settings = {**os.environ, "COMP_WORDS": words, "COMP_CWORD": count, "_CLEW_COMPLETE": "bash_complete"}
        code = "from engine.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", code], env=settings, cwd=ROOT, capture_output=True, text=True, check=True
        )
        return done.stdout

    assert "generate" in completed("clew gen") and "play" in completed("clew pl")
    assert "zsh" in completed("clew completion z")
    assert "--seed" in completed("clew generate hidden-systems --se")


@pytest.mark.parametrize(("number", "said"), [(0, "0 puzzles"), (1, "1 puzzle"), (2, "2 puzzles")])
def test_numbers_agree_with_their_nouns(number: int, said: str) -> None:
    assert counted(number, "puzzle") == said
    assert [counted(n, "answer is", "answers are") for n in (1, 3)] == ["1 answer is", "3 answers are"]


def test_commands_say_one_puzzle_and_one_answer(world: World) -> None:
    out = world.folder / "one"
    made = world.clew("generate", "hidden-systems", "--count", "1", "--length", "short", "--seed", "3", "--out", out)
    assert made.code == 0 and ": 1 puzzle, content" in made.out
    told = world.clew("solve", out, "--model", "baseline:pooled")
    assert "1 puzzle in all" in told.out
    assert ": 1 answer, 1 scored" in world.clew("score", out).out
    assert ": 1 puzzle, " in world.clew("verify-pack", out).out
    added = [world.clew("render", out, "--domain", domain).out for domain in ("kiln", "bakery")]
    assert any("1 rendering added" in line for line in added)


def test_a_full_disk_while_generating_speaks_of_the_pack(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    real = connection._connect

    def small(path: Path, mode: str, busy_ms: int):  # type: ignore[no-untyped-def]
        db = real(path, mode, busy_ms)
        db.execute("pragma max_page_count = 3").fetchall()
        return db

    monkeypatch.setattr(connection, "_connect", small)
    out = world.folder / "full"
    done = world.clew("generate", "hidden-systems", "--count", "1", "--length", "short", "--seed", "3", "--out", out)
    assert done.code == 2 and "the disk is full" in done.err and "answer" not in done.err
    assert len(done.err.splitlines()) == 1


def test_a_place_given_by_the_person_is_not_moved_by_a_variable(world: World) -> None:
    (world.folder / "file").write_text("x")
    out = world.folder / "file" / "pack"
    done = world.clew("generate", "hidden-systems", "--count", "1", "--length", "short", "--seed", "3", "--out", out)
    assert done.code == 2 and "Cannot write" in done.err and "CLEW_DATA_DIR" not in done.err
