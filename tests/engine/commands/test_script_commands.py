"""Conversations through the command line: packs of either mode or both, records, scores, and packs drawn again."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.instruction_adherence.packing import read_recipe, sealed_turns
from engine.instruction_adherence.rewards import score_turns
from engine.store.pack import Pack, PackPuzzle, write_pack
from engine.store.sealed import Sealed, write_sealed
from engine.store.sealed_tasks import SealedTask
from tests.engine.world import World

COUNT = 3
TURN = {"text", "keywords", "checks", "conflict", "witness"}


def generate(world: World, out: str, *more: str) -> Path:
    base = ("generate", "instruction-adherence", "--count", str(COUNT), "--out", world.folder / out)
    done = world.clew(*base, *more)
    assert (done.code, done.err) == (0, "")
    return world.folder / out


def exported(world: World, what: str, folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in world.clew("export", what, folder).lines]


def scored(world: World, folder: Path, questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    path = world.folder / "asked.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in questions))
    return [json.loads(line) for line in world.clew("score-response", path, "--pack", folder).lines]


def witnesses(record: dict[str, Any]) -> list[str]:
    return [turn["witness"] for turn in record["turns"]] if record["mode"] == "multi" else [record["witness"]]


@pytest.fixture
def both(world: World) -> Path:
    return generate(world, "both", "--mode", "both", "--seed", "7")


class TestPacks:
    def test_both_makes_as_many_of_each(self, world: World, both: Path) -> None:
        with Pack.open(both / "pack.db") as pack:
            entries = pack.puzzles()
            assert Counter(entry.kind for entry in entries) == {"single": COUNT, "multi": COUNT}
            for entry in entries:
                assert entry.complexity == (13 if entry.kind == "single" else 10)
                assert entry.n_turns == 1 if entry.kind == "single" else 4 <= entry.n_turns <= 12
                assert pack.renderings(entry.id)[0].body == json.loads(pack.payload(entry.id))["turns"][0]

    def test_both_holds_the_tasks_of_each_mode(self, world: World, both: Path) -> None:
        ids = {row["puzzle_id"] for row in exported(world, "payloads", both)}
        apart = [generate(world, mode, "--mode", mode, "--seed", "7") for mode in ("single", "multi")]
        assert ids == {row["puzzle_id"] for folder in apart for row in exported(world, "payloads", folder)}

    def test_the_public_half_holds_texts_alone(self, world: World, both: Path) -> None:
        for row in exported(world, "payloads", both):
            assert set(row) == {"puzzle_id", "family", "payload", "text"}
            assert set(row["payload"]) == {"mode", "turns"}
            assert row["text"] == row["payload"]["turns"][0]

    def test_the_number_of_requirements_is_the_same_if_it_is_given(self, world: World) -> None:
        folder = generate(world, "few", "--mode", "both", "--constraints", "4", "--seed", "1", "--burial-depth", "3")
        with Pack.open(folder / "pack.db") as pack:
            assert {entry.complexity for entry in pack.puzzles()} == {4}

    def test_the_test_split_has_conversations_too(self, world: World) -> None:
        assert world.clew("seeds", "init-private").code == 0
        folder = generate(world, "t", "--mode", "multi", "--split", "test", "--constraints", "6", "--seed", "2")
        told = world.clew("export", "records", folder, "--local-test").lines
        assert [json.loads(line)["mode"] for line in told] == ["multi"] * COUNT
        assert world.clew("verify-pack", folder, "--sealed", folder / "sealed.db").code == 0
        assert world.clew("seeds", "init-private", "--replace").code == 0
        done = world.clew("verify-pack", folder, "--sealed", folder / "sealed.db")
        assert done.code == 2 and "other private seed tasks" in done.err and len(done.err.splitlines()) == 1


class TestRecords:
    def test_the_record_of_a_conversation_has_its_turns(self, world: World, both: Path) -> None:
        texts = {row["puzzle_id"]: row["payload"]["turns"] for row in exported(world, "payloads", both)}
        for record in exported(world, "records", both):
            if record["mode"] == "single":
                assert set(record) == {"puzzle_id", "mode", "turns", "constraints", *TURN}
                assert record["turns"] == [record["text"]]
                continue
            assert set(record) == {"puzzle_id", "mode", "turns", "constraints"}
            assert all(set(turn) == TURN for turn in record["turns"])
            assert [turn["text"] for turn in record["turns"]] == texts[record["puzzle_id"]]
            asked = [
                {name: check[name] for name in ("constraint", "params")}
                for nth, turn in enumerate(record["turns"], start=1)
                for check in turn["checks"]
                if check["expect"] and check["since_turn"] == nth
            ]
            assert record["constraints"] == asked

    def test_witnesses_score_full_marks_and_damaged_ones_less(self, world: World, both: Path) -> None:
        told = exported(world, "records", both)
        asked = [{"puzzle_id": one["puzzle_id"], "responses": witnesses(one)} for one in told]
        for score in scored(world, both, asked):
            assert score["all_satisfied"] == score["fraction_satisfied"] == score["task_relevance"] == 1
            assert score["episode_all_satisfied"] == 1 and score["self_audit_accuracy"] in (None, 1)
            assert score["conflict_flagged"] in (None, 1)
        spoiled = [{**one, "responses": ["No.", *one["responses"][1:]]} for one in asked]
        for question, score in zip(spoiled, scored(world, both, spoiled), strict=True):
            turns = len(question["responses"])
            assert score["all_satisfied"] == pytest.approx(1 - 1 / turns)
            assert (score["episode_all_satisfied"], len(score["turns"])) == (0, turns)

    def test_scores_are_those_of_the_stored_turns(self, world: World, both: Path) -> None:
        told = exported(world, "records", both)
        asked = [{"puzzle_id": one["puzzle_id"], "responses": witnesses(one)[::-1]} for one in told]
        with Sealed.open(both / "sealed.db") as sealed:
            for question, score in zip(asked, scored(world, both, asked), strict=True):
                turns = sealed_turns(sealed.task(question["puzzle_id"]))
                assert score == json.loads(json.dumps(score_turns(turns, question["responses"]).document()))

    def test_one_response_a_turn_is_asked(self, world: World, both: Path) -> None:
        one = next(record for record in exported(world, "records", both) if record["mode"] == "multi")
        path = world.folder / "asked.jsonl"
        path.write_text(json.dumps({"puzzle_id": one["puzzle_id"], "responses": ["One."]}) + "\n")
        done = world.clew("score-response", path, "--pack", both)
        assert done.code == 2 and re.search(r"1 responses? to a task of \d+ turns", done.err)


class TestVerifying:
    def test_every_pack_is_drawn_again(self, world: World) -> None:
        for name, arguments in {
            "public": ("--mode", "both", "--seed", "3", "--constraints", "5"),
            "study": ("--mode", "multi", "--secret-seed", "--constraints", "5", "--hard-family-weight", "2.5"),
            "held": ("--mode", "single", "--seed", "3", "--split", "held_out_combos"),
        }.items():
            folder = generate(world, name, *arguments)
            done = world.clew("verify-pack", folder, "--sealed", folder / "sealed.db")
            assert done.code == 0 and "drawn again from their seeds and equal" in done.out
            with Sealed.open(folder / "sealed.db") as sealed:
                assert read_recipe(sealed.meta["recipe"]) is not None

    def test_a_recipe_that_is_none_is_left_aside(self, world: World, both: Path) -> None:
        rewrite(both, recipe='{"by": "hand"}')
        done = world.clew("verify-pack", both, "--sealed", both / "sealed.db")
        assert done.code == 0 and "digests hold, sealed tasks can be met" in done.out

    @pytest.mark.parametrize("change", ["seed", "count", "more"])
    def test_another_recipe_is_a_finding(self, world: World, both: Path, change: str) -> None:
        with Sealed.open(both / "sealed.db") as sealed:
            recipe = json.loads(sealed.meta["recipe"])
        recipe |= {"seed": {"seed": "8"}, "count": {"count": COUNT - 1}, "more": {"count": COUNT + 1}}[change]
        rewrite(both, recipe=json.dumps(recipe))
        done = world.clew("verify-pack", both, "--sealed", both / "sealed.db")
        told = {
            "seed": "the payload is not what the recipe gives",
            "count": "the payload is not what the recipe gives",
            "more": "2 writing tasks of the recipe not in the pack",
        }
        assert done.code == 1 and told[change] in done.out and "witness" not in done.out

    def test_a_changed_check_is_a_finding(self, world: World, both: Path) -> None:
        def spoiled(task: SealedTask) -> SealedTask:
            first, *rest = task.checks
            return replace(task, checks=(replace(first, requirement="Please."), *rest))

        rewrite(both, change=spoiled)
        done = world.clew("verify-pack", both, "--sealed", both / "sealed.db")
        assert done.code == 1 and done.out.count("the sealed task is not what the recipe gives") == 2 * COUNT

    def test_a_changed_list_is_a_finding(self, world: World, both: Path) -> None:
        with Pack.open(both / "pack.db") as pack:
            puzzles = [
                PackPuzzle(
                    **{name: getattr(entry, name) for name in entry.__slots__} | {"complexity": 11},
                    payload=pack.payload(entry.id),
                )
                for entry in pack.puzzles()
            ]
            told = [one for entry in puzzles for one in pack.renderings(entry.id)]
            meta = pack.meta
        write_pack(both / "pack.db", meta=meta, puzzles=puzzles, renderings=told, replace=True)
        done = world.clew("verify-pack", both, "--sealed", both / "sealed.db")
        assert done.code == 1 and done.out.count("its entry in the list is not what the recipe gives") == 2 * COUNT


def rewrite(
    folder: Path, *, recipe: str | None = None, change: Callable[[SealedTask], SealedTask] = lambda task: task
) -> None:
    """Write the sealed file anew with another recipe or other tasks."""
    with Pack.open(folder / "pack.db") as pack, Sealed.open(folder / "sealed.db") as sealed:
        tasks = [change(sealed.task(entry.id)) for entry in pack.puzzles()]
        meta = sealed.meta if recipe is None else {**sealed.meta, "recipe": recipe}
        write_sealed(
            folder / "sealed.db", meta=meta, puzzles=(), tasks=tasks, canaries=sealed.canaries(), replace=True
        )  # fmt: skip
