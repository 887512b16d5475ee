"""The command line as a whole: help, examples, one-line errors, where data live."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator

import click
import pytest

from engine.cli import cli
from engine.errors import ClewError
from tests.engine.world import World


def commands(group: click.Group = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None, name
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


def test_every_command_has_help_with_an_example() -> None:
    found = dict(commands())
    assert {path[0] for path in found} >= {
        "play", "resume", "generate", "render", "export", "gold", "answer", "solve", "score", "compare", "audit",
        "verify-pack", "doctor", "paths",
    }  # fmt: skip
    for path, command in found.items():
        told = f"{command.help}\n{command.epilog or ''}"
        assert command.help and f"Example: clew {path[0]}" in told, path


@pytest.mark.parametrize("path", [path for path, _ in commands()])
def test_help_exits_0(world: World, path: tuple[str, ...]) -> None:
    done = world.clew(*path, "--help")
    assert (done.code, done.err) == (0, "") and "Usage: clew" in done.out


def test_the_version_is_one_line(world: World) -> None:
    assert world.clew("--version").out == "clew 0.1.0\n"


@pytest.mark.parametrize(
    "arguments", [("frob",), ("generate",), ("gold",), ("answer",), ("--frob",), ("audit", "--frob")]
)
def test_wrong_usage_is_one_line_and_2(world: World, arguments: tuple[str, ...]) -> None:
    done = world.clew(*arguments)
    assert done.code == 2 and len(done.err.splitlines()) == 1 and done.out == ""


def test_an_unexpected_error_names_its_place_and_no_value(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        gold = "PRESENT-d41d8cd98f"
        raise RuntimeError(gold)

    monkeypatch.setattr("engine.store.places.data_folder", broken)
    done = world.clew("paths")
    assert done.code == 1 and "RuntimeError at test_command_line.py" in done.err and "d41d8cd98f" not in done.err


def test_a_clew_error_gives_its_line_and_code(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    class Odd(ClewError):
        exit_code = 7

    def broken() -> None:
        raise Odd("no\nsuch thing", "try another")

    monkeypatch.setattr("engine.store.places.data_folder", broken)
    done = world.clew("paths")
    assert (done.code, done.err) == (7, "clew: no such thing (try another)\n")


def test_an_interrupt_exits_130(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("engine.store.places.data_folder", interrupted)
    assert world.clew("paths").code == 130


def test_doctor_and_paths_tell_where_data_live(world: World) -> None:
    done = world.clew("doctor")
    assert done.code == 0 and "SQLite" in done.out and "not made yet" in done.out
    assert str(world.folder / "data") in world.clew("paths").out
    folder = world.pack()
    world.clew("solve", folder, "--model", "baseline:pooled")
    assert "answers file" in world.clew("doctor").out
    (world.folder / "data" / "answers.db").write_bytes(b"spoiled")
    done = world.clew("doctor")
    assert done.code == 2 and "not a clew file" in done.err


def test_without_a_terminal_the_line_mode_is_played(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"help\nquit\n")))
    done = world.clew("play")
    assert (done.code, done.err) == (0, "") and "home> quit\n" in done.out


def test_a_file_that_cannot_be_reached_is_one_line_and_2(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable() -> None:
        raise PermissionError(13, "Permission denied", "/some/where\x1b[2J")

    monkeypatch.setattr("engine.store.places.data_folder", unreachable)
    done = world.clew("paths")
    assert done.code == 2 and done.err == "clew: /some/where\\x1b[2J: Permission denied; it stopped there\n"


def test_a_name_that_is_no_unicode_is_one_line_and_2(world: World) -> None:
    done = world.clew("answer", "--puzzle", "\udcff", "--answer", "PRESENT")
    assert done.code == 2 and len(done.err.splitlines()) == 1


def test_errors_steer_no_terminal(world: World) -> None:
    done = world.clew("export", "payloads", "\x1b]52;c;aGFj\x07\u202e.db")
    assert done.code == 2 and done.err.isascii() and done.err.strip().isprintable()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("play", "--plain", "--as", ""), "--as is ''"),
        (("serve", "--as", ""), "--as is ''"),
        (("answer", "--as=", "--puzzle", "p", "--answer", "PRESENT"), "--as is ''"),
        (("export", "answers", "--as", ""), "--as is ''"),
        (("solve", "", "--model", "baseline:pooled"), "argument 2 is ''"),
    ],
)
def test_an_empty_argument_stands_for_nothing(world: World, arguments: tuple[str, ...], named: str) -> None:
    done = world.clew(*arguments)
    assert (done.code, done.out, done.err) == (2, "", f"clew: {named}; a value is needed there, or leave it out\n")


def test_what_the_settings_name_wrongly_is_told_in_line_mode_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"quit\n")))
    monkeypatch.setenv("CLEW_THEME", "nope")
    done = world.clew("play", "--plain")
    assert done.code == 2 and done.out == "" and "CLEW_THEME: theme is 'nope'; clew-dark" in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(("code", "named"), [("WRONG", "code 'WRONG' is not one"), ("6-JTXZZ9-7", "has a slip in it")])
def test_a_code_that_names_nothing_ends_line_mode_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch, code: str, named: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"quit\n")))
    done = world.clew("play", "--plain", "--code", code)
    assert done.code == 2 and done.out == "" and named in done.err and len(done.err.splitlines()) == 1


def test_a_code_opens_its_puzzle_though_the_settings_hide_codes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_PLAYERS", "off")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"quit\n")))
    done = world.clew("play", "--plain", "--code", "6-JTXZZ9-6")
    assert done.code == 0 and "Which is likelier" in done.out


@pytest.mark.parametrize("name", ["answers.jsonl", "study.yaml"])
def test_what_is_nested_without_end_is_one_line_and_2(world: World, name: str) -> None:
    path = world.folder / name
    path.write_text("[" * 100_000)
    commands = {
        "answers.jsonl": ("import", path, "--pack", world.pack()),
        "study.yaml": ("study", "freeze", path, "--out", world.folder / "study"),
    }
    done = world.clew(*commands[name])
    assert (done.code, done.out) == (2, "") and "nested too deeply" in done.err and len(done.err.splitlines()) == 1


def test_a_name_that_is_too_long_for_the_system_is_one_line_and_2(world: World) -> None:
    for command in (("audit", "C04"), ("verify-pack",), ("score",), ("import",), ("play", "--plain", "--pack")):
        done = world.clew(*command, "a" * 5000)
        assert (done.code, done.out) == (2, "") and "internal error" not in done.err
        assert len(done.err.splitlines()) == 1, command
