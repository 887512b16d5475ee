"""Data sets: a function of split, seed and size, resumed after a kill, true to their splits, `test` kept private."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from engine.datasets import BUILDING, ROWS, SAMPLE_ROWS, SAMPLE_SEED, SIZES, row, row_key, sample_rows
from engine.instruction_adherence.splits import held_out_pairs
from tests.engine.world import World

COUNT = 24


def build(world: World, out: Path, *more: str, split: str = "held_out_combos") -> tuple[int, str]:
    told = world.clew(
        "dataset",
        "build",
        "--split",
        split,
        "--seed",
        "7",
        "--count",
        str(COUNT),
        "--processes",
        "1",
        "--out",
        out,
        *more,
    )
    return told.code, told.err


def rows(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (out / ROWS).read_text(encoding="utf-8").splitlines()]


def records(world: World, out: Path, *more: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in world.clew("export", "records", out, *more).lines]


def test_the_keys_of_rows_follow_the_decided_shares() -> None:
    keys = [row_key("train", 0, index) for index in range(4000)]
    assert 0.27 < sum(key.mode == "multi" for key in keys) / 4000 < 0.33
    for values, legal in (
        (Counter(key.cell.constraints for key in keys), range(3, 17)),
        (Counter(key.cell.burial_depth for key in keys), range(4)),
        (Counter(key.cell.hard_family_weight for key in keys), (1.0, 2.0, 3.0)),
    ):
        assert set(values) == set(legal)
        share = 4000 / len(legal)
        assert all(abs(count - share) < 6 * share**0.5 for count in values.values())
    assert keys[:9] == [row_key("train", 0, index) for index in range(9)] != [row_key("train", 1, i) for i in range(9)]
    assert SIZES == {"train": 10_000, "held_out_combos": 1_000, "test": 1_000}


@pytest.mark.slow
def test_a_build_that_was_killed_goes_on_to_the_same_bytes(world: World) -> None:
    whole, cut = world.folder / "whole", world.folder / "cut"
    assert build(world, whole) == (0, "")
    script = (
        "import sys, os, signal\n"
        "from pathlib import Path\n"
        "from engine.datasets import DataSet, build\n"
        f"wanted = DataSet(split='held_out_combos', seed=7, count={COUNT})\n"
        "for done in build(wanted, Path(sys.argv[1]), processes=1):\n"
        "    if done == 9: os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    child = subprocess.run([sys.executable, "-c", script, str(cut)], check=False)
    assert child.returncode == -signal.SIGKILL and not (cut / ROWS).exists()
    with (cut / BUILDING).open("ab") as file:
        file.write(b'{"half a row')
    assert (cut / BUILDING).stat().st_mode & 0o777 == 0o600
    code, told = build(world, cut)
    assert code == 0 and "9 rows finished before" in told
    assert (whole / ROWS).read_bytes() == (cut / ROWS).read_bytes()
    assert records(world, whole) == records(world, cut)
    assert sorted(file.name for file in cut.iterdir()) == ["pack.db", "rows.jsonl", "sealed.db"]
    assert build(world, cut) == (0, f"{cut}: {COUNT} rows finished before\n")
    code, told = build(world, cut, "--seed", "8")
    assert code == 2 and "holds another data set" in told and len(told.splitlines()) == 1


def test_rows_are_public_in_the_order_of_ids_and_fit_their_records(world: World) -> None:
    out = world.folder / "set"
    assert build(world, out)[0] == 0
    told, kept = rows(out), {record["puzzle_id"]: record for record in records(world, out)}
    assert len(told) == COUNT and [one["puzzle_id"] for one in told] == sorted(kept)
    assert all(one.keys() == {"puzzle_id", "mode", "turns"} for one in told)
    assert {one["mode"] for one in told} == {"single", "multi"}
    held_out = set(held_out_pairs())
    for one in told:
        record = kept[one["puzzle_id"]]
        turns = record["turns"] if one["mode"] == "multi" else [record]
        assert any(held_out & set(map(frozenset, combinations(active(turn), 2))) for turn in turns)  # type: ignore[attr-defined]


def active(turn: dict[str, object]) -> list[str]:
    checks = turn["checks"]
    assert isinstance(checks, list)
    return [check["constraint"] for check in checks if check["expect"] or check["scored"]]


def test_another_set_or_a_second_builder_is_refused_in_one_line(world: World) -> None:
    out = world.folder / "set"
    out.mkdir()
    (out / BUILDING).write_text('{"dataset":"train"}\n', encoding="utf-8")
    code, told = build(world, out)
    assert code == 2 and "is the beginning of another data set" in told and len(told.splitlines()) == 1
    assert (out / BUILDING).read_text(encoding="utf-8") == '{"dataset":"train"}\n'


def test_the_test_set_is_private_and_leaves_only_when_asked(world: World) -> None:
    out = world.folder / "set"
    code, told = build(world, out, split="test")
    assert code == 2 and "clew seeds init-private" in told and not out.exists()
    assert world.clew("seeds", "init-private").code == 0
    assert build(world, out, split="test")[0] == 0
    assert {file.name: file.stat().st_mode & 0o777 for file in out.iterdir()} == dict.fromkeys(
        ("pack.db", "rows.jsonl", "sealed.db"), 0o600
    )
    for what in ("payloads", "records"):
        refused = world.clew("export", what, out)
        assert refused.code == 2 and "--local-test" in refused.err and refused.out == ""
        assert len(world.clew("export", what, out, "--local-test").lines) == COUNT


def test_the_bundled_sample_is_what_its_key_gives() -> None:
    told = {row["puzzle_id"]: row for row in map(json.loads, sample_rows().splitlines())}
    assert len(told) == SAMPLE_ROWS and list(told) == sorted(told)
    for index in range(0, SAMPLE_ROWS, 50):
        puzzle = row("held_out_combos", SAMPLE_SEED, index).puzzle
        assert told[puzzle.id] == {"puzzle_id": puzzle.id, **json.loads(puzzle.payload)}
