"""A participant's withdrawal on their own machine: everything of them is deleted, and a search of bytes proves it."""

from __future__ import annotations

from pathlib import Path

from engine.errors import StoreError
from engine.store.withdrawing import traces, withdraw, words_of


def leave(path: Path, solver: str, at: str, *, besides: Path) -> None:
    """Delete a solver from a closed answers file and its backups.

    Args:
        besides: the bundle, which lists codes and is not theirs to change.

    Raises:
        StoreError: another program holds the file, or a file of the folder still names the person.
    """
    words = [word for word in words_of(path, solver) if word]
    withdraw(path, solver, at)
    found = [file for file in traces([path.parent], words) if not file.is_relative_to(besides.absolute())]
    if found:
        raise StoreError(f"deleted from {path}, but {found[0]} still names the code; remove that file by hand")
