"""Hidden systems as an environment of the v0 line of verifiers: one question, one label.

A row holds what is asked and `info = {"uid": puzzle id}`. The label stays in a sealed file that is opened for the
moment of scoring. Specification, "Quickstart".
"""

from __future__ import annotations

from functools import partial

import verifiers as vf
from datasets import Dataset

from engine.kept_packs import Script, scripts, systems_pack
from engine.rollouts import Mark, score_state, score_states, state_mark, system_marks, system_weights


def load_environment(
    length: int | str = "medium", num_examples: int = 500, seed: int = 0, domain: str | None = None
) -> vf.Environment:
    """Return the environment of one instance key.

    Args:
        length: short (4 events), medium (6), long (8) or a number 4..10.
        num_examples: puzzles.
        seed: the public seed.
        domain: the surface domain all are told in; without it, the one drawn for each.

    Raises:
        UsageError: an argument that is not legal.
    """
    asked = scripts(systems_pack(num_examples, length, seed), domain)
    return ExactEnv(
        Dataset.from_list([_row(script) for script in asked]), ExactRubric(partial(system_marks, domain=domain))
    )


class ExactRubric(vf.Rubric):
    """Gives the marks that clew gives; a rollout whose scoring fails gets an error instead of a 0."""

    def __init__(self, mark: Mark = system_marks) -> None:
        weights = system_weights()
        super().__init__(funcs=[_reward(name) for name in weights], weights=list(weights.values()))
        self.mark = mark

    async def score_rollout(self, state: vf.State) -> None:
        await score_state(state, self.mark, super().score_rollout)

    async def score_group(self, states: list[vf.State]) -> None:
        await score_states(states, self.mark, super().score_group)


class ExactEnv(vf.SingleTurnEnv):
    def __init__(self, rows: Dataset, rubric: vf.Rubric) -> None:
        super().__init__(dataset=rows, rubric=rubric)
        # The monitor rubric that the base class adds turns ours into a group, which writes 0s into rows with an error.
        self.rubric = rubric


def _row(script: Script) -> dict[str, object]:
    system, user = {"role": "system", "content": script.system}, {"role": "user", "content": script.turns[0]}
    return {"prompt": [system, user], "info": {"uid": script.puzzle_id}}


def _reward(name: str) -> vf.RewardFunc:
    """Return the function under whose name the library stores one reward or metric."""

    async def reward(state: vf.State) -> float:
        return state_mark(state, name)

    reward.__name__ = name
    return reward
