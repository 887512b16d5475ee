"""A language model on a pack: which questions it is asked, where its answers go, and what they come to.

Opens the pack and the answers through the model's desk, nothing else; how it goes is told to a `Watch`.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from engine.calls import ModelCall
from engine.errors import UsageError
from engine.hidden_systems.surface.llm import RENDERER
from engine.hidden_systems.surface.prompt import PROMPT_VERSION, labels_of, question
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.model_desk import FAMILIES, ModelDesk
from engine.models.asking import Shown
from engine.models.dialogue import DIALOGUE_VERSION, dialogue
from engine.models.keys import Setting
from engine.models.outcome import Limits, Outcome, Watch
from engine.models.parsing import hear, parse
from engine.models.replay import Replay
from engine.models.runner import Runner
from engine.models.solver import OutputMode, Parameters, Question, Solver
from engine.models.summary import Summary, summarise
from engine.models.timing import RealTime, Time
from engine.public import Presented
from engine.store.answers import Answers
from engine.store.clock import uuid7


@dataclass(frozen=True, kw_only=True)
class Run:
    """What is asked for."""

    pack: str | None
    solver: Solver
    parameters: Parameters
    mode: OutputMode = "text"
    families: Collection[str] = FAMILIES
    limit: int | None = None
    """The first items in the solver's own order; the same ones in every run."""
    limits: Limits
    served_model: str = ""
    sample: int = 0
    renderer: str = ""
    """Name of the model whose telling of hidden systems is asked about."""
    answers: Path | None = None

    @property
    def setting(self) -> Setting:
        return Setting(
            identity=self.solver.identity(),
            parameters=self.parameters,
            mode=self.mode,
            prompt_version=f"{PROMPT_VERSION}+{DIALOGUE_VERSION}",
            sample=self.sample,
            renderer=self.renderer,
            served_model=self.served_model,
        )

    @property
    def alias(self) -> str:
        """Name of the solver in the file and in all tables."""
        return self.setting.alias(self.solver.name)

    def desk(self) -> ModelDesk:
        told_by = f"{RENDERER}:{self.renderer}" if self.renderer else ""
        recorded_as = self.solver.alias if isinstance(self.solver, Replay) else ""
        return ModelDesk(
            pack=self.pack, alias=self.alias, config=self.setting.text(), renderer=told_by, shown_as=recorded_as,
            answers=self.answers,
        )  # fmt: skip

    def pose(self, shown: Shown) -> Question:
        """Return what is asked; the output mode is for hidden systems, a written text is always raw."""
        return question(shown, self.mode) if isinstance(shown, Presented) else dialogue(shown)


@dataclass(frozen=True, kw_only=True)
class Result:
    """What became of a run, and what the solver has on the planned items now."""

    outcome: Outcome
    summary: Summary


def perform(run: Run, begin: Callable[[int, int], Watch], *, time: Time | None = None) -> Result:
    """Let the model answer what is pending.

    Args:
        begin: told how many items are pending and planned, once that is known; returns who is told how it goes.

    Raises:
        UsageError: the pack has no item of the families asked for.
    """
    with closing(run.desk()) as desk:
        planned = desk.planned(run.families, run.limit)
        if not planned:
            raise UsageError(f"the pack has no puzzle of {', '.join(sorted(run.families))}; another --family may do")
        pending = desk.pending(planned)
        watch = begin(len(pending), len(planned))
        outcome = asyncio.run(_perform(run, desk, pending, watch, time or RealTime())) if pending else Outcome()
        return Result(outcome=outcome, summary=summary_of(run, desk, planned, outcome.finished))


async def _perform(run: Run, desk: ModelDesk, pending: Collection[str], watch: Watch, time: Time) -> Outcome:
    runner = Runner(
        desk, run.solver, run.setting, run.pose, time=time, new_id=uuid7, watch=watch, limits=run.limits
    )  # fmt: skip
    _listen_for_interrupts(runner, watch)
    try:
        return await runner.run(tuple(pending))
    finally:
        await run.solver.close()


def _listen_for_interrupts(runner: Runner, watch: Watch) -> None:
    """Let the first interrupt stop the run in order and the second one at once."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None, "a run is a task"

    def interrupted() -> None:
        if runner.outcome.stopped:
            task.cancel()
        else:
            watch.said("stopping; requests under way may still finish, another interrupt leaves at once")
            runner.stop()

    try:
        loop.add_signal_handler(signal.SIGINT, interrupted)
    except (NotImplementedError, RuntimeError, ValueError):  # no such handlers on this platform or in this thread
        return  # an interrupt then leaves at once


def summary_of(run: Run, desk: ModelDesk, planned: Collection[str], now: int) -> Summary:
    """Return what the solver has on the planned items."""
    calls = desk.calls(planned)
    finals = {call.puzzle_id: call for call in calls if call.closes_item}
    systems, tasks = [], {}
    for puzzle in planned:
        if desk.family(puzzle) == WRITING:
            tasks[puzzle] = not desk.is_pending(puzzle)
        else:
            systems.append(_status(run, desk, puzzle, finals.get(puzzle)))
    return summarise(run.alias, now, systems=systems, tasks=tasks, calls=calls)


def _status(run: Run, desk: ModelDesk, puzzle: str, final: ModelCall | None) -> str:
    """Return how a hidden system stands; what was answered is read now, by the parser of today."""
    if final is None:
        return "pending"
    if final.status != "answered":
        return final.status
    shown = desk.present(puzzle)
    assert isinstance(shown, Presented), "hidden systems are presented as such"
    heard = hear(desk.text_of(puzzle) or "", finish_reason=final.finish_reason, refusal=final.refusal)
    return parse(heard.text, labels_of(shown.legend), run.mode).status if heard.status == "answered" else heard.status


def recorded(path: Path, alias: str) -> Replay:
    """Return the solver that gives again what one solver of an answers file said.

    Raises:
        UsageError: the file has no such solver; names those that it has.
    """
    with Answers.open(path, create=False, read_only=True) as answers:
        solvers = {name: identity for identity, (name, kind) in answers.solvers().items() if kind == "model"}
        if alias not in solvers:
            raise UsageError(f"{path} has no model {alias!r}; it has {', '.join(sorted(solvers)) or 'none'}")
        texts = _texts(answers, solvers[alias])
        calls = answers.calls(solvers[alias])
    return Replay(
        alias,
        {call.prompt_sha: (call, texts.get((call.puzzle_id, call.turn), "")) for call in calls if call.closes_item},
    )


def _texts(answers: Answers, solver: str) -> Mapping[tuple[str, int], str]:
    """Return what a solver answered, by puzzle and turn."""
    return {
        (attempt.puzzle_id, turn.turn): turn.text
        for attempt in answers.attempts(solver)
        for turn in answers.turns(attempt.session, attempt.puzzle_id, attempt.attempt_no)
        if turn.role == "assistant"
    }
