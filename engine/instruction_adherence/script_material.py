"""What a script is made of before anything is said: its requirements, the turn that sets each, a task for each turn.

All requirements that stay are drawn together as one set with a witness of its own. Those in force in any turn are some
of them, so they can be met together too; what is drawn turn by turn cannot paint itself into a corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Literal

from engine.errors import GenerationError
from engine.instruction_adherence.absence import TRACERS
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.meta import SelfAudit
from engine.instruction_adherence.constraints.structure import JsonKeys
from engine.instruction_adherence.drafts import ConstraintType
from engine.instruction_adherence.filling import named_words
from engine.instruction_adherence.inflection import forms
from engine.instruction_adherence.keywords import FEWEST_USABLE, usable
from engine.instruction_adherence.requirement import Requirement
from engine.instruction_adherence.sampling import DrawnSet, draw_parameters
from engine.instruction_adherence.script_plan import FIRST_LATE, LONG_GAP, Planned, draw_plan
from engine.instruction_adherence.seed_tasks import FilledTask, SeedTask, fill
from engine.instruction_adherence.selection import select
from engine.instruction_adherence.splits import Split
from engine.instruction_adherence.wordlists import grammar
from engine.randomness import Stream

MOST_SELECTIONS = 40
"""Draws of the types of one script."""
Reason = Literal["types", "set", "task", "drop", "rival", "quote", "witness", "reward"]
"""What a draw failed for: the types, their parameters as one set, a fitting seed task, something to drop, a rival, a
quote, a witness, or a witness that does not get the maximum of every reward."""


class DeadEnd(Exception):
    """A script or one of its turns could not be drawn."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


@dataclass(frozen=True, kw_only=True)
class Frame:
    """What a script is drawn for."""

    most: int
    """K: requirements active at once, at the height."""
    split: Split
    hard_family_weight: float
    burial_depth: int
    seed_tasks: Sequence[SeedTask]
    key: tuple[int | str, ...]

    def stream(self, purpose: str, *more: int) -> Stream:
        return Stream(f"script/{purpose}", *self.key, *more)


@dataclass(frozen=True, kw_only=True)
class Material:
    """What a script is made of. T turns."""

    plan: tuple[Planned, ...]
    """T of them; so `new` and `tasks`."""
    new: tuple[tuple[Requirement, ...], ...]
    """The requirements that each turn sets for good, without labels."""
    tasks: tuple[FilledTask, ...]
    constraints: tuple[Constraint, ...]
    """All of `new`."""
    kept: Constraint | None
    """Of the first turn; never dropped or disputed, so that a script that is long enough has a long gap."""


def draw_material(frame: Frame) -> Material:
    """Return the material of a script; the same frame gives the same one.

    Raises:
        DeadEnd: the types do not go together, or no other seed task fits them.
    """
    plan = draw_plan(frame.most, frame.hard_family_weight, frame.stream("plan"))
    stream = frame.stream("first task")
    task = fill(stream.choice(frame.seed_tasks), stream)
    drawn = draw_parameters(_types(frame, plan), frame.key, task.keywords)
    if not isinstance(drawn, DrawnSet):
        raise DeadEnd("set")
    bare = tuple(replace(one, label=None) for one in drawn.requirements)
    ends = accumulate((planned.added for planned in plan), initial=0)
    new = tuple(bare[start:end] for start, end in pairwise(ends))
    return Material(
        plan=plan,
        new=new,
        tasks=(task, *_other_tasks(frame, len(plan) - 1, task, drawn.constraints)),
        constraints=drawn.constraints,
        kept=_kept(frame, [one.constraint for one in new[0]]) if len(plan) >= FIRST_LATE else None,
    )


def topical(constraints: Sequence[Constraint]) -> frozenset[str]:
    """Return the words that constraints speak of, those aside that any text has."""
    return named_words(constraints) - frozenset(grammar().common)


def keyword_forms(task: FilledTask) -> frozenset[str]:
    """Return the keywords of a task in all their forms."""
    return frozenset(form for keyword in task.keywords for form in forms(keyword))


def _types(frame: Frame, plan: Sequence[Planned]) -> tuple[ConstraintType, ...]:
    """Draw all types, again until there is something to drop where the plan wants it."""
    for again in range(MOST_SELECTIONS):
        types = _selected(frame, plan, frame.stream("types", again))
        if _can_drop(plan, types):
            return types
    raise DeadEnd("drop")


def _selected(frame: Frame, plan: Sequence[Planned], stream: Stream) -> tuple[ConstraintType, ...]:
    """Draw types. An audit that came late would tell the old requirements anew, and leave no long gap."""
    count = sum(planned.added for planned in plan)
    try:
        chosen = select(count, frame.split, frame.hard_family_weight, stream, excluded=(JsonKeys,))
    except GenerationError as error:
        raise DeadEnd("types") from error
    types = list(chosen.types)
    early = sum(planned.added for planned in plan[: max(1, len(plan) - LONG_GAP)])
    if len(plan) >= FIRST_LATE and SelfAudit in types[early:]:
        at, other = types.index(SelfAudit), stream.below(early)
        types[at], types[other] = types[other], types[at]
    return tuple(types)


def _can_drop(plan: Sequence[Planned], types: Sequence[ConstraintType]) -> bool:
    """Whether each turn that drops something finds a revocable requirement of an earlier turn."""
    spared = len(plan) >= FIRST_LATE and all(kind in TRACERS for kind in types[: plan[0].added])
    arrived = dropped = 0
    for planned in plan:
        left = sum(kind in TRACERS for kind in types[:arrived]) - spared - planned.restores - dropped
        if planned.drops and left < 1:
            return False
        arrived += planned.added
        dropped += planned.drops
    return True


def _kept(frame: Frame, first: Sequence[Constraint]) -> Constraint:
    """Choose among those that could not be dropped anyway, if there are any."""
    lasting = [constraint for constraint in first if type(constraint) not in TRACERS]
    return frame.stream("kept").choice(lasting or first)


def _other_tasks(
    frame: Frame, count: int, first: FilledTask, constraints: Sequence[Constraint]
) -> tuple[FilledTask, ...]:
    """Draw tasks, none twice and none with a keyword that a requirement speaks of."""
    stream, named = frame.stream("tasks"), topical(constraints)
    found: list[FilledTask] = []
    for seed_task in stream.shuffled(frame.seed_tasks):
        if len(found) == count:
            break
        task = fill(seed_task, stream)
        fits = named.isdisjoint(keyword_forms(task)) and len(usable(task.keywords, constraints)) >= FEWEST_USABLE
        if fits and task.seed_task_id != first.seed_task_id:
            found.append(task)
    if len(found) < count:
        raise DeadEnd("task")
    return tuple(found)
