"""Packs that environments ask from: the command's own, made once, public on one side and private on the other."""

from __future__ import annotations

import json
import stat
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from engine.errors import ClewError, StoreError, UsageError
from engine.hidden_systems.behavior import read_payload
from engine.instruction_adherence.calibration import SHIPPED
from engine.instruction_adherence.packing import sealed_turns
from engine.instruction_adherence.splits import keeps_to
from engine.instruction_adherence.writing import MODES
from engine.kept_packs import (
    Script,
    holding,
    refuse_other_version,
    scripts,
    shown_system,
    systems_pack,
    version,
    writing_pack,
    writing_scripts,
)
from engine.public import Presented
from engine.store.pack import Pack
from engine.store.sealed import Sealed
from tests.engine.world import World

HELD_OUT = ("--split", "held_out_combos", "--seed", "7")


def exported(world: World, *arguments: str) -> dict[str, dict[str, object]]:
    """Return what `clew generate ARGUMENTS` and `clew export payloads` give, by puzzle id."""
    assert world.clew("generate", *arguments, "--out", world.folder / "made").code == 0
    rows = map(json.loads, world.clew("export", "payloads", world.folder / "made").lines)
    return {row["puzzle_id"]: row for row in rows}


@pytest.mark.parametrize(("mode", "constraints"), [("single", None), ("multi", None), ("multi", 5)])
def test_writing_scripts_are_those_of_the_command(world: World, mode: str, constraints: int | None) -> None:
    given = writing_scripts(mode, "held_out_combos", 7, 3, constraints, None, None)  # type: ignore[arg-type]
    chosen = () if constraints is None else ("--constraints", str(constraints))
    rows = exported(world, "instruction-adherence", "--count", "3", "--mode", mode, *HELD_OUT, *chosen)
    assert [script.puzzle_id for script in given] == sorted(rows)
    for script in given:
        assert rows[script.puzzle_id]["payload"] == {"mode": script.mode, "turns": list(script.turns)}
        assert script.system == ""


@pytest.mark.slow
def test_a_key_of_all_defaults_means_the_sample(world: World) -> None:
    whole = {mode: writing_scripts(mode, None, 0, 500, None, None, None) for mode in MODES}
    assert sum(map(len, whole.values())) == 500
    assert 100 < len(whole["multi"]) < 200
    for mode, given in whole.items():
        assert {script.mode for script in given} == {mode}
        assert writing_scripts(mode, None, 0, 3, None, None, None) == given[:3]
    packs = [holding(script.puzzle_id) for given in whole.values() for script in given[:3]]
    assert len(set(packs)) == 1
    with Sealed.open(packs[0] / "sealed.db") as sealed:
        for script in (*whole["single"][:20], *whole["multi"][:20]):
            by_turn = sealed_turns(sealed.task(script.puzzle_id))
            assert any(keeps_to("held_out_combos", [c.constraint.id for c in turn.scored]) for turn in by_turn)


@pytest.mark.parametrize("named", [{"seed": 1}, {"constraints": 4}, {"depth": 2}, {"weight": 2.0}, {"split": "train"}])
def test_a_key_that_names_anything_is_generated_from_train(world: World, named: dict[str, object]) -> None:
    key = {"mode": "single", "split": None, "seed": 0, "count": 2, "constraints": None, "depth": None, "weight": None}
    given = writing_scripts(**{**key, **named})  # type: ignore[arg-type]
    assert given == scripts(writing_pack(**{**key, "split": "train", **named}))  # type: ignore[arg-type]


def test_a_calibration_of_ones_own_gives_the_defaults(world: World) -> None:
    shipped = writing_pack("single", "train", 7, 2, None, None, None)
    own = json.loads(SHIPPED.read_bytes())
    own["single"]["cell"]["constraints"] = 5
    (world.folder / "data" / "calibration.json").write_text(json.dumps(own))
    assert writing_pack("single", "train", 7, 2, None, None, None) == writing_pack(
        "single", "train", 7, 2, 5, None, None
    )
    assert writing_pack("single", "train", 7, 2, None, None, None) != shipped


def test_hidden_systems_are_those_of_the_command_and_told_as_people_read_them(world: World) -> None:
    given = scripts(systems_pack(4, "short", 7))
    rows = exported(world, "hidden-systems", "--count", "4", "--length", "short", "--seed", "7")
    assert [script.puzzle_id for script in given] == sorted(rows)
    for script in given:
        assert script.turns == (rows[script.puzzle_id]["text"],)
        assert "ANSWER: " in script.system


