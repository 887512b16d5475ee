"""`clew generate`: draw puzzles into a public pack and a sealed file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import click
from msgspec.structs import replace

from engine.commands.progress import progress
from engine.errors import UsageError, counted
from engine.hidden_systems import packing as systems
from engine.hidden_systems.program.generate import iterate_skeletons, read_complexity
from engine.hidden_systems.selection import iterate_selected, read_accuracy
from engine.instruction_adherence import packing as writing
from engine.instruction_adherence.generate import Recipe, generate_tasks
from engine.instruction_adherence.splits import read_split
from engine.instruction_adherence.writing import MODES
from engine.packs import PACK_SALT_PURPOSE, Halves, Salts, marks_of, write_halves
from engine.randomness import secret_bits
from engine.store.files import private_folder
from engine.store.pack import Pack
from engine.store.places import PACK_NAME, SEALED_NAME
from engine.store.sealed import Sealed
from engine.system_recipes import system_recipe
from engine.writing_recipes import default_cell, writing_recipe

STUDY_SEED_BITS = 256
LARGEST_SEED = 2**63 - 1
"""Largest number taken as a public seed; study seeds are drawn by clew and far longer."""
BOTH = "both"
"""Stands for all modes."""


@click.group()
def generate() -> None:
    """Make a pack of puzzles of your own.

    \b
    Example: clew generate hidden-systems --count 100 --length medium --seed 7 --out my-pack
    """


@generate.command("hidden-systems")
@click.option("--count", type=click.IntRange(1), required=True, help="Number of puzzles.")
@click.option("--length", required=True, help="short (4 events), medium (6), long (8), or 4..10.")
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), help="Public seed: the same seed, the same pack.")
@click.option("--secret-seed", is_flag=True, help="For studies: draw 256 secret bits, kept only in sealed.db.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder for the files.")
@click.option("--title", default="", help="What the app calls the pack.")
@click.option(
    "--select",
    is_flag=False,
    flag_value="",
    metavar="[ACCURACY]",
    help="Keep puzzles of which counts alone get at most this share right (0.65 from 6 events on).",
)
def hidden_systems(
    count: int, length: str, seed: int | None, secret_seed: bool, out: Path, title: str, select: str | None
) -> None:
    """Write DIR/pack.db (public) and DIR/sealed.db (gold, readable by you alone).

    \b
    Example: clew generate hidden-systems --count 100 --length medium --seed 7 --out my-pack
    """
    chosen = _chosen_seed(seed, secret_seed)
    complexity = read_complexity(length)
    percent = None if select is None else read_accuracy(select, complexity)
    recipe = system_recipe(complexity, count, chosen, percent)
    drawn = (
        _sown(count, complexity, chosen) if percent is None else _selected(count, complexity, chosen, percent)
    )  # fmt: skip
    salts = Salts(seed=seed)
    pack_salt = salts.token(PACK_SALT_PURPOSE)
    with progress(drawn, count, "drawing puzzles") as sown:
        halves = (systems.halves(one, pack_salt, salts) for one in sown)
        sha = _write(out, halves, title or f"{length} hidden systems", recipe, salts, pack_salt)
    click.echo(f"{out / PACK_NAME}: {counted(count, 'puzzle')}, content {sha}")


@generate.command("instruction-adherence")
@click.option("--count", type=click.IntRange(1), required=True, help="Number of writing tasks, of each mode.")
@click.option(
    "--constraints",
    type=int,
    help="Requirements of each task, or the most at once in a conversation, 3..16.  [default: 13; multi: 10]",
)
@click.option("--split", default="train", show_default=True, help="train, held_out_combos or test.")
@click.option(
    "--mode", type=click.Choice([*MODES, BOTH]), default="single", show_default=True,
    help="One turn, a conversation of 4 to 12, or as many of each.",
)  # fmt: skip
@click.option("--burial-depth", type=int, help="How deep the brief buries them, 0..3.  [default: 1]")
@click.option("--hard-family-weight", type=float, help="How much likelier hard types are drawn.  [default: 1.0]")
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), help="Public seed: the same seed, the same pack.")
@click.option("--secret-seed", is_flag=True, help="For studies: draw 256 secret bits, kept only in sealed.db.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder for the files.")
@click.option("--title", default="", help="What the app calls the pack.")
def instruction_adherence(
    count: int, constraints: int | None, split: str, mode: str, burial_depth: int | None,
    hard_family_weight: float | None, seed: int | None, secret_seed: bool, out: Path, title: str,
) -> None:  # fmt: skip
    """Write DIR/pack.db (what is said) and DIR/sealed.db (what is checked, and responses that pass).

    \b
    Example: clew generate instruction-adherence --count 50 --constraints 8 --seed 7 --out my-tasks
    """
    chosen = _chosen_seed(seed, secret_seed)
    wanted = {"constraints": constraints, "burial_depth": burial_depth, "hard_family_weight": hard_family_weight}
    asked = {name: value for name, value in wanted.items() if value is not None}
    recipes = [
        writing_recipe(read_split(split), one, chosen, replace(default_cell(one), **asked))
        for one in MODES
        if mode in (one, BOTH)
    ]
    sha = write_tasks(out, recipes, count, seed, title)
    click.echo(f"{out / PACK_NAME}: {counted(count * len(recipes), 'writing task')}, content {sha}")


def write_tasks(out: Path, recipes: Sequence[Recipe], count: int, seed: int | None, title: str = "") -> str:
    """Write `count` tasks of each recipe into a folder, and return the content digest of the pack.

    Args:
        recipes: they differ in mode and cell alone.
        seed: None for a study pack, whose salts come from the system.
    """
    salts = Salts(seed=seed)
    pack_salt = salts.token(PACK_SALT_PURPOSE)
    drawn = chain.from_iterable(generate_tasks(recipe, count) for recipe in recipes)
    named = title or f"writing, {'/'.join(dict.fromkeys(str(recipe.constraints) for recipe in recipes))} requirements"
    with progress(drawn, count * len(recipes), "drawing writing tasks") as tasks:
        halves = (writing.halves(task, pack_salt, salts) for task in tasks)
        told = writing.recipe_text(recipes, count)
        return _write(out, halves, named, told, salts, pack_salt, marks_of(recipes[0].split))


def _chosen_seed(seed: int | None, secret: bool) -> int:
    if (seed is None) != secret:
        given = "both" if secret else "neither"
        raise UsageError(f"of --seed S and --secret-seed {given} is given; exactly one is needed")
    return secret_bits(STUDY_SEED_BITS) if seed is None else seed


def _sown(count: int, complexity: int, seed: int) -> Iterator[systems.Sown]:
    for index, skeleton in enumerate(iterate_skeletons(count, complexity, seed)):
        yield systems.Sown(skeleton=skeleton, seed=seed, index=index)


def _selected(count: int, complexity: int, seed: int, percent: int) -> Iterator[systems.Sown]:
    for one in iterate_selected(count, complexity, seed, percent):
        yield systems.Sown(skeleton=one.skeleton, seed=seed, index=one.index)


def _write(
    out: Path,
    halves: Iterable[Halves],
    title: str,
    recipe: str,
    salts: Salts,
    pack_salt: str,
    marks: Mapping[str, str] | None = None,
) -> str:
    """Write both files into `out`; an equal pack that is there already is left as it is."""
    pack, sealed = out / PACK_NAME, out / SEALED_NAME

    def written(pack: Path, sealed: Path) -> str:
        return write_halves(
            pack, sealed, list(halves), title=title, recipe=recipe, salts=salts, pack_salt=pack_salt, marks=marks or {}
        )

    if not pack.exists() and not sealed.exists():
        return written(pack, sealed)
    if salts.seed is None:
        raise UsageError(f"{out} holds a pack already; a study pack needs a folder of its own")
    other = UsageError(f"{out} holds another pack already; give --out a new folder")
    if not sealed.exists() or _recipe_in(sealed) != recipe:
        raise other
    private_folder(out)
    with tempfile.TemporaryDirectory(dir=out) as folder:
        sha = written(Path(folder) / PACK_NAME, Path(folder) / SEALED_NAME)
        with Pack.open(pack) as old:
            if old.sha == sha:
                return sha
    raise other


def _recipe_in(sealed: Path) -> str:
    """Return the recipe of a sealed file; asked before long work whose result would be refused."""
    with Sealed.open(sealed) as secrets:
        return secrets.meta.get("recipe", "")
