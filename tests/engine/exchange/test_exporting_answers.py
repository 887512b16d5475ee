"""Exported answers: read back by our own readers as they were given, without gold, a file for every solver."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from engine.exchange.reading import read_results
from engine.public import Presented
from tests.engine.world import World, answer_to

HOSTILE = '=cmd|\u202e "quoted", [/]\n\ttab, \U0001f600'


@pytest.fixture
def pack(world: World) -> Path:
    folder = world.pack("p", complexities=(4, 4))
    with world.desk(folder) as desk:
        first = desk.next()
        assert first is not None
        desk.submit(answer_to(first, "PRESENT", notes=HOSTILE))
        second = desk.next()
        assert second is not None
        desk.submit(answer_to(second, "SKIP", confidence=None, reason="tired"))
    assert world.clew("solve", folder, "--model", "baseline:pooled").code == 0
    return folder


def test_json_lines_and_csv_hold_the_same_and_keep_hostile_text(world: World, pack: Path) -> None:
    rows = [json.loads(line) for line in world.clew("export", "answers", "--pack", pack, "--as", "ada").lines]
    assert [(row["answer"], row["notes"]) for row in rows] == [("PRESENT", HOSTILE), ("SKIP", "")]
    table = list(csv.DictReader(io.StringIO(world.clew("export", "answers", "--pack", pack, "--format", "csv").out)))
    assert len(table) == 4 and {row["solver"] for row in table} == {"ada", "baseline:pooled"}
    assert [row["notes"] for row in table if row["answer_id" if "answer_id" in row else "id"] == rows[0]["id"]] == [
        HOSTILE
    ]


@pytest.mark.parametrize("form", ["inspect", "verifiers"])
def test_logs_and_runs_are_read_back_as_given(world: World, pack: Path, form: str) -> None:
    out = world.folder / "out"
    told = world.clew("export", "answers", "--pack", pack, "--format", form, "--out", out)
    assert told.code == 0 and len(told.lines) == 2
    (path,) = [Path(line) for line in told.lines if "human" in line]
    results = read_results(path)
    with world.desk(pack) as desk:
        shown = {one.puzzle_id: one for one in (desk.present(r.uid) for r in results.rollouts)}
    answered = [one for one in results.rollouts if one.replies]
    assert len(results.rollouts) == 2 and len(answered) == 1 and {one.model for one in answered} == {"human/ada"}
    (one,) = answered
    puzzle = shown[one.uid]
    assert isinstance(puzzle, Presented)
    assert one.asked == (puzzle.text,) and one.replies[0] == puzzle.legend.outcomes[0].name


def test_nothing_to_export_is_one_line_and_exit_2(world: World, pack: Path) -> None:
    told = world.clew("export", "answers", "--pack", pack, "--as", "nobody")
    assert told.code == 2 and "no answer to" in told.err and "'nobody'" in told.err
    told = world.clew("export", "answers", "--pack", pack, "--format", "inspect")
    assert told.code == 2 and "--out FOLDER is needed" in told.err
