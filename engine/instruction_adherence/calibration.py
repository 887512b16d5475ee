"""Which number of constraints, burial depth and hard-family weight are asked for by default, and why.

`calibration.json` holds the chosen cell of each mode with its provenance, and the figures of the cells that were run.
The one that is shipped holds the cell that the specification publishes and no figures, since none were measured here. A
calibration of one's own lies in the data directory and takes its place. Specification, "Calibration".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from engine.errors import UsageError, quoted
from engine.instruction_adherence.writing import WritingMode

NAME = "calibration.json"
SHIPPED = Path(__file__).with_name(NAME)


class Cell(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One combination of the three settings."""

    constraints: int
    burial_depth: int
    hard_family_weight: float


class Figures(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one model did in one cell; rates in [0, 1]."""

    model: str
    settings: Mapping[str, str]
    """What was sampled with."""
    mode: WritingMode
    cell: Cell
    tasks: int
    rollouts: int
    pass_at_1: float
    pass_at_8: float | None
    """None with fewer than 8 rollouts of a task."""
    pass_at_1_sound: float | None
    """Without the rollouts that failed; None if all did."""
    turn_rate: float
    mean_reward: float
    truncated: float
    failed: float


class Choice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The default cell of one mode."""

    cell: Cell
    provenance: str
    """Where it comes from."""
    date: str
    """Of the run, YYYY-MM-DD; empty if none is known."""


class Calibration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The chosen cells, and what was run."""

    format: Literal["clew-calibration/1"]
    single: Choice
    multi: Choice
    figures: tuple[Figures, ...] = ()

    def choice(self, mode: WritingMode) -> Choice:
        return self.single if mode == "single" else self.multi


class Band(msgspec.Struct, frozen=True, kw_only=True):
    """The rates that a cell should give: pass@1 of single turns, turns passed of several."""

    low: float = 0.15
    aim: float = 0.25
    """Specification, "Calibration": about a quarter for a strong model."""
    high: float = 0.35


BAND = Band()


def read_calibration(path: Path) -> Calibration:
    """Read a calibration file.

    Raises:
        UsageError: it cannot be read, or is none.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Calibration)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; a {NAME} is needed") from error
    except msgspec.DecodeError as error:
        raise UsageError(f"{path} is no calibration: {quoted(str(error))}; `clew calibrate` writes one") from error


def current(data_folder: Path) -> Calibration:
    """Return this machine's calibration if there is one, else the shipped one."""
    own = data_folder / NAME
    return read_calibration(own if own.exists() else SHIPPED)


def rate(figures: Figures) -> float:
    """Return what a cell is judged by: pass@1, or over several turns the mean share of turns that pass."""
    return figures.pass_at_1 if figures.mode == "single" else figures.turn_rate


def chosen(figures: Sequence[Figures], band: Band) -> Figures | None:
    """Return the cell whose rate is nearest to the aim; None if no cell lies in the band."""
    inside = [one for one in figures if band.low <= rate(one) <= band.high]
    return min(inside, key=lambda one: (abs(rate(one) - band.aim), one.cell.constraints), default=None)


def markdown(calibration: Calibration, band: Band) -> str:
    """Return the full grid as Markdown."""
    lines = ["# Calibration", ""]
    for mode in ("single", "multi"):
        choice = calibration.choice(mode)
        cell = choice.cell
        lines += [
            f"{mode}: K {cell.constraints}, burial depth {cell.burial_depth}, hard-family weight "
            f"{cell.hard_family_weight:g} ({choice.provenance}{', ' + choice.date if choice.date else ''}).",
            "",
        ]
    lines += [
        f"Target: {band.low:.0%} to {band.high:.0%}, aim {band.aim:.0%}; pass@1 of single turns, turns passed of "
        "several. Rollouts that failed count as not passed.",
        "",
        "| model | mode | K | depth | weight | tasks | rollouts | pass@1 | pass@8 | pass@1 without errors | "
        "turns passed | mean reward | truncated | errors |",
        "|" + " --- |" * 14,
    ]
    lines += [_line(one) for one in calibration.figures]
    return "\n".join([*lines, ""])


def _line(one: Figures) -> str:
    def percent(value: float | None) -> str:
        return "-" if value is None else f"{value:.1%}"

    cells = (
        one.model, one.mode, one.cell.constraints, one.cell.burial_depth, f"{one.cell.hard_family_weight:g}", one.tasks,
        one.rollouts, percent(one.pass_at_1), percent(one.pass_at_8), percent(one.pass_at_1_sound),
        percent(one.turn_rate), f"{one.mean_reward:.3f}", percent(one.truncated), percent(one.failed),
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"
