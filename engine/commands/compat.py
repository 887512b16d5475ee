"""`clew compat`: which sets of constraints can be satisfied, JSON Lines in and out."""

from __future__ import annotations

import click

from engine.commands.lines import answer_each
from engine.errors import GenerationError
from engine.instruction_adherence.settling import answer_line


@click.command()
@click.argument("source", metavar="FILE")
def compat(source: str) -> None:
    """Tell for every set in FILE (- for standard input) whether one response can keep to all its constraints.

    A line is {"constraints": [{"constraint": id, "params": {...}}, ...]}; the answer has "satisfiable", "conflict" (why
    not) and "witness" (a response that passes all checkers). "satisfiable" is null for a set in which no conflict and
    no witness was found; the exit code is then 1. A bad line ends the command; earlier answers stand.

    \b
    Example: clew compat - < sets.jsonl
    """
    unsettled: list[int] = []
    asked = 0

    def answer(text: str) -> str:
        nonlocal asked
        asked += 1
        found = answer_line(text)
        if not found.settled:
            unsettled.append(asked)
        return found.line

    answer_each(source, answer)
    if unsettled:
        raise GenerationError(
            f"sets {unsettled[:20]} of {asked} are unresolved; neither a conflict nor a witness was found"
        )
