"""Writing a pack and its sealed file, whatever family the puzzles are of.

The sealed file is written first, before anything could render or solve a puzzle. A practice pack derives its salts from
its seed, so that two runs have equal content; a study pack takes them from the system.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from engine.errors import StoreError
from engine.private import Private
from engine.randomness import derive, secret_bits
from engine.store.pack import PACK_SALT, PackPuzzle, PackRendering, write_pack
from engine.store.sealed import SealedPuzzle, write_sealed
from engine.store.sealed_tasks import SealedTask

SALT_BITS = 128
PACK_SALT_PURPOSE = "salt"
CANARIES = 4
"""Random tokens in the sealed file that must turn up nowhere else."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Salts(Private):
    """Where the salts of one pack come from."""

    seed: int | None
    """None: from the system, for studies."""

    def token(self, purpose: str, *key: int | str) -> str:
        """Return 128 bits as 32 hex digits."""
        if self.seed is None:
            return f"{secret_bits(SALT_BITS):032x}"
        return f"{derive(f'pack/{purpose}', self.seed, *key) >> (256 - SALT_BITS):032x}"


@dataclass(frozen=True, kw_only=True, repr=False)
class Halves(Private):
    """The public and the private rows of one puzzle."""

    puzzle: PackPuzzle
    rendering: PackRendering
    system: SealedPuzzle | None = None
    task: SealedTask | None = None


TEST_MARK = "split"
"""Public mark of a pack of the split `test`, which stays on the machine that scores it."""
TEST = "test"


def marks_of(split: str) -> dict[str, str]:
    """Return the public marks of a pack of writing tasks of one split."""
    return {TEST_MARK: TEST} if split == TEST else {}


def write_halves(
    pack: Path,
    sealed: Path,
    halves: Sequence[Halves],
    *,
    title: str,
    recipe: str,
    salts: Salts,
    pack_salt: str,
    marks: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Write both files, the sealed one first; return the content digest of the pack.

    Args:
        recipe: canonical JSON of how the puzzles were drawn; goes into the sealed file only.
        marks: further public properties of the pack as a whole.

    Raises:
        StoreError: two puzzles have equal payloads, or a file exists or cannot be written.
    """
    times = Counter(half.puzzle.id for half in halves)
    if twice := [identity for identity, count in times.items() if count > 1]:
        raise StoreError(f"two puzzles of this pack have equal payloads ({min(twice)!r}); take another seed")
    write_sealed(
        sealed,
        meta={"recipe": recipe, "title": title},
        puzzles=(half.system for half in halves if half.system is not None),
        tasks=(half.task for half in halves if half.task is not None),
        canaries=[salts.token("canary", nth) for nth in range(CANARIES)],
    )
    return write_pack(
        pack,
        meta={"title": title, "kind": "practice" if salts.seed is not None else "study", PACK_SALT: pack_salt, **marks},
        puzzles=(half.puzzle for half in halves),
        renderings=(half.rendering for half in halves),
    )
