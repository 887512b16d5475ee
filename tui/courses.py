"""How far one is with the items that one goes through in a row: those of a length in practice, all in a collection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.public import Shelf
from tui.wording import length_name
from tui.writing import FAMILY, writing_progress


@dataclass(frozen=True, kw_only=True)
class Course:
    """How far one is with the items that one goes through in a row."""

    answered: int
    items: int
    of: str
    """What the items are, such as `short puzzles`."""

    @property
    def done(self) -> bool:
        return self.answered >= self.items

    @property
    def place(self) -> str:
        """The item at hand, such as `item 3/12`."""
        return f"item {min(self.answered + 1, self.items)}/{self.items}"

    def said(self) -> str:
        return f"{self.answered} of {self.items} {self.of} answered"


def course_of(shelves: Sequence[Shelf], complexity: int, *, collects: bool) -> Course | None:
    """Return the course of one length in practice, of everything in a collection; None for a puzzle of no shelf."""
    if collects:
        return _everything(shelves)
    shelf = next((shelf for shelf in shelves if shelf.complexity == complexity and shelf.family != FAMILY), None)
    return None if shelf is None else _of_length(shelf)


def courses(shelves: Sequence[Shelf], *, collects: bool) -> tuple[Course, ...]:
    """Return all courses of the pack."""
    if collects:
        return (_everything(shelves),)
    lengths = tuple(_of_length(shelf) for shelf in shelves if shelf.family != FAMILY)
    if (progress := writing_progress(shelves)) is None:
        return lengths
    return (*lengths, Course(answered=progress.answered, items=progress.tasks, of="writing tasks"))


def _everything(shelves: Sequence[Shelf]) -> Course:
    answered, items = sum(shelf.answered for shelf in shelves), sum(shelf.puzzles for shelf in shelves)
    return Course(answered=answered, items=items, of="items")


def _of_length(shelf: Shelf) -> Course:
    return Course(
        answered=shelf.answered, items=shelf.puzzles, of=f"{length_name(shelf.complexity)} puzzles"
    )  # fmt: skip
