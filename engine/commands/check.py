"""`clew check`: verdicts on responses, JSON Lines in and out."""

from __future__ import annotations

import click

from engine.commands.lines import answer_each
from engine.instruction_adherence.checking import verdict_line


@click.command()
@click.argument("source", metavar="FILE")
def check(source: str) -> None:
    """Judge every line of FILE (- for standard input): does the response keep to the constraint?

    A line is {"constraint": id, "params": {...}, "response": text}; the answer has "passed", "seen" (what was found)
    and "spans" (where it failed, in code points of the response). A bad line ends the command; earlier answers stand.

    \b
    Example: clew check - < responses.jsonl
    """
    answer_each(source, verdict_line)
