"""Single-turn writing tasks by their instance key.

A task is a function of (split, mode, seed, index, K, burial depth, hard-family weight); the tasks of `test` also of the
private key, which their seed tasks come from. A set of constraints that no witness was found for is drawn anew with
the next attempt in its key, so every task that is given out carries a response that keeps to all of it.
PRIVATE: a generated task holds its checks and its witness.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.errors import GenerationError, UsageError
from engine.instruction_adherence.brief import PARTS, brief
from engine.instruction_adherence.keywords import used
from engine.instruction_adherence.requirement import Requirement
from engine.instruction_adherence.sampling import FEWEST, MOST, draw
from engine.instruction_adherence.seed_tasks import SeedTask, fill
from engine.instruction_adherence.splits import Split
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.turn import Check, Turn
from engine.instruction_adherence.witness import Rejection
from engine.instruction_adherence.writing import WritingPayload
from engine.randomness import Stream

GENERATOR_VERSION = "instruction-adherence/1"
MOST_ATTEMPTS = 40
"""Sets drawn for one task; nearly always the first or second has a witness."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The part of the instance key that a whole pack shares, and the seed tasks that the split uses."""

    split: Split
    seed: int
    constraints: int
    burial_depth: int
    hard_family_weight: float
    seed_tasks: tuple[SeedTask, ...]
    private_key: str = ""
    """Names the private key of the split `test`; empty for public seed tasks."""

    def __post_init__(self) -> None:
        if not FEWEST <= self.constraints <= MOST:
            raise UsageError(f"number of constraints {self.constraints!r} is not legal; {FEWEST} to {MOST}")
        if self.burial_depth not in PARTS:
            raise UsageError(f"burial depth {self.burial_depth!r} is not legal; {min(PARTS)} to {max(PARTS)}")

    def key(self, index: int) -> tuple[int | str, ...]:
        """Return the instance key of one task."""
        weight = str(float(self.hard_family_weight))
        depth = self.burial_depth
        return (self.split, "single", self.seed, index, self.constraints, depth, weight, self.private_key)


@dataclass(frozen=True, kw_only=True, repr=False)
class WritingTask:
    """A writing task with all that scores it."""

    payload: WritingPayload
    task_type: str
    turn: Turn
    witness: str
    attempts: int
    """Sets drawn, the accepted one included."""

    def __repr__(self) -> str:
        return "<WritingTask>"


def generate_tasks(recipe: Recipe, count: int) -> Iterator[WritingTask]:
    """Yield tasks 0..count-1 of a recipe."""
    for index in range(count):
        yield generate_task(recipe, index)


def generate_task(recipe: Recipe, index: int) -> WritingTask:
    """Return the task of one index.

    Raises:
        GenerationError: no set of constraints with a witness was found, which has not been seen.
    """
    key = recipe.key(index)
    fault = "nothing was drawn"
    for attempt in range(MOST_ATTEMPTS):
        again = (*key, attempt)
        stream = Stream("writing/seed-task", *again)
        filled = fill(stream.choice(recipe.seed_tasks), stream)
        drawn = draw(recipe.constraints, recipe.split, recipe.hard_family_weight, again, filled.keywords)
        if isinstance(drawn, Rejection):
            fault = f"{drawn.reason}: {drawn.text}"
        elif not used(filled.keywords, Reading(drawn.witness)):
            fault = "the witness keeps off the topic"
        else:
            text = brief(filled, drawn.requirements, recipe.burial_depth, Stream("writing/brief", *again))
            return WritingTask(
                payload=WritingPayload(mode="single", turns=(text,)),
                task_type=filled.task_type,
                turn=Turn(keywords=filled.keywords, checks=_checks(drawn.requirements), conflict=None),
                witness=drawn.witness,
                attempts=attempt + 1,
            )
    raise GenerationError(f"no task {index} in {MOST_ATTEMPTS} draws ({fault}); try another seed")


def _checks(requirements: Sequence[Requirement]) -> tuple[Check, ...]:
    return tuple(Check(constraint=one.constraint, requirement=one.text, label=one.label) for one in requirements)
