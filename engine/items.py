"""The items of a pack in one solver's own order, and which of them that solver is done with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, KeysView

from engine.hidden_systems.presenting import FAMILY_NAME
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.public import Shelf
from engine.randomness import Stream
from engine.store.pack import PackEntry


class Items:
    """The order depends on the solver's name and the pack alone; which item is next, on what is done as well."""

    def __init__(self, entries: Iterable[PackEntry], *, solver: str, pack_sha: str, done: Iterable[str]) -> None:
        """Take the items; `done` may name puzzles of other packs."""
        self._entries = {entry.id: entry for entry in entries}
        self._order = Stream("desk/queue", solver, pack_sha).shuffled(sorted(self._entries))
        self._done = self._entries.keys() & set(done)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, puzzle_id: str) -> bool:
        return puzzle_id in self._entries

    @property
    def ids(self) -> KeysView[str]:
        return self._entries.keys()

    def family(self, puzzle_id: str) -> str:
        return self._entries[puzzle_id].family

    def of(self, families: Container[str]) -> tuple[str, ...]:
        """Return the items of some families in order, done or not."""
        return tuple(puzzle for puzzle in self._order if self._entries[puzzle].family in families)

    def is_open(self, puzzle_id: str) -> bool:
        """Say whether a puzzle is one of these items and not done."""
        return puzzle_id in self._entries and puzzle_id not in self._done

    def finish(self, puzzle_id: str) -> None:
        """Be done with an item."""
        self._done.add(puzzle_id)

    def shelves(self) -> tuple[Shelf, ...]:
        """Return the families and complexities, ascending, with the progress on each."""
        total = Counter(map(_shelf, self._entries.values()))
        done = Counter(_shelf(self._entries[puzzle]) for puzzle in self._done)
        return tuple(
            Shelf(family=shelf[0], kind=shelf[1], complexity=shelf[2], puzzles=total[shelf], answered=done[shelf])
            for shelf in sorted(total)
        )

    def next_system(self, complexity: int | None = None) -> str | None:
        """Return the next hidden system that is not done."""
        return self._next(FAMILY_NAME, complexity)

    def next_task(self, complexity: int | None = None, kind: str | None = None) -> str | None:
        """Return the next writing task that is not done: single turns first, fewest requirements first."""
        shelves = {_shelf(entry) for entry in self._entries.values() if entry.family == WRITING}
        for _, turns, level in sorted(shelves, key=lambda shelf: (shelf[1] != "single", shelf)):
            wanted = kind in (None, turns) and complexity in (None, level)
            if wanted and (puzzle := self._next(WRITING, level, turns)) is not None:
                return puzzle
        return None

    def _next(self, family: str, complexity: int | None, kind: str | None = None) -> str | None:
        for puzzle in self._order:
            entry = self._entries[puzzle]
            wanted = entry.family == family and complexity in (None, entry.complexity) and kind in (None, entry.kind)
            if wanted and puzzle not in self._done:
                return puzzle
        return None


def _shelf(entry: PackEntry) -> tuple[str, str, int]:
    """Return the family, the kind of a writing task, and the complexity of a puzzle."""
    return entry.family, entry.kind if entry.family == WRITING else "", entry.complexity
