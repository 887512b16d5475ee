"""`clew study`: plan a study, hand it out, collect, compare. Each command is loaded when it is asked for.

Comparison and report are made where the statistics are, and join through an entry-point group.
"""

from __future__ import annotations

from importlib import import_module, metadata

import click

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


class StudyCommands(click.Group):
    """A group whose commands are imported on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*COMMANDS, *(point.name for point in metadata.entry_points(group=ENTRY_POINTS))})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = COMMANDS.get(cmd_name)
        if place is not None:
            module, _, name = place.partition(":")
            command = getattr(import_module(module), name)
        else:
            points = tuple(metadata.entry_points(group=ENTRY_POINTS, name=cmd_name))
            if not points:
                return None
            command = points[0].load()
        assert isinstance(command, click.Command)
        return command


@click.group(cls=StudyCommands)
def study() -> None:
    """Collect human baselines and compare people with models.

    \b
    In order: new, check, freeze, plan, pack; people play (clew play --study BUNDLE --as CODE);
    merge, status, score, compare, report, close. withdraw removes a person at any time.

    \b
    Example: clew study new study.yaml
    """
