"""A click group whose commands are imported when they are asked for, its own and those that join by entry point."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click

from engine.installed import place_of_command


class LateGroup(click.Group):
    """A group of commands by place; subclasses name them."""

    places: Mapping[str, str] = {}
    """`module:name` of each of the engine's own commands."""
    entry_points = ""
    """The entry-point group through which others join."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from importlib import metadata

        return sorted({*self.places, *(point.name for point in metadata.entry_points(group=self.entry_points))})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = self.places.get(cmd_name) or place_of_command(self.entry_points, cmd_name)
        if place is None:
            return None
        module, _, name = place.partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command
