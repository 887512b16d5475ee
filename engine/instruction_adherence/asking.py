"""The requirements of a turn as its writer may see them, told from the sealed rows alone.

PRIVATE: the desk calls this in practice; a collection never does. No checker and no vocabulary is loaded for it, since
a task is listed the moment it is opened, and judged only once something is written.
"""

from __future__ import annotations

from engine.instruction_adherence.families import family_of
from engine.instruction_adherence.standing import standing
from engine.public import Asked
from engine.store.sealed_tasks import SealedTask


def asked(sealed: SealedTask, nth: int) -> tuple[Asked, ...]:
    """Return the requirements that bear on turn `nth` (from 1), in the order in which they were asked for."""
    rows = [row for row in sealed.checks if row.turn == nth]
    return tuple(
        Asked(
            nth=place,
            label=row.label,
            family=family_of(row.constraint_id),
            text=row.requirement,
            since_turn=row.since_turn,
            state=standing(expect=bool(row.expect), scored=bool(row.scored), since_turn=row.since_turn, turn=nth),
        )
        for place, row in enumerate(rows, start=1)
    )
