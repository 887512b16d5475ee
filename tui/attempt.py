"""One person's work on one puzzle, apart from any widget: the answer, the board, the view, and how long it was seen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.hidden_systems.behavior import EvidenceRow, Label, evidence_rows
from engine.public import Answer, Draft, Presented, Reason, Session
from tui.board import MOST_PINS, Board, BoardView, board_view_text, read_board_view
from tui.columns import Sort, read_sort
from tui.marking import fitting
from tui.moments import Moments, VisibleClock, moment_of, stamp, uuid7
from tui.steps import Steps
from tui.terms import NO_STUDY, Terms
from tui.wording import Words

if TYPE_CHECKING:
    from tui.courses import Course

SURENESS = tuple(range(50, 101, 5))
"""Below 50 means: take the other outcome."""
LEAST_SURE, MOST_SURE = SURENESS[0], SURENESS[-1]


@dataclass(frozen=True, kw_only=True)
class Opened:
    """What the desk gave for one puzzle."""

    presented: Presented
    draft: Draft | None
    course: Course | None
    skips_left: int = 0
    terms: Terms = NO_STUDY


class Work(ABC):
    """What puzzles and writing tasks share: the clock, the id, and an answer that is sealed once."""

    skips_left = 0
    """Items of the pack that may still be skipped."""
    terms = NO_STUDY

    def __init__(self, draft: Draft | None, session: Session, moments: Moments) -> None:
        self.session = session
        self.resumed = draft is not None
        self.clock = VisibleClock(moments.monotonic, draft.visible_ms if draft else 0)
        now = moments.now()
        known = draft.answer_id if draft else ""
        self.answer_id = known or uuid7(now, moments.chance(10))
        self.shown_at = _shown_at(known) or stamp(now)
        self.revises = ""
        """Id of the stored answer that this one takes the place of."""
        self._moments = moments
        self._sealed: Answer | None = None
        self.sent: Answer | None = None
        """What was handed over last to be stored."""

    @property
    @abstractmethod
    def puzzle_id(self) -> str:
        """The public id of the puzzle or task."""

    @property
    def aid(self) -> str:
        """What is in view beside the text, by its name for this family."""
        return self.session.aid

    @property
    @abstractmethod
    def may_revise(self) -> bool:
        """Whether an answer that was sent may still be changed."""

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

    def skip(self, reason: Reason) -> Answer:
        """Return the answer that says that this item is skipped."""
        answer = self._answer(self.clock.visible_ms())
        return replace(answer, answer="SKIP", confidence=None, raw=None, reason=reason)

    def revise(self) -> None:
        """Go on with this item after its answer was stored: what is sent next takes that one's place."""
        self.revises, self._sealed = self.answer_id, None
        self.answer_id = uuid7(self._moments.now(), self._moments.chance(10))


class Attempt(Work):
    """The state that a draft holds and an answer is made of."""

    def __init__(self, opened: Opened, session: Session, moments: Moments) -> None:
        super().__init__(opened.draft, opened.terms.applied(session), moments)
        self.presented, self.course, self.skips_left = opened.presented, opened.course, opened.skips_left
        self.terms = opened.terms
        self.words = Words(opened.presented.legend)
        self.rows: tuple[EvidenceRow, ...] = evidence_rows(opened.presented.payload)
        draft = opened.draft or Draft(puzzle_id=opened.presented.puzzle_id)
        self.answer: Label | None = draft.answer
        self.confidence = draft.confidence if draft.confidence in SURENESS else None
        self.filter = draft.filter
        self.sort: Sort = read_sort(draft.sort)
        self.view = read_board_view(draft.view)
        self.steps = Steps(self._fitting(self.view.board, draft.notes))
        self.notes = draft.notes
        """The notes as they are now, while they are being written too."""
        self.look: Callable[[BoardView], BoardView] = lambda view: view
        """Returns a view with what the screen knows of it; the screen puts itself here."""

    def _fitting(self, board: Board, notes: str) -> Board:
        events = self.presented.payload.event_vocabulary
        board = board.fitting({row.case_id for row in self.rows}, events)
        return replace(board, underlines=fitting(board.underlines, self.presented.text), notes=notes)

    @property
    def puzzle_id(self) -> str:
        return self.presented.puzzle_id

    @property
    def board(self) -> Board:
        return self.steps.value

    @property
    def has_table(self) -> bool:
        """Whether the counts stand in a table as well."""
        return self.session.aid != "A0"

    @property
    def has_board(self) -> bool:
        """Whether rows can be pinned, compared, struck out, and events marked and highlighted."""
        return self.session.aid == "A3"

    @property
    def may_revise(self) -> bool:
        """Whether an answer may be changed: in a collection that allows it, until the next item is opened."""
        return self.session.mode == "collect" and self.terms.undo

    @property
    def practises(self) -> bool:
        return self.session.mode == "practice"

    def pinned(self) -> tuple[EvidenceRow, ...]:
        """Return the pinned rows in the order in which they were pinned."""
        rows = {row.case_id: row for row in self.rows}
        return tuple(rows[pin] for pin in self.board.pins)

    def made_room(self, before: tuple[EvidenceRow, ...]) -> str:
        """Say which of the rows pinned before a step made room for a new one; nothing where none did."""
        pins = self.board.pins
        swapped = len(pins) == len(before) and pins and pins[-1] not in {row.case_id for row in before}
        return f"row {before[0].nth} made room: {MOST_PINS} pins at most" if swapped else ""

    def draft(self) -> Draft:
        self.view = replace(self.look(self.view), board=self.board)
        return Draft(
            puzzle_id=self.puzzle_id, answer=self.answer, confidence=self.confidence, notes=self.notes,
            filter=self.filter, sort=self.sort, visible_ms=self.clock.visible_ms(), answer_id=self.answer_id,
            view=board_view_text(self.view),
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
        return Answer(
            answer_id=self.answer_id, puzzle_id=self.puzzle_id, rendering_id=self.presented.rendering_id,
            text_sha=self.presented.text_sha, answer=self.answer, confidence=self.confidence,
            shown_at=self.shown_at, response_ms=response_ms, notes=self.notes, revises=self.revises,
        )  # fmt: skip


def _shown_at(answer_id: str) -> str:
    """Return when the answer's id was made, which is when the puzzle was first shown; empty for a foreign id."""
    try:
        return stamp(moment_of(answer_id))
    except ValueError:
        return ""
