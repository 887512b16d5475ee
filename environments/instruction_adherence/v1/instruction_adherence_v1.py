"""Writing tasks as a taskset of the v1 line of verifiers, with the scripted user and a plain chat harness.

A task's data hold what is asked first and the puzzle's id; of a multi-turn task the id alone, as the scripted user says
every turn. What is checked stays in a sealed file that is opened for the moment of scoring; the scoring itself is
clew's own. Specification, "Quickstart" and "Rewards".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import zip_longest
from typing import Literal

import verifiers.v1 as vf
from openai import AsyncOpenAI
from pydantic import Field

from engine.instruction_adherence.brief import PARTS
from engine.instruction_adherence.sampling import FEWEST, MOST
from engine.instruction_adherence.splits import Split
from engine.instruction_adherence.writing import MODES, WritingMode
from engine.kept_packs import Script, refuse_other_version, version, writing_scripts
from engine.rollouts import Marks, checked_marks, writing_marks, writing_weights

WEIGHTS = writing_weights()


class WritingData(vf.TaskData):
    mode: WritingMode
    """Whether `prompt` is all that is asked, or the scripted user asks turn by turn."""


class WritingTask(vf.Task[WritingData]):
    """A writing task; its rewards are asked for one by one and come out of one scoring."""

    @property
    def key(self) -> str:
        assert self.data.id is not None
        return self.data.id

    def _reward(self, name: str, trace: vf.Trace) -> dict[str, float]:
        """Return one reward under its name, or nothing if it does not apply."""
        found = self._marks(trace).rewards
        return {name: found[name]} if name in found else {}

    def _marks(self, trace: vf.Trace) -> Marks:
        said = [message.content or "" for message in trace.assistant_messages]
        return checked_marks(writing_marks, self.key, said, trace.is_truncated)

    @vf.reward(weight=WEIGHTS["all_satisfied"])
    async def all_satisfied(self, trace: vf.Trace) -> dict[str, float]:
        return self._reward("all_satisfied", trace)

    @vf.reward(weight=WEIGHTS["fraction_satisfied"])
    async def fraction_satisfied(self, trace: vf.Trace) -> dict[str, float]:
        return self._reward("fraction_satisfied", trace)

    @vf.reward(weight=WEIGHTS["task_relevance"])
    async def task_relevance(self, trace: vf.Trace) -> dict[str, float]:
        return self._reward("task_relevance", trace)

    @vf.reward(weight=WEIGHTS["no_leakage"])
    async def no_leakage(self, trace: vf.Trace) -> dict[str, float]:
        return self._reward("no_leakage", trace)

    @vf.reward(weight=WEIGHTS["self_audit_accuracy"])
    async def self_audit_accuracy(self, trace: vf.Trace) -> dict[str, float]:
        return self._reward("self_audit_accuracy", trace)

    @vf.reward(weight=WEIGHTS["conflict_flagged"])
    async def conflict_flagged(self, trace: vf.Trace) -> dict[str, float]:
        return self._reward("conflict_flagged", trace)

    @vf.metric
    async def diagnostics(self, trace: vf.Trace) -> dict[str, float]:
        return dict(self._marks(trace).metrics)


class WritingConfig(vf.TasksetConfig):
    """The instance key; without any of split, K, burial_depth, hard_family_weight and seed it is the bundled sample."""

    K: int | None = Field(None, ge=FEWEST, le=MOST)
    """Requirements of a task; in multi-turn the most that are active at once."""
    burial_depth: int | None = Field(None, ge=min(PARTS), le=max(PARTS))
    """How deep the brief buries them."""
    hard_family_weight: float | None = None
    """How much likelier hard types are drawn."""
    mode: Literal["single", "multi", "both"] = "both"
    """Which tasks; with both, the two take turns."""
    split: Split | None = None
    """Where the sets of requirements come from; `train` once another part of the key is given."""
    num_examples: int = Field(500, ge=1)
    """Tasks of each mode."""
    seed: int = Field(0, ge=0)
    """The public seed."""
    clew: str = version()
    """The version that makes the tasks; a saved run is resumed with this one only."""


class WritingTaskset(vf.Taskset[WritingTask, WritingConfig]):
    """Writing tasks of one instance key."""

    @cached_property
    def scripts(self) -> tuple[Script, ...]:
        """All tasks; those of two modes take turns, so that the first few hold both."""
        refuse_other_version(self.config.clew)
        config = self.config
        by_mode = [
            writing_scripts(
                mode, config.split, config.seed, config.num_examples, config.K, config.burial_depth,
                config.hard_family_weight,
            )
            for mode in MODES
            if config.mode in (mode, "both")
        ]  # fmt: skip
        return tuple(script for group in zip_longest(*by_mode) for script in group if script is not None)

    def script(self, puzzle_id: str) -> Script:
        return next(script for script in self.scripts if script.puzzle_id == puzzle_id)

    def load(self) -> Iterator[WritingTask]:
        for script in self.scripts:
            prompt = script.turns[0] if script.mode == "single" else None
            yield WritingTask(WritingData(id=script.puzzle_id, mode=script.mode, prompt=prompt), self.config.task)


class ChatHarness(vf.Harness[vf.HarnessConfig]):
    """Sends the conversation to the model and nothing else: no tools, no program, no package to fetch at run time."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self, ctx: vf.ModelContext, trace: vf.Trace, runtime: vf.Runtime, endpoint: str, secret: str,
        mcp_urls: dict[str, str], data: vf.TaskData,
    ) -> vf.ProgramResult:  # fmt: skip
        system, prompt = self.resolve_prompt(data)
        said = prompt if isinstance(prompt, list) else [vf.UserMessage(content=prompt or "")]
        messages = [{"role": message.role, "content": message.content} for message in said]
        if system:
            messages.insert(0, {"role": "system", "content": system})
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, timeout=None) as client:
            await client.chat.completions.create(model=ctx.model, messages=messages)
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


class ScriptedConfig(vf.EnvConfig):
    agent: vf.AgentConfig = vf.AgentConfig(runtime={"type": "subprocess"})


class ScriptedEnv(vf.Env[ScriptedConfig]):
    """Says the turns of a script one after another, whatever is replied."""

    async def run(self, task: WritingTask, agents: vf.Agents) -> None:
        if task.data.mode == "single":
            await agents.agent.run(task)
            return
        async with agents.agent.interaction(task) as chat:
            for said in self.taskset.script(task.key).turns:
                if (await chat.turn(said)).terminated:
                    break


__all__ = ["ChatHarness", "ScriptedEnv", "WritingTaskset"]
