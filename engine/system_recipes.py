"""What a sealed file says of how its hidden systems were drawn, and whether they can have been drawn so.

PRIVATE: reads seeds of sealed records.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec

from engine import practice
from engine.canonical import Json, canonical_text
from engine.coded_packs import coded_recipe
from engine.errors import ClewError
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.hidden_systems.program.generate import GENERATOR_VERSION
from engine.hidden_systems.selection import iterate_selected, read_accuracy
from engine.puzzle_codes import read_code
from engine.store.pack import PackEntry
from engine.store.sealed import SealedPuzzle

Kind = TypeVar("Kind")


class _Stored(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the hidden systems of a pack were drawn, as its sealed file keeps it."""

    family: str
    generator_version: str
    complexity: int
    count: int
    seed: str
    """Up to 256 bits."""
    select: str = ""


class _Coded(msgspec.Struct, frozen=True):
    code: str


def system_recipe(complexity: int, count: int, seed: int, percent: int | None = None) -> str:
    """Return canonical JSON of how `count` hidden systems are drawn; `percent` is what `--select` keeps to."""
    recipe: dict[str, Json] = {
        "family": FAMILY_NAME,
        "complexity": complexity,
        "count": count,
        "seed": str(seed),
        "generator_version": GENERATOR_VERSION,
    }
    return canonical_text(recipe if percent is None else recipe | {"select": f"0.{percent}"})


def fits(recipe: str, entries: Sequence[PackEntry], records: Sequence[SealedPuzzle], *, by_practice: bool) -> bool:
    """Say whether the hidden systems of a pack, and no others, come from a recipe.

    Each is drawn again from its own seed and index elsewhere; here it is whether those are the recipe's.

    Args:
        by_practice: the pack claims to be the built-in one.
    """
    if by_practice:
        return recipe == practice.recipe_text()
    seeds = {(record.seed, record.idx) for record in records}
    try:
        if (coded := _read(recipe, _Coded)) is not None:
            code = read_code(coded.code)
            return recipe == coded_recipe(code) and seeds == {(code.seed(), code.index())}
        stored = _read(recipe, _Stored)
        # The count comes first: a wrong one might ask for more draws than there is time for.
        if stored is None or stored.count != len(records):
            return False
        percent = read_accuracy(stored.select, stored.complexity) if stored.select else None
        return (
            recipe == system_recipe(stored.complexity, stored.count, int(stored.seed), percent)
            and {entry.complexity for entry in entries if entry.family == FAMILY_NAME} == {stored.complexity}
            and seeds == {(int(stored.seed), index) for index in _indices(stored, percent)}
        )
    except (ClewError, ValueError):
        return False


def _indices(stored: _Stored, percent: int | None) -> Iterable[int]:
    if percent is None:
        return range(stored.count)
    return (one.index for one in iterate_selected(stored.count, stored.complexity, int(stored.seed), percent))


def _read(text: str, kind: type[Kind]) -> Kind | None:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError:
        return None
