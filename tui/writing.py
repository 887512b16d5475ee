"""One person's work on one writing task, apart from any widget: the text so far, and how far all tasks are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.public import Answer, Draft, PresentedTask, Session, Shelf
from tui.attempt import Work
from tui.moments import Moments

FAMILY = "instruction-adherence"
"""The family of writing tasks on a shelf."""


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far one is with all writing tasks, whatever their number of requirements."""

    answered: int
    tasks: int
    fewest: int
    """Requirements of the easiest."""
    most: int

    @property
    def done(self) -> bool:
        return self.answered >= self.tasks


def writing_progress(shelves: Sequence[Shelf]) -> Progress | None:
    """Return the shelves of writing tasks taken together; None where there are none."""
    mine = [shelf for shelf in shelves if shelf.family == FAMILY and shelf.puzzles]
    if not mine:
        return None
    sizes = [shelf.complexity for shelf in mine]
    return Progress(
        answered=sum(shelf.answered for shelf in mine),
        tasks=sum(shelf.puzzles for shelf in mine),
        fewest=min(sizes),
        most=max(sizes),
    )


@dataclass(frozen=True, kw_only=True)
class OpenedTask:
    """What the desk gave for one writing task."""

    task: PresentedTask
    draft: Draft | None
    progress: Progress | None


class Writing(Work):
    """The text, read at the moment it is needed from whoever holds it: an editor, or else the draft."""

    def __init__(self, opened: OpenedTask, session: Session, moments: Moments) -> None:
        super().__init__(opened.draft, session, moments)
        self.task, self.progress = opened.task, opened.progress
        kept = opened.draft.text if opened.draft else ""
        self.read: Callable[[], str] = lambda: kept

    @property
    def puzzle_id(self) -> str:
        return self.task.puzzle_id

    @property
    def text(self) -> str:
        return self.read()

    @property
    def counts(self) -> bool:
        """Whether words and lines are counted while one writes: an aid of practice."""
        return self.session.mode == "practice" and self.session.aid != "A0"

    @property
    def lists(self) -> bool:
        """Whether the requirements are listed beside the text."""
        return self.counts and self.session.aid != "A1"

    @property
    def checks(self) -> bool:
        """Whether the text is checked while one writes."""
        return self.session.mode == "practice" and self.session.aid == "A3"

    def draft(self) -> Draft:
        return Draft(
            puzzle_id=self.puzzle_id, visible_ms=self.clock.visible_ms(), answer_id=self.answer_id, text=self.text
        )

    def unsent(self) -> bool:
        return bool(self.text)

    def missing(self) -> str:
        return "" if self.text.strip() else "write something first"

    def _answer(self, response_ms: int) -> Answer:
        return Answer(
            answer_id=self.answer_id, puzzle_id=self.puzzle_id, rendering_id=self.task.rendering_id,
            text_sha=self.task.text_sha, answer=None, confidence=None, shown_at=self.shown_at,
            response_ms=response_ms, raw=self.text,
        )  # fmt: skip
