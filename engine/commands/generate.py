"""`clew generate`: draw puzzles into a public pack and a sealed file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from engine.canonical import Json, canonical_text, text_digest
from engine.commands.progress import progress
from engine.errors import UsageError
from engine.hidden_systems import packing as systems
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.hidden_systems.program.generate import GENERATOR_VERSION, iterate_skeletons, read_complexity
from engine.instruction_adherence import packing as writing
from engine.instruction_adherence.generate import GENERATOR_VERSION as WRITING_VERSION
from engine.instruction_adherence.generate import Recipe, generate_tasks
from engine.instruction_adherence.private_seed_tasks import load_private, load_private_key
from engine.instruction_adherence.seed_tasks import public_seed_tasks
from engine.instruction_adherence.splits import Split, read_split
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.packs import PACK_SALT_PURPOSE, Halves, Salts, write_halves
from engine.randomness import secret_bits
from engine.store.files import private_folder
from engine.store.pack import Pack
from engine.store.places import PACK_NAME, SEALED_NAME, data_folder

STUDY_SEED_BITS = 256
LARGEST_SEED = 2**63 - 1
"""Largest number taken as a public seed; study seeds are drawn by clew and far longer."""


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
def hidden_systems(count: int, length: str, seed: int | None, secret_seed: bool, out: Path, title: str) -> None:
    """Write DIR/pack.db (public) and DIR/sealed.db (gold, readable by you alone).

    \b
    Example: clew generate hidden-systems --count 100 --length medium --seed 7 --out my-pack
    """
    chosen = _chosen_seed(seed, secret_seed)
    complexity = read_complexity(length)
    recipe: dict[str, Json] = {
        "family": FAMILY_NAME,
        "complexity": complexity,
        "count": count,
        "seed": str(chosen),
        "generator_version": GENERATOR_VERSION,
    }
    salts = Salts(seed=seed)
    pack_salt = salts.token(PACK_SALT_PURPOSE)
    with progress(_sown(count, complexity, chosen), count, "drawing puzzles") as sown:
        halves = (systems.halves(one, pack_salt, salts) for one in sown)
        sha = _write(out, halves, title or f"{length} hidden systems", canonical_text(recipe), salts, pack_salt)
    click.echo(f"{out / PACK_NAME}: {count} puzzles, content {sha}")


@generate.command("instruction-adherence")
@click.option("--count", type=click.IntRange(1), required=True, help="Number of writing tasks.")
@click.option("--constraints", default=13, show_default=True, help="Requirements of each task, 3..16.")
@click.option("--split", default="train", show_default=True, help="train, held_out_combos or test.")
@click.option("--mode", type=click.Choice(["single"]), default="single", show_default=True, help="One turn.")
@click.option("--burial-depth", default=1, show_default=True, help="How deep the brief buries them, 0..3.")
@click.option("--hard-family-weight", default=1.0, show_default=True, help="How much likelier hard types are drawn.")
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), help="Public seed: the same seed, the same pack.")
@click.option("--secret-seed", is_flag=True, help="For studies: draw 256 secret bits, kept only in sealed.db.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder for the files.")
@click.option("--title", default="", help="What the app calls the pack.")
def instruction_adherence(
    count: int, constraints: int, split: str, mode: str, burial_depth: int, hard_family_weight: float,
    seed: int | None, secret_seed: bool, out: Path, title: str,
) -> None:  # fmt: skip
    """Write DIR/pack.db (the briefs) and DIR/sealed.db (what is checked, and a response that passes).

    \b
    Example: clew generate instruction-adherence --count 50 --constraints 8 --seed 7 --out my-tasks
    """
    chosen = _chosen_seed(seed, secret_seed)
    recipe = writing_recipe(read_split(split), chosen, constraints, burial_depth, hard_family_weight)
    told: dict[str, Json] = {
        "family": WRITING, "count": count, "constraints": constraints, "split": split, "mode": mode,
        "burial_depth": burial_depth, "hard_family_weight": str(hard_family_weight), "seed": str(chosen),
        "generator_version": WRITING_VERSION,
    }  # fmt: skip
    salts = Salts(seed=seed)
    pack_salt = salts.token(PACK_SALT_PURPOSE)
    with progress(generate_tasks(recipe, count), count, "drawing writing tasks") as tasks:
        halves = (writing.halves(task, pack_salt, salts) for task in tasks)
        sha = _write(
            out, halves, title or f"writing, {constraints} requirements", canonical_text(told), salts, pack_salt
        )
    click.echo(f"{out / PACK_NAME}: {count} writing tasks, content {sha}")


def writing_recipe(split: Split, seed: int, constraints: int, depth: int, weight: float) -> Recipe:
    """Return the recipe of writing tasks; the split `test` takes the private seed tasks of this machine."""
    key = ""
    tasks = public_seed_tasks()
    if split == "test":
        tasks = load_private(data_folder())
        key = text_digest(load_private_key(data_folder()).hex())
    return Recipe(
        split=split, seed=seed, constraints=constraints, burial_depth=depth, hard_family_weight=weight,
        seed_tasks=tasks, private_key=key,
    )  # fmt: skip


def _chosen_seed(seed: int | None, secret: bool) -> int:
    if (seed is None) != secret:
        given = "both" if secret else "neither"
        raise UsageError(f"of --seed S and --secret-seed {given} is given; exactly one is needed")
    return secret_bits(STUDY_SEED_BITS) if seed is None else seed


def _sown(count: int, complexity: int, seed: int) -> Iterator[systems.Sown]:
    for index, skeleton in enumerate(iterate_skeletons(count, complexity, seed)):
        yield systems.Sown(skeleton=skeleton, seed=seed, index=index)


def _write(out: Path, halves: Iterable[Halves], title: str, recipe: str, salts: Salts, pack_salt: str) -> str:
    """Write both files into `out`; an equal pack that is there already is left as it is."""
    pack, sealed = out / PACK_NAME, out / SEALED_NAME

    def written(pack: Path, sealed: Path) -> str:
        return write_halves(pack, sealed, list(halves), title=title, recipe=recipe, salts=salts, pack_salt=pack_salt)

    if not pack.exists() and not sealed.exists():
        return written(pack, sealed)
    if salts.seed is None:
        raise UsageError(f"{out} holds a pack already; a study pack needs a folder of its own")
    private_folder(out)
    with tempfile.TemporaryDirectory(dir=out) as folder:
        sha = written(Path(folder) / PACK_NAME, Path(folder) / SEALED_NAME)
        with Pack.open(pack) as old:
            if old.sha == sha and sealed.exists():
                return sha
    raise UsageError(f"{out} holds another pack already; give --out a new folder")
