"""`clew gold`: exact answers for written hidden systems, JSON Lines in and out."""

from __future__ import annotations

import click

from engine.commands.lines import answer_each
from engine.hidden_systems.gold import answer_line


@click.command()
@click.argument("source", metavar="FILE")
def gold(source: str) -> None:
    """Answer every line of FILE (- for standard input): is PRESENT or ABSENT likelier, exactly computed.

    A line is {"system": {initial_record, conflict_policy, rules}, "attributes": {...}, "events": [...]}, with
    "event_vocabulary": [...] if unknown events are to be refused. A bad line ends the command; earlier answers stand.

    \b
    Example: clew gold - < questions.jsonl
    """
    answer_each(source, answer_line)
