"""Writing tasks through the command line: packs, records, scores of responses."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from engine.store.pack import Pack
from tests.engine.world import World


def generate(world: World, out: str, *more: str) -> Path:
    base = ("generate", "instruction-adherence", "--count", "4", "--out", world.folder / out)
    done = world.clew(*base, *more)
    assert (done.code, done.err) == (0, "")
    return world.folder / out


def records(world: World, folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in world.clew("export", "records", folder, "--local-test").lines]


def test_the_same_arguments_give_the_same_tasks(world: World) -> None:
    one, two = generate(world, "one", "--seed", "7"), generate(world, "two", "--seed", "7")
    assert world.clew("export", "payloads", one).out == world.clew("export", "payloads", two).out
    assert records(world, one) == records(world, two)
    other = generate(world, "three", "--seed", "8")
    assert records(world, other) != records(world, one)


def test_the_public_half_is_mode_and_turns(world: World) -> None:
    folder = generate(world, "one", "--seed", "7", "--constraints", "5", "--burial-depth", "3")
    rows = [json.loads(line) for line in world.clew("export", "payloads", folder).lines]
    assert [set(row) for row in rows] == [{"puzzle_id", "family", "payload", "text"}] * 4
    for row in rows:
        assert row["family"] == "instruction-adherence"
        assert row["payload"] == {"mode": "single", "turns": [row["text"]]}
        assert "P.S." in row["text"]
    assert stat.S_IMODE((folder / "sealed.db").stat().st_mode) == 0o600


def test_records_are_in_brief_order_and_their_witnesses_score_full_marks(world: World) -> None:
    folder = generate(world, "one", "--seed", "7", "--constraints", "9")
    told = records(world, folder)
    asked = []
    for record in told:
        checks = record["checks"]
        assert isinstance(checks, list) and len(checks) == 9
        text = record["turns"][0]  # type: ignore[index]
        places = [text.index(check["requirement"]) for check in checks]
        assert places == sorted(places)
        assert record["constraints"] == [{"constraint": c["constraint"], "params": c["params"]} for c in checks]
        asked.append({"puzzle_id": record["puzzle_id"], "responses": [record["witness"]]})
    questions = world.folder / "asked.jsonl"
    questions.write_text("".join(json.dumps(one) + "\n" for one in asked))
    scores = [json.loads(line) for line in world.clew("score-response", questions, "--pack", folder).lines]
    assert [score["all_satisfied"] for score in scores] == [1.0] * 4
    assert [score["episode_all_satisfied"] for score in scores] == [1] * 4
    questions.write_text(json.dumps({"puzzle_id": told[0]["puzzle_id"], "responses": ["No."]}) + "\n")
    (score,) = (json.loads(line) for line in world.clew("score-response", questions, "--pack", folder).lines)
    assert score["reward"] == 0


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        "[]",
        '{"puzzle_id": "nope", "responses": ["a"]}',
        '{"puzzle_id": 3, "responses": ["a"]}',
        '{"puzzle_id": "ID", "responses": "a"}',
        '{"puzzle_id": "ID", "responses": []}',
        '{"puzzle_id": "ID", "responses": ["a"], "more": 1}',
    ],
)
def test_a_bad_question_is_one_line_with_its_number(world: World, line: str) -> None:
    folder = generate(world, "one", "--seed", "7", "--constraints", "3")
    with Pack.open(folder / "pack.db") as pack:
        identity = pack.puzzles()[0].id
    questions = world.folder / "asked.jsonl"
    questions.write_text(line.replace("ID", identity) + "\n")
    done = world.clew("score-response", questions, "--pack", folder)
    assert done.code == 2 and len(done.err.splitlines()) == 1 and "line 1" in done.err and done.out == ""


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--constraints", "2"), ("--constraints", "17"), ("--constraints", "x"), ("--split", "dev"),
        ("--burial-depth", "4"), ("--hard-family-weight", "0"), ("--mode", "twice"), ("--split", "test"),
        ("--constraints", "0"),
    ],
)  # fmt: skip
def test_what_is_out_of_range_writes_nothing(world: World, option: str, value: str) -> None:
    out = world.folder / "x"
    base = ("generate", "instruction-adherence", "--count", "2", "--seed", "1", "--out", out)
    done = world.clew(*base, option, value)
    assert done.code == 2 and value in done.err and len(done.err.splitlines()) == 1
    assert not out.exists()


def test_the_test_split_uses_the_private_seed_tasks(world: World) -> None:
    assert world.clew("seeds", "init-private").code == 0
    folder = generate(world, "one", "--seed", "7", "--split", "test", "--constraints", "6")
    again = generate(world, "two", "--seed", "7", "--split", "test", "--constraints", "6")
    assert records(world, folder) == records(world, again)
    assert world.clew("seeds", "init-private", "--replace").code == 0
    other = generate(world, "three", "--seed", "7", "--split", "test", "--constraints", "6")
    assert records(world, folder) != records(world, other)


def test_a_pack_of_tasks_verifies_against_its_sealed_half(world: World) -> None:
    one, two = generate(world, "one", "--secret-seed"), generate(world, "two", "--secret-seed")
    assert world.clew("verify-pack", one, "--sealed", one / "sealed.db").code == 0
    done = world.clew("verify-pack", one, "--sealed", two / "sealed.db")
    assert done.code == 2 and "another pack" in done.err


def test_recipes_and_renderings_say_that_writing_tasks_are_not_for_them(world: World) -> None:
    folder = generate(world, "one", "--seed", "7")
    for command in (("solve", folder, "--model", "baseline:pooled"), ("render", folder, "--domain", "kiln")):
        done = world.clew(*command)
        assert done.code == 2 and done.out == "" and "hidden-systems" in done.err and len(done.err.splitlines()) == 1