def test_another_domain_tells_the_same_puzzles(world: World) -> None:
    folder = systems_pack(4, "short", 7)
    kiln = scripts(folder, "kiln")
    assert [script.puzzle_id for script in kiln] == [script.puzzle_id for script in scripts(folder)]
    with Pack.open(folder / "pack.db") as pack:
        for script in kiln:
            shown = shown_system(pack, script.puzzle_id, "kiln")
            assert isinstance(shown, Presented) and shown.legend.domain == "kiln"
            assert script.turns == (shown.text,)
            assert shown.payload == read_payload(pack.payload(script.puzzle_id))
    with pytest.raises(ClewError, match="atlantis"):
        scripts(folder, "atlantis")


def test_the_two_answers_stand_in_either_order(world: World) -> None:
    folder = systems_pack(12, "short", 7)
    with Pack.open(folder / "pack.db") as pack:
        orders = {shown_system(pack, script.puzzle_id, None).labels for script in scripts(folder)}
    assert orders == {("PRESENT", "ABSENT"), ("ABSENT", "PRESENT")}


def test_a_pack_is_made_once_and_kept_from_others(world: World) -> None:
    folder = writing_pack("single", "train", 7, 2, 4, 0, 2.0)
    made = {path.name: path.stat() for path in folder.iterdir()}
    assert writing_pack("single", "train", 7, 2, 4, 0, 2.0) == folder
    assert {path.name: path.stat() for path in folder.iterdir()} == made
    assert stat.S_IMODE(made["sealed.db"].st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    assert folder.is_relative_to(world.folder / "data")
    assert list(folder.parent.iterdir()) == [folder]


@pytest.mark.parametrize(
    "change",
    [{"mode": "multi"}, {"split": "held_out_combos"}, {"seed": 8}, {"count": 3}, {"constraints": 5}, {"depth": 1},
     {"weight": 3.0}],
)  # fmt: skip
def test_every_part_of_the_key_makes_another_pack(world: World, change: dict[str, object]) -> None:
    key = {"mode": "single", "split": "train", "seed": 7, "count": 2, "constraints": 4, "depth": 0, "weight": 2.0}
    assert writing_pack(**key) != writing_pack(**{**key, **change})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"split": "dev"}, "split 'dev' is unknown; legal"),
        ({"constraints": 2}, "2 is not legal; 3 to 16"),
        ({"depth": 4}, "4 is not legal; 0 to 3"),
        ({"count": 0}, "0 is not in the range"),
        ({"seed": -1}, "-1 is not in the range"),
        ({"constraints": "many"}, "'many' is not a valid int"),
        ({"split": "test"}, "seeds init-private"),
    ],
)
def test_what_the_command_refuses_is_refused_and_leaves_nothing(
    world: World, change: dict[str, object], told: str
) -> None:
    key = {"mode": "single", "split": "train", "seed": 7, "count": 2, "constraints": 4, "depth": 0, "weight": 2.0}
    with pytest.raises(UsageError) as caught:
        writing_pack(**{**key, **change})  # type: ignore[arg-type]
    assert told in caught.value.line() and "\n" not in caught.value.line()
    assert not list((world.folder / "data").rglob("*.db"))


@pytest.mark.parametrize("count", [0, -1])
def test_the_sample_is_not_cut_from_the_wrong_end(world: World, count: int) -> None:
    with pytest.raises(UsageError, match=f"number of tasks {count} is not legal; 1 or more"):
        writing_scripts("single", None, 0, count, None, None, None)


def test_tasks_of_the_split_test_go_with_the_private_key(world: World) -> None:
    assert world.clew("seeds", "init-private").code == 0
    one = writing_scripts("single", "test", 7, 2, 4, None, None)
    assert world.clew("seeds", "init-private", "--replace").code == 0
    assert {script.puzzle_id for script in one}.isdisjoint(
        script.puzzle_id for script in writing_scripts("single", "test", 7, 2, 4, None, None)
    )


def _made(_: int) -> Path:
    return systems_pack(2, "short", 3)


def test_two_processes_that_make_one_pack_agree(world: World) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        one, two = pool.map(_made, range(2))
    assert one == two and len(scripts(one)) == 2
    assert list(one.parent.iterdir()) == [one]


def test_a_puzzle_is_found_by_its_id_alone(world: World) -> None:
    systems_pack(2, "short", 3)
    folder = writing_pack("single", "train", 7, 2, 4, 0, 2.0)
    script: Script = scripts(folder)[0]
    assert holding(script.puzzle_id) == folder
    with pytest.raises(StoreError, match="no kept pack has puzzle 'abc'"):
        holding("abc")


def test_a_run_of_another_version_is_not_gone_on_with() -> None:
    refuse_other_version(version())
    with pytest.raises(UsageError, match=r"clew '0\.0\.1' made"):
        refuse_other_version("0.0.1")
