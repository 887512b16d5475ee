"""The `clew` command: finds a command, runs it, and turns every error into one line and an exit code.

Each command is loaded only when it is asked for, so that `clew --version` and the first paint of the app stay quick.
The app, the audits and the comparison join through the entry-point group `clew.commands`; the engine names neither.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from engine import installed
from engine.commands.late import LateGroup
from engine.errors import ClewError, UsageError, one_line, outside_trouble, place_of

COMMANDS = {
    "answer": "engine.commands.answer:answer",
    "check": "engine.commands.check:check",
    "calibrate": "engine.commands.calibrate:calibrate",
    "compat": "engine.commands.compat:compat",
    "dataset": "engine.commands.dataset:dataset",
    "completion": "engine.commands.doctor:completion",
    "doctor": "engine.commands.doctor:doctor",
    "export": "engine.commands.export:export",
    "import": "engine.commands.exchange:import_",
    "generate": "engine.commands.generate:generate",
    "gold": "engine.commands.gold:gold",
    "models": "engine.commands.models:models",
    "paths": "engine.commands.doctor:paths",
    "render": "engine.commands.render:render",
    "report": "engine.commands.report:report",
    "score": "engine.commands.score:score",
    "score-response": "engine.commands.score_response:score_response",
    "seal": "engine.commands.seal:seal",
    "seeds": "engine.commands.seeds:seeds",
    "solve": "engine.commands.solve:solve",
    "study": "engine.commands.study:study",
    "verify-pack": "engine.commands.verify:verify_pack",
}
"""Name and place of the engine's own commands."""
ENTRY_POINTS = "clew.commands"
INTERRUPTED = 130


class Commands(LateGroup):
    """The commands of clew."""

    places = COMMANDS
    entry_points = ENTRY_POINTS


class LateDesk:
    """Stands for the real desk and becomes it at the first use, after the first paint.

    SQLite, YAML and the surface layer are imported only then.
    """

    def __init__(self, pack: str | None, player: str | None, aid: str | None) -> None:
        self._arguments: dict[str, str | None] = {"pack": pack, "player": player, "aid": aid}

    def working_on(self) -> str:
        """Say what takes long, without becoming the desk: this is asked from another thread."""
        desk = self.__dict__.get("_desk")
        return "" if desk is None else str(desk.working_on())

    def _make(self) -> Any:
        return import_module("engine.players").PlayerDesk.for_player(**self._arguments)

    def __getattr__(self, name: str) -> Any:
        import_module("engine.store.lean").load_sqlite_utils()
        self._desk = self._make()
        for method in dir(self._desk):
            if not method.startswith("_"):
                setattr(self, method, getattr(self._desk, method))
        return getattr(self._desk, name)


class LeftDesk(LateDesk):
    """Stands for the desk on the pack where something was left open, and becomes it at the first use."""

    def _make(self) -> Any:
        left = import_module("engine.left_open").left_open(self._arguments["player"])
        if left is not None:
            aid = self._arguments["aid"] or left.aid
            self._arguments = {"pack": left.pack, "player": left.player, "aid": aid}
        return super()._make()


class LateGuide(LateDesk):
    """Stands for the desk of a study and becomes it at the first use."""

    def __init__(self, bundle: str, code: str) -> None:
        self._arguments: dict[str, str | None] = {"bundle": bundle, "code": code}

    def _make(self) -> Any:
        return import_module("engine.study.desk").StudyDesk.for_participant(**self._arguments)


class OpenDoors:
    """Makes the desk for the app (`engine.public.Doors`)."""

    def desk(self, *, pack: str | None, player: str | None, aid: str | None = None) -> Any:
        return LateDesk(pack, player, aid)

    def left(self, *, player: str | None, aid: str | None = None) -> Any:
        return LeftDesk(None, player, aid)

    def guide(self, *, bundle: str, code: str) -> Any:
        return LateGuide(bundle, code)

    def config_file(self) -> str:
        return str(import_module("engine.store.places").config_path())

    def data_folder(self) -> str:
        return str(import_module("engine.store.places").data_folder())

    def mode(self, *, pack: str | None, player: str | None) -> Any:
        return import_module("engine.players").PlayerDesk.for_player(pack=pack, player=player).mode()


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"clew {installed.version()}")
        ctx.exit()


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: clew generate hidden-systems --count 10 --length short --seed 1 --out my-pack",
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Print the version."
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Puzzles about hidden systems: play them, let programs solve them, compare the two.

    Without a command the app opens on the built-in practice pack.
    """
    ctx.obj = OpenDoors()
    if ctx.invoked_subcommand is None:
        play = cli.get_command(ctx, "play")
        assert play is not None
        ctx.invoke(play)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; return its exit code. Errors are one line on standard error."""
    try:
        _require_values(sys.argv[1:] if arguments is None else arguments)
        result = cli.main(arguments, prog_name="clew", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except ClewError as error:
        return _fail(error.line(), error.exit_code)
    except click.ClickException as error:
        usage = error.ctx.command_path + " --help" if isinstance(error, click.UsageError) and error.ctx else ""
        hint = f" (see {usage})" if usage else ""
        return _fail(" ".join(error.format_message().split()) + hint, 2)
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted; what was saved stays saved", INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has gone; point stdout at nothing so that the interpreter's last flush is quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if trouble := outside_trouble(error):
            return _fail(trouble, 2)
        return _fail(f"internal error: {place_of(error)}; please report this line", 1)


def _require_values(arguments: Sequence[str]) -> None:
    """Refuse an empty argument, such as a variable of a script that is not set: no command has a use for one.

    Raises:
        UsageError: names the option before it, or its place.
    """
    for nth, word in enumerate(arguments, start=1):
        name, equals, value = word.partition("=")
        if word.startswith("--") and equals and not value:
            raise UsageError(f"{name} is ''; a value is needed there, or leave it out")
        if not word:
            before = arguments[nth - 2] if nth > 1 else ""
            named = before if before.startswith("-") else f"argument {nth}"
            raise UsageError(f"{named} is ''; a value is needed there, or leave it out")


def _fail(line: str, code: int) -> int:
    click.echo(f"clew: {one_line(line)}", err=True)
    return code
