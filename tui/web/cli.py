"""The command `clew serve`: checks what is to be served, then opens the server and prints a link a participant."""

from __future__ import annotations

import os
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.errors import UsageError, quoted
from engine.public import Doors
from tui.config import Config, read_config

if TYPE_CHECKING:
    from tui.web.server import Server

MOST_SESSIONS = 64


@click.command()
@click.option("--pack", metavar="FILE", help="A practice pack, or the folder that holds one; the built-in one without.")
@click.option(
    "--as", "players", metavar="NAME", multiple=True, help="A participant, who gets a link; give it once for each."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8000, show_default=True, help="0 takes a free one.")
@click.option("--public-url", metavar="URL", help="Where people open it, if a proxy stands before it.")
@click.option(
    "--sessions", type=click.IntRange(1, MOST_SESSIONS), default=8, show_default=True, help="How many play at once."
)
@click.pass_obj
def serve(
    doors: Doors,
    pack: str | None,
    players: tuple[str, ...],
    host: str,
    port: int,
    public_url: str | None,
    sessions: int,
) -> None:
    """Play in a browser: serve the app on this machine, one link a participant.

    Example: clew serve --as ada --as ben
    """
    config = read_config(doors.config_file(), os.environ)
    names = players or (config.player,)
    _check_theme(config)
    _check(doors, pack, names, host, public_url)
    sys.exit(_serve(doors, pack, names, host, port, public_url, sessions))


def _check(doors: Doors, pack: str | None, names: tuple[str, ...], host: str, public_url: str | None) -> None:
    """Refuse what could not be played, before anything listens.

    Raises:
        ClewError: names what is wrong with the pack, a name or the place.
    """
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"the name {quoted(twice)} is given twice; each participant needs a name of their own")
    if public_url is None and not _is_loopback(host):
        raise UsageError(f"--host {quoted(host)} needs --public-url, the address that people open")
    for name in names:
        if doors.mode(pack=pack, player=name or None) != "practice":
            raise UsageError("this pack collects answers; over the web only practice is served (see docs/serving.md)")


def _check_theme(config: Config) -> None:
    """Refuse a theme of the settings here: each person's app would refuse it, out of sight."""
    if config.theme:
        from tui.themes import check_theme

        check_theme(config.theme, config.source("theme"))


def _serve(
    doors: Doors,
    pack: str | None,
    names: tuple[str, ...],
    host: str,
    port: int,
    public_url: str | None,
    sessions: int,
) -> int:
    try:
        import asyncio

        from tui.web.child import Stage
        from tui.web.links import Links
        from tui.web.server import Server, listen
    except ModuleNotFoundError as error:
        raise UsageError(f"clew serve needs {error.name}; install it with: pip install 'clew[web]'") from error
    config = Path(doors.config_file())
    stage = Stage(
        pack=None if pack is None else str(Path(pack).resolve()),
        data_folder=str(Path(doors.data_folder()).resolve()),
        config_file=str(config.resolve()) if config.is_file() else None,
    )

    async def run() -> int:
        server = Server(stage, Links(names), most=sessions)
        return await listen(server, host, port, public_url=public_url, announce=_announce)

    return asyncio.run(run())


def _announce(server: Server) -> None:
    for name, token in server.links.tokens().items():
        click.echo(f"{name}: {server.address.link(token)}" if name else server.address.link(token))
    click.echo("each link works once, in the browser that opens it; ctrl+c ends", err=True)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
