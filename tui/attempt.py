"""One person's work on one puzzle, apart from any widget: what is chosen, noted, filtered, and how long it was seen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from engine.hidden_systems.behavior import EvidenceRow, Label, evidence_rows
from engine.public import Answer, Draft, Presented, Session, Shelf
from tui.columns import Sort, read_sort
from tui.moments import Moments, VisibleClock, moment_of, stamp, uuid7
from tui.wording import Words

SURENESS = tuple(range(50, 101, 5))
"""Below 50 means: take the other outcome."""
LEAST_SURE, MOST_SURE = SURENESS[0], SURENESS[-1]


@dataclass(frozen=True, kw_only=True)
class Opened:
    """What the desk gave for one puzzle."""

    presented: Presented
    draft: Draft | None
    shelf: Shelf | None


class Work(ABC):
    """What puzzles and writing tasks share: the clock, the id, and an answer that is sealed once."""

    def __init__(self, draft: Draft | None, session: Session, moments: Moments) -> None:
        self.session = session
        self.resumed = draft is not None
        self.clock = VisibleClock(moments.monotonic, draft.visible_ms if draft else 0)
        now = moments.now()
        known = draft.answer_id if draft else ""
        self.answer_id = known or uuid7(now, moments.chance(10))
        self.shown_at = _shown_at(known) or stamp(now)
        self._sealed: Answer | None = None

    @property
    @abstractmethod
    def puzzle_id(self) -> str:
        """The public id of the puzzle or task."""

    @abstractmethod
    def draft(self) -> Draft:
        """Return what is unsent, as it is now."""

    @abstractmethod
    def unsent(self) -> bool:
        """Say whether there is something that one might think was sent."""

    @abstractmethod
    def missing(self) -> str:
        """Return what is still needed before the answer can be sent; empty when nothing is."""

    @abstractmethod
    def _answer(self, response_ms: int) -> Answer:
        """Return the answer as it is now."""

    def seal(self) -> Answer:
        """Return the answer; the very same one again while nothing in it has changed, so that a retry is a retry."""
        if self._sealed is None or self._sealed != self._answer(self._sealed.response_ms):
            self._sealed = self._answer(self.clock.visible_ms())
        return self._sealed


class Attempt(Work):
    """The state that a draft holds and an answer is made of."""

    def __init__(self, opened: Opened, session: Session, moments: Moments) -> None:
        super().__init__(opened.draft, session, moments)
        self.presented, self.shelf = opened.presented, opened.shelf
        self.words = Words(opened.presented.legend)
        self.rows: tuple[EvidenceRow, ...] = evidence_rows(opened.presented.payload)
        draft = opened.draft or Draft(puzzle_id=opened.presented.puzzle_id)
        self.answer: Label | None = draft.answer
        self.confidence = draft.confidence if draft.confidence in SURENESS else None
        self.notes, self.filter = draft.notes, draft.filter
        self.sort: Sort = read_sort(draft.sort)

    @property
    def puzzle_id(self) -> str:
        return self.presented.puzzle_id

    def draft(self) -> Draft:
        return Draft(
            puzzle_id=self.puzzle_id, answer=self.answer, confidence=self.confidence, notes=self.notes,
            filter=self.filter, sort=self.sort, visible_ms=self.clock.visible_ms(), answer_id=self.answer_id,
        )  # fmt: skip

    def unsent(self) -> bool:
        return self.answer is not None

    def be_surer(self, more: int) -> None:
        """Change the confidence by so many percent, within its bounds; the first time it starts at the lowest."""
        wanted = LEAST_SURE if self.confidence is None else self.confidence + more
        self.confidence = min(max(wanted, LEAST_SURE), MOST_SURE)

    def missing(self) -> str:
        if self.answer is None:
            return "choose an outcome first"
        return "" if self.confidence is not None else "say how sure you are first: 5 6 7 8 9 0"

    def _answer(self, response_ms: int) -> Answer:
        assert self.answer is not None
        return Answer(
            answer_id=self.answer_id, puzzle_id=self.puzzle_id, rendering_id=self.presented.rendering_id,
            text_sha=self.presented.text_sha, answer=self.answer, confidence=self.confidence,
            shown_at=self.shown_at, response_ms=response_ms, notes=self.notes,
        )  # fmt: skip


def _shown_at(answer_id: str) -> str:
    """Return when the answer's id was made, which is when the puzzle was first shown; empty for a foreign id."""
    try:
        return stamp(moment_of(answer_id))
    except ValueError:
        return ""
