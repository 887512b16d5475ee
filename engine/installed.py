"""What is installed of clew itself: its version, and the commands that the packages beside the engine bring.

Read from the distribution's own folder. `importlib.metadata`, which knows all distributions, takes a twentieth of a
second to load and to look around; it is asked only about what is not found here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

NAME = "clew"


def version() -> str:
    """Return the version of clew that is installed."""
    folder = _folder()
    if folder is None:
        from importlib import metadata

        return metadata.version(NAME)
    return folder.name.removeprefix(f"{NAME}-").removesuffix(".dist-info")


def place_of_command(group: str, name: str) -> str | None:
    """Return where a command of an entry-point group is, such as `tui.cli:play`; None if nothing installed has it."""
    for point, place in _own_entry_points(group):
        if point == name:
            return place
    from importlib import metadata

    return next((point.value for point in metadata.entry_points(group=group, name=name)), None)


def _own_entry_points(group: str) -> Iterator[tuple[str, str]]:
    """Yield the names and places of one group of clew's own entry points."""
    folder, inside = _folder(), False
    file = None if folder is None else folder / "entry_points.txt"
    for line in file.read_text(encoding="utf-8").splitlines() if file is not None and file.exists() else ():
        if line.startswith("["):
            inside = line.strip() == f"[{group}]"
        elif inside and "=" in line:
            name, _, place = line.partition("=")
            yield name.strip(), place.strip()


@cache
def _folder() -> Path | None:
    """Return clew's folder of metadata, the first on the import path, as importlib.metadata takes it."""
    return next((folder for place in sys.path for folder in Path(place).glob(f"{NAME}-*.dist-info")), None)
