"""The commands `clew play` and `clew resume`: they take the door to the desk, and open the app on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import NoReturn, get_args

import click

from engine.errors import UsageError
from engine.public import Aid, Desk, Doors
from tui import early
from tui.config import Config, read_config

WEB_DRIVER = "tui.web.driver:Served"
"""What TEXTUAL_DRIVER names in a child of `clew serve`, whose standard streams are pipes to a browser."""
_PACK = click.option(
    "--pack", metavar="FILE", help="A pack, or the folder that holds one; the built-in pack without it."
)
_PLAYER = click.option("--as", "player", metavar="NAME", help="Who plays; answers are stored under this name.")
_PLAIN = click.option(
    "--plain", is_flag=True,
    help="Line mode: numbered lines and prompts, for screen readers and pipes; without a terminal it is the default.",
)  # fmt: skip
_AID = click.option(
    "--aid", type=click.Choice(get_args(Aid)),
    help="Practice with less: A0 the story alone, A1 with a table, A2 with bars and ranges, A3 with everything.",
)  # fmt: skip
_STUDY = click.option(
    "--study", metavar="DIR", help="Take part in a study: the folder given out; --as is the code given with it."
)
_CODE = click.option("--code", default="", metavar="CODE", help="Begin with the practice puzzle of this code.")


@click.command()
@_PACK
@_PLAYER
@_CODE
@_AID
@_PLAIN
@_STUDY
@click.pass_obj
def play(
    doors: Doors, pack: str | None, player: str | None, code: str, aid: Aid | None, plain: bool, study: str | None
) -> None:
    """Play puzzles in the terminal.

    Example: clew play --pack pack.db --as ada
    """
    if study is not None:
        _take_part(doors, study, player, {"--pack": pack, "--code": code, "--aid": aid}, plain=plain)
    _start(doors, pack, player, plain=plain, resume=False, code=code, aid=aid)


@click.command()
@_PACK
@_PLAYER
@_AID
@_PLAIN
@click.pass_obj
def resume(doors: Doors, pack: str | None, player: str | None, aid: Aid | None, plain: bool) -> None:
    """Go on where you left off: the pack, the player and the aid level of the last item that is still open.

    Example: clew resume
    """
    _start(doors, pack, player, plain=plain, resume=True, aid=aid)


def _start(
    doors: Doors,
    pack: str | None,
    player: str | None,
    *,
    plain: bool,
    resume: bool,
    code: str = "",
    aid: Aid | None = None,
) -> NoReturn:
    early.end_at_once()
    config = read_config(doors.config_file(), os.environ)
    name = player or config.player or None
    desk = doors.left(player=name, aid=aid) if resume and pack is None else doors.desk(pack=pack, player=name, aid=aid)
    _begin(desk, config, plain=plain, resume=resume, code=code)


def _take_part(
    doors: Doors, study: str, player: str | None, others: Mapping[str, str | bool | None], *, plain: bool
) -> NoReturn:
    """Open the app on a study's bundle; what belongs to other ways of playing is refused."""
    if player is None:
        raise UsageError("--study needs --as CODE, the code that was given out with the folder")
    if given := [name for name, value in others.items() if value]:
        raise UsageError(f"{given[0]} and --study do not go together; a study has its own items and its own way")
    early.end_at_once()
    config = read_config(doors.config_file(), os.environ)
    guide = doors.guide(bundle=study, code=player)
    _begin(guide, config, plain=plain)


def _begin(desk: Desk, config: Config, *, plain: bool, resume: bool = False, code: str = "") -> NoReturn:
    """Run line mode or the app on a desk, and end with its exit code."""
    if plain or _takes_lines_only():
        from tui.plain.run import run as run_plain

        early.as_usual()
        sys.exit(run_plain(desk, resume=resume, config=config, code=code))
    _need_terminal()
    early.hurry()
    # Textual takes a tenth of a second to import: only once it is clear that there is a terminal to paint on.
    from tui.run import run

    sys.exit(run(desk, resume=resume, config=config, code=code))


def _takes_lines_only() -> bool:
    """Say whether what we write to is no terminal, or one that moves no cursor."""
    return not _is_served() and (not sys.stdout.isatty() or os.environ.get("TERM") == "dumb")


def _is_served() -> bool:
    return os.environ.get("TEXTUAL_DRIVER") == WEB_DRIVER


def _need_terminal() -> None:
    """Refuse to start without a terminal.

    Raises:
        UsageError: a standard stream is no terminal; names which.
    """
    for name, stream in (("input", sys.stdin), ("output", sys.stdout), ("error", sys.stderr)):
        if not _is_served() and not stream.isatty():
            raise UsageError(
                f"the app needs a terminal: standard {name} is not one; clew play --plain reads and writes lines"
            )
