"""`clew doctor` and `clew paths`: what is installed, and where data live."""

from __future__ import annotations

import platform
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import click

from engine.errors import ClewError
from engine.store import places

EXTRAS = {"analysis": ("sklearn", "scipy"), "witnesses": ("problog", "stormpy")}
"""Modules that each optional extra brings."""
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
    for extra, modules in EXTRAS.items():
        missing = [module for module in modules if find_spec(module) is None]
        click.echo(f"  {extra:<14} {'installed' if not missing else 'not installed: pip install clew[' + extra + ']'}")
    troubles = [trouble for name, path in _paths().items() if (trouble := _examine(name, path))]
    if troubles:
        raise troubles[0]


def _paths() -> dict[str, Path]:
    return {
        "pack": places.builtin_pack(),
        "data": places.data_folder(),
        "answers": places.answers_path(),
        "scores": places.scores_path(),
    }


def _examine(name: str, path: Path) -> ClewError | None:
    """Print the live facts of one file; return its trouble, if it has one."""
    from engine.store.inspection import file_facts

    if not path.is_file():
        click.echo(f"{name:<10} {path}  {'folder' if path.is_dir() else 'not made yet'}")
        return None
    try:
        facts = file_facts(path)
    except ClewError as error:
        click.echo(f"{name:<10} {path}  {error.line()}")
        return error
    click.echo(f"{name:<10} {path}  {facts}")
    return None
