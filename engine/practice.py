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
from engine.store.files import private_folder, publish, scratch_folder
from engine.store.pack import PACK_SALT, Pack
from engine.store.places import builtin_pack, practice_sealed_path, sealed_path

TITLE = "clew practice"


class Batch(NamedTuple):
    """Puzzles of one length from one seed."""

    length: str
    puzzles: int
    seed: int


RECIPE: tuple[Batch, ...] = (Batch("short", 20, 11), Batch("medium", 20, 12), Batch("long", 20, 13))
SALT_SEED = 11
"""The salts of the pack are derived from this number."""


def build(pack: Path, sealed: Path) -> str:
    """Build the practice pack and its sealed file; return the pack's content digest."""
    # The generator loads NumPy; whoever only asks where the pack is must not wait for that.
    from engine.hidden_systems.packing import Salts, Sown, write_puzzles
    from engine.hidden_systems.program.generate import iterate_skeletons

    sown = (
        Sown(skeleton=skeleton, seed=batch.seed, index=index)
        for batch in RECIPE
        for index, skeleton in enumerate(iterate_skeletons(batch.puzzles, batch.length, batch.seed))
    )
    recipe = canonical_text([batch._asdict() for batch in RECIPE])
    return write_puzzles(pack, sealed, sown, title=TITLE, recipe=recipe, salts=Salts(seed=SALT_SEED))


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
    from engine.hidden_systems.packing import PACK_SALT_PURPOSE, Salts

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
