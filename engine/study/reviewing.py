"""The turns of a writing task that a participant has sent: as they were written, with verdicts in practice alone."""

from __future__ import annotations

from engine.conversation import Conversation
from engine.public import Reviewed
from engine.store.answers import Answers
from engine.study.rehearsal import Rehearsal
from engine.study.showing import Shower


def reviewed(
    answers: Answers, solver: str, shower: Shower, rehearsal: Rehearsal, puzzle_id: str
) -> tuple[Reviewed, ...]:
    """Return the turns of the last answer to a task; none before it is answered, and none for hidden systems."""
    finished = answers.attempts_on(solver, puzzle_id)
    if not finished or not shower.is_writing(puzzle_id):
        return ()
    last = finished[-1]
    rows = answers.turns(last.session, puzzle_id, last.attempt_no)
    sent = Conversation(puzzle_id=puzzle_id, asked=shower.asked(puzzle_id), rows=rows).earlier
    return tuple(
        Reviewed(
            turn=one.turn, asked=one.asked, written=one.written, requirements=rehearsal.asked(puzzle_id, one.turn),
            judged=rehearsal.judged(puzzle_id, one.turn, one.written),
        )
        for one in sent
    )  # fmt: skip
