"""The desk of a person at the app: the pack's own puzzles, and in practice those made from codes beside them.

A coded puzzle is a pack of one in the data directory, with its sealed half, made by a program of its own
(`engine.coded_packs`): this one never holds what is behind a puzzle that it hands out. It is presented, answered and
revealed by a desk on that pack, so its rows are like all others. In collection none of this exists.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from datetime import date
from pathlib import Path

import msgspec

from engine import practice
from engine.answering import told_past
from engine.desk import RealDesk
from engine.errors import ClewError, GenerationError, UsageError, quoted
from engine.hidden_systems.presenting import present_system
from engine.left_open import remember
from engine.public import (
    Answer,
    Draft,
    Happening,
    Past,
    Players,
    Presented,
    PresentedTask,
    Receipt,
    Reveal,
    Session,
    Standing,
    Statistics,
)
from engine.puzzle_codes import PuzzleCode, daily_code, ladder_code, pack_code, pack_digits, read_code
from engine.sitting import Policy
from engine.standing import Played, brier, statistics, step, streak
from engine.store.answer_rows import AttemptRow
from engine.store.files import private_folder, scratch_folder, sync_folder
from engine.store.pack import Pack
from engine.store.places import PACK_NAME, players_folder, scores_path
from engine.store.scores import ScoreRow, Scores

MAKER = "engine.coded_packs"
MAKING_S = 120
"""Making a puzzle takes half a second; a machine that needs so long is stuck."""


class PlayerDesk(RealDesk):
    """A `RealDesk` with the side door for players (`engine.public.Players`)."""

    def _open(self, files: ExitStack) -> Session:
        session = super()._open(files)
        self._remembered = False
        self._side: tuple[str, RealDesk] | None = None
        self._shown: dict[str, Presented] = {}
        self._coded = _coded() if session.mode == "practice" else {}
        return session

    def players(self) -> Players:
        """Return this desk.

        Raises:
            UsageError: the session is a collection.
        """
        if self.open().mode != "practice":
            raise UsageError("daily puzzle, ladder, codes, statistics are for practice; this session is a collection")
        return self

    # What players do ------------------------------------------------------------------------------------------------

    def standing(self) -> Standing:
        """Return where the player stands today."""
        today = self._clock()[:10]
        days = {date.fromisoformat(row.answered_at[:10]) for row in self._practised() if row.answer != "SKIP"}
        row, here = streak(days, date.fromisoformat(today)), step(self._played())
        return Standing(
            day=today, daily_done=self._is_answered(daily_code(today)), streak=row.days, frozen=row.frozen,
            step=here.complexity, answers=len(here.losses), brier=brier(here.losses), top=here.top,
        )  # fmt: skip

    def statistics(self) -> Statistics:
        """Return how the player did in practice so far, in all packs."""
        return statistics(tuple(self._played()), sum(row.answer is None for row in self._practised()))

    def daily(self) -> Presented:
        """Return the puzzle of today's UTC date."""
        return self._from_code(daily_code(self._clock()[:10]))

    def ladder(self) -> Presented:
        """Return the first unanswered puzzle of the player's step."""
        complexity, nth = step(self._played()).complexity, 0
        while self._is_answered(code := ladder_code(self._alias, complexity, nth)):
            nth += 1
        return self._from_code(code)

    def by_code(self, code: str) -> Presented | PresentedTask:
        """Return the practice puzzle that a code names.

        Raises:
            UsageError: not a code, or one of the built-in pack while another one is open.
        """
        digits = pack_digits(code)
        if digits is None:
            return self._from_code(read_code(code))
        found = [puzzle for puzzle in self._items.ids if puzzle.startswith(digits)]
        if not found or not practice.is_builtin(self._pack.path):
            raise UsageError(f"code {quoted(code)} names no puzzle of this pack; codes with P are of the built-in one")
        return self.present(found[0])

    def code(self, puzzle_id: str) -> str:
        """Return the code by which others can play a puzzle too; empty where there is none."""
        if puzzle_id in self._coded:
            return self._coded[puzzle_id]
        shared = puzzle_id in self._items and practice.is_builtin(self._pack.path)
        return pack_code(puzzle_id) if shared else ""

    # The desk, for the pack's puzzles and for coded ones ------------------------------------------------------------

    def present(self, puzzle_id: str) -> Presented | PresentedTask:
        """Return one puzzle as everybody meets it."""
        return self._desk_of(puzzle_id).present(puzzle_id) if puzzle_id in self._coded else super().present(puzzle_id)

    def submit(self, answer: Answer) -> Receipt:
        """Commit the answer; then, and only if the policy says so, reveal."""
        coded = answer.puzzle_id in self._coded
        return self._desk_of(answer.puzzle_id).submit(answer) if coded else super().submit(answer)

    def keep(self, draft: Draft) -> None:
        """Store the draft in place of the session's earlier one for the puzzle."""
        if draft.puzzle_id in self._coded:
            self._desk_of(draft.puzzle_id).keep(draft)
            return
        super().keep(draft)
        if not self._remembered and not practice.is_builtin(self._pack.path):
            self._remembered = True
            # The draft is safe; that `clew resume` may miss the pack must not look like a failed save.
            with suppress(OSError, ClewError):
                remember(self._pack.path, self._pack.sha)

    def log(self, happenings: tuple[Happening, ...]) -> None:
        """Append view events to the sessions they belong to."""
        if others := tuple(one for one in happenings if one.puzzle_id not in self._coded):
            super().log(others)
        for puzzle in dict.fromkeys(one.puzzle_id for one in happenings if one.puzzle_id in self._coded):
            self._desk_of(puzzle).log(tuple(one for one in happenings if one.puzzle_id == puzzle))

    def draft(self, puzzle_id: str | None = None) -> Draft | None:
        """Return this solver's latest draft, of a puzzle of this pack or of a coded one, not yet answered."""
        of_pack, open_ones = super().draft(puzzle_id), self._coded.keys() - self._answers.answered(self._solver)
        for row in self._answers.drafts(self._solver):
            if row.puzzle_id in open_ones and puzzle_id in (None, row.puzzle_id):
                return msgspec.json.decode(row.body, type=Draft)
            if of_pack is not None and row.puzzle_id == of_pack.puzzle_id:
                break
        return of_pack

    def history(self) -> tuple[Past, ...]:
        """Return this solver's answers on this pack and to coded puzzles, newest first."""
        shows = self.open().feedback == "now"
        verdicts = {attempt: row.correct == 1 for attempt, row in self._scores().items()} if shows else {}
        rows = self._answers.attempts(self._solver, self._coded.keys())
        coded = [told_past(row, self._present_coded(row.puzzle_id), verdicts.get(row.id)) for row in rows]
        return tuple(sorted((*super().history(), *coded), key=lambda past: past.answered_at, reverse=True))

    def reveal(self, answer_id: str) -> Reveal | None:
        """Return the feedback of an answer on disk, if the policy allows it."""
        attempt = self._answers.attempt(answer_id)
        if attempt is None or attempt.solver != self._solver or attempt.puzzle_id not in self._coded:
            return super().reveal(answer_id)
        return self._desk_of(attempt.puzzle_id).reveal(answer_id)

    def close(self) -> None:
        """Close all files."""
        if self._session is not None:
            self._leave_side()
        super().close()

    # Coded puzzles --------------------------------------------------------------------------------------------------

    def _from_code(self, code: PuzzleCode) -> Presented:
        """Return a code's puzzle, made now if this machine has not seen it yet."""
        if str(code) not in self._coded.values():
            self._coded[_make(code)] = str(code)
        return self._present_coded(next(puzzle for puzzle, known in self._coded.items() if known == str(code)))

    def _is_answered(self, code: PuzzleCode) -> bool:
        done = self._answers.answered(self._solver)
        return any(known == str(code) and puzzle in done for puzzle, known in self._coded.items())

    def _present_coded(self, puzzle_id: str) -> Presented:
        """Return a coded puzzle without opening a desk on it, which would read all answers first."""
        if puzzle_id not in self._shown:
            with Pack.open(self._folder(puzzle_id) / PACK_NAME) as pack:
                self._shown[puzzle_id] = present_system(pack, puzzle_id, self.open().labels)
        return self._shown[puzzle_id]

    def _desk_of(self, puzzle_id: str) -> RealDesk:
        """Return the open desk on a coded puzzle's pack; it stays open while that puzzle is at hand."""
        if self._side is None or self._side[0] != puzzle_id:
            self._leave_side()
            session = self.open()
            desk = RealDesk(
                pack=str(self._folder(puzzle_id)), solver=self._alias, kind="human", answers=self._answers_file,
                policy=Policy(mode=session.mode, aid=session.aid, feedback=session.feedback), clock=self._clock,
            )  # fmt: skip
            desk.open()
            self._side = puzzle_id, desk
        return self._side[1]

    def _leave_side(self) -> None:
        if self._side is not None:
            self._side[1].close()
            self._side = None

    def _folder(self, puzzle_id: str) -> Path:
        return players_folder() / _folder_name(self._coded[puzzle_id], puzzle_id)

    # What is on disk ------------------------------------------------------------------------------------------------

    def _practised(self) -> tuple[AttemptRow, ...]:
        """Return this solver's answers of all packs in practice: a study's are nobody's business here."""
        sessions = {row.id for row in self._answers.sessions(self._solver) if row.mode == "practice"}
        return tuple(row for row in self._answers.attempts(self._solver) if row.session in sessions)

    def _played(self) -> Iterator[Played]:
        """Yield the revealed answers that came with a confidence."""
        sessions, scores = {row.id: row for row in self._answers.sessions(self._solver)}, self._scores()
        for row in self._practised():
            session, scored = sessions[row.session], scores.get(row.id)
            if scored is not None and session.feedback == "now" and row.confidence is not None:
                yield Played(
                    answered_at=row.answered_at, complexity=scored.complexity, confidence=row.confidence,
                    correct=scored.correct == 1, response_ms=row.response_ms, aid=session.aid,
                )  # fmt: skip

    def _scores(self) -> dict[str, ScoreRow]:
        if not scores_path().exists():
            return {}
        with Scores.open(scores_path()) as scores:
            return {row.attempt: row for row in scores.scores() if row.status == "scored"}


