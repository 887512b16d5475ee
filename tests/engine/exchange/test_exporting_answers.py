"""Exported answers: read back by our own readers as they were given, without gold, a file for every solver."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from engine.exchange.reading import read_results
from engine.public import Presented
from engine.store.answers import Answers
from engine.store.scores import Scores
from tests.engine.conversation_pack import write_conversation
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


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_lines_and_tables_come_in_elsewhere_once_and_score_alike(world: World, pack: Path, form: str) -> None:
    file, there = world.folder / f"answers.{form}", world.folder / "there.db"
    file.write_text(world.clew("export", "answers", "--pack", pack, "--format", form).out, encoding="utf-8")
    done = world.clew("import", file, "--pack", pack, "--answers", there)
    assert done.code == 0 and done.out.startswith("3 items answered, 0 answered before, 1 without a whole answer")
    again = world.clew("import", file, "--pack", pack, "--answers", there)
    assert again.code == 0 and again.out.startswith("0 items answered, 3 answered before")
    rights = []
    for answers in ((), ("--answers", there)):
        assert world.clew("score", pack, *answers, "--scores", world.folder / f"s{len(answers)}.db").code == 0
        with Scores.open(world.folder / f"s{len(answers)}.db") as scores:
            rights.append(sorted((row.puzzle_id, row.correct) for row in scores.scores() if row.status == "scored"))
    assert rights[0] == rights[1] and len(rights[0]) == 3


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_what_was_exported_here_is_not_doubled_here(world: World, pack: Path, form: str) -> None:
    file = world.folder / f"answers.{form}"
    file.write_text(world.clew("export", "answers", "--pack", pack, "--format", form).out, encoding="utf-8")
    done = world.clew("import", file, "--pack", pack)
    assert done.code == 0 and done.out.startswith("0 items answered, 4 answered before")
    assert world.clew("export", "answers", "--pack", pack, "--format", form).out == file.read_text(encoding="utf-8")


def test_texts_come_in_turn_by_turn(world: World) -> None:
    folder, there = write_conversation(world.folder / "talk"), world.folder / "there.db"
    (puzzle,) = [json.loads(line)["puzzle_id"] for line in world.clew("export", "payloads", folder).lines]
    with world.desk(folder) as desk:
        for turn in range(1, 5):
            shown = desk.present(puzzle)
            desk.submit(answer_to(shown, None, confidence=None, turn=turn, raw=f"Text {turn}, {HOSTILE}"))
    for form in ("jsonl", "csv"):
        file = world.folder / f"answers.{form}"
        file.write_text(world.clew("export", "answers", "--pack", folder, "--format", form).out, encoding="utf-8")
        done = world.clew("import", file, "--pack", folder, "--answers", there)
        assert done.code == 0 and done.out.startswith("1 item answered" if form == "jsonl" else "0 items answered, 1")
    (row,) = [json.loads(line) for line in world.clew(
        "export", "answers", "--pack", folder, "--answers", there).lines]  # fmt: skip
    assert [one["text"] for one in row["turns"] if one["role"] == "assistant"] == [
        f"Text {turn}, {HOSTILE}" for turn in range(1, 5)
    ]


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_separators_of_lines_and_long_texts_come_in_as_written(world: World, form: str) -> None:
    folder, there = write_conversation(world.folder / "talk"), world.folder / "there.db"
    said = "one\u2028two\u2029three\x85four\r\nfive " + "long " * 30_000
    with world.desk(folder) as desk:
        (puzzle,) = [json.loads(line)["puzzle_id"] for line in world.clew("export", "payloads", folder).lines]
        for turn in range(1, 5):
            desk.submit(answer_to(desk.present(puzzle), None, confidence=None, turn=turn, raw=said))
    file = world.folder / f"answers.{form}"
    assert world.clew("export", "answers", "--pack", folder, "--format", form, "--out", file).code == 0
    done = world.clew("import", file, "--pack", folder, "--answers", there)
    assert done.code == 0 and done.err == "" and done.out.startswith("1 item answered")
    with Answers.open(there, create=False, read_only=True) as kept:
        (attempt,) = kept.attempts(puzzle_ids=[puzzle])
        turns = kept.turns(attempt.session, puzzle, attempt.attempt_no)
    assert [one.text for one in turns if one.role == "assistant"] == [said] * 4


def test_exports_of_two_machines_in_one_file_are_told_apart(world: World, pack: Path) -> None:
    file, there = world.folder / "answers.jsonl", world.folder / "there.db"
    line = world.clew("export", "answers", "--pack", pack, "--as", "ada").lines[0]
    other = json.dumps({**json.loads(line), "id": "another", "answer": "ABSENT"})
    file.write_text(f"{line}\n{other}\n", encoding="utf-8")
    done = world.clew("import", file, "--pack", pack, "--answers", there)
    assert done.code == 2 and "answer 2 of the export, 'another'" in done.err and not there.exists()
    assert "are both attempt 1 of 'human/ada' on one puzzle" in done.err and len(done.err.splitlines()) == 1


def test_what_an_export_names_steers_no_terminal(world: World, pack: Path) -> None:
    file = world.folder / "answers.jsonl"
    row = json.loads(world.clew("export", "answers", "--pack", pack, "--as", "ada").lines[0])
    file.write_text(json.dumps({**row, "puzzle_id": "\x1b[31mred\nmissing: nothing", "text_sha": ""}))
    done = world.clew("import", file, "--pack", pack)
    assert done.code == 1 and done.err.splitlines()[0] == "unknown: \\x1b[31mred missing: nothing"


CHANGES = [
    {"turns": "x"}, {"turns": "{}"}, {"attempt_no": "first"}, {"turns": "[1]"}, {"attempt_no": float("inf")},
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_an_export_that_was_changed_is_one_line(world: World, pack: Path, change: dict[str, object]) -> None:
    file = world.folder / "answers.jsonl"
    row = json.loads(world.clew("export", "answers", "--pack", pack, "--as", "baseline:pooled").lines[0])
    file.write_text(json.dumps({**row, **change}))
    done = world.clew("import", file, "--pack", pack)
    assert done.code == 2 and "is not as clew writes it" in done.err and len(done.err.splitlines()) == 1


def test_data_of_a_study_says_what_to_take_instead(world: World, pack: Path) -> None:
    for name, text in (
        ("trials.csv", "manifest_sha,kind,participant,item_uid,answer\nm,human,P01,i,PRESENT\n"),
        ("trials.jsonl", json.dumps({"manifest_sha": "m", "participant": "P01", "item_uid": "i", "answer": "ABSENT"})),
    ):
        (world.folder / name).write_text(text)
        done = world.clew("import", world.folder / name, "--pack", pack)
        assert done.code == 2 and done.out == "" and "clew study merge FOLDER answers.db" in done.err
        assert len(done.err.splitlines()) == 1
