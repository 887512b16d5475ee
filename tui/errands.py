"""What the clerk is sent to the desk for: each errand is one function that blocks, run on the clerk's thread."""

from __future__ import annotations

from dataclasses import dataclass

from engine.public import Answer, Desk, Draft, Judged, Past, Presented, PresentedTask, Receipt, Reveal, Session, Shelf
from tui.attempt import Opened
from tui.writing import FAMILY, OpenedTask, Progress, writing_progress


@dataclass(frozen=True, kw_only=True)
class Home:
    """All that the home screen tells."""

    session: Session
    shelves: tuple[Shelf, ...]
    draft: Draft | None
    drafted: Presented | PresentedTask | None
    """What the draft is for."""
    answers: int
    last: Past | None
    """The newest answer."""

    @property
    def systems(self) -> tuple[Shelf, ...]:
        """The shelves of hidden systems."""
        return tuple(shelf for shelf in self.shelves if shelf.family != FAMILY)

    @property
    def writing(self) -> Progress | None:
        """How far one is with the writing tasks; None in a pack without any."""
        return writing_progress(self.shelves)


@dataclass(frozen=True, kw_only=True)
class Told:
    """One answered puzzle with its feedback, as far as the policy reveals it."""

    presented: Presented
    answer: str
    """In the domain's words."""
    confidence: int | None
    reveal: Reveal | None
    answered_here: bool
    """True right after sending, False from the history."""
    shelf: Shelf | None


@dataclass(frozen=True, kw_only=True)
class ToldTask:
    """One writing task that was answered, with its verdicts, as far as the policy reveals them and they are at hand."""

    task: PresentedTask
    judged: tuple[Judged, ...]
    text: str
    """What was sent; empty from the history."""
    answered_here: bool
    """True right after sending, False from the history."""
    progress: Progress | None


@dataclass(frozen=True, kw_only=True)
class Sent:
    """A committed answer, and how far the person is now."""

    receipt: Receipt
    shelves: tuple[Shelf, ...]


def fetch_home(desk: Desk) -> Home:
    session = desk.open()
    draft, history = desk.draft(), desk.history()
    return Home(
        session=session,
        shelves=desk.shelves(),
        draft=draft,
        drafted=desk.present(draft.puzzle_id) if draft else None,
        answers=len(history),
        last=history[0] if history else None,
    )


def fetch_puzzle(desk: Desk, complexity: int | None, puzzle_id: str | None) -> Opened | OpenedTask | None:
    """Return one item by its id, or else the next puzzle of a length; None when all of that length are answered."""
    return _opened(desk, desk.present(puzzle_id) if puzzle_id else desk.next(complexity))


def fetch_task(desk: Desk) -> Opened | OpenedTask | None:
    """Return the next writing task; None when all are answered."""
    return _opened(desk, desk.next_task())


def _opened(desk: Desk, presented: Presented | PresentedTask | None) -> Opened | OpenedTask | None:
    if presented is None:
        return None
    draft = desk.draft()
    mine = draft if draft is not None and draft.puzzle_id == presented.puzzle_id else None
    if isinstance(presented, PresentedTask):
        return OpenedTask(task=presented, draft=mine, progress=writing_progress(desk.shelves()))
    return Opened(presented=presented, draft=mine, shelf=shelf_of(desk.shelves(), presented.payload.complexity))


def send(desk: Desk, answer: Answer) -> Sent:
    return Sent(receipt=desk.submit(answer), shelves=desk.shelves())


def fetch_told(desk: Desk, past: Past) -> Told | ToldTask:
    presented = desk.present(past.puzzle_id)
    if isinstance(presented, PresentedTask):
        return ToldTask(task=presented, judged=(), text="", answered_here=False, progress=None)
    return Told(
        presented=presented, answer=past.answer, confidence=past.confidence,
        reveal=desk.reveal(past.answer_id), answered_here=False, shelf=None,
    )  # fmt: skip


def shelf_of(shelves: tuple[Shelf, ...], complexity: int) -> Shelf | None:
    """Return the shelf of hidden systems of one length."""
    return next((shelf for shelf in shelves if shelf.complexity == complexity and shelf.family != FAMILY), None)
