"""A practice puzzle from its code, as a pack of one with its sealed half: `python -m engine.coded_packs CODE FOLDER`.

PRIVATE: run as a program of its own, so that whoever is about to play the puzzle never holds the program behind it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from engine.canonical import canonical_text
from engine.errors import ClewError
from engine.hidden_systems.packing import Sown, write_puzzles
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.hidden_systems.program.generate import GENERATOR_VERSION, generate_skeleton
from engine.packs import Salts
from engine.puzzle_codes import PuzzleCode, read_code
from engine.store.pack import Pack
from engine.store.places import PACK_NAME, SEALED_NAME


def coded_recipe(code: PuzzleCode) -> str:
    """Return canonical JSON of how a code's puzzle is drawn."""
    return canonical_text({"family": FAMILY_NAME, "code": str(code), "generator_version": GENERATOR_VERSION})


def build(code: PuzzleCode, folder: Path) -> str:
    """Write pack and sealed file of a code's puzzle into a folder; return the puzzle's public id."""
    seed, index = code.seed(), code.index()
    skeleton = generate_skeleton(code.complexity, seed, index)
    write_puzzles(
        folder / PACK_NAME, folder / SEALED_NAME, [Sown(skeleton=skeleton, seed=seed, index=index)],
        title=f"puzzle {code}", recipe=coded_recipe(code), salts=Salts(seed=seed),
    )  # fmt: skip
    with Pack.open(folder / PACK_NAME) as pack:
        return pack.puzzles()[0].id


def main(arguments: list[str]) -> int:
    """Print the id of the puzzle; on failure one line on standard error, and its exit code."""
    try:
        code, folder = arguments
        print(build(read_code(code), Path(folder)))
    except ClewError as error:
        print(error.line(), file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
