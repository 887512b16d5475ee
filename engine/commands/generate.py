"""`clew generate`: draw puzzles into a public pack and a sealed file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from engine.canonical import Json, canonical_text
from engine.commands.progress import progress
from engine.errors import UsageError
from engine.hidden_systems.packing import Salts, Sown, write_puzzles
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.hidden_systems.program.generate import GENERATOR_VERSION, iterate_skeletons, read_complexity
from engine.randomness import secret_bits
from engine.store.files import private_folder
from engine.store.pack import Pack
from engine.store.places import PACK_NAME, SEALED_NAME

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
    if (seed is None) != secret_seed:
        given = "both" if secret_seed else "neither"
        raise UsageError(f"of --seed S and --secret-seed {given} is given; exactly one is needed")
    complexity = read_complexity(length)
    chosen = secret_bits(STUDY_SEED_BITS) if seed is None else seed
    recipe: dict[str, Json] = {
        "family": FAMILY_NAME,
        "complexity": complexity,
        "count": count,
        "seed": str(chosen),
        "generator_version": GENERATOR_VERSION,
    }
    with progress(_sown(count, complexity, chosen), count, "drawing puzzles") as sown:
        sha = _write(out, sown, title or f"{length} hidden systems", canonical_text(recipe), Salts(seed=seed))
    click.echo(f"{out / PACK_NAME}: {count} puzzles, content {sha}")


def _sown(count: int, complexity: int, seed: int) -> Iterator[Sown]:
    for index, skeleton in enumerate(iterate_skeletons(count, complexity, seed)):
        yield Sown(skeleton=skeleton, seed=seed, index=index)


def _write(out: Path, sown: Iterator[Sown], title: str, recipe: str, salts: Salts) -> str:
    """Write both files into `out`; an equal pack that is there already is left as it is."""
    pack, sealed = out / PACK_NAME, out / SEALED_NAME
    if not pack.exists() and not sealed.exists():
        return write_puzzles(pack, sealed, sown, title=title, recipe=recipe, salts=salts)
    if salts.seed is None:
        raise UsageError(f"{out} holds a pack already; a study pack needs a folder of its own")
    private_folder(out)
    with tempfile.TemporaryDirectory(dir=out) as folder:
        fresh = Path(folder) / PACK_NAME
        sha = write_puzzles(fresh, Path(folder) / SEALED_NAME, sown, title=title, recipe=recipe, salts=salts)
        with Pack.open(pack) as old:
            if old.sha == sha and sealed.exists():
                return sha
    raise UsageError(f"{out} holds another pack already; give --out a new folder")
