"""Breaks the checker of one type of constraint in this process: the type that the variable BROKEN names."""

from __future__ import annotations

import os

from engine.instruction_adherence.constraint import Constraint, Verdict
from engine.instruction_adherence.constraints.registry import TYPES
from engine.instruction_adherence.text import Reading


def raises(constraint: Constraint, reading: Reading) -> Verdict:
    raise ZeroDivisionError(f"SECRET {constraint}")


def plant() -> None:
    """Break it; the tasks must have been made before, since making them asks the checkers too."""
    TYPES[os.environ["BROKEN"]].check = raises
