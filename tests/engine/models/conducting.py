"""Runs a model against a scripted server on a small pack, through the real desk and the real client."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from engine.calls import ModelCall
from engine.model_runs import Run, summary_of
from engine.models.openai_endpoint import OpenAIEndpoint
from engine.models.outcome import Limits, Outcome
from engine.models.runner import Runner
from engine.models.solver import Parameters
from engine.models.summary import Summary
from engine.store.answers import Answers
from engine.store.call_rows import ModelCallRow
from engine.store.clock import uuid7
from tests.engine.models.fault_server import FaultServer, Script, VirtualTime, serving

KEY = "sk-a-very-secret-key-0123456789"


@dataclass
class Notes:
    """Writes down how a run goes."""

    lines: list[str] = field(default_factory=list)
    finals: list[ModelCall] = field(default_factory=list)
    done: int = 0

    def closed(self, call: ModelCall) -> None:
        self.finals.append(call)

    def finished(self) -> None:
        self.done += 1

    def said(self, line: str) -> None:
        self.lines.append(line)


@dataclass
class Conducted:
    """What a run left."""

    server: FaultServer
    time: VirtualTime
    notes: Notes
    outcome: Outcome
    summary: Summary
    rows: tuple[ModelCallRow, ...]
    texts: dict[tuple[str, int], str]
    alias: str

    @property
    def statuses(self) -> list[str]:
        return [row.status for row in self.rows]

    @property
    def errors(self) -> list[str | None]:
        return [row.error_type for row in self.rows]


def run_of(pack: Path, base_url: str, **changes: object) -> Run:
    fields: dict[str, object] = {
        "pack": str(pack),
        "solver": OpenAIEndpoint("m", base_url, KEY),
        "parameters": Parameters(),
        "limits": Limits(concurrency=1),
        **changes,
    }
    return Run(**fields)  # type: ignore[arg-type]


def conduct(
    pack: Path, script: Script, *, meddle: Callable[[Runner, FaultServer], None] | None = None, **changes: object
) -> Conducted:
    """Let a model answer a pack while the server follows its script; return what is left of it."""

    async def go() -> Conducted:
        async with serving(script) as server:
            # Keys hold the address: a fixed one makes runs against different ports the same solver.
            run = run_of(pack, server.base_url, **changes)
            time, notes = VirtualTime(server), Notes()
            with closing(run.desk()) as desk:
                planned = desk.planned(run.families, run.limit)
                runner = Runner(
                    desk, run.solver, run.setting, run.pose, time=time, new_id=uuid7, watch=notes, limits=run.limits
                )
                if meddle is not None:
                    meddle(runner, server)
                outcome = await runner.run(desk.pending(planned))
                await run.solver.close()
                summary = summary_of(run, desk, planned, outcome.finished)
                rows = desk.calls(planned)
                path = desk._answers.path
            with Answers.open(path, read_only=True) as answers:
                solver = next(one for one, (alias, _) in answers.solvers().items() if alias == run.alias)
                texts = {
                    (attempt.puzzle_id, turn.turn): turn.text
                    for attempt in answers.attempts(solver)
                    for turn in answers.turns(attempt.session, attempt.puzzle_id)
                    if turn.role == "assistant"
                }
            return Conducted(server, time, notes, outcome, summary, rows, texts, run.alias)

    return asyncio.run(go())


class Victims:
    """Runs of one command that die by signal 9 while the server deals with a request, and one that is let finish."""

    def __init__(self) -> None:
        self.mark: int | None = None
        """Number of the request at which the server has the run killed; None spares it."""
        self._running: subprocess.Popen[bytes] | None = None

    def kill(self) -> None:
        assert self._running is not None, "the server was asked by a run"
        self._running.kill()

    def run(
        self, arguments: Sequence[str], kills: int, next_mark: Callable[[], int]
    ) -> subprocess.CompletedProcess[str]:
        """Start the command so many times, each until it is killed; return what the last, spared one said."""
        command = [sys.executable, "-c", "from engine.cli import main; main()", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
        for _ in range(kills):
            self.mark = next_mark()
            self._running = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self._running.communicate()
            assert self._running.returncode == -signal.SIGKILL
        self.mark = None
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
