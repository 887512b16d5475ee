"""Recipes of writing tasks on this machine: which seed tasks a split uses, and what is asked for by default.

PRIVATE: the split `test` reads this machine's private seed tasks.
"""

from __future__ import annotations

from engine.canonical import text_digest
from engine.instruction_adherence.calibration import Cell, current
from engine.instruction_adherence.generate import Recipe
from engine.instruction_adherence.private_seed_tasks import load_private, load_private_key
from engine.instruction_adherence.seed_tasks import public_seed_tasks
from engine.instruction_adherence.splits import Split
from engine.instruction_adherence.writing import WritingMode
from engine.store.places import data_folder


def default_cell(mode: WritingMode) -> Cell:
    """Return K, burial depth and hard-family weight where none is asked for. Specification, "Calibration"."""
    return current(data_folder()).choice(mode).cell


def writing_recipe(split: Split, mode: WritingMode, seed: int, cell: Cell) -> Recipe:
    """Return the recipe of writing tasks; the split `test` takes the private seed tasks of this machine.

    Raises:
        UsageError: a number is out of range, or the private seed tasks are missing.
    """
    key = ""
    tasks = public_seed_tasks()
    if split == "test":
        tasks = load_private(data_folder())
        key = text_digest(load_private_key(data_folder()).hex())
    return Recipe(
        split=split,
        mode=mode,
        seed=seed,
        constraints=cell.constraints,
        burial_depth=cell.burial_depth,
        hard_family_weight=cell.hard_family_weight,
        seed_tasks=tasks,
        private_key=key,
    )
