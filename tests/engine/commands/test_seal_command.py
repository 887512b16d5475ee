"""`clew seal`: what was committed to can be opened by everybody, and nothing else can be passed off as it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from sqlite_utils.utils import sqlite3

from engine.cli import cli
from engine.errors import ClewError
from engine.store.answers import Answers
from engine.store.pack import Pack
from engine.store.sealed import Sealed


class Ran(NamedTuple):
    code: int
    out: str
    err: str


def clew(*arguments: str, given: str | None = None) -> Ran:
    done = CliRunner().invoke(cli, arguments, input=given)
    if isinstance(done.exception, ClewError):
        return Ran(done.exception.exit_code, done.stdout, done.exception.line())
    return Ran(done.exit_code, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("seal")
    ran = clew(
        "generate", "hidden-systems", "--count", "5", "--length", "short", "--secret-seed", "--out", str(place / "pack")
    )
    assert ran.code == 0, ran
    return place / "pack"


@pytest.fixture
def revealed(folder: Path, tmp_path: Path) -> Path:
    path = tmp_path / "reveal.jsonl"
    assert clew("seal", "reveal", str(folder), "--out", str(path)).code == 0
    return path


def root_of(folder: Path) -> str:
    with Pack.open(folder / "pack.db") as pack:
        return pack.meta["commit_root"]


def test_an_opened_pack_leads_to_its_root(folder: Path, revealed: Path) -> None:
    ran = clew("seal", "verify", str(revealed), "--pack", str(folder))
    assert ran.code == 0 and "5 of 5 puzzles" in ran.out
    assert clew("seal", "verify", str(revealed), "--root", root_of(folder)).code == 0
    assert clew("seal", "verify", "-", "--pack", str(folder), given=revealed.read_text()).code == 0


def test_an_opened_record_is_the_sealed_one(folder: Path, revealed: Path) -> None:
    lines = [json.loads(line) for line in revealed.read_text().splitlines()]
    assert lines[0]["puzzles"] == 5 and lines[0]["commit_root"] == root_of(folder)
    with Sealed.open(folder / "sealed.db") as sealed:
        for line in lines[1:]:
            record = sealed.record(line["puzzle_id"])
            assert json.loads(line["record"])["gold"] == record.gold
            assert line["salt"] == record.salt.hex()


def test_one_puzzle_can_be_opened_alone(folder: Path, tmp_path: Path, revealed: Path) -> None:
    puzzle = json.loads(revealed.read_text().splitlines()[2])["puzzle_id"]
    ran = clew("seal", "reveal", str(folder), "--puzzle", puzzle)
    assert [json.loads(line).get("puzzle_id") for line in ran.out.splitlines()] == [None, puzzle]
    (tmp_path / "one.jsonl").write_text(ran.out)
    told = clew("seal", "verify", str(tmp_path / "one.jsonl"), "--pack", str(folder))
    assert told.code == 0 and "1 of 5 puzzles" in told.out


def flipped(text: str) -> str:
    return text.replace('\\"gold\\":\\"PRESENT\\"', '\\"gold\\":\\"ABSENT\\"')


def another_salt(text: str) -> str:
    head, first, *rest = text.splitlines()
    told = json.loads(first)
    told["salt"] = "0" * len(told["salt"])
    return "\n".join([head, json.dumps(told), *rest])


def paths_exchanged(text: str) -> str:
    head, *rest = text.splitlines()
    told = [json.loads(line) for line in rest]
    told[0]["path"], told[1]["path"] = told[1]["path"], told[0]["path"]
    return "\n".join([head, *map(json.dumps, told)])


def another_root(text: str) -> str:
    head, *rest = text.splitlines()
    return "\n".join([json.dumps({**json.loads(head), "commit_root": "0" * 64}), *rest])


def another_puzzle(text: str) -> str:
    head, first, *rest = text.splitlines()
    return "\n".join([head, json.dumps({**json.loads(first), "puzzle_id": "0" * 32}), *rest])


def nothing_opened(text: str) -> str:
    return text.splitlines()[0]


@pytest.mark.parametrize(
    "spoil", [flipped, another_salt, paths_exchanged, another_root, another_puzzle, nothing_opened]
)
def test_what_was_not_committed_to_is_a_fault(spoil: Callable[[str], str], folder: Path, revealed: Path) -> None:
    spoiled = spoil(revealed.read_text())
    assert spoiled != revealed.read_text()
    revealed.write_text(spoiled)
    ran = clew("seal", "verify", str(revealed), "--pack", str(folder))
    assert ran.code == 1 and ran.out and "fault" in ran.err


def test_a_reveal_of_another_pack_is_a_fault(folder: Path, revealed: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    clew("generate", "hidden-systems", "--count", "5", "--length", "short", "--seed", "4", "--out", str(other))
    assert clew("seal", "verify", str(revealed), "--pack", str(other)).code == 1
    assert clew("seal", "verify", str(revealed), "--root", root_of(other)).code == 1


def test_writing_tasks_are_opened_as_well(tmp_path: Path) -> None:
    place = str(tmp_path / "tasks")
    clew("generate", "instruction-adherence", "--count", "3", "--constraints", "3", "--seed", "2", "--out", place)
    out = str(tmp_path / "reveal.jsonl")
    assert clew("seal", "reveal", place, "--out", out).code == 0
    assert clew("seal", "verify", out, "--pack", place).code == 0


def test_sessions_must_hold_the_root(folder: Path, revealed: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers.db"
    with Pack.open(folder / "pack.db") as pack:
        puzzle = pack.puzzles()[0].id
    told = clew("answer", "--pack", str(folder), "--db", str(answers), "--puzzle", puzzle, "--answer", "PRESENT")
    assert told.code == 0
    arguments = ("seal", "verify", str(revealed), "--pack", str(folder), "--answers")
    assert clew(*arguments, str(answers)).code == 0
    spoiled = tmp_path / "spoiled.db"
    with closing(Answers.open(answers, read_only=True)) as given, closing(Answers.open(spoiled)) as other:
        [solver] = given.solvers()
        [session] = given.sessions(solver)
        other.begin_session(replace(session, commit_root="", solver=other.solver("x", "human")))
    assert clew(*arguments, str(spoiled)).code == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("verify", "{reveal}"), "neither --pack nor --root"),
        (("verify", "{reveal}", "--root", "0" * 64, "--answers", "a.db"), "needs --pack"),
        (("verify", "{reveal}", "--root", "zz"), "64 hex digits"),
        (("verify", "{folder}/none.jsonl", "--pack", "{folder}"), "cannot be read"),
        (("verify", "{folder}/pack.db", "--pack", "{folder}"), "cannot be read"),
        (("reveal", "{folder}", "--puzzle", "0" * 32), "has no puzzle"),
        (("reveal", "{folder}/none"), "none"),
        (("reveal", "{folder}", "--out", "{reveal}"), "exists already"),
    ],
)
def test_bad_input_is_one_line_and_two(arguments: tuple[str, ...], said: str, folder: Path, revealed: Path) -> None:
    ran = clew("seal", *(argument.format(folder=folder, reveal=revealed) for argument in arguments))
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err and len(ran.err.splitlines()) == 1


GOLD_TURNED = "update sealed_hs set gold = case gold when 'PRESENT' then 'ABSENT' else 'PRESENT' end"


@pytest.mark.parametrize(
    ("file", "change", "said"),
    [
        ("sealed.db", GOLD_TURNED, "not the one that the pack committed to"),
        ("sealed.db", "update sealed_hs set program = '{broken'", "not the one that the pack committed to"),
        ("pack.db", "update meta set value = lower(hex(randomblob(32))) where key = 'commit_root'", "its root is not"),
    ],
)
def test_a_spoiled_half_opens_and_scores_nothing(
    file: str, change: str, said: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not committed to must never be published as the truth, nor be what an answer is judged by."""
    monkeypatch.setenv("CLEW_DATA_DIR", str(tmp_path / "data"))
    spoiled = tmp_path / "pack"
    shutil.copytree(folder, spoiled)
    assert clew("solve", str(spoiled), "--model", "baseline:pooled").code == 0
    (spoiled / file).chmod(0o600)
    with closing(sqlite3.connect(spoiled / file)) as db, db:
        db.execute(change)
    ran = clew("seal", "reveal", str(spoiled), "--out", str(tmp_path / "opened.jsonl"))
    assert ran.code == 2 and said in ran.err and not (tmp_path / "opened.jsonl").exists()
    if file == "sealed.db":
        ran = clew("score", str(spoiled))
        assert ran.code == 2 and said in ran.err
        with closing(sqlite3.connect(tmp_path / "data" / "scores.db")) as db:
            assert db.execute("select count(*) from score").fetchone() == (0,)


@pytest.mark.parametrize("text", ["", "not JSON\n", '{"format": "other/1"}\n', "{}\n"])
def test_what_is_no_reveal_is_refused(text: str, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(text)
    assert clew("seal", "verify", str(path), "--pack", str(folder)).code == 2


def test_opening_says_that_the_pack_is_burnt(folder: Path) -> None:
    assert "burnt" in clew("seal", "reveal", str(folder)).err
