"""Scripts for the tests, drawn once a process: all splits, numbers of requirements, depths and weights in turn."""

from __future__ import annotations

from functools import cache

from engine.instruction_adherence.generate import Recipe, WritingTask, generate_task
from engine.instruction_adherence.seed_tasks import public_seed_tasks
from engine.instruction_adherence.splits import SPLITS, Split

SCRIPTS = 51


def recipe(index: int, **changes: object) -> Recipe:
    fields: dict[str, object] = {
        "split": split_of(index),
        "mode": "multi",
        "seed": 6,
        "constraints": 3 + index % 14,
        "burial_depth": index % 4,
        "hard_family_weight": float(1 + index % 3),
        "seed_tasks": public_seed_tasks(),
    }
    return Recipe(**{**fields, **changes})  # type: ignore[arg-type]


def split_of(index: int) -> Split:
    return SPLITS[index // 2 % len(SPLITS)]


@cache
def script(index: int) -> WritingTask:
    return generate_task(recipe(index), index)


def scripts() -> list[WritingTask]:
    return [script(index) for index in range(SCRIPTS)]
