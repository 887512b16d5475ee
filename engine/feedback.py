"""What practice shows from the sealed half: verdicts on a text, and the reveal of an answer that is on disk.

The desk asks for it only where the session's policy allows; a collection makes no `Revealer` at all. The private layer
is loaded inside the methods, once there is something to show, and the sealed file is closed before they return.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine import practice
from engine.errors import ClewError, place_of
from engine.hidden_systems.behavior import Label
from engine.public import Asked, Exchange, Judged, Legend, Receipt, Reveal, Reviewed
from engine.store.answer_rows import AttemptRow
from engine.store.pack import Pack
from engine.store.places import scores_path

if TYPE_CHECKING:
    from engine.store.sealed_tasks import SealedTask

PREPARING = "making what practice needs of this pack, this once; it takes some seconds"
"""What the built-in pack's first feedback waits for."""


def with_feedback(receipt: Receipt, made: Callable[[], Receipt]) -> Receipt:
    """Return the receipt with its feedback, or with a notice why there is none.

    The answer is on disk: whatever goes wrong from there on must not look like a failed save. Of an error that clew did
    not raise itself only kind and place are told, since its message could hold what is secret.
    """
    try:
        return made()
    except ClewError as error:
        said = error.line()
    except Exception as error:
        said = f"internal error: {place_of(error)}; please report this line"
    return replace(receipt, notice=f"saved, but no feedback: {said}")


class Revealer:
    """The sealed half of one pack, opened when needed."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self.preparing = False
        """Whether the sealed half of the built-in pack is being made, which takes seconds, but only once."""
        self._tasks: dict[str, SealedTask] = {}
        """The writing task at hand, so that a verdict does not open the sealed file at every key."""

    def asked(self, puzzle_id: str, turn: int) -> tuple[Asked, ...]:
        """Return the requirements that bear on a turn."""
        from engine.instruction_adherence.asking import asked

        return asked(self._task(puzzle_id), turn)

    def said(self, puzzle_id: str, turn: int) -> tuple[Asked, ...]:
        """Return the requirements that a turn's own brief asks for; nothing of how they or earlier ones stand."""
        return tuple(
            replace(one, state="active")
            for one in self.asked(puzzle_id, turn)
            if one.since_turn == turn and one.state in ("active", "new", "disputed")
        )

    def judged(self, puzzle_id: str, turn: int, text: str) -> tuple[Judged, ...]:
        """Return the verdicts of all checkers of a turn on a text."""
        from engine.instruction_adherence.judging import judged

        return judged(self._task(puzzle_id), turn, text)

    def reveal(self, attempt: AttemptRow, legend: Legend, given: Label) -> Reveal:
        """Score an answer that is on disk, and return what it comes to."""
        from engine.hidden_systems.revealing import reveal
        from engine.hidden_systems.unsealing import unseal
        from engine.scoring import score
        from engine.store.scores import Scores
        from engine.store.sealed import Sealed

        with Sealed.open(self._sealed_half()) as sealed:
            secret = sealed.record(attempt.puzzle_id)
        skeleton = unseal(self._pack.payload(attempt.puzzle_id), secret)
        with Scores.open(scores_path()) as scores:
            scores.put_scores([score(attempt, None, secret, self._pack.entry(attempt.puzzle_id).complexity)])
        return reveal(skeleton, legend, given)

    def reviewed(self, puzzle_id: str, one: Exchange) -> Reviewed:
        """Return a finished turn with its requirements and the verdicts on what was written."""
        return Reviewed(
            turn=one.turn, asked=one.asked, written=one.written, requirements=self.asked(puzzle_id, one.turn),
            judged=self.judged(puzzle_id, one.turn, one.written),
        )  # fmt: skip

    def verdicts(self) -> dict[str, bool]:
        """Return which scored answers were right, by attempt."""
        from engine.store.scores import Scores

        if not scores_path().exists():
            return {}
        with Scores.open(scores_path()) as scores:
            return {row.attempt: row.correct == 1 for row in scores.scores() if row.status == "scored"}

    def _sealed_half(self) -> Path:
        self.preparing = True
        try:
            return practice.sealed_half(self._pack)
        finally:
            self.preparing = False

    def _task(self, puzzle_id: str) -> SealedTask:
        from engine.store.sealed import Sealed

        if puzzle_id not in self._tasks:
            with Sealed.open(self._sealed_half()) as sealed:
                self._tasks = {puzzle_id: sealed.task(puzzle_id)}
        return self._tasks[puzzle_id]
