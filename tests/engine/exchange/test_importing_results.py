"""Results of other tools: joined by the text that was asked, scored here, never doubled, misfits listed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.exchange.reading import read_results
from engine.store.answers import Answers
from tests.engine.world import World

MODEL = "vendor/model-1"
Rows = list[dict[str, Any]]


@pytest.fixture
def pack(world: World) -> Path:
    return world.pack("p", complexities=(4, 4, 4))


def payloads(world: World, pack: Path) -> Rows:
    return [json.loads(line) for line in world.clew("export", "payloads", pack).lines]


def as_table(rows: Rows) -> str:
    told = io.StringIO()
    writer = csv.DictWriter(told, ["item_uid", "model", "answer", "error"])
    writer.writeheader()
    writer.writerows({"item_uid": r["puzzle_id"], "model": MODEL, "answer": r["said"], "error": ""} for r in rows)
    return "\ufeff" + told.getvalue()


def as_jsonl(rows: Rows) -> str:
    return "".join(json.dumps({"item_uid": r["puzzle_id"], "model": MODEL, "answer": r["said"]}) + "\n" for r in rows)


def as_harness(rows: Rows) -> str:
    made = [
        {
            "doc_id": nth, "doc": {"gold": "GOLD"}, "target": "GOLD", "doc_hash": str(nth), "filter": which,
            "arguments": {"gen_args_0": {"arg_0": r["text"], "arg_1": {}}}, "resps": [[r["said"]]],
        }
        for nth, r in enumerate(rows) for which in ("none", "strict")
    ]  # fmt: skip
    return "".join(json.dumps(row) + "\n" for row in made)


def as_inspect(rows: Rows) -> str:
    samples = [
        {
            "id": nth, "epoch": 1, "input": r["text"], "target": "GOLD", "attachments": {"a1": r["said"]},
            "messages": [
                {"role": "system", "content": "Answer."}, {"role": "user", "content": r["text"]},
                {"role": "assistant", "content": [{"type": "reasoning", "reasoning": "hm"},
                                                  {"type": "text", "text": "attachment://a1"}]},
            ],
            "output": {"model": MODEL, "choices": [{"stop_reason": "stop"}]}, "scores": {"x": {"value": "C"}},
        }
        for nth, r in enumerate(rows)
    ]  # fmt: skip
    return json.dumps({"version": 2, "status": "success", "eval": {"model": MODEL}, "samples": samples})


FORMS: Mapping[str, tuple[str, Callable[[Rows], str]]] = {
    "csv": ("r.csv", as_table),
    "jsonl": ("r.jsonl", as_jsonl),
    "lm-eval": ("samples_t.jsonl", as_harness),
    "inspect": ("log.json", as_inspect),
}


def scored(world: World, pack: Path) -> tuple[int, str]:
    outcome = world.clew("score", pack)
    return outcome.code, outcome.out


@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_one_answer_an_item_and_a_second_import_none(world: World, pack: Path, name: str) -> None:
    file, form = FORMS[name]
    rows = [{**row, "said": "PRESENT"} for row in reversed(payloads(world, pack))]
    path = world.folder / file
    path.write_text(form(rows), encoding="utf-8")
    first = world.clew("import", path, "--pack", pack, "--model", MODEL)
    assert first.code == 0, first.err
    assert first.out.startswith("3 items answered, 0 answered before, 0 without a whole answer, 0 refused, 0 unknown")
    again = world.clew("import", path, "--pack", pack, "--model", MODEL)
    assert again.out.startswith("0 items answered, 3 answered before")
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        attempts = answers.attempts()
        names = {alias for alias, _ in answers.solvers().values()}
        assert len(attempts) == 3 and {row["puzzle_id"] for row in rows} == {one.puzzle_id for one in attempts}
        assert all(alias.startswith(f"import:{MODEL}#") for alias in names)
        assert answers.check() == ()
    code, out = scored(world, pack)
    assert code == 0 and "3 answers, 3 scored" in out
    assert b"GOLD" not in (world.folder / "data" / "answers.db").read_bytes()


def test_half_a_character_in_a_reply_stops_nothing(world: World, pack: Path) -> None:
    rows = [{**row, "said": f"Half \ud83d, row {nth}"} for nth, row in enumerate(payloads(world, pack))]
    path = world.folder / "r.jsonl"
    path.write_text(as_jsonl(rows), encoding="utf-8")
    assert world.clew("import", path, "--pack", pack).out.startswith("3 items answered")
    assert world.clew("import", path, "--pack", pack).out.startswith("0 items answered, 3 answered before")


def test_another_text_is_refused_and_an_unknown_item_listed(world: World, pack: Path) -> None:
    rows = payloads(world, pack)
    lines = [
        {"item_uid": rows[0]["puzzle_id"], "answer": "PRESENT", "model": MODEL, "prompt_sha256": "0" * 64},
        {"item_uid": "nowhere", "answer": "PRESENT", "model": MODEL},
        {"item_uid": rows[1]["puzzle_id"], "answer": None, "error": "timed out", "model": MODEL},
    ]
    path = world.folder / "r.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    found = world.clew("import", path, "--pack", pack)
    assert (
        found.code == 1
        and "0 items answered" in found.out
        and "1 without a whole answer, 1 refused, 1 unknown, 0 doubled, 1 missing" in found.out
    )
    assert f"missing: {rows[2]['puzzle_id']}" in found.err
    assert "the text that was asked is not the pack's" in found.err and "unknown: nowhere" in found.err
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        (solver,) = answers.solvers()
        assert answers.attempts() == () and [call.status for call in answers.calls(solver)] == ["infra_error"]


def test_several_rollouts_of_an_item_are_samples_and_not_averaged(world: World, pack: Path) -> None:
    rows = payloads(world, pack)[:1]
    path = world.folder / "r.jsonl"
    path.write_text(
        as_jsonl([{**row, "said": said} for row in rows for said in ("PRESENT", "ABSENT")]), encoding="utf-8"
    )
    assert world.clew("import", path, "--pack", pack).out.startswith("2 items answered")
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        assert len(answers.solvers()) == 2 and len(answers.attempts()) == 2


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("r.csv", "item_uid,said\nx,y\n", "has no column 'answer'"),
        ("r.csv", "item_uid,answer\nx,y,z\n", "row 2 of the table has more cells than the head"),
        ("r.jsonl", '{"a": 1}\n', "holds no results that are known"),
        ("r.jsonl", '{"item_uid": "x", "answer": "PRESENT"}\n', "does not name the model; --model NAME does"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_exit_2(world: World, pack: Path, name: str, text: str, says: str) -> None:
    path = world.folder / name
    path.write_text(text, encoding="utf-8")
    found = world.clew("import", path, "--pack", pack)
    assert found.code == 2 and says in found.err and len(found.err.splitlines()) == 1


def test_multi_turn_rollouts_are_filed_turn_by_turn(world: World) -> None:
    folder = world.folder / "w"
    key = ("--count", "1", "--constraints", "4", "--seed", "4", "--mode", "multi", "--out", folder)
    assert world.clew("generate", "instruction-adherence", *key).code == 0
    (record,) = [json.loads(line) for line in world.clew("export", "records", folder).lines]
    asked = [turn["text"] for turn in record["turns"]]
    replies = [turn["witness"] for turn in record["turns"]]
    completion = [
        {"role": role, "content": text}
        for nth, reply in enumerate(replies)
        for role, text in (("assistant", reply), *((("user", asked[nth + 1]),) if nth + 1 < len(asked) else ()))
    ]
    run = world.folder / "run"
    run.mkdir()
    row = {
        "prompt": [{"role": "user", "content": asked[0]}],
        "completion": completion,
        "info": {"uid": record["puzzle_id"]},
    }
    (run / "results.jsonl").write_text((json.dumps(row) + "\n") * 2, encoding="utf-8")
    (run / "metadata.json").write_text(json.dumps({"model": MODEL}), encoding="utf-8")
    assert read_results(run).rollouts[0].replies == tuple(replies)
    found = world.clew("import", run, "--pack", folder)
    assert found.code == 1 and found.out.startswith("1 item answered") and "1 doubled, 0 missing" in found.out
    assert f"doubled: {record['puzzle_id']}" in found.err
    told = world.clew("report", "--family", "instruction-adherence", "--format", "json", folder)
    (summary,) = json.loads(told.out)["summaries"]
    assert summary["mode"] == "multi" and summary["pass@1"] == 1.0
