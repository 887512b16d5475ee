"""Committing what a participant does with an item: an answer, a revision, a turn, a skip, a timeout."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.conversation import Conversation
from engine.errors import ConflictError, UsageError, quoted
from engine.public import Answer, Draft, Happening, Presented, PresentedTask, Receipt
from engine.sitting import OPENING, REASONS, require_same_text
from engine.store.answer_rows import AttemptRow, EventRow, TurnRow
from engine.store.answers import Answers
from engine.store.clock import Clock, uuid7
from engine.study import marks
from engine.study.bundle import Place
from engine.study.entering import assignment_id
from engine.study.manifest import Manifest
from engine.study.ordering import Slot
from engine.study.showing import Shower
from engine.study.sittings import Sittings

TEN = 10
ANSWERED = "answered"
"""Kind of the event that goes with every answer; its data name the answer that it revises."""


class Submitter:
    """Writes the answers of one sitting."""

    def __init__(
        self, answers: Answers, shower: Shower, sittings: Sittings, manifest: Manifest, place: Place,
        slots: Sequence[Slot], *, clock: Clock,
    ) -> None:  # fmt: skip
        self.answers = answers
        self._shower, self._sittings, self._manifest = shower, sittings, manifest
        self._place, self._clock = place, clock
        self._slots = {slot.puzzle_id: nth for nth, slot in enumerate(slots)}
        self._last: AttemptRow | None = None
        """The answer that may still be revised."""
        self._shown: set[str] = set()

    @property
    def last_puzzle(self) -> str:
        """The item whose answer may still be revised; empty without one."""
        return self._last.puzzle_id if self._last is not None else ""

    def happened(self, happenings: Sequence[Happening]) -> None:
        """Take note of view events: once another item is opened, the last answer is final."""
        opened = {one.puzzle_id for one in happenings if one.kind in OPENING}
        if self._last is not None and opened - {self._last.puzzle_id}:
            self._last = None

    def note_shown(self, puzzle_id: str) -> None:
        """Store, once a sitting, that an item was put before the person."""
        if puzzle_id in self._shown:
            return
        event = self._sittings.event(marks.SHOWN, str(self._slots.get(puzzle_id, -1)), puzzle_id)
        for row in self._sittings.rows_of([event]):
            self.answers.begin_session(row)
        self.answers.append_events([event])
        self._shown.add(puzzle_id)

    def skips_left(self) -> int:
        """Return how many items may still be skipped: so many of ten, rounded up over the whole list."""
        allowed = -(-len(self._slots) * self._manifest.skips_per_ten // TEN)
        skipped = {
            row.puzzle_id
            for row in self.answers.attempts(self._place.id, self._slots.keys())
            if row.answer == "SKIP" and not self._timed_out(row)
        }
        return max(allowed - len(skipped), 0)

    def _timed_out(self, row: AttemptRow) -> bool:
        return any(e.kind == marks.TIMEOUT and e.puzzle_id == row.puzzle_id for e in self.answers.events(row.session))

    def submit(self, answer: Answer, *, practice: bool) -> Receipt:
        """Commit one answer, turn or skip."""
        earlier = self.answers.attempts_on(self._place.id, answer.puzzle_id)
        again = next((row for row in earlier if row.id == answer.answer_id), None)
        if again is None and answer.answer == "SKIP":
            self._require_skip(answer)
        if self._shower.is_writing(answer.puzzle_id):
            return self._submit_text(answer, again, earlier, practice=practice)
        shown = self._shower.system(answer.puzzle_id)
        require_same_text(answer, shown, "the one of this study")
        saved = self._save(
            answer, self._sittings.of(practice, answer.puzzle_id).id, (), self._nth(answer, again, earlier),
            practice=practice,
        )  # fmt: skip
        return Receipt(answer_id=saved.id, answered_at=saved.answered_at, reveal=None)

    def expire(self, draft: Draft) -> Receipt:
        """Commit that an item ran out of time."""
        shown: Presented | PresentedTask
        if self._shower.is_writing(draft.puzzle_id):
            shown = self._shower.task(self._conversation(draft.puzzle_id))
        else:
            shown = self._shower.system(draft.puzzle_id)
        answer = Answer(
            answer_id=draft.answer_id or uuid7(), puzzle_id=draft.puzzle_id, rendering_id=shown.rendering_id,
            text_sha=shown.text_sha, answer="SKIP", confidence=None, shown_at=self._clock(),
            response_ms=draft.visible_ms,
        )  # fmt: skip
        event = self._sittings.event(marks.TIMEOUT, msgspec.json.encode(draft).decode(), draft.puzzle_id)
        earlier = self.answers.attempts_on(self._place.id, draft.puzzle_id)
        again = next((row for row in earlier if row.id == answer.answer_id), None)
        if again is not None:
            # The answer came first, in the very tick in which the time ran out: it stays, and it is the only one.
            return Receipt(answer_id=again.id, answered_at=again.answered_at, reveal=None)
        saved = self.answers.save(
            self._attempt(answer, self._home(draft.puzzle_id), self._nth(answer, None, earlier), practice=False),
            events=[event], session=self._sittings.home(draft.puzzle_id),
        )  # fmt: skip
        self._last = None
        return Receipt(answer_id=saved.id, answered_at=saved.answered_at, reveal=None)

    def _submit_text(
        self, answer: Answer, again: AttemptRow | None, earlier: Sequence[AttemptRow], *, practice: bool
    ) -> Receipt:
        nth = self._nth(answer, again, earlier)
        conversation = self._conversation(answer.puzzle_id, again)
        stands = conversation.has(answer)
        if not stands:
            require_same_text(answer, self._shower.task(conversation), "the one of this study")
        session = self._sittings.of(practice, answer.puzzle_id)
        rows = conversation.rows_for(answer, session=session.id, now=self._clock(), attempt_no=nth)
        closes = conversation.closes(answer)
        if closes:
            whole = msgspec.structs.replace(answer, response_ms=answer.response_ms + conversation.visible_ms)
            self.answers.begin_session(session)
            saved = self._save(whole, conversation.session(session.id), rows, nth, practice=practice)
            if len(conversation.asked) > 1:
                self._last = None
            return Receipt(answer_id=answer.answer_id, answered_at=saved.answered_at, reveal=None)
        self.answers.begin_session(session)
        if not stands:
            self.answers.append_turns(rows)
        return Receipt(answer_id=answer.answer_id, answered_at=self._clock(), reveal=None, next_turn=answer.turn + 1)

    def _conversation(self, puzzle_id: str, finished: AttemptRow | None = None) -> Conversation:
        if finished is None:
            return self._shower.conversation(self.answers, self._place.id, puzzle_id)
        rows: Sequence[TurnRow] = self.answers.turns(finished.session, puzzle_id, finished.attempt_no)
        return Conversation(puzzle_id=puzzle_id, asked=self._shower.asked(puzzle_id), rows=tuple(rows))

    def _home(self, puzzle_id: str) -> str:
        """Return the session to which an answer belongs: where its conversation was begun, else this one."""
        here = self._sittings.home(puzzle_id).id
        return self._conversation(puzzle_id).session(here) if self._shower.is_writing(puzzle_id) else here

    def _nth(self, answer: Answer, again: AttemptRow | None, earlier: Sequence[AttemptRow]) -> int:
        """Return which attempt on its item an answer is, from 1.

        Raises:
            ConflictError: the item was answered, and this is neither the same again, nor an allowed revision, nor the
                first answer after its block was begun anew.
        """
        if again is not None:
            return again.attempt_no
        if not earlier:
            return 1
        revises = self._last is not None and answer.revises == self._last.id == earlier[-1].id
        restarted = earlier[-1].session != self._sittings.home(answer.puzzle_id).id and not answer.revises
        if (revises and self._manifest.undo) or restarted:
            return earlier[-1].attempt_no + 1
        raise ConflictError(f"item {answer.puzzle_id!r} was answered before; the first answer stays")

    def _require_skip(self, answer: Answer) -> None:
        if answer.reason not in REASONS:
            raise UsageError(f"a skip needs a reason, one of {', '.join(REASONS)}, not {quoted(answer.reason)}")
        if self.skips_left() < 1:
            raise UsageError("no skip is left; stop here instead, what you answered is kept")

    def _save(self, answer: Answer, session: str, turns: Sequence[TurnRow], nth: int, *, practice: bool) -> AttemptRow:
        attempt = self._attempt(answer, session, nth, practice=practice)
        saved = self.answers.save(
            attempt, turns=turns, events=self._events(answer), session=self._sittings.of(practice, answer.puzzle_id)
        )
        self._last = None if practice else saved
        return saved

    def _events(self, answer: Answer) -> list[EventRow]:
        """Return the events that go with an answer, in its transaction."""
        kind, data = (marks.SKIPPED, str(answer.reason)) if answer.answer == "SKIP" else (ANSWERED, answer.revises)
        return [self._sittings.event(kind, data, answer.puzzle_id)]

    def _attempt(self, answer: Answer, session: str, nth: int, *, practice: bool) -> AttemptRow:
        study = self._sittings.collect.manifest_sha
        assigned = answer.puzzle_id in self._slots
        return AttemptRow(
            id=answer.answer_id, session=session, solver=self._place.id, puzzle_id=answer.puzzle_id,
            puzzle_sha=self._shower.payload_sha(answer.puzzle_id), rendering_id=answer.rendering_id,
            text_sha=answer.text_sha, attempt_no=nth, answer=answer.answer, confidence=answer.confidence,
            shown_at=answer.shown_at, answered_at=self._clock(), response_ms=answer.response_ms, notes=answer.notes,
            assignment=assignment_id(study, self._place.id, answer.puzzle_id) if assigned else None,
        )  # fmt: skip
