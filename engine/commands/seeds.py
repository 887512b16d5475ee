"""`clew seeds`: the private seed tasks of this machine."""

from __future__ import annotations

import click

from engine.errors import counted
from engine.store.places import data_folder


@click.group()
def seeds() -> None:
    """Make the private seed tasks for the split `test`.

    \b
    Example: clew seeds init-private
    """


@seeds.command("init-private")
@click.option("--replace", is_flag=True, help="Draw others in place of those that are there.")
def init_private_command(replace: bool) -> None:
    """Compose 24 seed tasks that no other machine has, and keep them where only you can read.

    They never leave this machine. Replacing them makes other `test` puzzles: those drawn before cannot be drawn again.

    \b
    Example: clew seeds init-private
    """
    from engine.instruction_adherence.private_seed_tasks import init_private, load_private

    folder = data_folder()
    path = init_private(folder, replace=replace)
    click.echo(f"{path}: {counted(len(load_private(folder)), 'private seed task')}")
