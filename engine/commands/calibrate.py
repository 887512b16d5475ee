"""`clew calibrate`: run a model over a grid of settings of writing tasks and choose the cell in the target band."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from engine.calibrating import Grid, cell_folder, run_cell
from engine.commands.generate import write_tasks
from engine.commands.model_options import Bar, parameters_of
from engine.errors import UsageError
from engine.instruction_adherence.calibration import (
    BAND,
    NAME,
    Band,
    Calibration,
    Choice,
    Figures,
    chosen,
    current,
    markdown,
    rate,
)
from engine.instruction_adherence.splits import Split
from engine.instruction_adherence.writing import WritingMode
from engine.models.catalogue import open_solver
from engine.models.outcome import Limits
from engine.store.files import private_folder
from engine.store.places import data_folder
from engine.writing_recipes import writing_recipe

SPLIT: Split = "held_out_combos"
MODES: dict[str, tuple[WritingMode, ...]] = {"single": ("single",), "multi": ("multi",), "both": ("single", "multi")}


@click.command()
@click.option("--model", required=True, help="Who answers: openai:NAME or llm:ID.")
@click.option("--base-url", help="Where the endpoint is, such as http://127.0.0.1:8080/v1.")
@click.option("--api-key-var", help="Environment variable that holds the key.")
@click.option("--mode", type=click.Choice(list(MODES)), default="single", show_default=True)
@click.option("--constraints", type=click.IntRange(3, 16), multiple=True, default=(7, 10, 13), show_default=True)
@click.option("--burial-depth", type=click.IntRange(0, 3), multiple=True, default=(1,), show_default=True)
@click.option(
    "--hard-family-weight", type=click.FloatRange(0.01, 100), multiple=True, default=(1.0,), show_default=True
)
@click.option("--tasks", type=click.IntRange(1), default=25, show_default=True, help="Tasks of a cell.")
@click.option("--samples", type=click.IntRange(1), default=8, show_default=True, help="Rollouts of a task.")
@click.option("--max-tokens", type=click.IntRange(1), default=16_000, show_default=True, help="Longest answer.")
@click.option("--temperature", help="Sampling temperature; the endpoint's own without it.")
@click.option("--concurrency", type=click.IntRange(1, 256), default=4, show_default=True, help="Requests at once.")
@click.option("--timeout", type=click.FloatRange(1), default=600.0, show_default=True, help="Seconds for one answer.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the tasks.")
@click.option("--low", type=click.FloatRange(0, 1), default=BAND.low, show_default=True, help="Band: least rate.")
@click.option("--aim", type=click.FloatRange(0, 1), default=BAND.aim, show_default=True, help="Band: rate aimed at.")
@click.option("--high", type=click.FloatRange(0, 1), default=BAND.high, show_default=True, help="Band: greatest rate.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder for it all.")
@click.option("--install", is_flag=True, help="Make the result this machine's default.")
@click.pass_context
def calibrate(
    ctx: click.Context, model: str, base_url: str | None, api_key_var: str | None, mode: str,
    constraints: tuple[int, ...],
    burial_depth: tuple[int, ...], hard_family_weight: tuple[float, ...], tasks: int, samples: int, max_tokens: int,
    temperature: str | None, concurrency: int, timeout: float, seed: int, low: float, aim: float, high: float,
    out: Path, install: bool,
) -> None:  # fmt: skip
    """Run a model over K, burial depth and weight; write calibration.json and calibration.md into OUT.

    Single turns are judged by pass@1, conversations by the mean share of turns that pass. Cells that are done are not
    run again. Exit 1 if no cell lies in the band: then the default of before stays.

    \b
    Example: clew calibrate --model openai:my-model --base-url http://127.0.0.1:8080/v1 --out calibration
    """
    if not low <= aim <= high:
        raise UsageError(f"the band {low:g}, {aim:g}, {high:g} is not in order; --low <= --aim <= --high is right")
    band = Band(low=low, aim=aim, high=high)
    grid = Grid(
        modes=MODES[mode], constraints=sorted(set(constraints)), burial_depths=sorted(set(burial_depth)),
        hard_family_weights=sorted(set(hard_family_weight)), samples=samples,
    )  # fmt: skip
    parameters = parameters_of(temperature, max_tokens, None, ())
    limits = Limits(concurrency=concurrency, item_deadline_s=3 * timeout, try_timeout_s=timeout)
    figures: list[Figures] = []
    for one, cell in grid.cells():
        folder = cell_folder(out, one, cell)
        write_tasks(folder, [writing_recipe(SPLIT, one, seed, cell)], tasks, seed)
        with ExitStack() as shown:
            figures.append(
                run_cell(
                    folder, one, cell, samples,
                    lambda: open_solver(model, base_url=base_url, key_variable=api_key_var), parameters, limits,
                    lambda run, pending, planned: shown.enter_context(Bar(run.alias, pending)),
                )
            )  # fmt: skip
        click.echo(_told(figures[-1]), err=True)
    if not _write(out, figures, grid.modes, band, model, install):
        ctx.exit(1)


def _told(one: Figures) -> str:
    cell = one.cell
    return (
        f"{one.mode} K={cell.constraints} depth={cell.burial_depth} weight={cell.hard_family_weight:g}: "
        f"{rate(one):.1%} of {one.rollouts} rollouts"
    )


def _write(
    out: Path, figures: Sequence[Figures], modes: Sequence[WritingMode], band: Band, model: str, install: bool
) -> bool:
    """Write what was found, and say whether each mode has a cell in the band."""
    before = current(data_folder())
    choices: dict[WritingMode, Choice] = {"single": before.single, "multi": before.multi}
    missed = []
    for mode in modes:
        found = chosen([one for one in figures if one.mode == mode], band)
        if found is None:
            missed.append(mode)
        else:
            today = datetime.now(UTC).date().isoformat()
            choices[mode] = Choice(cell=found.cell, provenance=f"clew calibrate, {model}", date=today)
    made = Calibration(
        format="clew-calibration/1", single=choices["single"], multi=choices["multi"], figures=tuple(figures)
    )
    body = msgspec.json.format(msgspec.json.encode(made)) + b"\n"
    (out / NAME).write_bytes(body)
    (out / "calibration.md").write_text(markdown(made, band), encoding="utf-8")
    click.echo(f"{out / NAME}")
    if missed:
        between = f"between {band.low:.0%} and {band.high:.0%}"
        click.echo(f"no {' and no '.join(missed)} cell {between}; the default of before stays", err=True)
    elif install:
        private_folder(data_folder())
        (data_folder() / NAME).write_bytes(body)
    return not missed
