"""The packs of a study taken together: one place to find an item, whichever pack holds it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from engine.errors import StoreError, UsageError
from engine.store.pack import Pack, PackEntry


class PackSet:
    """Several packs open for reading; use it from the thread that opened it."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Open all of them.

        Raises:
            StoreError: one is missing or no finished pack, or two hold the same item.
        """
        with ExitStack() as files:
            self.packs: tuple[Pack, ...] = tuple(files.enter_context(Pack.open(path)) for path in paths)
            self.entries: dict[str, PackEntry] = {}
            self._home: dict[str, Pack] = {}
            for pack in self.packs:
                for entry in pack.puzzles():
                    if entry.id in self._home:
                        raise StoreError(f"{pack.path} and {self._home[entry.id].path} both hold {entry.id!r}; use one")
                    self.entries[entry.id], self._home[entry.id] = entry, pack
            self._files = files.pop_all()

    def home(self, puzzle_id: str) -> Pack:
        """Return the pack that holds an item.

        Raises:
            UsageError: none does.
        """
        if puzzle_id not in self._home:
            raise UsageError(f"no pack of this study has item {puzzle_id!r}")
        return self._home[puzzle_id]

    def entry(self, puzzle_id: str) -> PackEntry:
        """Return what its pack's list says about an item.

        Raises:
            UsageError: no pack has it.
        """
        self.home(puzzle_id)
        return self.entries[puzzle_id]

    def close(self) -> None:
        """Close all files."""
        self._files.close()

    def __enter__(self) -> PackSet:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
