"""What the clerk is sent to the desk for: each errand is one function that blocks, run on the clerk's thread."""

from __future__ import annotations

from dataclasses import dataclass

from engine.public import (
    Answer,
    Desk,
    Draft,
    Hint,
    Past,
    Presented,
    PresentedTask,
    Receipt,
    Reveal,
    Reviewed,
    Session,
    Shelf,
    Standing,
)
from tui.attempt import Opened
from tui.courses import Course, course_of, courses
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
    standing: Standing | None = None
    """Where the player stands today; None in a collection, or where that is not wanted."""

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
    course: Course | None


@dataclass(frozen=True, kw_only=True)
class ToldTask:
    """One writing task that was answered, with its verdicts, as far as the policy reveals them and they are at hand."""

    task: PresentedTask
    turns: tuple[Reviewed, ...]
    """What was asked and written, turn by turn, with verdicts where the policy reveals them."""
    answered_here: bool
    """True right after sending, False from the history."""
    progress: Progress | None
    skipped: bool = False


@dataclass(frozen=True, kw_only=True)
class Sent:
    """A committed answer, and how far the person is now."""

    receipt: Receipt
    shelves: tuple[Shelf, ...]
    following: PresentedTask | None = None
    """The conversation at its next turn; None when the item is answered."""
    review: tuple[Reviewed, ...] = ()
    """All turns of a writing task that is answered now."""


def fetch_home(desk: Desk, players: bool = True) -> Home:
    """Return what home tells; `players` is whether daily puzzle, ladder and streak are wanted."""
    session = desk.open()
    draft, history = desk.draft(), desk.history()
    return Home(
        session=session,
        shelves=desk.shelves(),
        draft=draft,
        drafted=desk.present(draft.puzzle_id) if draft else None,
        answers=len(history),
        last=history[0] if history else None,
        standing=desk.players().standing() if players and session.mode == "practice" else None,
    )


@dataclass(frozen=True, kw_only=True)
class Left:
    """The app as it was left: the session, and the item that was being worked on."""

    session: Session
    item: Opened | OpenedTask | None


def fetch_left(desk: Desk) -> Left:
    """Return the item that was left unfinished last, and nothing of home, which is fetched when it is gone to."""
    session, draft = desk.open(), desk.draft()
    return Left(session=session, item=fetch_puzzle(desk, None, draft.puzzle_id) if draft is not None else None)


def fetch_puzzle(desk: Desk, complexity: int | None, puzzle_id: str | None) -> Opened | OpenedTask | None:
    """Return one item by its id, or else the next puzzle of a length; None when all of that length are answered."""
    return _opened(desk, desk.present(puzzle_id) if puzzle_id else desk.next(complexity))


def fetch_task(desk: Desk, kind: str | None = None) -> Opened | OpenedTask | None:
    """Return the next writing task, of one kind if given; None when all are answered."""
    return _opened(desk, desk.next_task(kind=kind))


def _opened(desk: Desk, presented: Presented | PresentedTask | None) -> Opened | OpenedTask | None:
    if presented is None:
        return None
    mine = desk.draft(presented.puzzle_id)
    if isinstance(presented, PresentedTask):
        progress = writing_progress(desk.shelves())
        return OpenedTask(task=presented, draft=mine, progress=progress, skips_left=desk.skips_left())
    collects = desk.open().mode == "collect"
    return Opened(
        presented=presented,
        draft=mine,
        course=course_of(desk.shelves(), presented.payload.complexity, collects=collects),
        skips_left=desk.skips_left(),
    )


def send(desk: Desk, answer: Answer) -> Sent:
    """Commit an answer, then fetch what comes after it; a failure there is repaired by sending the same once more."""
    receipt = desk.submit(answer)
    following = desk.present(answer.puzzle_id) if receipt.next_turn is not None else None
    return Sent(
        receipt=receipt,
        shelves=desk.shelves(),
        following=following if isinstance(following, PresentedTask) else None,
        review=desk.review(answer.puzzle_id) if answer.raw is not None and following is None else (),
    )


def fetch_told(desk: Desk, past: Past) -> Told | ToldTask:
    presented = desk.present(past.puzzle_id)
    if isinstance(presented, PresentedTask):
        turns = desk.review(past.puzzle_id)
        return ToldTask(task=presented, turns=turns, answered_here=False, progress=None)
    return Told(
        presented=presented, answer=past.answer, confidence=past.confidence,
        reveal=None if desk.open().mode == "collect" else desk.reveal(past.answer_id), answered_here=False,
        course=None,
    )  # fmt: skip


def fetch_done(desk: Desk) -> tuple[Course, ...]:
    """Return how far one is with everything."""
    return courses(desk.shelves(), collects=desk.open().mode == "collect")


def fetch_hint(desk: Desk, puzzle_id: str, nth: int) -> Hint | None:
    return desk.hint(puzzle_id, nth)
