"""Writing tasks by their instance key, of one turn or as a script of several.

A task is a function of (split, mode, seed, index, K, burial depth, hard-family weight); the tasks of `test` also of the
private key, which their seed tasks come from. What gets no witness is drawn anew with the next attempt in its key, so
every task that is given out carries, for each of its turns, a response that gets the maximum of every reward.
PRIVATE: a generated task holds its checks and its witnesses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.errors import GenerationError, UsageError
from engine.instruction_adherence.brief import PARTS, brief
from engine.instruction_adherence.requirement import Requirement
from engine.instruction_adherence.rewards import score_turn
from engine.instruction_adherence.sampling import FEWEST, MOST, MOST_WEIGHT, draw
from engine.instruction_adherence.script import draw_script
from engine.instruction_adherence.script_material import DeadEnd, Frame
from engine.instruction_adherence.seed_tasks import SeedTask, fill
from engine.instruction_adherence.splits import Split
from engine.instruction_adherence.turn import Check, Turn
from engine.instruction_adherence.witness import Rejection
from engine.instruction_adherence.writing import WritingMode, WritingPayload
from engine.private import Private
from engine.randomness import Stream

GENERATOR_VERSION = "instruction-adherence/1"
MOST_ATTEMPTS = 40
"""Sets or scripts drawn for one task; nearly always the first or second has its witnesses."""
SCRIPTED = "conversation"
"""Stands in place of a task type for a script, each turn of which has one of its own."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The part of the instance key that a whole pack shares, and the seed tasks that the split uses."""

    split: Split
    seed: int
    constraints: int
    """K; of a script, the most that are active in one turn."""
    burial_depth: int
    hard_family_weight: float
    seed_tasks: tuple[SeedTask, ...]
    private_key: str = ""
    """Names the private key of the split `test`; empty for public seed tasks."""
    mode: WritingMode = "single"

    def __post_init__(self) -> None:
        if not FEWEST <= self.constraints <= MOST:
            raise UsageError(f"number of constraints {self.constraints!r} is not legal; {FEWEST} to {MOST}")
        if self.burial_depth not in PARTS:
            raise UsageError(f"burial depth {self.burial_depth!r} is not legal; {min(PARTS)} to {max(PARTS)}")
        if not 0 < self.hard_family_weight <= MOST_WEIGHT:
            weight = self.hard_family_weight
            raise UsageError(f"hard-family weight {weight!r} is not legal; above 0 and up to {MOST_WEIGHT}")

    def key(self, index: int) -> tuple[int | str, ...]:
        """Return the instance key of one task."""
        weight = str(float(self.hard_family_weight))
        depth = self.burial_depth
        return (self.split, self.mode, self.seed, index, self.constraints, depth, weight, self.private_key)


@dataclass(frozen=True, kw_only=True, repr=False)
class WritingTask(Private):
    """A writing task with all that scores it. T turns, one if the mode is single."""

    payload: WritingPayload
    task_type: str
    """Of the seed task; `SCRIPTED` for a script."""
    turns: tuple[Turn, ...]
    witnesses: tuple[str, ...]
    redraws: tuple[str, ...] = ()
    """Why sets, scripts or single turns were drawn again, in order."""

    @property
    def constraints(self) -> int:
        """K: the most requirements that are active in one turn, those in dispute included."""
        return max(sum(check.active for check in turn.checks) for turn in self.turns)


def generate_tasks(recipe: Recipe, count: int) -> Iterator[WritingTask]:
    """Yield tasks 0..count-1 of a recipe."""
    for index in range(count):
        yield generate_task(recipe, index)


def generate_task(recipe: Recipe, index: int) -> WritingTask:
    """Return the task of one index.

    Raises:
        GenerationError: nothing with a witness was found, which has not been seen.
    """
    redraws: list[str] = []
    for attempt in range(MOST_ATTEMPTS):
        key = (*recipe.key(index), attempt)
        made = _script(recipe, key, redraws) if recipe.mode == "multi" else _single(recipe, key, redraws)
        if made is not None:
            return made
    raise GenerationError(f"no task {index} in {MOST_ATTEMPTS} draws ({redraws[-1]}); try another seed")


def _single(recipe: Recipe, key: tuple[int | str, ...], redraws: list[str]) -> WritingTask | None:
    """Return the task of one attempt; None, with a reason noted, if its set has no witness."""
    stream = Stream("writing/seed-task", *key)
    filled = fill(stream.choice(recipe.seed_tasks), stream)
    drawn = draw(recipe.constraints, recipe.split, recipe.hard_family_weight, key, filled.keywords)
    if isinstance(drawn, Rejection):
        redraws.append(f"{drawn.reason}: {drawn.text}")
        return None
    turn = Turn(keywords=filled.keywords, checks=_checks(drawn.requirements), conflict=None)
    if not score_turn(turn, drawn.witness).rewards.full:
        redraws.append("the witness does not get the maximum of every reward")
        return None
    text = brief(filled, drawn.requirements, recipe.burial_depth, Stream("writing/brief", *key))
    return WritingTask(
        payload=WritingPayload(mode="single", turns=(text,)),
        task_type=filled.task_type,
        turns=(turn,),
        witnesses=(drawn.witness,),
        redraws=tuple(redraws),
    )


def _script(recipe: Recipe, key: tuple[int | str, ...], redraws: list[str]) -> WritingTask | None:
    """Return the task of one attempt; None, with a reason noted, if a turn came to a dead end."""
    frame = Frame(
        most=recipe.constraints, split=recipe.split, hard_family_weight=recipe.hard_family_weight,
        burial_depth=recipe.burial_depth, seed_tasks=recipe.seed_tasks, key=key,
    )  # fmt: skip
    try:
        script = draw_script(frame)
    except DeadEnd as error:
        redraws.append(f"script: {error.reason}")
        return None
    return WritingTask(
        payload=WritingPayload(mode="multi", turns=script.texts),
        task_type=SCRIPTED,
        turns=script.turns,
        witnesses=script.witnesses,
        redraws=(*redraws, *(f"turn: {reason}" for reason in script.redraws)),
    )


def _checks(requirements: Sequence[Requirement]) -> tuple[Check, ...]:
    return tuple(Check(constraint=one.constraint, requirement=one.text, label=one.label) for one in requirements)
