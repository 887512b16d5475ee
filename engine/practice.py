"""The built-in practice pack: its public recipe, and the sealed half rebuilt from it.

The recipe is public, so the gold of these puzzles is public by construction: they are for practice only.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine.canonical import canonical_text
from engine.errors import StoreError
from engine.instruction_adherence.writing import WritingMode
from engine.store.files import private_folder, publish, scratch_folder
from engine.store.pack import PACK_SALT, Pack
from engine.store.places import builtin_pack, practice_sealed_path, sealed_path

TITLE = "clew practice"


class Batch(NamedTuple):
    """Hidden systems of one length from one seed."""

    length: str
    puzzles: int
    seed: int


class WritingBatch(NamedTuple):
    """Writing tasks of one mode with one number of constraints from one seed."""

    mode: WritingMode
    constraints: int
    tasks: int
    seed: int
    burial_depth: int


TASKS_OF_EACH: tuple[tuple[WritingMode, int], ...] = (("single", 2), ("multi", 1))
"""Writing tasks for each number of constraints: a third of them are conversations."""
RECIPE: tuple[Batch, ...] = (Batch("short", 20, 11), Batch("medium", 20, 12), Batch("long", 20, 13))
WRITING_RECIPE: tuple[WritingBatch, ...] = tuple(
    WritingBatch(mode, k, tasks, 14, (k - 3) % 4) for k in range(3, 14) for mode, tasks in TASKS_OF_EACH
)
SALT_SEED = 11
"""The salts of the pack are derived from this number."""


def build(pack: Path, sealed: Path) -> str:
    """Build the practice pack and its sealed file; return the pack's content digest."""
    # The generators load NumPy and the vocabularies; whoever only asks where the pack is must not wait for that.
    from engine.hidden_systems import packing as systems
    from engine.hidden_systems.program.generate import iterate_skeletons
    from engine.instruction_adherence import packing as tasks
    from engine.instruction_adherence.generate import Recipe, generate_tasks
    from engine.instruction_adherence.seed_tasks import public_seed_tasks
    from engine.packs import PACK_SALT_PURPOSE, Salts, write_halves

    salts = Salts(seed=SALT_SEED)
    pack_salt = salts.token(PACK_SALT_PURPOSE)
    halves = [
        systems.halves(systems.Sown(skeleton=skeleton, seed=batch.seed, index=index), pack_salt, salts)
        for batch in RECIPE
        for index, skeleton in enumerate(iterate_skeletons(batch.puzzles, batch.length, batch.seed))
    ]
    for writing in WRITING_RECIPE:
        recipe = Recipe(
            split="train",
            mode=writing.mode,
            seed=writing.seed,
            constraints=writing.constraints,
            burial_depth=writing.burial_depth,
            hard_family_weight=1.0,
            seed_tasks=public_seed_tasks(),
        )
        halves += [tasks.halves(task, pack_salt, salts) for task in generate_tasks(recipe, writing.tasks)]
    return write_halves(pack, sealed, halves, title=TITLE, recipe=recipe_text(), salts=salts, pack_salt=pack_salt)


def recipe_text() -> str:
    """Return the recipe as canonical JSON."""
    return canonical_text([one._asdict() for one in (*RECIPE, *WRITING_RECIPE)])


def sealed(content_sha: str) -> Path:
    """Return the sealed half of the built-in pack with this content, rebuilt into the data directory if need be.

    Raises:
        StoreError: this version's recipe makes another pack.
    """
    path = practice_sealed_path(content_sha)
    if not path.exists():
        private_folder(path.parent)
        with scratch_folder(path.parent) as folder:
            built = build(folder / "pack.db", folder / "sealed.db")
            if built != content_sha:
                raise StoreError("the built-in pack is of another version of clew; reinstall clew")
            with suppress(FileExistsError):
                publish(folder / "sealed.db", path, replace=False)
    return path


def sealed_half(pack: Pack) -> Path:
    """Return the sealed file of a pack: beside it, or rebuilt for the built-in one."""
    return sealed(pack.sha) if is_builtin(pack.path) else sealed_path(pack.path)


def made_by_recipe(pack: Pack) -> bool:
    """Tell whether a pack claims to come from the public recipe: it has the recipe's salt."""
    from engine.packs import PACK_SALT_PURPOSE, Salts

    return pack.meta.get(PACK_SALT) == Salts(seed=SALT_SEED).token(PACK_SALT_PURPOSE)


def is_builtin(pack: Path) -> bool:
    """Tell whether a path is the built-in pack."""
    return pack.resolve() == builtin_pack().resolve()


def main() -> None:
    """Build the pack into a new file: `python -m engine.practice FILE`."""
    target = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        print(build(target, Path(folder) / "sealed.db"))


if __name__ == "__main__":
    main()