def _folder_name(code: str, puzzle_id: str) -> str:
    return f"{code}-{puzzle_id}"


def _coded() -> dict[str, str]:
    """Return the code of every coded puzzle on this machine, by id; folders are named by both."""
    found = {}
    for folder in players_folder().glob("*-*-*-*"):
        code, _, puzzle_id = folder.name.rpartition("-")
        found[puzzle_id] = code
    return found


def _make(code: PuzzleCode) -> str:
    """Make a code's pack in a program of its own and put it in place whole; return the puzzle's id."""
    home = players_folder()
    private_folder(home)
    with scratch_folder(home) as scratch:
        puzzle_id = _run_maker(code, scratch / "made")
        target = home / _folder_name(str(code), puzzle_id)
        try:
            (scratch / "made").rename(target)
        except OSError:
            if not target.is_dir():  # otherwise another program made the same puzzle meanwhile
                raise
    sync_folder(home)
    return puzzle_id


def _run_maker(code: PuzzleCode, folder: Path) -> str:
    # Loaded here because most sessions never need it.
    import subprocess

    done = subprocess.run(
        [sys.executable, "-P", "-m", MAKER, str(code), str(folder)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=MAKING_S, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]
        raise GenerationError(f"puzzle {code} could not be made: {reason}")
    return done.stdout.strip()
