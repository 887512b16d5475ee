"""Attention items of writing tasks: a task like any other that asks for three plain things, each easy to do and to see.

A text that was written without reading the brief meets none of them by chance: a phrase word for word, a title, a
question at the end. They come from the generator's own pieces under a purpose of their own, and each has a witness.
Nothing here is gold: the brief says openly what is asked. The checks stay with the researcher all the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.canonical import canonical_text
from engine.errors import GenerationError
from engine.instruction_adherence.brief import brief
from engine.instruction_adherence.constraints.lexical import ExactPhrase
from engine.instruction_adherence.constraints.structure import EndsQuestion, Title
from engine.instruction_adherence.drafts import ConstraintType
from engine.instruction_adherence.sampling import DrawnSet, draw_parameters
from engine.instruction_adherence.seed_tasks import fill, public_seed_tasks
from engine.instruction_adherence.turn import Check
from engine.randomness import Stream

PURPOSE = "study/attention/writing"
EASIEST: tuple[ConstraintType, ...] = (ExactPhrase, Title, EndsQuestion)
"""Types of difficulty 1 that ask for something to be done; a limit on capitals is met by most texts unread, and marks
around the whole response leave open whether they stand after a question."""
MOST_DRAWS = 20


@dataclass(frozen=True, kw_only=True)
class EasyTask:
    """A task with what it is checked for."""

    task_type: str
    text: str
    turn: str
    """Its turn as canonical JSON."""
    witness: str


def easy_task(order_seed: str, nth: int) -> EasyTask:
    """Return the nth attention task of a study, from 0.

    Raises:
        GenerationError: none of the draws has a witness, which has not been seen.
    """
    for draw in range(MOST_DRAWS):
        key = (PURPOSE, order_seed, nth, draw)
        stream = Stream(PURPOSE, order_seed, nth, draw)
        filled = fill(stream.choice(public_seed_tasks()), stream)
        drawn = draw_parameters(tuple(stream.shuffled(EASIEST)), key, filled.keywords)
        if isinstance(drawn, DrawnSet):
            checks = [Check(constraint=one.constraint, requirement=one.text) for one in drawn.requirements]
            return EasyTask(
                task_type=filled.task_type,
                text=brief(filled, drawn.requirements, 0, Stream(f"{PURPOSE}/brief", order_seed, nth, draw)),
                turn=canonical_text(
                    {
                        "keywords": list(filled.keywords),
                        "checks": [check.stored() for check in checks],
                        "conflict": None,
                    }
                ),
                witness=drawn.witness,
            )
    raise GenerationError(f"no attention task {nth} in {MOST_DRAWS} draws; freeze with another order seed")
