"""Runs a model over a grid of settings and says which of them lies in the target band.

Each cell is a pack of held-out tasks in a folder of its own, and every rollout of it is a sample of the model. Answers
are on disk before the next is asked, so a cell that is done costs nothing when the grid is run again, and a run that
was cut goes on. PRIVATE: opens sealed files.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

from engine.errors import ProviderError
from engine.instruction_adherence.calibration import Cell, Figures
from engine.instruction_adherence.report import summarize
from engine.instruction_adherence.writing import FAMILY, WritingMode
from engine.model_runs import Run, perform
from engine.models.outcome import Limits, Watch
from engine.models.solver import Parameters, Solver
from engine.store.answers import Answers
from engine.store.pack import Pack
from engine.store.places import PACK_NAME, SEALED_NAME
from engine.store.sealed import Sealed
from engine.writing_outcomes import pack_outcomes

ANSWERS = "answers.db"


@dataclass(frozen=True, kw_only=True)
class Grid:
    """The cells to run, and how often."""

    modes: Sequence[WritingMode]
    constraints: Sequence[int]
    burial_depths: Sequence[int]
    hard_family_weights: Sequence[float]
    samples: int
    """Rollouts of each task."""

    def cells(self) -> Iterator[tuple[WritingMode, Cell]]:
        """Yield the cells: modes, then K, depth and weight, each in the order given."""
        for mode, k, depth, weight in product(
            self.modes, self.constraints, self.burial_depths, self.hard_family_weights
        ):
            yield mode, Cell(constraints=k, burial_depth=depth, hard_family_weight=weight)


def cell_folder(out: Path, mode: WritingMode, cell: Cell) -> Path:
    """Return the folder of one cell."""
    return out / "cells" / f"{mode}-k{cell.constraints}-d{cell.burial_depth}-w{cell.hard_family_weight:g}"


def run_cell(
    folder: Path,
    mode: WritingMode,
    cell: Cell,
    samples: int,
    open_model: Callable[[], Solver],
    parameters: Parameters,
    limits: Limits,
    begin: Callable[[Run, int, int], Watch],
) -> Figures:
    """Let the model answer what is still open in a cell, and return what all its answers come to.

    Args:
        folder: has the cell's pack and sealed file.
        open_model: returns a fresh way to the model; each sample closes its own.
        begin: told the run, how many items are pending and how many there are; returns who is told how it goes.

    Raises:
        ProviderError: the model did not answer; what was answered is kept.
    """
    aliases = []
    for sample in range(samples):
        run = Run(
            pack=str(folder), solver=open_model(), parameters=parameters, families=(FAMILY,), limits=limits,
            sample=sample, answers=folder / ANSWERS,
        )  # fmt: skip
        aliases.append(run.alias)
        result = perform(run, partial(begin, run))
        if result.outcome.stopped:
            raise KeyboardInterrupt
        if trouble := result.outcome.fatal or next(iter(result.outcome.parked.values()), ""):
            raise ProviderError(f"{trouble}; what was answered is kept", "run the command again to go on")
    return figures_of(folder, mode, cell, run.solver.name, aliases, parameters)


def figures_of(
    folder: Path, mode: WritingMode, cell: Cell, model: str, aliases: Collection[str], parameters: Parameters
) -> Figures:
    """Return what the answers of some solvers in a cell's folder come to; there is at least one."""
    with (
        Pack.open(folder / PACK_NAME) as pack,
        Sealed.open(folder / SEALED_NAME) as sealed,
        Answers.open(folder / ANSWERS, create=False, read_only=True) as answers,
    ):
        outcomes = [outcome for _, outcome in pack_outcomes(pack, sealed, answers, aliases)]
    summary = summarize(model, mode, outcomes)
    return Figures(
        model=model,
        settings={name: str(value) for name, value in parameters.document().items()},
        mode=mode,
        cell=cell,
        tasks=summary.tasks,
        rollouts=summary.rollouts,
        pass_at_1=summary.pass_at[1] or 0.0,
        pass_at_8=summary.pass_at[8],
        pass_at_1_sound=summary.pass_at_sound,
        turn_rate=summary.turn_rate,
        mean_reward=summary.mean_reward,
        truncated=summary.truncated / summary.rollouts,
        failed=summary.failed / summary.rollouts,
    )
