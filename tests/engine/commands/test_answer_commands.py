"""Answering, solving, scoring and comparing through the command line."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from engine.desk import RealDesk
from engine.models.baselines import BASELINES
from engine.models.baselines import answer_all as run
from engine.sitting import COLLECT
from engine.store.answers import Answers
from engine.store.clock import utc_now, uuid7
from engine.store.pack import Pack
from tests.engine.world import World


def ids(folder: Path) -> list[str]:
    with Pack.open(folder / "pack.db") as pack:
        return [entry.id for entry in pack.puzzles()]


def golds(world: World, folder: Path) -> dict[str, str]:
    lines = world.clew("export", "records", folder).lines
    return {row["puzzle_id"]: row["gold_answer"] for row in map(json.loads, lines)}


def test_an_answer_prints_its_id_and_is_on_disk_with_an_event(world: World, tmp_path: Path) -> None:
    folder = world.pack()
    db = tmp_path / "mine.db"
    identity = uuid7()
    place = ("--pack", folder, "--db", db, "--as", "k1", "--puzzle", ids(folder)[0])
    arguments = ("answer", *place, "--answer", "PRESENT", "--confidence", "75", "--answer-id", identity)
    assert world.clew(*arguments).out == f"{identity}\n"
    assert world.clew(*arguments).out == f"{identity}\n"
    with Answers.open(db, read_only=True) as answers:
        (row,) = answers.attempts()
        assert (row.id, row.answer, row.confidence) == (identity, "PRESENT", 75)
        assert len(answers.events(row.session)) == 1
    refused = world.clew(*arguments[:-1], uuid7())
    assert refused.code == 2 and "first answer stays" in refused.err


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (("--puzzle", "nope"), "'nope'"),
        (("--answer", "MAYBE"), "MAYBE"),
        (("--confidence", "101"), "101"),
        (("--confidence", "nan"), "nan"),
        (("--as", ""), "''"),
        (("--as", "baseline:pooled"), "colon"),
        (("--as", "a\x1b[2J"), "\\x1b"),
        (("--answer-id", "x" * 300), "x" * 20),
        (("--pack", "no-such-folder"), "no-such-folder"),
    ],
)
def test_bad_answers_are_refused_in_one_line(world: World, change: tuple[str, str], named: str) -> None:
    folder = world.pack()
    base = {"--pack": str(folder), "--puzzle": ids(folder)[0], "--answer": "PRESENT"} | dict([change])
    done = world.clew("answer", *(word for pair in base.items() for word in pair))
    assert done.code == 2 and named in done.err and len(done.err.splitlines()) == 1
    assert "\x1b" not in done.err


def test_every_baseline_answers_everything_once(world: World) -> None:
    folder = world.pack(complexities=(4, 6, 8, 4, 6, 8))
    for name in BASELINES:
        assert world.clew("solve", folder, "--model", name).out.startswith(f"{name}: 6 answered now")
        assert world.clew("solve", folder, "--model", name).out.startswith(f"{name}: 0 answered now")
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        assert len(answers.attempts()) == 18
        assert {row.answer for row in answers.attempts()} == {None}
    done = world.clew("solve", folder, "--model", "oracle")
    assert done.code == 2 and "'oracle'" in done.err and "baseline:pooled" in done.err


def test_solving_needs_no_sealed_file(world: World) -> None:
    folder = world.pack()
    (folder / "sealed.db").unlink()
    assert world.clew("solve", folder, "--model", "baseline:pooled").code == 0


def test_scores_agree_with_the_records_and_compare_adds_up(world: World) -> None:
    folder = world.pack(complexities=(4, 4, 6, 6))
    truth = golds(world, folder)
    for puzzle, gold in truth.items():
        world.clew("answer", "--pack", folder, "--as", "sage", "--puzzle", puzzle, "--answer", gold)
    fool = {"PRESENT": "ABSENT", "ABSENT": "PRESENT"}
    for puzzle in list(truth)[:3]:
        world.clew("answer", "--pack", folder, "--as", "fool", "--puzzle", puzzle, "--answer", fool[truth[puzzle]])
    assert world.clew("solve", folder, "--model", "baseline:pooled").code == 0
    unscored = world.clew("compare", folder)
    assert unscored.code == 2 and "clew score" in unscored.err
    assert world.clew("score", folder).code == 0
    result = json.loads(world.clew("compare", folder, "--json").out)
    rows = {(row["solver"], row["complexity"]): row for row in result["accuracies"]}
    assert rows["sage", 0]["accuracy"] == 1.0 and rows["sage", 0]["scored"] == 4
    assert (rows["fool", 0]["correct"], rows["fool", 0]["scored"], rows["fool", 0]["missing"]) == (0, 3, 1)
    for row in rows.values():
        assert row["puzzles"] == row["scored"] + row["skipped"] + row["unparsable"] + row["missing"]
        assert row["low"] <= (row["accuracy"] if row["scored"] else row["low"]) <= row["high"]
    pair = next(row for row in result["paired"] if {row["first"], row["second"]} == {"sage", "fool"})
    assert pair["puzzles"] == 3 and abs(pair["difference"]) == 1.0 and pair["p"] == 0.25
    assert "sage" in world.clew("compare", folder).out
    assert (world.folder / "data" / "scores.db").exists()


def test_scores_may_be_deleted(world: World) -> None:
    folder = world.pack()
    world.clew("solve", folder, "--model", "baseline:pooled")
    world.clew("score", folder)
    before = world.clew("compare", folder, "--json").out
    (world.folder / "data" / "scores.db").unlink()
    world.clew("score", folder)
    assert world.clew("compare", folder, "--json").out == before


def test_comparing_nothing_says_what_to_do(world: World) -> None:
    folder = world.pack()
    done = world.clew("compare", folder)
    assert done.code == 2 and "answers.db" in done.err
    world.clew("solve", folder, "--model", "baseline:pooled")
    other = world.pack("other", seed=6)
    world.clew("score", other)
    assert "No answers to this pack yet" in world.clew("compare", other).out


def test_two_runs_of_one_solver_share_the_work(world: World) -> None:
    folder = world.pack(complexities=(4,) * 6)
    arguments = {"pack": str(folder), "solver": "baseline:pooled", "kind": "model", "policy": COLLECT}
    with closing(RealDesk(**arguments)) as one, closing(RealDesk(**arguments)) as other:  # type: ignore[arg-type]
        one.open(), other.open()
        first = run(one, BASELINES["baseline:pooled"], uuid7, utc_now)
        next(first)
        assert len(list(run(other, BASELINES["baseline:pooled"], uuid7, utc_now))) == 5
        assert list(first) == []
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        assert len(answers.attempts()) == 6


def test_a_mistyped_scores_file_is_not_made(world: World) -> None:
    folder = world.pack()
    world.clew("solve", folder, "--model", "baseline:pooled")
    done = world.clew("compare", folder, "--scores", world.folder / "nope.db")
    assert done.code == 2 and "nope.db" in done.err and not (world.folder / "nope.db").exists()


def test_a_file_of_the_wrong_kind_is_named(world: World) -> None:
    folder = world.pack()
    done = world.clew("solve", folder, "--model", "baseline:pooled", "--answers", folder / "pack.db")
    assert done.code == 2 and "is a pack; an answers file is needed" in done.err
