"""The commands `clew play` and `clew resume`: they take the door to the desk, and open the app on it."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from engine.errors import UsageError
from engine.public import Doors

_PACK = click.option(
    "--pack", metavar="FILE", help="A pack, or the folder that holds one; the built-in pack without it."
)
_PLAYER = click.option("--as", "player", metavar="NAME", help="Who plays; answers are stored under this name.")


@click.command()
@_PACK
@_PLAYER
@click.pass_obj
def play(doors: Doors, pack: str | None, player: str | None) -> None:
    """Play puzzles in the terminal.

    Example: clew play --pack pack.db --as ada
    """
    _start(doors, pack, player, resume=False)


@click.command()
@_PACK
@_PLAYER
@click.pass_obj
def resume(doors: Doors, pack: str | None, player: str | None) -> None:
    """Go on where you left off.

    Example: clew resume
    """
    _start(doors, pack, player, resume=True)


def _start(doors: Doors, pack: str | None, player: str | None, *, resume: bool) -> NoReturn:
    _need_terminal()
    # Textual takes a tenth of a second to import: only once it is clear that there is a terminal to paint on.
    from tui.run import run

    sys.exit(run(doors.desk(pack=pack, player=player), resume=resume))


def _need_terminal() -> None:
    """Refuse to start without a terminal.

    Raises:
        UsageError: a standard stream is no terminal; names which.
    """
    for name, stream in (("input", sys.stdin), ("output", sys.stdout), ("error", sys.stderr)):
        if not stream.isatty():
            raise UsageError(
                f"the app needs a terminal: standard {name} is not one; run it without pipe or redirection"
            )
