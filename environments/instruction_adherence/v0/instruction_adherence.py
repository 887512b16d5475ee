"""Writing tasks as an environment of the v0 line of verifiers: a group of `single` and `multi`.

A row holds what is asked first and `info = {"uid": puzzle id}`. What is checked stays in a sealed file that is opened
for the moment of scoring; the scoring itself is clew's own. Specification, "Quickstart" and "Rewards".
"""

from __future__ import annotations

from collections.abc import Iterable

import verifiers as vf
from datasets import Dataset

from engine.errors import UsageError, quoted
from engine.instruction_adherence.writing import MODES
from engine.kept_packs import Script, writing_scripts
from engine.rollouts import Mark, score_state, score_states, state_mark, writing_marks, writing_weights

BOTH = "both"


def load_environment(
    K: int | None = None,
    burial_depth: int | None = None,
    hard_family_weight: float | None = None,
    mode: str = BOTH,
    split: str | None = None,
    num_examples: int = 500,
    seed: int = 0,
) -> vf.Environment:
    """Return the group of both sub-environments, or the one that `mode` names.

    Args:
        K: requirements of a task, 3..16; in multi-turn the most that are active at once.
        burial_depth: how deep the brief buries them, 0..3.
        hard_family_weight: how much likelier hard types are drawn.
        mode: single, multi or both.
        split: train, held_out_combos or test. Tasks are generated as soon as this, K, burial_depth, hard_family_weight
            or a seed other than 0 is given (split train if it is not named); else they are the bundled sample's.
        num_examples: tasks of each sub-environment.
        seed: the public seed.

    Raises:
        UsageError: an argument that is not legal.
    """
    if mode not in (*MODES, BOTH):
        raise UsageError(f"mode {quoted(mode)} is unknown; legal: {', '.join(MODES)}, {BOTH}")
    wanted = [name for name in MODES if mode in (name, BOTH)]
    environments = [
        _environment(writing_scripts(name, split, seed, num_examples, K, burial_depth, hard_family_weight))
        for name in wanted
    ]
    return environments[0] if len(wanted) == 1 else vf.EnvGroup(environments, env_names=wanted)


class ExactRubric(vf.Rubric):
    """Gives the marks that clew gives; a rollout whose scoring fails gets an error instead of a 0."""

    def __init__(self, mark: Mark = writing_marks) -> None:
        weights = writing_weights()
        super().__init__(funcs=[_reward(name) for name in weights], weights=list(weights.values()))
        self.mark = mark

    async def score_rollout(self, state: vf.State) -> None:
        await score_state(state, self.mark, super().score_rollout)

    async def score_group(self, states: list[vf.State]) -> None:
        await score_states(states, self.mark, super().score_group)


class ScriptedEnv(vf.MultiTurnEnv):
    """Says the turns of a script one after another, whatever is replied."""

    def __init__(self, asked: Iterable[Script], rubric: vf.Rubric) -> None:
        self.scripts = {script.puzzle_id: script.turns for script in asked}
        super().__init__(dataset=_rows(asked), rubric=rubric)
        # The monitor rubric that the base class adds turns ours into a group, which writes 0 for what does not apply.
        self.rubric = rubric

    async def env_response(self, messages: vf.Messages, state: vf.State, **_: object) -> vf.Messages:
        return [{"role": "user", "content": self._script(state)[len(state["trajectory"])]}]

    @vf.stop
    async def script_ended(self, state: vf.State) -> bool:
        return len(state["trajectory"]) >= len(self._script(state))

    def _script(self, state: vf.State) -> tuple[str, ...]:
        return self.scripts[state["info"]["uid"]]


def _environment(asked: tuple[Script, ...]) -> vf.Environment:
    return ScriptedEnv(asked, ExactRubric())


def _rows(asked: Iterable[Script]) -> Dataset:
    return Dataset.from_list(
        [
            {"prompt": [{"role": "user", "content": script.turns[0]}], "info": {"uid": script.puzzle_id}}
            for script in asked
        ]
    )


def _reward(name: str) -> vf.RewardFunc:
    """Return the function under whose name the library stores one reward or metric."""

    async def reward(state: vf.State) -> float:
        return state_mark(state, name)

    reward.__name__ = name
    return reward
