"""The one door through which people and models get puzzles and give answers.

In practice the desk opens the sealed file only after the answer's commit was seen by a fresh connection, and closes it
before the next puzzle is handed out. In collection, and for every model, it opens the pack and the answers only.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from importlib import metadata
from pathlib import Path

import msgspec

from engine import practice
from engine.errors import ClewError, ConflictError, UsageError, quoted
from engine.hidden_systems.behavior import LABELS, Label, read_payload
from engine.hidden_systems.presenting import choose, present
from engine.public import Answer, Draft, Happening, Past, Presented, Receipt, Reveal, Session, Shelf
from engine.randomness import Stream
from engine.store.answer_rows import AttemptRow, DraftRow, EventRow, SessionRow, SolverKind, TurnRow
from engine.store.answers import Answers
from engine.store.backup import back_up
from engine.store.clock import Clock, utc_now, uuid7
from engine.store.pack import Pack
from engine.store.places import answers_path, pack_path, scores_path

DEFAULT_PLAYER = "player"
ANSWERED = "answered"
"""Kind of the event that goes with every answer."""


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What a session may show; stored with it."""

    mode: str
    aid: str
    feedback: str


PRACTICE = Policy(mode="practice", aid="A3", feedback="now")
COLLECT = Policy(mode="collect", aid="A0", feedback="never")


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
        clock: Clock = utc_now,
        backs_up: bool = False,
    ) -> None:
        """Prepare a desk.

        Args:
            pack: folder or file; None for the built-in pack.
            policy: None takes the pack's: practice with feedback, or collection for a study pack.
            backs_up: copy the answers file when it is opened.
        """
        self._pack_argument = pack
        self._alias = solver
        self._kind: SolverKind = kind
        self._answers_file = answers
        self._policy = policy
        self._clock = clock
        self._backs_up = backs_up
        self._session: Session | None = None

    @classmethod
    def for_player(cls, *, pack: str | None, player: str | None) -> RealDesk:
        """Return the desk of a person at the app."""
        return cls(pack=pack, solver=player or DEFAULT_PLAYER, kind="human", backs_up=True)

    def open(self) -> Session:
        """Open pack and answers and begin a session; a second call returns the same one."""
        if self._kind == "human" and ":" in self._alias:
            raise UsageError(f"the name {quoted(self._alias)} has a colon, as programs' names do; take one without")
        if self._session is None:
            with ExitStack() as files:
                self._session = self._open(files)
                self._files = files.pop_all()
        return self._session

    def _open(self, files: ExitStack) -> Session:
        self._pack = files.enter_context(Pack.open(pack_path(self._pack_argument)))
        path = self._answers_file or answers_path()
        if self._backs_up and path.exists():
            back_up(path, clock=self._clock)
        self._answers = files.enter_context(Answers.open(path, clock=self._clock))
        self._solver = self._answers.solver(self._alias, self._kind)
        policy = self._policy or (COLLECT if self._pack.meta.get("kind") == "study" else PRACTICE)
        self._complexity = {entry.id: entry.complexity for entry in self._pack.puzzles()}
        self._order = Stream("desk/queue", self._alias, self._pack.sha).shuffled(sorted(self._complexity))
        self._done = self._answers.answered(self._solver) & self._complexity.keys()
        return self._begin(policy)

    def session_row(self) -> SessionRow:
        """Return the row of the open session."""
        return self._row

    def shelves(self) -> tuple[Shelf, ...]:
        """Return the complexities of the pack, ascending, with this solver's progress."""
        return tuple(
            Shelf(
                complexity=complexity,
                puzzles=sum(value == complexity for value in self._complexity.values()),
                answered=sum(self._complexity[puzzle] == complexity for puzzle in self._done),
            )
            for complexity in sorted(set(self._complexity.values()))
        )

    def draft(self) -> Draft | None:
        """Return this solver's latest draft of a puzzle of this pack not yet answered."""
        for row in self._answers.drafts(self._solver):
            if row.puzzle_id in self._complexity and row.puzzle_id not in self._done:
                return msgspec.json.decode(row.body, type=Draft)
        return None

    def next(self, complexity: int | None = None) -> Presented | None:
        """Return the next unanswered puzzle in this solver's own order."""
        for puzzle in self._order:
            if puzzle not in self._done and complexity in (None, self._complexity[puzzle]):
                return self.present(puzzle)
        return None

    def present(self, puzzle_id: str) -> Presented:
        """Return one puzzle as everybody meets it."""
        payload = read_payload(self._pack.payload(puzzle_id), where=f"puzzle {puzzle_id!r}")
        told = choose(self._pack.renderings(puzzle_id), payload)
        return present(payload, told, self.open().labels)

    def submit(self, answer: Answer) -> Receipt:
        """Commit the answer; then, and only if the policy says so, reveal.

        Raises:
            UsageError: another text was shown than the pack holds.
            ConflictError: this solver gave another answer to the puzzle before.
            StoreError: not saved; the same answer may be submitted again.
        """
        shown = self.present(answer.puzzle_id)
        if answer.text_sha != shown.text_sha or answer.rendering_id != shown.rendering_id:
            raise UsageError(
                f"puzzle {answer.puzzle_id!r}: the text answered is not the text of this pack; show it again"
            )
        self._refuse_second(answer)
        saved = self._answers.save(
            self._attempt(answer), turns=self._turns(answer), events=self._happened(answer), session=self._row
        )
        self._done.add(answer.puzzle_id)
        try:
            revealed, notice = self._reveal(saved, shown), ""
        except ClewError as error:
            # The answer is safe; that its feedback cannot be made must not look like a failed save.
            revealed, notice = None, f"saved, but no feedback: {error.line()}"
        return Receipt(answer_id=saved.id, answered_at=saved.answered_at, reveal=revealed, notice=notice)

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
        self._answers.begin_session(self._row)
        self._answers.append_events(
            [
                EventRow(session=session, t_ms=one.t_ms, kind=one.kind, puzzle_id=one.puzzle_id, data=one.data)
                for one in happenings
            ]
        )

    def history(self) -> tuple[Past, ...]:
        """Return this solver's answers on this pack, newest first; verdicts only where the policy reveals them."""
        attempts = self._answers.attempts(self._solver, self._complexity.keys())
        verdicts = self._verdicts() if self.open().feedback == "now" else {}
        return tuple(self._past(attempt, verdicts.get(attempt.id)) for attempt in reversed(attempts))

    def reveal(self, answer_id: str) -> Reveal | None:
        """Return the feedback of an answer on disk, if the policy allows it."""
        attempt = self._answers.attempt(answer_id)
        if attempt is None or attempt.solver != self._solver or attempt.puzzle_id not in self._complexity:
            raise UsageError(f"answer {answer_id!r} is not one of {self._alias!r} on this pack; see the history")
        return self._reveal(attempt, self.present(attempt.puzzle_id))

    def close(self) -> None:
        """Close all files."""
        if self._session is not None:
            self._files.close()
            self._session = None

    # Beginning ------------------------------------------------------------------------------------------------------

    def _begin(self, policy: Policy) -> Session:
        labels: tuple[Label, Label] = LABELS
        if Stream("desk/label-order", self._alias).chance(1, 2):
            labels = (LABELS[1], LABELS[0])
        session = Session(
            session_id=uuid7(),
            solver=self._alias,
            mode=policy.mode,  # type: ignore[arg-type]  # the two policies hold literals
            aid=policy.aid,  # type: ignore[arg-type]
            feedback=policy.feedback,  # type: ignore[arg-type]
            labels=labels,
            pack_title=self._pack.meta.get("title", ""),
        )
        drafts = self._answers.drafts(self._solver)
        self._row = SessionRow(
            id=session.session_id,
            solver=self._solver,
            started_at=self._clock(),
            app_version=metadata.version("clew"),
            pack_sha=self._pack.sha,
            mode=session.mode,
            aid=session.aid,
            feedback=session.feedback,
            label_order=",".join(labels),
            commit_root=self._pack.meta.get("commit_root", ""),
            resumed_from=drafts[0].session if drafts else None,
        )
        return session

    # Submitting -----------------------------------------------------------------------------------------------------

    def _refuse_second(self, answer: Answer) -> None:
        earlier = self._answers.attempts_on(self._solver, answer.puzzle_id)
        if earlier and all(attempt.id != answer.answer_id for attempt in earlier):
            self._done.add(answer.puzzle_id)
            raise ConflictError(
                f"puzzle {answer.puzzle_id!r} was answered by {self._alias!r} before; the first answer stays"
            )

    def _attempt(self, answer: Answer) -> AttemptRow:
        return AttemptRow(
            id=answer.answer_id,
            session=self._row.id,
            solver=self._solver,
            puzzle_id=answer.puzzle_id,
            puzzle_sha=self._pack.entry(answer.puzzle_id).payload_sha,
            rendering_id=answer.rendering_id,
            text_sha=answer.text_sha,
            answer=answer.answer,
            confidence=answer.confidence,
            shown_at=answer.shown_at,
            answered_at=self._clock(),
            response_ms=answer.response_ms,
            notes=answer.notes,
        )

    def _turns(self, answer: Answer) -> Sequence[TurnRow]:
        if answer.raw is None:
            return ()
        return [
            TurnRow(
                session=self._row.id,
                puzzle_id=answer.puzzle_id,
                turn=1,
                role="assistant",
                text=answer.raw,
                at=self._clock(),
                response_ms=answer.response_ms,
            )
        ]

    def _happened(self, answer: Answer) -> Sequence[EventRow]:
        return [EventRow(session=self._row.id, t_ms=answer.response_ms, kind=ANSWERED, puzzle_id=answer.puzzle_id)]

    # After the commit -----------------------------------------------------------------------------------------------

    def _reveal(self, attempt: AttemptRow, shown: Presented) -> Reveal | None:
        given = attempt.answer
        if self.open().feedback != "now" or given is None or given == "SKIP":
            return None
        if not self._answers.is_committed(attempt.id):
            raise ConflictError(f"answer {attempt.id!r} is not on disk yet; submit it again")
        # The private layer is loaded only here, once there is something to reveal.
        from engine.hidden_systems.revealing import reveal
        from engine.hidden_systems.unsealing import unseal
        from engine.scoring import score
        from engine.store.scores import Scores
        from engine.store.sealed import Sealed

        with Sealed.open(practice.sealed_half(self._pack)) as sealed:
            secret = sealed.record(attempt.puzzle_id)
        skeleton = unseal(self._pack.payload(attempt.puzzle_id), secret)
        with Scores.open(scores_path()) as scores:
            scores.put_scores([score(attempt, None, secret, self._complexity[attempt.puzzle_id])])
        return reveal(skeleton, shown.legend, given)

    def _verdicts(self) -> dict[str, bool]:
        from engine.store.scores import Scores

        if not scores_path().exists():
            return {}
        with Scores.open(scores_path()) as scores:
            return {row.attempt: row.correct == 1 for row in scores.scores() if row.status == "scored"}

    def _past(self, attempt: AttemptRow, correct: bool | None) -> Past:
        legend = self.present(attempt.puzzle_id).legend
        words = {item.code: item.name for item in legend.outcomes}
        return Past(
            answer_id=attempt.id,
            puzzle_id=attempt.puzzle_id,
            title=legend.title,
            complexity=self._complexity[attempt.puzzle_id],
            answered_at=attempt.answered_at,
            answer=words.get(attempt.answer or "", attempt.answer or ""),
            confidence=attempt.confidence,
            correct=correct,
        )
