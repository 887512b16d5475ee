"""`clew study`: plan a study, hand it out, collect, compare. Each command is loaded when it is asked for.

Comparison and report are made where the statistics are, and join through an entry-point group.
"""

from __future__ import annotations

import click

from engine.commands.late import LateGroup

COMMANDS = {
    "check": "engine.commands.study_design:check",
    "close": "engine.commands.study_data:close",
    "export": "engine.commands.study_data:export",
    "freeze": "engine.commands.study_design:freeze",
    "merge": "engine.commands.study_data:merge",
    "new": "engine.commands.study_design:new",
    "pack": "engine.commands.study_design:pack",
    "plan": "engine.commands.study_design:plan",
    "score": "engine.commands.study_data:score",
    "status": "engine.commands.study_data:status",
    "withdraw": "engine.commands.study_data:withdraw",
}
"""Name and place of the engine's own commands of the group."""
ENTRY_POINTS = "clew.study"


class StudyCommands(LateGroup):
    """The commands of a study."""

    places = COMMANDS
    entry_points = ENTRY_POINTS


@click.group(cls=StudyCommands)
def study() -> None:
    """Collect human baselines and compare people with models.

    \b
    In order: new, check, freeze, plan, pack; people play (clew play --study BUNDLE --as CODE);
    merge, status, score, compare, report, close. withdraw removes a person at any time.

    \b
    Example: clew study new study.yaml
    """
