"""The real desk on a small pack in a temporary folder, for what a desk in memory cannot show."""

from __future__ import annotations

from pathlib import Path

from engine.hidden_systems.packing import Sown, write_puzzles
from engine.hidden_systems.program.generate import generate_skeleton
from engine.packs import Salts
from engine.players import PlayerDesk

SEED = 5


def small_pack(folder: Path, *, complexities: tuple[int, ...] = (4, 4, 6), study: bool = False) -> Path:
    """Write a pack and its sealed half; a study pack has salts of its own."""
    seed = None if study else SEED
    sown = [
        Sown(skeleton=generate_skeleton(complexity, SEED, index), seed=SEED, index=index)
        for index, complexity in enumerate(complexities)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    write_puzzles(
        folder / "pack.db", folder / "sealed.db", sown, title="small", recipe="{}", salts=Salts(seed=seed)
    )  # fmt: skip
    return folder


def desk_on(pack: Path, player: str = "ada") -> PlayerDesk:
    """Return a desk on the answers file of the test's data folder."""
    return PlayerDesk.for_player(pack=str(pack), player=player)
