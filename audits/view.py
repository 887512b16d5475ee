"""A pack as the exact rules read it: opened through the same reader as the app, and small enough to hold in memory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.errors import UsageError
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.store.pack import PACK_SALT, Pack
from engine.store.sealed import Sealed


@dataclass(frozen=True, kw_only=True)
class Told:
    """One rendering."""

    renderer: str
    domain: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Shipped:
    """One puzzle of a pack."""

    id: str
    payload: str
    """JSON as stored."""
    tellings: tuple[Told, ...]


@dataclass(frozen=True, kw_only=True, repr=False)
class PackView:
    """A pack in the order in which it lists its puzzles."""

    salt: str
    """Public salt of the puzzle ids."""
    puzzles: tuple[Shipped, ...]
    present: tuple[bool, ...] | None = None
    """Gold labels in the same order, if the sealed file was opened too; private."""


def open_view(pack: Path, sealed: Path | None) -> PackView:
    """Read a pack, and its labels if a sealed file is given.

    Raises:
        StoreError: a file is missing, foreign or damaged.
        UsageError: the sealed file belongs to another pack.
    """
    with Pack.open(pack) as opened:
        puzzles = tuple(
            Shipped(
                id=entry.id,
                payload=opened.payload(entry.id),
                tellings=tuple(
                    Told(renderer=one.renderer, domain=one.domain, text=one.body) for one in opened.renderings(entry.id)
                ),
            )
            for entry in opened.puzzles()
            if entry.family == FAMILY_NAME
        )
        salt = opened.meta.get(PACK_SALT, "")
    return PackView(salt=salt, puzzles=puzzles, present=_labels(puzzles, sealed) if sealed else None)


def _labels(puzzles: tuple[Shipped, ...], sealed: Path) -> tuple[bool, ...]:
    with Sealed.open(sealed) as opened:
        present = {record.puzzle_id: record.gold == "PRESENT" for record in opened.records()}
    if missing := [puzzle.id for puzzle in puzzles if puzzle.id not in present]:
        raise UsageError(f"{sealed} has no puzzle {missing[0]!r}; the sealed file of the same pack is needed")
    return tuple(present[puzzle.id] for puzzle in puzzles)
