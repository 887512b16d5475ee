"""The desk of a participant: leads through a study, stores every act at once, and shows nothing that could be gold.

It opens a bundle's packs and the answers file, and nothing else; no chain of imports from here reaches the generator or
the sealed store. Before the consent nothing is written. After a crash the stage at hand is computed again from what is
on disk.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from engine.canonical import canonical_text
from engine.errors import ClewError, ConflictError, UsageError
from engine.hidden_systems.behavior import LABELS, Label
from engine.public import (
    Answer,
    Draft,
    Happening,
    Presented,
    PresentedTask,
    Receipt,
    Reviewed,
    Session,
    Shelf,
    Stage,
    StageAnswer,
)
from engine.randomness import Stream
from engine.store.answer_rows import DraftRow, EventRow, SessionRow
from engine.store.answers import Answers
from engine.store.backup import back_up
from engine.store.clock import Clock, utc_now
from engine.store.collected import read_collected
from engine.store.places import answers_path
from engine.study import marks
from engine.study.bundle import Bundle, Place, read_bundle
from engine.study.entering import enter
from engine.study.leaving import leave
from engine.study.manifest import SHORT
from engine.study.packset import PackSet
from engine.study.progress import CHECK, END, INTAKE, Progress, current
from engine.study.refusing import Discreet
from engine.study.reviewing import reviewed
from engine.study.showing import Shower
from engine.study.sittings import Sittings
from engine.study.staging import stage_of
from engine.study.submitting import Submitter


class StudyDesk(Discreet):
    """A `Guide` on a bundle for one code. `open` opens the files; use it from one thread."""

    def __init__(
        self,
        *,
        bundle: str,
        code: str,
        answers: Path | None = None,
        clock: Clock = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
        backs_up: bool = False,
    ) -> None:
        self._bundle_argument = bundle
        self._code = code
        self._path = answers
        self._clock = clock
        self._monotonic = monotonic
        self._backs_up = backs_up
        self._session: Session | None = None
        self._left = ""
        """Why the study is over in a way that no file holds: declined or withdrawn."""

    @classmethod
    def for_participant(cls, *, bundle: str, code: str) -> StudyDesk:
        """Return the desk of a person at the app."""
        return cls(bundle=bundle, code=code, backs_up=True)

    # Opening --------------------------------------------------------------------------------------------------------

    def open(self) -> Session:
        """Open bundle and answers and begin a sitting; a second call returns the same one.

        Raises:
            UsageError: the code is none of the bundle's.
            StoreError: the bundle is not whole, or the answers file cannot be used.
        """
        if self._session is None:
            with ExitStack() as files:
                self._session = self._open(files)
                self._files = files.pop_all()
        return self._session

    def _open(self, files: ExitStack) -> Session:
        self._bundle: Bundle = read_bundle(Path(self._bundle_argument))
        self._place: Place = self._bundle.place(self._code)
        manifest = self._bundle.manifest
        labels = self._labels()
        self._slots = self._place.slots()
        packs = files.enter_context(PackSet(self._bundle.packs))
        self._shower = Shower(packs, labels, self._bundle.rehearsal)
        path = self._path or answers_path()
        if self._backs_up and path.exists():
            back_up(path, clock=self._clock)
        self._answers = files.enter_context(Answers.open(path, clock=self._clock))
        self._sittings = Sittings(self._bundle, self._place, labels, clock=self._clock, monotonic=self._monotonic)
        self._submitter = Submitter(
            self._answers, self._shower, self._sittings, manifest, self._place, self._slots, clock=self._clock
        )
        self._read()
        if self._progress.consented and not self._progress.ended:
            self._go_on()
        return Session(
            session_id=self._sittings.collect.id, solver=self._code, mode="collect", aid=self._place.aid,
            feedback="never", labels=labels, pack_title=manifest.title, first_time=not self._progress.consented,
            study=self._bundle.sha[:SHORT],
        )  # fmt: skip

    def _labels(self) -> tuple[Label, Label]:
        first = Stream("study/labels", self._bundle.manifest.order_seed, self._place.position).chance(1, 2)
        return LABELS if first else (LABELS[1], LABELS[0])

    def _read(self) -> None:
        """Compute where the participant is from what is on disk."""
        found = read_collected(self._answers.path, [self._place.id])
        mine = [row for row in found.sessions if row.manifest_sha == self._bundle.sha]
        order = {row.id: nth for nth, row in enumerate(mine)}
        if any(row.solver == self._place.id for row in found.withdrawals):
            self._left = "withdrawn"
        self._progress = Progress(
            consented=bool(found.solvers), order=order,
            events=tuple(
                sorted((e for e in found.events if e.session in order), key=lambda e: (order[e.session], e.n or 0))
            ),
            attempts=tuple(row for row in found.attempts if row.session in order),
        )  # fmt: skip
        self._sittings.earlier(mine)

    def _go_on(self) -> None:
        """Begin a further sitting, as the study's rule for resuming says."""
        events = self._sittings.resumed(self._bundle.manifest.resume, self._progress, self._slots, self._clock())
        self._append(events)
        self._read()

    # The stages -----------------------------------------------------------------------------------------------------

    def stage(self) -> Stage:
        """Return the stage at hand."""
        self.open()
        manifest = self._bundle.manifest
        if self._left:
            return stage_of(manifest, self._slots, END, ended=self._left)
        key = current(manifest, self._slots, self._progress)
        if key == END and not self._progress.ended:
            self._end("finished")
        return stage_of(
            manifest, self._slots, key, tries=len(self._progress.tries), ended=self._progress.ended or "finished"
        )

    def take(self, answer: StageAnswer) -> Stage:
        """Commit what was said to the stage at hand, and return the one that is at hand then.

        Raises:
            UsageError: the stage at hand is another one, or does not take this word or these options.
            StoreError: not saved; say it again.
        """
        stage = self.stage()
        if answer.key != stage.key or answer.word not in stage.words:
            raise UsageError(
                f"stage {answer.key!r} does not take {answer.word!r} now; {stage.key!r} takes {', '.join(stage.words)}"
            )
        match answer.word:
            case "withdraw":
                self._withdraw()
            case "decline":
                self._left = "declined"
            case "stop":
                self._end("stopped")
            case "agree":
                enter(
                    self._answers.path, self._bundle, self._place, self._slots, self._shower, self._sittings,
                    self._clock,
                )  # fmt: skip
                self._read()
            case "next" if stage.key != END:
                self._pass(stage, answer.chosen)
        return self.stage()

    def _pass(self, stage: Stage, chosen: tuple[int, ...]) -> None:
        if stage.questions and (
            len(chosen) != len(stage.questions)
            or not all(0 <= one < len(asked.options) for one, asked in zip(chosen, stage.questions, strict=True))
        ):
            raise UsageError(
                f"{stage.key}: options {list(chosen)}; one for each of {len(stage.questions)} questions is right"
            )
        if stage.key == INTAKE:
            codes = [one.code for one in self._bundle.manifest.intake]
            self._write(marks.INTAKE, canonical_text(dict(zip(codes, chosen, strict=True))))
        elif stage.key == CHECK:
            self._check(chosen)
        else:
            self._write(marks.PASSED, stage.key)

    def _check(self, chosen: tuple[int, ...]) -> None:
        rules = self._bundle.manifest.comprehension
        passed = chosen == tuple(quiz.right - 1 for quiz in rules.questions)
        events = [(marks.CHECK, canonical_text({"chosen": list(chosen), "passed": passed}))]
        if not passed and rules.on_fail == "end" and len(self._progress.tries) + 1 >= rules.tries:
            events.append((marks.ENDED, "failed-check"))
        self._write_all(events)

    def _end(self, why: str) -> None:
        self._write(marks.ENDED, why)

    def _write(self, kind: str, data: str) -> None:
        self._write_all([(kind, data)])

    def _write_all(self, told: list[tuple[str, str]]) -> None:
        """Commit events of the participant's acts in one transaction."""
        self._append([self._sittings.event(kind, data) for kind, data in told])
        self._read()

    def _append(self, events: Sequence[EventRow]) -> None:
        for row in self._sittings.rows_of(events):
            self._answers.begin_session(row)
        self._answers.append_events(events)

    def _withdraw(self) -> None:
        """Delete the participant's rows, drafts and backups; the file is closed meanwhile."""
        path = self._answers.path
        self._answers.close()
        try:
            leave(path, self._place.id, self._clock(), besides=self._bundle.folder)
        finally:
            self._answers = self._files.enter_context(Answers.open(path, clock=self._clock))
            self._submitter.answers = self._answers
            self._read()

    # Items ----------------------------------------------------------------------------------------------------------

    def _at_hand(self) -> str | None:
        """Return the item of the stage at hand; None for stages without one."""
        return self.stage().puzzle_id or None

    def next(self, complexity: int | None = None) -> Presented | None:
        """Return the hidden system of the stage at hand; None when it has none."""
        puzzle = self._at_hand()
        if puzzle is None or self._shower.is_writing(puzzle):
            return None
        shown = self.present(puzzle)
        return shown if isinstance(shown, Presented) else None

    def next_task(self, complexity: int | None = None, kind: str | None = None) -> PresentedTask | None:
        """Return the writing task of the stage at hand; None when it has none."""
        puzzle = self._at_hand()
        if puzzle is None or not self._shower.is_writing(puzzle):
            return None
        shown = self.present(puzzle)
        return shown if isinstance(shown, PresentedTask) else None

    def present(self, puzzle_id: str) -> Presented | PresentedTask:
        """Return the item of the stage at hand, or the one answered last, which may still be revised.

        Raises:
            UsageError: any other item: what comes later is not shown before.
        """
        if puzzle_id not in (self._at_hand(), self._submitter.last_puzzle):
            raise UsageError(f"item {puzzle_id!r} is not at hand; the stage at hand names its own")
        self._submitter.note_shown(puzzle_id)
        if self._shower.is_writing(puzzle_id):
            return self._shower.task(self._shower.conversation(self._answers, self._place.id, puzzle_id))
        return self._shower.system(puzzle_id)

    def submit(self, answer: Answer) -> Receipt:
        """Commit an answer, a turn or a skip; practice items alone get feedback, after the commit.

        Raises:
            UsageError: the item is not at hand, its text is another one, or no skip is left.
            ConflictError: it was answered before, and this is no revision that is still allowed.
            StoreError: not saved; the same answer may be submitted again.
        """
        self._require_at_hand(answer.puzzle_id, answer.answer_id)
        receipt = self._submitter.submit(answer, practice=puzzle_kind(self._bundle, answer.puzzle_id) == "practice")
        self._read()
        return self._with_feedback(receipt, answer)

    def expire(self, draft: Draft) -> Receipt:
        """Commit that the item at hand ran out of time, with what was unsent."""
        self._require_at_hand(draft.puzzle_id)
        receipt = self._submitter.expire(draft)
        self._read()
        return receipt

    def _require_at_hand(self, puzzle_id: str, answer_id: str = "") -> None:
        """Raise if an item is behind, in any window; the last may be revised, and a stored answer sent once more."""
        self.open()
        self._read()
        again = any(row.id == answer_id for row in self._progress.attempts)
        revised = answer_id and puzzle_id == self._submitter.last_puzzle
        if puzzle_id != self.stage().puzzle_id and not again and not revised:
            raise ConflictError(f"item {puzzle_id!r} is not at hand; its first answer stays")

    def _with_feedback(self, receipt: Receipt, answer: Answer) -> Receipt:
        rehearsal, replace = self._bundle.rehearsal, msgspec.structs.replace
        try:
            if answer.answer in LABELS and (told := rehearsal.reveal(answer.puzzle_id, _label(answer))):
                return replace(receipt, reveal=told)
            if answer.raw is not None:
                return replace(receipt, judged=rehearsal.judged(answer.puzzle_id, answer.turn, answer.raw))
        except ClewError as error:
            # The answer is safe; that its feedback cannot be made must not look like a failed save.
            return replace(receipt, notice=f"saved, but no feedback: {error.line()}")
        return receipt

    def review(self, puzzle_id: str) -> tuple[Reviewed, ...]:
        """Return the turns of a writing task that was just sent; verdicts in practice alone."""
        self.open()
        return reviewed(self._answers, self._place.id, self._shower, self._bundle.rehearsal, puzzle_id)

    def skips_left(self) -> int:
        """Return how many items may still be skipped."""
        self.open()
        return self._submitter.skips_left()

    def shelves(self) -> tuple[Shelf, ...]:
        """Return how far the participant is: one shelf a family and size, repeated and attention items among them."""
        self.open()
        items = [(slot.puzzle_id, self._shower.shelf(slot.puzzle_id)) for slot in self._slots]
        answered = self._progress.answered(self._slots)
        total = Counter(shelf for _, shelf in items)
        done = Counter(shelf for puzzle, shelf in items if puzzle in answered)
        return tuple(
            Shelf(family=shelf[0], kind=shelf[1], complexity=shelf[2], puzzles=total[shelf], answered=done[shelf])
            for shelf in sorted(total)
        )

    # Drafts and view events ------------------------------------------------------------------------------------------

    def draft(self, puzzle_id: str | None = None) -> Draft | None:
        """Return the draft of the item at hand; None without one, and for any other item."""
        puzzle = self._at_hand() if puzzle_id in (None, self._at_hand()) else None
        for row in self._answers.drafts(self._place.id) if puzzle else ():
            if row.puzzle_id == puzzle:
                draft = msgspec.json.decode(row.body, type=Draft)
                if not self._shower.is_writing(puzzle):
                    return draft
                turn = self._shower.conversation(self._answers, self._place.id, puzzle).turn
                return draft if draft.turn == turn else Draft(puzzle_id=puzzle, turn=turn)
        return None

    def keep(self, draft: Draft) -> None:
        """Store the draft in place of the sitting's earlier one for the item; nothing before the consent."""
        self.open()
        if self._is_silent():
            return
        row = self._sittings.of(puzzle_kind(self._bundle, draft.puzzle_id) == "practice", draft.puzzle_id)
        self._answers.begin_session(row)
        body = msgspec.json.encode(draft).decode()
        self._answers.keep_draft(DraftRow(session=row.id, puzzle_id=draft.puzzle_id, body=body, saved_at=self._clock()))

    def log(self, happenings: tuple[Happening, ...]) -> None:
        """Append view events to the sitting; nothing before the consent."""
        self.open()
        if self._is_silent():
            return
        self._submitter.happened(happenings)
        self._append([self._sittings.happening(one) for one in happenings])

    def _is_silent(self) -> bool:
        """Say whether nothing may be stored: no consent yet, or everything was deleted."""
        return bool(self._left) or not self._progress.consented

    def session_row(self) -> SessionRow:
        """Return the row of this sitting."""
        return self._sittings.collect

    def working_on(self) -> str:
        """Return what a write waits for right now; for any thread."""
        return self._answers.waiting if self._session is not None else ""

    def close(self) -> None:
        """Close all files."""
        if self._session is not None:
            self._files.close()
            self._session = None


def puzzle_kind(bundle: Bundle, puzzle_id: str) -> str:
    """Return `practice` for a practice item, `item` for anything else."""
    return "practice" if any(one.uid == puzzle_id for one in bundle.manifest.aside.practice) else "item"


def _label(answer: Answer) -> Label:
    return "PRESENT" if answer.answer == "PRESENT" else "ABSENT"
