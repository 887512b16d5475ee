"""One person's work on one turn of a writing task, apart from any widget: the text, the conflict box, marks, ticks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from engine.public import Answer, Draft, PresentedTask, Session, Shelf
from tui.attempt import Work
from tui.conflict import Conflict, read_conflict
from tui.marking import Mark, fitting
from tui.messages import Pane
from tui.moments import Moments
from tui.steps import Steps
from tui.terms import NO_STUDY, Terms

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

    def said(self) -> str:
        """Return how far one is after a text was sent, such as `saved, 4 of 12 writing tasks answered`."""
        done = f"saved, {self.answered} of {self.tasks} writing tasks answered"
        return f"{done}: all done" if self.done else done


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
    skips_left: int = 0
    """How many items of the pack may still be skipped."""
    terms: Terms = NO_STUDY


class Own(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the person marks for themselves; nobody computes anything of it."""

    marks: dict[int, tuple[Mark, ...]] = {}
    """Underlines in what the user says, by turn."""
    ticks: tuple[int, ...] = ()
    """Requirements ticked by hand, by their place in the turn."""


class View(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the screen was left."""

    cursor: tuple[int, int] = (-1, -1)
    """Line and column; negative for the end of the text."""
    scroll: int = 0
    """First line of the text in sight, wrapped as it was."""
    pane: Pane = "brief"
    own: Own = Own()


def read_view(text: str) -> View:
    """Return what a draft keeps of the view; a fresh one for anything else."""
    try:
        return msgspec.json.decode(text or "{}", type=View)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return View()


class Writing(Work):
    """The turn at hand; text and view are read at the moment they are needed from whoever holds them."""

    goes_on = False
    """Whether the turn before it was sent just now."""

    def __init__(self, opened: OpenedTask, session: Session, moments: Moments) -> None:
        kept = opened.draft if opened.draft is not None and opened.draft.turn == opened.task.turn else None
        super().__init__(kept, opened.terms.applied(session), moments)
        self.task, self.progress, self.skips_left = opened.task, opened.progress, opened.skips_left
        draft = kept or Draft(puzzle_id=opened.task.puzzle_id, turn=opened.task.turn)
        self.read: Callable[[], str] = lambda: draft.text
        self.view = read_view(draft.view)
        self.look: Callable[[View], View] = lambda view: view
        """Returns a view with what the screen knows of it; the screen puts itself here."""
        self.terms = opened.terms
        self.confidence = draft.confidence
        """How sure the person is of the text; None while that was not said, or is not asked."""
        self.conflict: Conflict = read_conflict(draft.conflict)
        self.own = Steps(self._fitting(self.view.own))

    def _fitting(self, own: Own) -> Own:
        """Return marks and ticks without those that fit nothing of this task."""
        briefs = self.briefs()
        marks = {turn: fitting(marks, briefs[turn]) for turn, marks in own.marks.items() if turn in briefs}
        known = {one.nth for one in self.task.requirements}
        return Own(marks=marks, ticks=tuple(nth for nth in own.ticks if nth in known))

    def of_turn(self, what: str) -> str:
        """Name something of the turn at hand, such as `brief of turn 2`; over one turn its name is enough."""
        return what if self.task.turns == 1 else f"{what} of turn {self.task.turn}"

    def briefs(self) -> dict[int, str]:
        """Return what the user said so far, by turn."""
        return {**{one.turn: one.asked for one in self.task.earlier}, self.task.turn: self.task.text}

    @property
    def puzzle_id(self) -> str:
        return self.task.puzzle_id

    @property
    def text(self) -> str:
        return self.read()

    @property
    def aid(self) -> str:
        """The session's aid by its name for this family, such as `B3`."""
        return f"B{self.session.aid[-1]}"

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
        """Whether the text is checked while one writes, and the list says what is in force."""
        return self.session.mode == "practice" and self.session.aid == "A3"

    def mark(self, turn: int, marks: tuple[Mark, ...]) -> bool:
        """Take new underlines for a turn; return whether anything changed."""
        own = self.own.value
        return self.own.put(msgspec.structs.replace(own, marks={**own.marks, turn: marks}))

    def tick(self, nth: int) -> None:
        """Turn over the tick of a requirement."""
        own = self.own.value
        ticks = tuple(one for one in own.ticks if one != nth) if nth in own.ticks else (*own.ticks, nth)
        self.own.put(msgspec.structs.replace(own, ticks=ticks))

    def draft(self) -> Draft:
        view = msgspec.structs.replace(self.look(self.view), own=self.own.value)
        return Draft(
            puzzle_id=self.puzzle_id, visible_ms=self.clock.visible_ms(), answer_id=self.answer_id, text=self.text,
            turn=self.task.turn, conflict=self.conflict.text(), confidence=self.confidence,
            view=msgspec.json.encode(view).decode(),
        )  # fmt: skip

    def unsent(self) -> bool:
        return bool(self.text)

    @property
    def may_revise(self) -> bool:
        """Whether a text that was sent may be changed: in a collection, where nothing was built on it since."""
        return self.session.mode == "collect" and self.terms.undo and self.task.turns == 1

    @property
    def asks_sureness(self) -> bool:
        """Whether a study asks how sure one is, with the last text of the item."""
        return bool(self.terms.question) and self.task.turn == self.task.turns

    def missing(self) -> str:
        return "" if self.text.strip() else "write something first"

    def following(self, task: PresentedTask, moments: Moments) -> Writing:
        """Return the work on the next turn of the same conversation: a text and a clock of its own."""
        own = msgspec.structs.replace(self.own.value, ticks=())
        view = msgspec.json.encode(View(pane=self.view.pane, own=own)).decode()
        draft = Draft(puzzle_id=task.puzzle_id, turn=task.turn, answer_id=self.answer_id, view=view)
        opened = OpenedTask(
            task=task, draft=draft, progress=self.progress, skips_left=self.skips_left, terms=self.terms
        )  # fmt: skip
        work = Writing(opened, self.session, moments)
        work.resumed, work.goes_on = False, True
        return work

    def _answer(self, response_ms: int) -> Answer:
        return Answer(
            answer_id=self.answer_id, puzzle_id=self.puzzle_id, rendering_id=self.task.rendering_id,
            text_sha=self.task.text_sha, answer=None, shown_at=self.shown_at,
            response_ms=response_ms, raw=self.text, turn=self.task.turn, revises=self.revises,
            confidence=self.confidence if self.asks_sureness else None,
        )  # fmt: skip
