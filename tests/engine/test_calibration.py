"""Calibration: the cell in the target band is chosen, cells that are done cost nothing, and defaults say where from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.instruction_adherence.calibration import (
    SHIPPED,
    Band,
    Cell,
    Figures,
    chosen,
    current,
    rate,
    read_calibration,
)
from tests.engine.world import World
from tests.environments.scripted_model import ScriptedModel, serving

JUNK = "No."


def figures(k: int, pass_at_1: float, *, mode: str = "single", turn_rate: float = 0.0) -> Figures:
    return Figures(
        model="m", settings={}, mode=mode, cell=Cell(constraints=k, burial_depth=1, hard_family_weight=1.0),  # type: ignore[arg-type]
        tasks=1, rollouts=1, pass_at_1=pass_at_1, pass_at_8=None, pass_at_1_sound=None, turn_rate=turn_rate,
        mean_reward=0.0, truncated=0.0, failed=0.0,
    )  # fmt: skip


def test_the_cell_nearest_to_the_aim_is_chosen_and_none_outside_the_band() -> None:
    band = Band(low=0.1, aim=0.25, high=0.4)
    grid = [figures(7, 0.8), figures(10, 0.39), figures(13, 0.2), figures(16, 0.0)]
    found = chosen(grid, band)
    assert found is not None and found.cell.constraints == 13
    assert chosen([grid[0], grid[3]], band) is None
    assert rate(figures(7, 0.9, mode="multi", turn_rate=0.3)) == 0.3


def test_the_shipped_cells_are_the_specifications_and_claim_no_figures_of_our_own(tmp_path: Path) -> None:
    shipped = current(tmp_path)
    assert shipped == read_calibration(SHIPPED)
    assert shipped.single.cell == Cell(constraints=13, burial_depth=1, hard_family_weight=1.0)
    assert shipped.multi.cell == Cell(constraints=10, burial_depth=1, hard_family_weight=1.0)
    assert "not re-run" in shipped.single.provenance and shipped.figures == ()


def witnesses(world: World, k: int, tasks: int) -> dict[str, str]:
    """Return the witness of each task of a cell by what the user says."""
    folder = world.folder / f"same-{k}"
    key = ("--split", "held_out_combos", "--constraints", str(k), "--seed", "0", "--count", str(tasks))
    assert world.clew("generate", "instruction-adherence", *key, "--out", folder).code == 0
    records = [json.loads(line) for line in world.clew("export", "records", folder).lines]
    return {record["turns"][0]: record["witness"] for record in records}


@pytest.mark.slow
def test_a_grid_is_run_once_and_its_cell_becomes_the_default(world: World) -> None:
    answers: dict[str, str] = {}
    for k, passing in ((3, 4), (4, 1), (5, 0)):
        known = witnesses(world, k, 4)
        answers |= {
            text: witness if nth < passing else JUNK for nth, (text, witness) in enumerate(sorted(known.items()))
        }
    out = world.folder / "grid"
    with serving(ScriptedModel(reply=answers.__getitem__)) as server:
        command = (
            "calibrate", "--model", "openai:scripted", "--base-url", server.base_url, "--tasks", "4", "--samples", "2",
            *(part for k in "345" for part in ("--constraints", k)), "--out", out, "--install",
        )  # fmt: skip
        told = world.clew(*command)
        assert told.code == 0, told.err
        asked = len(server.bodies)
        assert asked == 3 * 4 * 2
        assert world.clew(*command).code == 0 and len(server.bodies) == asked
        assert world.clew(*command, "--low", "0.5", "--aim", "0.6", "--high", "0.7").code == 1
    made = read_calibration(out / "calibration.json")
    assert [(one.cell.constraints, one.pass_at_1, one.rollouts) for one in made.figures] == [
        (3, 1.0, 8), (4, 0.25, 8), (5, 0.0, 8),
    ]  # fmt: skip
    own = current(world.folder / "data")
    assert own.single.cell.constraints == 4 and own.multi == read_calibration(SHIPPED).multi
    assert (
        world.clew("generate", "instruction-adherence", "--count", "1", "--seed", "1", "--out", world.folder / "d").code
        == 0
    )
    (record,) = [json.loads(line) for line in world.clew("export", "records", world.folder / "d").lines]
    assert len(record["constraints"]) == 4
    assert "| openai:scripted | single | 4 |" in (out / "calibration.md").read_text(encoding="utf-8")


def test_a_band_out_of_order_and_a_broken_file_are_one_line_and_exit_2(world: World) -> None:
    told = world.clew("calibrate", "--model", "openai:x", "--low", "0.9", "--out", world.folder / "o")
    assert told.code == 2 and "is not in order" in told.err and not (world.folder / "o").exists()
    (world.folder / "data").mkdir(exist_ok=True)
    (world.folder / "data" / "calibration.json").write_text("{}", encoding="utf-8")
    told = world.clew("generate", "instruction-adherence", "--count", "1", "--seed", "1", "--out", world.folder / "d")
    assert told.code == 2 and "is no calibration" in told.err and len(told.err.splitlines()) == 1
