"""`clew dataset build`: the training and evaluation sets of writing tasks."""

from __future__ import annotations

from pathlib import Path

import click

from engine.commands.generate import LARGEST_SEED
from engine.commands.progress import progress
from engine.datasets import ROWS, SIZES, DataSet, build
from engine.errors import counted
from engine.instruction_adherence.splits import read_split


@click.group()
def dataset() -> None:
    """Build data sets of writing tasks.

    \b
    Example: clew dataset build --split held_out_combos --seed 7 --out held-out
    """


@dataset.command("build")
@click.option("--split", "splits", multiple=True, help="train, held_out_combos or test; all three without it.")
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), required=True, help="The same seed, the same sets.")
@click.option("--count", type=click.IntRange(1), help="Rows; 10000, 1000 and 1000 without it.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder for the files.")
@click.option("--processes", type=click.IntRange(1), help="How many work at once; one a core without it.")
def build_sets(splits: tuple[str, ...], seed: int, count: int | None, out: Path, processes: int | None) -> None:
    """Write rows.jsonl (what solvers see), pack.db and sealed.db into OUT, or into OUT/SPLIT for several sets.

    A build that was interrupted goes on when it is called again. The set `test` is made from this machine's private
    seed tasks (`clew seeds init-private`) and readable by its owner alone.

    \b
    Example: clew dataset build --split held_out_combos --seed 7 --out held-out
    """
    wanted = [read_split(split) for split in dict.fromkeys(splits or SIZES)]
    for split in wanted:
        folder = out if len(wanted) == 1 else out / split
        one = DataSet(split=split, seed=seed, count=count or SIZES[split])
        grown = build(one, folder, processes=processes)
        begun = next(grown)
        if begun:
            click.echo(f"{folder}: {counted(begun, 'row')} finished before", err=True)
        with progress(grown, one.count - begun, split) as steps:
            for _ in steps:
                pass
        click.echo(f"{folder / ROWS}: {counted(one.count, 'row')}")
