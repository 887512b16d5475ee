"""One person's work on one puzzle, apart from any widget: what is chosen, noted, filtered, and how long it was seen."""

from __future__ import annotations

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


class Attempt:
    """The state that a draft holds and an answer is made of."""

    def __init__(self, opened: Opened, session: Session, moments: Moments) -> None:
        self.presented, self.session, self.shelf = opened.presented, session, opened.shelf
        self.words = Words(opened.presented.legend)
        self.rows: tuple[EvidenceRow, ...] = evidence_rows(opened.presented.payload)
        draft = opened.draft or Draft(puzzle_id=opened.presented.puzzle_id)
        self.resumed = opened.draft is not None
        self.answer: Label | None = draft.answer
        self.confidence = draft.confidence if draft.confidence in SURENESS else None
        self.notes, self.filter = draft.notes, draft.filter
        self.sort: Sort = read_sort(draft.sort)
        self.clock = VisibleClock(moments.monotonic, draft.visible_ms)
        now = moments.now()
        self.answer_id = draft.answer_id or uuid7(now, moments.chance(10))
        self.shown_at = _shown_at(draft.answer_id) or stamp(now)
        self._sealed: Answer | None = None

    def draft(self) -> Draft:
        return Draft(
            puzzle_id=self.presented.puzzle_id, answer=self.answer, confidence=self.confidence, notes=self.notes,
            filter=self.filter, sort=self.sort, visible_ms=self.clock.visible_ms(), answer_id=self.answer_id,
        )  # fmt: skip

    def be_surer(self, more: int) -> None:
        """Change the confidence by so many percent, within its bounds; the first time it starts at the lowest."""
        wanted = LEAST_SURE if self.confidence is None else self.confidence + more
        self.confidence = min(max(wanted, LEAST_SURE), MOST_SURE)

    def missing(self) -> str:
        """Return what is still needed before the answer can be sent; empty when nothing is."""
        if self.answer is None:
            return "choose an outcome first"
        return "" if self.confidence is not None else "say how sure you are first: 5 6 7 8 9 0"

    def seal(self) -> Answer:
        """Return the answer; the very same one again while nothing in it has changed, so that a retry is a retry."""
        assert self.answer is not None
        told = (self.answer, self.confidence, self.notes)
        if self._sealed is None or (self._sealed.answer, self._sealed.confidence, self._sealed.notes) != told:
            self._sealed = Answer(
                answer_id=self.answer_id, puzzle_id=self.presented.puzzle_id,
                rendering_id=self.presented.rendering_id, text_sha=self.presented.text_sha, answer=self.answer,
                confidence=self.confidence, shown_at=self.shown_at, response_ms=self.clock.visible_ms(),
                notes=self.notes,
            )  # fmt: skip
        return self._sealed


def _shown_at(answer_id: str) -> str:
    """Return when the answer's id was made, which is when the puzzle was first shown; empty for a foreign id."""
    try:
        return stamp(moment_of(answer_id))
    except ValueError:
        return ""
