"""A pack as the exact rules read it: opened through the same reader as the app, and small enough to hold in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import UsageError
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.instruction_adherence.writing import FAMILY
from engine.store.pack import PACK_SALT, Pack, PackEntry
from engine.store.sealed import Sealed
from engine.store.sealed_tasks import SealedTask


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
class ShippedTask:
    """One writing task of a pack."""

    id: str
    constraints: int
    """As the list of the pack says."""
    n_turns: int
    payload: str
    """JSON as stored."""
    tellings: tuple[Told, ...]
    sealed: SealedTask | None = None
    """Checks and witnesses, if the sealed file was opened too; private."""


@dataclass(frozen=True, kw_only=True, repr=False)
class PackView:
    """A pack in the order in which it lists its puzzles."""

    salt: str
    """Public salt of the puzzle ids."""
    puzzles: tuple[Shipped, ...]
    present: tuple[bool, ...] | None = None
    """Gold labels in the same order, if the sealed file was opened too; private."""
    tasks: tuple[ShippedTask, ...] = ()
    """Writing tasks, in the order of the list."""


def open_view(pack: Path, sealed: Path | None) -> PackView:
    """Read a pack, and its labels, checks and witnesses if a sealed file is given.

    Raises:
        StoreError: a file is missing, foreign or damaged.
        UsageError: the sealed file belongs to another pack.
    """
    with Pack.open(pack) as opened:
        puzzles = tuple(
            Shipped(
                id=entry.id,
                payload=opened.payload(entry.id),
                tellings=_tellings(opened, entry.id),
            )
            for entry in opened.puzzles()
            if entry.family == FAMILY_NAME
        )
        tasks = tuple(_task(opened, entry) for entry in opened.puzzles() if entry.family == FAMILY)
        salt = opened.meta.get(PACK_SALT, "")
    if sealed is None:
        return PackView(salt=salt, puzzles=puzzles, tasks=tasks)
    return PackView(salt=salt, puzzles=puzzles, present=_labels(puzzles, sealed), tasks=_unsealed(tasks, sealed))


def _tellings(pack: Pack, identity: str) -> tuple[Told, ...]:
    return tuple(Told(renderer=one.renderer, domain=one.domain, text=one.body) for one in pack.renderings(identity))


def _task(pack: Pack, entry: PackEntry) -> ShippedTask:
    return ShippedTask(
        id=entry.id,
        constraints=entry.complexity,
        n_turns=entry.n_turns,
        payload=pack.payload(entry.id),
        tellings=_tellings(pack, entry.id),
    )


def _unsealed(tasks: tuple[ShippedTask, ...], sealed: Path) -> tuple[ShippedTask, ...]:
    with Sealed.open(sealed) as opened:
        return tuple(replace(task, sealed=opened.task(task.id)) for task in tasks)


def _labels(puzzles: tuple[Shipped, ...], sealed: Path) -> tuple[bool, ...]:
    with Sealed.open(sealed) as opened:
        present = {record.puzzle_id: record.gold == "PRESENT" for record in opened.records()}
    if missing := [puzzle.id for puzzle in puzzles if puzzle.id not in present]:
        raise UsageError(f"{sealed} has no puzzle {missing[0]!r}; the sealed file of the same pack is needed")
    return tuple(present[puzzle.id] for puzzle in puzzles)
