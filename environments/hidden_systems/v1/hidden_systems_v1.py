"""Hidden systems as a taskset of the v1 line of verifiers, with a plain chat harness: one question, one label.

A task's data hold what is asked and the puzzle's id. The label stays in a sealed file that is opened for the moment of
scoring. Specification, "Quickstart".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import verifiers.v1 as vf
from openai import AsyncOpenAI
from pydantic import Field

from engine.kept_packs import refuse_other_version, scripts, systems_pack, version
from engine.rollouts import CORRECT, Marks, checked_marks, system_marks


class SystemData(vf.TaskData):
    domain: str | None
    """The surface domain that it is told in; None for the one drawn for it."""


class SystemTask(vf.Task[SystemData]):
    """A puzzle with its one reward."""

    @property
    def key(self) -> str:
        assert self.data.id is not None
        return self.data.id

    def _marks(self, trace: vf.Trace) -> Marks:
        said = [message.content or "" for message in trace.assistant_messages]
        return checked_marks(partial(system_marks, domain=self.data.domain), self.key, said, trace.is_truncated)

    @vf.reward(weight=1.0)
    async def correct(self, trace: vf.Trace) -> float:
        return self._marks(trace).rewards[CORRECT]

    @vf.metric
    async def status(self, trace: vf.Trace) -> dict[str, float]:
        return dict(self._marks(trace).metrics)


class SystemsConfig(vf.TasksetConfig):
    """The instance key."""

    length: str = "medium"
    """short (4 events), medium (6), long (8) or a number 4..10."""
    num_examples: int = Field(500, ge=1)
    """Puzzles."""
    seed: int = Field(0, ge=0)
    """The public seed."""
    domain: str | None = None
    """The surface domain all are told in; without it, the one drawn for each."""
    clew: str = version()
    """The version that makes the puzzles; a saved run is resumed with this one only."""


class SystemsTaskset(vf.Taskset[SystemTask, SystemsConfig]):
    """Puzzles of one instance key."""

    def load(self) -> Iterator[SystemTask]:
        refuse_other_version(self.config.clew)
        pack = systems_pack(self.config.num_examples, self.config.length, self.config.seed)
        domain = self.config.domain
        for script in scripts(pack, domain):
            data = SystemData(id=script.puzzle_id, system_prompt=script.system, prompt=script.turns[0], domain=domain)
            yield SystemTask(data, self.config.task)


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


class ChatConfig(vf.EnvConfig):
    agent: vf.AgentConfig = vf.AgentConfig(runtime={"type": "subprocess"})


class ChatEnv(vf.Env[ChatConfig]):
    """One exchange on this machine."""

    async def run(self, task: SystemTask, agents: vf.Agents) -> None:
        await agents.agent.run(task)


__all__ = ["ChatEnv", "ChatHarness", "SystemsTaskset"]
