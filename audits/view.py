"""A pack as the exact rules read it: opened through the same reader as the app, and small enough to hold in memory."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import UsageError
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.hidden_systems.surface.wording import META
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
    sha: str = ""
    """Digest of the text as the row states it; empty outside a pack."""
    status: str = ""
    """What the row says of the checks that the text went through."""
    params_sha: str = ""
    id: str = ""
    """Of the row; empty outside a pack."""
    wording: str = ""
    """The words that a model chose for the text, as JSON; empty for those of its domain."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a pack and its sealed half lie."""

    pack: Path
    sealed: Path
    whole_folder: bool
    """The pack's folder is its own, so that all that lies there belongs to it."""


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
    place: Place | None = None
    """The files, if the sealed one was opened too."""
    file: Path | None = None
    """The pack's own; None for a pack that was never written."""
    kind: str = ""
    """`practice` or `study`, as the pack says."""
    meta: tuple[tuple[str, str], ...] = ()
    """All that the pack says about itself, sorted by key."""
    split: str = ""
    """Of the writing tasks, as the recipe in the sealed file names it; empty if it was not opened or has none."""


def open_view(pack: Path, sealed: Path | None, *, whole_folder: bool = False) -> PackView:
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
        meta = tuple(sorted(opened.meta.items()))
    told = dict(meta)
    view = PackView(
        salt=told.get(PACK_SALT, ""), puzzles=puzzles, tasks=tasks, kind=told.get("kind", ""), meta=meta, file=pack
    )  # fmt: skip
    if sealed is None:
        return view
    place = Place(pack=pack, sealed=sealed, whole_folder=whole_folder)
    return replace(
        view, present=_labels(puzzles, sealed), tasks=_unsealed(tasks, sealed), place=place, split=_split(sealed)
    )


def _split(path: Path) -> str:
    """Return the split that a sealed file's recipe names; the built-in pack's recipe is a list, all of it `train`."""
    with Sealed.open(path) as sealed:
        recipe = json.loads(sealed.meta.get("recipe") or "{}")
    if isinstance(recipe, list):
        return "train"
    return str(recipe.get("split") or recipe.get("dataset") or "")


def _tellings(pack: Pack, identity: str) -> tuple[Told, ...]:
    return tuple(
        Told(
            renderer=one.renderer, domain=one.domain, text=one.body, sha=one.body_sha, status=one.audit_status,
            params_sha=one.params_sha, id=one.id, wording=pack.meta.get(f"{META}{one.id}", ""),
        )
        for one in pack.renderings(identity)
    )  # fmt: skip


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
