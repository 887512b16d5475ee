"""C07 on writing tasks: no number that is public, and no small seed, draws the tasks of a study pack.

Trying a seed in full takes a witness; most are ruled out by the text of their first seed tasks, which stands in a task
word for word. The recipe's other parts (split, constraints, depth, weight) are taken as the sealed file states them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from audits.base import Finding
from audits.view import PackView, ShippedTask
from engine.errors import UsageError
from engine.instruction_adherence.generate import Recipe, generate_task
from engine.instruction_adherence.packing import read_recipe
from engine.instruction_adherence.seed_tasks import SeedTask, fill
from engine.instruction_adherence.writing import read_writing, writing_text
from engine.randomness import Stream
from engine.store.sealed import Sealed
from engine.writing_recipes import writing_recipe

FIRST_INDICES = 3
LIKELY_ATTEMPTS = 3
"""Draws of a task after which nearly every one has its witnesses."""
_SLOT = re.compile(r"\\\{([^{}]*)\\\}")
"""A slot in an escaped text."""


def recipes_of(view: PackView) -> tuple[Recipe, ...]:
    """Return how the writing tasks were drawn, one recipe a mode; none where the sealed file does not say, or the
    private seed tasks are not on this machine."""
    if view.place is None:
        return ()
    with Sealed.open(view.place.sealed) as sealed:
        stored = read_recipe(sealed.meta.get("recipe", ""))
    if stored is None:
        return ()
    try:
        return tuple(writing_recipe(stored.split, mode, 0, cell.cell()) for mode, cell in stored.cells.items())
    except UsageError:
        return ()


def tasks_generated(tasks: Sequence[ShippedTask], recipes: Sequence[Recipe], seeds: Iterable[int]) -> Iterator[Finding]:
    """Yield the writing tasks that one of these seeds draws at the first index."""
    payloads = {task.payload: task.id for task in tasks}
    told = "\n\n".join(read_writing(task.payload).turns[0] for task in tasks)
    known = {recipe.mode: _told(told, recipe.seed_tasks) for recipe in recipes}
    for seed in seeds if payloads else ():
        for recipe in recipes:
            mine = replace(recipe, seed=seed)
            if _may_have_drawn(mine, known[recipe.mode], min(FIRST_INDICES, len(payloads))):
                text = writing_text(generate_task(mine, 0).payload)
                if text in payloads:
                    yield Finding(payloads[text], "/payload/generated")


def _may_have_drawn(recipe: Recipe, known: frozenset[str], indices: int) -> bool:
    return all(
        any(_first_text(recipe, (*recipe.key(index), attempt)) in known for attempt in range(LIKELY_ATTEMPTS))
        for index in range(indices)
    )


def _first_text(recipe: Recipe, key: tuple[int | str, ...]) -> str:
    """Return the text of the first seed task of one draw; the streams are those of the generator."""
    stream = Stream("script/first task" if recipe.mode == "multi" else "writing/seed-task", *key)
    return fill(stream.choice(recipe.seed_tasks), stream).text


def _told(whole: str, seed_tasks: Sequence[SeedTask]) -> frozenset[str]:
    """Return every filled seed task whose text stands somewhere in these texts."""
    return frozenset(found for one in seed_tasks for found in re.findall(_pattern(one), whole))


def _pattern(seed_task: SeedTask) -> str:
    fillers = {slot.name: "|".join(re.escape(filler.text) for filler in slot.fillers) for slot in seed_task.slots}
    return _SLOT.sub(lambda gap: f"(?:{fillers[gap[1]]})", re.escape(seed_task.text))
