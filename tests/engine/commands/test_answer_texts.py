"""`clew answer` for writing tasks: each turn is on disk when its id is printed, and bad input is one line."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from engine.store.answers import Answers
from engine.store.clock import uuid7
from tests.engine.conversation_pack import TURNS, write_conversation
from tests.engine.world import World

TEXT = "  e\u0301 \u202e tab\tCR\r\nno end of line"


@pytest.fixture
def folder(world: World) -> Path:
    return write_conversation(world.folder / "talk")


def puzzle(world: World, folder: Path) -> str:
    with world.desk(folder, "someone") as desk:
        shown = desk.next_task()
    assert shown is not None
    return shown.puzzle_id


def place(world: World, folder: Path, tmp_path: Path) -> tuple[str | Path, ...]:
    return ("answer", "--pack", folder, "--db", tmp_path / "mine.db", "--as", "k1", "--puzzle", puzzle(world, folder))


def test_turns_are_answered_one_by_one_byte_for_byte_and_a_repeated_one_is_the_same(
    world: World, folder: Path, tmp_path: Path
) -> None:
    base = place(world, folder, tmp_path)
    ids = [uuid7() for _ in TURNS]
    for nth, identity in enumerate(ids, start=1):
        file = tmp_path / f"{nth}.txt"
        file.write_bytes(f"{nth}{TEXT}".encode())
        arguments = (*base, "--turn", str(nth), "--response", file, "--answer-id", identity)
        for _ in range(2):
            done = world.clew(*arguments)
            assert (done.code, done.out, done.err) == (0, f"{identity}\n", "")
    with Answers.open(tmp_path / "mine.db", read_only=True) as answers:
        (attempt,) = answers.attempts()
        rows = [row for row in answers.turns(attempt.session, attempt.puzzle_id) if row.role == "assistant"]
        assert [row.text for row in rows] == [f"{nth}{TEXT}" for nth in range(1, len(TURNS) + 1)]
        assert attempt.id == ids[-1] and answers.check() == ()


def test_a_text_comes_from_standard_input_too(
    world: World, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    done = world.clew(*place(world, folder, tmp_path), "--response", "-")
    assert done.code == 0 and len(done.out) == 37


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--turn", "2", "--response", "text"), "turn 2 of puzzle"),
        (("--turn", "9", "--response", "text"), "no turn 9; it has turns 1 to 4"),
        (("--turn", "0", "--response", "text"), "0"),
        (("--turn", "x", "--response", "text"), "'x'"),
        (("--response", "missing"), "'missing' cannot be read: No such file"),
        (("--response", "."), "cannot be read: Is a directory"),
        (("--response", "bytes"), "not UTF-8 at byte 3"),
        (("--turn", "1"), "--turn N --response FILE is right"),
        (("--answer", "PRESENT"), "writing task"),
        (("--response", "text", "--confidence", "80"), "writing task"),
    ],
)
def test_what_is_wrong_is_one_line_and_nothing_is_stored(
    world: World, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("Dear all")
    Path("bytes").write_bytes(b"ab\xff")
    done = world.clew(*place(world, folder, tmp_path), *options)
    assert done.code == 2 and done.out == "" and len(done.err.splitlines()) == 1 and named in done.err
    if (tmp_path / "mine.db").exists():
        with Answers.open(tmp_path / "mine.db", read_only=True) as answers:
            assert answers.attempts() == ()


def test_a_finished_conversation_and_another_text_for_a_turn_are_refused(
    world: World, folder: Path, tmp_path: Path
) -> None:
    base = place(world, folder, tmp_path)
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    assert world.clew(*base, "--response", tmp_path / "a").code == 0
    refused = world.clew(*base, "--response", tmp_path / "b")
    assert refused.code == 2 and "the first text stays" in refused.err
    for nth in range(2, len(TURNS) + 1):
        assert world.clew(*base, "--turn", str(nth), "--response", tmp_path / "a").code == 0
    again = world.clew(*base, "--turn", str(len(TURNS)), "--response", tmp_path / "a")
    assert again.code == 2 and len(again.err.splitlines()) == 1


def test_a_hidden_system_takes_no_text(world: World, tmp_path: Path) -> None:
    folder = world.pack()
    with world.desk(folder, "someone") as desk:
        shown = desk.next()
    assert shown is not None
    (tmp_path / "a").write_text("a")
    base = ("answer", "--pack", folder, "--puzzle", shown.puzzle_id)
    for options in (("--response", tmp_path / "a"), (), ("--answer", "PRESENT", "--turn", "1")):
        refused = world.clew(*base, *options)
        assert refused.code == 2 and "--answer PRESENT or ABSENT is right" in refused.err
