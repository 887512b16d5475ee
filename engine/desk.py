"""The one door through which people and models get puzzles and give answers.

In practice the desk opens the sealed file only after the answer's commit was seen by a fresh connection, and closes it
before the next puzzle is handed out. In collection, and for every model, it opens the pack and the answers only.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

import msgspec
from msgspec.structs import replace

from engine.answering import attempt_row, event_rows, session_row, told_past, turn_rows
from engine.conversation import Conversation
from engine.errors import ClewError, ConflictError, UsageError, quoted
from engine.feedback import PREPARING, Revealer, with_feedback
from engine.hidden_systems.behavior import LABELS, Label
from engine.hidden_systems.hinting import hint
from engine.hidden_systems.presenting import present_system
from engine.instruction_adherence.presenting import present_task
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.instruction_adherence.writing import read_writing
from engine.items import Items
from engine.public import (
    Aid,
    Answer,
    Asked,
    Draft,
    Happening,
    Hint,
    Judged,
    Mode,
    Past,
    Players,
    Presented,
    PresentedTask,
    Receipt,
    Reveal,
    Reviewed,
    Session,
    Shelf,
)
from engine.randomness import Stream
from engine.sitting import (
    COLLECT,
    PRACTICE,
    LastAnswer,
    Policy,
    require_same_text,
    require_skip,
    skips_left,
)
from engine.store.answer_rows import AttemptRow, DraftRow, EventRow, SessionRow, SolverKind, TurnRow
from engine.store.answers import Answers
from engine.store.backup import back_up
from engine.store.call_rows import ModelCallRow
from engine.store.clock import Clock, utc_now, uuid7
from engine.store.pack import Pack
from engine.store.places import answers_path, pack_path

DEFAULT_PLAYER = "player"


class RealDesk:
    """A desk on a pack for one solver (`engine.public.Desk`). `open` opens the files; use it from one thread."""

    def __init__(
        self,
        *,
        pack: str | None,
        solver: str,
        kind: SolverKind,
        answers: Path | None = None,
        policy: Policy | None = None,
        aid: Aid | None = None,
        clock: Clock = utc_now,
        backs_up: bool = False,
    ) -> None:
        """Prepare a desk.

        Args:
            pack: folder or file; None for the built-in pack.
            policy: None takes the pack's: practice with feedback, or collection for a study pack.
            aid: the aid level in practice; None takes the policy's. A collection refuses any other than its own.
            backs_up: copy the answers file when it is opened.
        """
        self._pack_argument = pack
        self._alias = solver
        self._kind: SolverKind = kind
        self._answers_file = answers
        self._policy = policy
        self._aid = aid
        self._clock = clock
        self._backs_up = backs_up
        self._session: Session | None = None
        self._revealer: Revealer | None = None
        self._calls: tuple[ModelCallRow, ...] = ()
        """The request to a model that gives the answer at hand; stored in the answer's transaction."""

    @classmethod
    def for_player(cls, *, pack: str | None, player: str | None, aid: Aid | None = None) -> Self:
        """Return the desk of a person at the app."""
        return cls(pack=pack, solver=player or DEFAULT_PLAYER, kind="human", aid=aid, backs_up=True)

    def open(self) -> Session:
        """Open pack and answers and begin a session; a second call returns the same one."""
        self._check_name()
        if self._session is None:
            with ExitStack() as files:
                self._session = self._open(files)
                self._files = files.pop_all()
        return self._session

    def mode(self) -> Mode:
        """Return the mode that a session here would have; it opens the pack alone, and begins nothing."""
        self._check_name()
        with Pack.open(pack_path(self._pack_argument)) as pack:
            return self._policy_on(pack).mode

    def _check_name(self) -> None:
        if self._kind == "human" and ":" in self._alias:
            raise UsageError(f"the name {quoted(self._alias)} has a colon, as programs' names do; take one without")

    def _policy_on(self, pack: Pack) -> Policy:
        return self._policy or (COLLECT if pack.meta.get("kind") == "study" else PRACTICE)

    def _open(self, files: ExitStack) -> Session:
        self._pack = files.enter_context(Pack.open(pack_path(self._pack_argument)))
        path = self._answers_file or answers_path()
        if self._backs_up and path.exists():
            back_up(path, clock=self._clock)
        self._answers = files.enter_context(Answers.open(path, clock=self._clock))
        self._solver = self._answers.solver(self._alias, self._kind)
        policy = self._with_aid(self._policy_on(self._pack))
        self._last = LastAnswer(policy.mode)
        self._items = Items(
            self._pack.puzzles(), solver=self._alias, pack_sha=self._pack.sha, done=self._answers.answered(self._solver)
        )
        self._revealer = Revealer(self._pack) if policy.mode == "practice" else None
        return self._begin(policy)

    def _with_aid(self, policy: Policy) -> Policy:
        if self._aid is None or self._aid == policy.aid:
            return policy
        if policy.mode == "collect":
            raise UsageError(f"the aid level of this collection is {policy.aid}, not {self._aid}; leave out --aid")
        return replace(policy, aid=self._aid)

    def session_row(self) -> SessionRow:
        """Return the row of the open session."""
        return self._row

    def shelves(self) -> tuple[Shelf, ...]:
        """Return the pack's families and complexities, ascending, with this solver's progress."""
        return self._items.shelves()

    def draft(self, puzzle_id: str | None = None) -> Draft | None:
        """Return this solver's latest draft of a puzzle of this pack not yet answered, or of the one that is named."""
        for row in self._answers.drafts(self._solver):
            if self._items.is_open(row.puzzle_id) and puzzle_id in (None, row.puzzle_id):
                draft = msgspec.json.decode(row.body, type=Draft)
                turn = self._turn_at_hand(row.puzzle_id)
                # A draft of a turn that was sent since is done with; the conversation goes on from there.
                return draft if draft.turn == turn else Draft(puzzle_id=row.puzzle_id, turn=turn)
        return None

    def next(self, complexity: int | None = None) -> Presented | None:
        """Return the next unanswered hidden system in this solver's own order."""
        puzzle = self._items.next_system(complexity)
        return None if puzzle is None else self._present_system(puzzle)

    def next_task(self, complexity: int | None = None, kind: str | None = None) -> PresentedTask | None:
        """Return the next unfinished writing task: single turns first, fewest requirements, this solver's own order."""
        puzzle = self._items.next_task(complexity, kind)
        return None if puzzle is None else self._present_task(puzzle)

    def present(self, puzzle_id: str) -> Presented | PresentedTask:
        """Return one puzzle as everybody meets it."""
        if self._pack.entry(puzzle_id).family == WRITING:
            return self._present_task(puzzle_id)
        return self._present_system(puzzle_id)

    def judge(self, puzzle_id: str, text: str) -> tuple[Judged, ...]:
        """Return the verdicts of all checkers on a draft.

        Raises:
            UsageError: the session is a collection, which computes nothing for the writer.
        """
        self.open()
        if self._revealer is None:
            raise UsageError("verdicts on a draft are for practice; this session is a collection")
        return self._revealer.judged(puzzle_id, self._turn_at_hand(puzzle_id), text)

    def hint(self, puzzle_id: str, nth: int) -> Hint | None:
        """Return the nth hint for a hidden system.

        Raises:
            UsageError: the session is a collection.
        """
        if self.open().mode != "practice":
            raise UsageError("hints are for practice; this session is a collection")
        shown = self.present(puzzle_id)
        return hint(shown.payload, shown.legend, nth) if isinstance(shown, Presented) else None

    def skips_left(self) -> int:
        """Return how many items of this pack this solver may still skip."""
        return skips_left(len(self._items), self._answers.attempts(self._solver, self._items.ids))

    def submit(self, answer: Answer) -> Receipt:
        """Commit the answer; then, and only if the policy says so, reveal.

        Raises:
            UsageError: another text was shown than the pack holds.
            ConflictError: this solver gave another answer to the puzzle before.
            StoreError: not saved; the same answer may be submitted again.
        """
        if self._pack.entry(answer.puzzle_id).family == WRITING:
            return self._submit_text(answer)
        shown = self._present_system(answer.puzzle_id)
        require_same_text(answer, shown, "the text of this pack")
        self._refuse_second(answer)
        saved = self._save(answer, self._row.id, turn_rows(answer, session=self._row.id, now=self._clock()))
        receipt = Receipt(answer_id=saved.id, answered_at=saved.answered_at, reveal=None)
        return with_feedback(receipt, lambda: replace(receipt, reveal=self._reveal(saved, shown)))

    def _submit_text(self, answer: Answer) -> Receipt:
        """Commit one turn of a writing task, and with the last one the attempt."""
        self._refuse_second(answer)
        conversation = self._conversation(answer.puzzle_id, self._answers.attempt(answer.answer_id))
        stands = conversation.has(answer)
        if not stands:
            require_same_text(answer, self._present_task(answer.puzzle_id), "the text of this pack")
        now, nth = self._clock(), self._nth(answer)
        rows = conversation.rows_for(answer, session=self._row.id, now=now, attempt_no=nth)
        if conversation.closes(answer):
            whole = replace(answer, response_ms=answer.response_ms + conversation.visible_ms)
            answered_at = self._save(whole, conversation.session(self._row.id), rows).answered_at
        else:
            answered_at = self._clock()
            self._answers.begin_session(self._row)
            if not stands:
                self._answers.append_turns(rows, self._calls)
        left = None if conversation.closes(answer) else answer.turn + 1
        receipt = Receipt(answer_id=answer.answer_id, answered_at=answered_at, reveal=None, next_turn=left)
        revealer, raw = self._revealer, answer.raw
        if revealer is None or self.open().feedback != "now" or raw is None:
            return receipt
        return with_feedback(
            receipt, lambda: replace(receipt, judged=revealer.judged(answer.puzzle_id, answer.turn, raw))
        )

    def _save(self, answer: Answer, session: str, turns: Sequence[TurnRow]) -> AttemptRow:
        attempt = attempt_row(
            answer, self._pack.entry(answer.puzzle_id), session=session, solver=self._solver, nth=self._nth(answer),
            now=self._clock(),
        )  # fmt: skip
        if answer.answer == "SKIP" and self._kind == "human" and self._answers.attempt(answer.answer_id) is None:
            require_skip(answer, self.skips_left())
        try:
            events = event_rows(answer, session=self._row.id)
            saved = self._answers.save(attempt, turns=turns, events=events, calls=self._calls, session=self._row)
        except ConflictError:
            # Another window gave the answer that stands, perhaps under the same id: both went on with one draft.
            self._items.finish(answer.puzzle_id)
            raise
        self._items.finish(answer.puzzle_id)
        self._last.saved(saved)
        return saved

    def keep(self, draft: Draft) -> None:
        """Store the draft in place of the session's earlier one for the puzzle."""
        body = msgspec.json.encode(draft).decode()
        session = self.open().session_id
        self._answers.begin_session(self._row)
        self._answers.keep_draft(
            DraftRow(session=session, puzzle_id=draft.puzzle_id, body=body, saved_at=self._clock())
        )

    def log(self, happenings: tuple[Happening, ...]) -> None:
        """Append view events to the session."""
        session = self.open().session_id
        self._last.happened(happenings)
        self._answers.begin_session(self._row)
        self._answers.append_events(
            [
                EventRow(session=session, t_ms=one.t_ms, kind=one.kind, puzzle_id=one.puzzle_id, data=one.data)
                for one in happenings
            ]
        )

    def history(self) -> tuple[Past, ...]:
        """Return this solver's answers on this pack, newest first; verdicts only where the policy reveals them."""
        attempts = self._answers.attempts(self._solver, self._items.ids)
        verdicts = self._revealer.verdicts() if self._revealer and self.open().feedback == "now" else {}
        return tuple(
            told_past(attempt, self.present(attempt.puzzle_id), verdicts.get(attempt.id))
            for attempt in reversed(attempts)
        )

    def reveal(self, answer_id: str) -> Reveal | None:
        """Return the feedback of an answer on disk, if the policy allows it.

        Raises:
            UsageError: the answer is none of this solver's, or the session is a collection.
        """
        if self.open().mode != "practice":
            raise UsageError("feedback is for practice; this session is a collection")
        attempt = self._answers.attempt(answer_id)
        if attempt is None or attempt.solver != self._solver or attempt.puzzle_id not in self._items:
            raise UsageError(f"answer {answer_id!r} is not one of {self._alias!r} on this pack; see the history")
        shown = self.present(attempt.puzzle_id)
        return self._reveal(attempt, shown) if isinstance(shown, Presented) else None

    def review(self, puzzle_id: str) -> tuple[Reviewed, ...]:
        """Return the turns of a writing task that this solver answered, with verdicts only where the policy allows."""
        finished = self._answers.attempts_on(self._solver, puzzle_id)
        turns = self._conversation(puzzle_id, finished[-1]).earlier if finished else ()
        if self._revealer is not None and self.open().feedback == "now":
            # What was written is shown without verdicts; why there are none, the answer's receipt has said.
            with suppress(Exception):
                return tuple(self._revealer.reviewed(puzzle_id, one) for one in turns)
        return tuple(Reviewed(turn=one.turn, asked=one.asked, written=one.written) for one in turns)

    def working_on(self) -> str:
        """Return what takes long at this desk right now; for any thread."""
        revealer = self._revealer
        if revealer is not None and revealer.preparing:
            return PREPARING
        return self._answers.waiting if self._session is not None else ""

    def players(self) -> Players:
        """Refuse: a program does not play for pleasure, and the app has a desk that does (`engine.players`)."""
        raise UsageError("this desk has no side door for players; the app's has one")

    def close(self) -> None:
        """Close all files."""
        if self._session is not None:
            self._files.close()
            self._session = None

    # Presenting -----------------------------------------------------------------------------------------------------

    def _conversation(self, puzzle_id: str, finished: AttemptRow | None = None) -> Conversation:
        asked = read_writing(self._pack.payload(puzzle_id), where=f"puzzle {puzzle_id!r}").turns
        if finished is None:
            rows = self._answers.unfinished(self._solver, puzzle_id)
        else:
            rows = self._answers.turns(finished.session, puzzle_id, finished.attempt_no)
        return Conversation(puzzle_id=puzzle_id, asked=asked, rows=rows)

    def _turn_at_hand(self, puzzle_id: str) -> int:
        """Return the first turn without an answer; 1 for a task of one turn."""
        entry = self._pack.entry(puzzle_id)
        return 1 if entry.n_turns == 1 else self._conversation(puzzle_id).turn

    def _present_system(self, puzzle_id: str) -> Presented:
        return present_system(self._pack, puzzle_id, self.open().labels)

    def _present_task(self, puzzle_id: str) -> PresentedTask:
        earlier = self._conversation(puzzle_id).earlier
        requirements: tuple[Asked, ...] = ()
        if self._revealer is not None and (aid := self.open().aid) in ("A2", "A3"):
            # What is asked stands in the brief as well; the list is an aid, and the sealed file holds it in order.
            with suppress(ClewError):
                turn = len(earlier) + 1
                requirements = (self._revealer.asked if aid == "A3" else self._revealer.said)(puzzle_id, turn)
        entry = self._pack.entry(puzzle_id)
        told = self._pack.renderings(puzzle_id)
        return present_task(entry, self._pack.payload(puzzle_id), told, requirements, earlier)

    # Beginning ------------------------------------------------------------------------------------------------------

    def _begin(self, policy: Policy) -> Session:
        labels = self._label_order(self._alias)
        session = Session(
            session_id=uuid7(),
            solver=self._alias,
            mode=policy.mode,
            aid=policy.aid,
            feedback=policy.feedback,
            labels=labels,
            pack_title=self._pack.meta.get("title", ""),
            first_time=not self._answers.sessions(self._solver),
        )
        drafts = self._answers.drafts(self._solver)
        resumed_from = drafts[0].session if drafts else None
        self._row = session_row(session, self._pack, solver=self._solver, now=self._clock(), resumed_from=resumed_from)
        return session

    def _label_order(self, alias: str) -> tuple[Label, Label]:
        """Return the two answers in the order in which a solver of this name is offered them."""
        swapped = Stream("desk/label-order", alias).chance(1, 2)
        return (LABELS[1], LABELS[0]) if swapped else LABELS

    # Submitting -----------------------------------------------------------------------------------------------------

    def _refuse_second(self, answer: Answer) -> None:
        try:
            self._nth(answer)
        except ConflictError:
            self._items.finish(answer.puzzle_id)
            raise

    def _nth(self, answer: Answer) -> int:
        """Return which attempt on its puzzle an answer is, from 1."""
        return self._last.nth(answer, self._answers.attempts_on(self._solver, answer.puzzle_id))

    # After the commit -----------------------------------------------------------------------------------------------

    def _reveal(self, attempt: AttemptRow, shown: Presented) -> Reveal | None:
        given = attempt.answer
        if self._revealer is None or self.open().feedback != "now" or given is None or given == "SKIP":
            return None
        if not self._answers.is_committed(attempt.id):
            raise ConflictError(f"answer {attempt.id!r} is not on disk yet; submit it again")
        return self._revealer.reveal(attempt, shown.legend, given)
