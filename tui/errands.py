"""What the clerk is sent to the desk for: each errand is one function that blocks, run on the clerk's thread."""

from __future__ import annotations

from dataclasses import dataclass

from engine.public import Answer, Desk, Draft, Past, Presented, Receipt, Reveal, Session, Shelf
from tui.attempt import Opened


@dataclass(frozen=True, kw_only=True)
class Home:
    """All that the home screen tells."""

    session: Session
    shelves: tuple[Shelf, ...]
    draft: Draft | None
    draft_title: str
    draft_complexity: int
    answers: int
    last_complexity: int | None


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
class Sent:
    """A committed answer, and how far the person is now."""

    receipt: Receipt
    shelf: Shelf | None


def fetch_home(desk: Desk) -> Home:
    session = desk.open()
    draft, history = desk.draft(), desk.history()
    drafted = desk.present(draft.puzzle_id) if draft else None
    return Home(
        session=session,
        shelves=desk.shelves(),
        draft=draft,
        draft_title=drafted.legend.title if drafted else "",
        draft_complexity=drafted.payload.complexity if drafted else 0,
        answers=len(history),
        last_complexity=history[0].complexity if history else None,
    )


def fetch_puzzle(desk: Desk, complexity: int | None, puzzle_id: str | None) -> Opened | None:
    """Return one puzzle by its id, or else the next one of a length; None when all of that length are answered."""
    presented = desk.present(puzzle_id) if puzzle_id else desk.next(complexity)
    if presented is None:
        return None
    draft = desk.draft()
    mine = draft if draft is not None and draft.puzzle_id == presented.puzzle_id else None
    return Opened(presented=presented, draft=mine, shelf=_shelf(desk, presented.payload.complexity))


def send(desk: Desk, answer: Answer, complexity: int) -> Sent:
    receipt = desk.submit(answer)
    return Sent(receipt=receipt, shelf=_shelf(desk, complexity))


def fetch_told(desk: Desk, past: Past) -> Told:
    return Told(
        presented=desk.present(past.puzzle_id), answer=past.answer, confidence=past.confidence,
        reveal=desk.reveal(past.answer_id), answered_here=False, shelf=None,
    )  # fmt: skip


def _shelf(desk: Desk, complexity: int) -> Shelf | None:
    return next((shelf for shelf in desk.shelves() if shelf.complexity == complexity), None)
