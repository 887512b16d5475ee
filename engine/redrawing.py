"""Whether a pack is what its seeds and its recipe make: each puzzle is drawn again and compared, on both sides.

What was shown of the generator holds of a pack only if the pack is the generator's. Differences name public ids and
never a sealed value. PRIVATE: reads the sealed file.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from engine import practice
from engine.errors import UsageError, counted
from engine.hidden_systems.behavior import payload_text
from engine.hidden_systems.packing import Sown, rendering_row, sealed_row
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.surface.template import RENDERER
from engine.instruction_adherence import packing as writing
from engine.instruction_adherence.generate import WritingTask, generate_tasks
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.instruction_adherence.writing import writing_text
from engine.store.pack import PACK_SALT, Pack, PackEntry, puzzle_id
from engine.store.sealed import Sealed, SealedPuzzle, commitment
from engine.store.sealed_tasks import SealedTask, task_commitment
from engine.store.verify import first_difference
from engine.system_recipes import fits
from engine.writing_recipes import writing_recipe


class Difference(NamedTuple):
    """What of a pack is not what was drawn."""

    subject: str
    """Public id of a puzzle or a rendering; empty for the pack as a whole."""
    part: str
    """In one word, such as `payload`."""
    line: str
    """In a sentence that names the subject."""


class Drawn(NamedTuple):
    """The writing tasks that a recipe gives, drawn one by one."""

    tasks: Iterator[WritingTask]
    total: int


class Redrawing:
    """Compares a pack with what its sealed file says it was drawn from."""

    def __init__(self, pack: Pack, secrets: Sealed) -> None:
        """Open the comparison.

        Raises:
            UsageError: the sealed file is of another pack.
        """
        self._pack = pack
        self._entries = pack.puzzles()
        self._records = {record.puzzle_id: record for record in secrets.records()}
        if self._records.keys() != {entry.id for entry in self._entries if entry.family == FAMILY_NAME}:
            raise UsageError(f"{secrets.path} is not the sealed half of {pack.path}; give the one made with it")
        self._tasks = {entry.id: secrets.task(entry.id) for entry in self._entries if entry.family == WRITING}
        self._recipe = secrets.meta.get("recipe", "")
        self._stored = writing.read_recipe(self._recipe)
        self._sealed_path = secrets.path
        self._drawn: Mapping[str, WritingTask] | None = None

    def to_draw(self) -> Drawn | None:
        """Return the writing tasks of the recipe, to be drawn by whoever iterates; None without such a recipe.

        The built-in pack has none: it is built again as a whole.

        Raises:
            UsageError: tasks of the split `test`, and this machine has not the private seed tasks they came from.
        """
        stored = self._stored
        if stored is None:
            return None
        seed = int(stored.seed)
        recipes = [writing_recipe(stored.split, mode, seed, cell.cell()) for mode, cell in stored.cells.items()]
        if any(recipe.private_key != stored.private_key for recipe in recipes):
            raise UsageError(
                f"{self._sealed_path} holds tasks of other private seed tasks than this machine's; verify it there"
            )
        drawn = chain.from_iterable(generate_tasks(recipe, stored.count) for recipe in recipes)
        return Drawn(drawn, stored.count * len(recipes))

    def take(self, tasks: Iterable[WritingTask]) -> None:
        """Take the tasks that were drawn; without them, commitments and witnesses alone are looked at."""
        salt = self._pack.meta[PACK_SALT]
        self._drawn = {puzzle_id(writing_text(task.payload), salt): task for task in tasks}

    @property
    def complete(self) -> bool:
        """Whether every puzzle of the pack is drawn again."""
        return not self._tasks or self._drawn is not None

    @property
    def entries(self) -> tuple[PackEntry, ...]:
        return self._entries

    def differences(self, entry: PackEntry) -> Iterator[Difference]:
        """Yield what of one puzzle is not what was drawn."""
        if entry.family == WRITING:
            yield from _task_differences(entry, self._tasks[entry.id])
            if self._drawn is not None:
                yield from self._redrawn(entry, self._drawn)
        else:
            yield from _puzzle_differences(self._pack, entry, self._records[entry.id])

    def as_a_whole(self) -> Iterator[Difference]:
        """Yield whether hidden systems come from another recipe than the sealed one, or its tasks are missing."""
        if self._records and not fits(
            self._recipe, self._entries, tuple(self._records.values()), by_practice=practice.made_by_recipe(self._pack)
        ):
            yield Difference("", "recipe", "the recipe in the sealed file does not draw the pack's hidden systems")
        if self._drawn is not None and (lost := len(self._drawn.keys() - {entry.id for entry in self._entries})):
            yield Difference("", "tasks", f"{counted(lost, 'writing task')} of the recipe not in the pack")

    def _redrawn(self, entry: PackEntry, drawn: Mapping[str, WritingTask]) -> Iterator[Difference]:
        """Yield where a writing task is not what the recipe gives, on both sides of the wall."""
        if entry.id not in drawn:
            yield _of(entry, "payload", "the payload is not what the recipe gives")
            return
        task, sealed = drawn[entry.id], self._tasks[entry.id]
        if writing.sealed_task(entry.id, task, sealed.salt) != sealed:
            yield _of(entry, "record", "the sealed task is not what the recipe gives")
        if self._pack.renderings(entry.id) != (writing.rendering_row(entry.id, task.task_type, task.payload.turns[0]),):
            yield _of(entry, "rendering", "the text shown is not what the recipe gives")
        if (entry.kind, entry.complexity, entry.n_turns) != (task.payload.mode, task.constraints, len(task.turns)):
            yield _of(entry, "list", "its entry in the list is not what the recipe gives")


def recipe_difference(file: Path) -> str | None:
    """Return where the built-in pack is not what its recipe builds; None where it is."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "pack.db"
        practice.build(fresh, Path(folder) / "sealed.db")
        return first_difference(file, fresh)


def _of(entry: PackEntry, part: str, what: str) -> Difference:
    return Difference(entry.id, part, f"puzzle {entry.id!r}: {what}")


def _task_differences(entry: PackEntry, task: SealedTask) -> Iterator[Difference]:
    """Yield whether a writing task is committed to, and whether its witness meets all that is checked."""
    if task_commitment(task) != entry.commit_sha:
        yield _of(entry, "commit_sha", "commit_sha is not that of the sealed task")
    for turn, row in zip(writing.sealed_turns(task), task.turns, strict=True):
        if not all(check.judge(Reading(row.witness)).passed for check in turn.scored):
            yield _of(entry, "witness", f"the witness of turn {row.turn} does not pass all checks")


def _puzzle_differences(pack: Pack, entry: PackEntry, record: SealedPuzzle) -> Iterator[Difference]:
    """Yield what of a hidden system does not come out again."""
    if commitment(record) != entry.commit_sha:
        yield _of(entry, "commit_sha", "commit_sha is not that of the sealed record")
    skeleton = generate_skeleton(entry.complexity, record.seed, record.idx)
    if payload_text(skeleton.payload) != pack.payload(entry.id):
        yield _of(entry, "payload", "the payload is not what its seed gives")
        return
    sown = Sown(skeleton=skeleton, seed=record.seed, index=record.idx)
    if sealed_row(entry.id, sown, record.salt) != record:
        yield _of(entry, "record", "the sealed record is not what its seed gives")
    for told in pack.renderings(entry.id):
        if told.renderer == RENDERER and rendering_row(entry.id, skeleton.payload, told.domain).body != told.body:
            yield Difference(told.id, "rendering", f"rendering {told.id!r}: the text is not what the template gives")
