"""`clew doctor`, `clew paths` and `clew completion`: what is installed, where data live, and help for the shell."""

from __future__ import annotations

import platform
import re
import shutil
import tempfile
from importlib import metadata
from pathlib import Path

import click

from engine.errors import ClewError
from engine.store import places

OPTIONAL = re.compile(r"(?P<name>[\w.-]+).*extra == ['\"](?P<extra>[\w-]+)['\"]")
"""A line of the metadata about a package that an extra brings."""
SHELLS = ("bash", "zsh", "fish")
DEPENDENCIES = ("textual", "sqlite-utils", "msgspec", "numpy", "click", "pyyaml", "platformdirs")


@click.command()
def paths() -> None:
    """Print where clew keeps its files.

    \b
    Example: clew paths
    """
    for name, path in _paths().items():
        click.echo(f"{name:<10} {path}")


@click.command()
def doctor() -> None:
    """Check what is installed and the state of each database file.

    \b
    Example: clew doctor
    """
    click.echo(f"clew {metadata.version('clew')}, Python {platform.python_version()}, {platform.system()}")
    for name in DEPENDENCIES:
        click.echo(f"  {name:<14} {metadata.version(name)}")
    for extra, brought in _extras().items():
        state = "installed" if all(map(_installed, brought)) else f"not installed: pip install 'clew[{extra}]'"
        click.echo(f"  {extra:<14} {state}")
    troubles = [trouble for name, path in _paths().items() if (trouble := _examine(name, path))]
    troubles += [trouble for trouble in [_try_to_write(places.data_folder())] if trouble]
    if troubles:
        raise troubles[0]


@click.command()
@click.argument("shell", type=click.Choice(list(SHELLS)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what teaches a shell to complete clew's commands and options.

    \b
    Example: clew completion bash > ~/.local/share/bash-completion/completions/clew
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None, "every shell of the list is one of click's"
    click.echo(kind(ctx.find_root().command, {}, "clew", "_CLEW_COMPLETE").source())


def _extras() -> dict[str, list[str]]:
    """Return the packages that each optional extra brings, as the installed metadata list them."""
    extras: dict[str, list[str]] = {}
    for wanted in metadata.requires("clew") or ():
        found = OPTIONAL.match(wanted)
        if found is not None and found["extra"] != "test":
            extras.setdefault(found["extra"], []).append(found["name"])
    return extras


def _installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def _paths() -> dict[str, Path]:
    return {
        "pack": places.builtin_pack(),
        "config": places.config_path(),
        "data": places.data_folder(),
        "answers": places.answers_path(),
        "scores": places.scores_path(),
        "players": places.players_folder(),
    }


def _examine(name: str, path: Path) -> ClewError | None:
    """Print the live facts of one file; return its trouble, if it has one."""
    from engine.store.inspection import file_facts

    if name == "config" or not path.is_file():
        state = "folder" if path.is_dir() else "settings file" if path.is_file() else "not made yet"
        click.echo(f"{name:<10} {path}  {state}")
        return None
    try:
        facts = file_facts(path)
    except ClewError as error:
        click.echo(f"{name:<10} {path}  {error.line()}")
        return error
    click.echo(f"{name:<10} {path}  {facts}")
    return None


def _try_to_write(folder: Path) -> ClewError | None:
    """Print whether the data directory can be written, by writing there, and how much room there is."""
    from engine.store.files import cannot_write, private_folder

    try:
        private_folder(folder)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".doctor-") as file:
            file.write(b"clew")
            file.flush()
        free = shutil.disk_usage(folder).free / 2**30
    except ClewError as error:
        click.echo(f"{'writing':<10} {folder}  {error.line()}")
        return error
    except OSError as error:
        click.echo(f"{'writing':<10} {folder}  {error.strerror}")
        return cannot_write(folder)
    click.echo(f"{'writing':<10} {folder}  works, {free:.1f} GiB free")
    return None
