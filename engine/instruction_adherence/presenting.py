"""How a stored writing task is put before a solver: public rows in, `PresentedTask` out.

Nothing private is reachable from here: this module must never import constraints, witnesses or the sealed store.
"""

from __future__ import annotations

from engine.canonical import text_digest
from engine.errors import FidelityError, RenderingError
from engine.instruction_adherence.writing import read_writing
from engine.public import Asked, Exchange, PresentedTask
from engine.store.pack import PackEntry, PackRendering


def present_task(
    entry: PackEntry,
    payload_json: str,
    renderings: tuple[PackRendering, ...],
    requirements: tuple[Asked, ...] = (),
    earlier: tuple[Exchange, ...] = (),
) -> PresentedTask:
    """Return the turn of a writing task that comes after the finished ones, as people and models meet it.

    Args:
        requirements: those of the turn, where the session's aid allows it; else empty.
        earlier: the finished turns in order; fewer than the task has.

    Raises:
        RenderingError: the task has no telling.
        FidelityError: the stored text is not the payload's, or not the one whose digest is stored beside it.
    """
    if not renderings:
        raise RenderingError(f"writing task {entry.id!r} has no text in this pack; verify the pack")
    told = renderings[0]
    turns = read_writing(payload_json, where=f"puzzle {entry.id!r}").turns
    if text_digest(told.body) != told.body_sha or told.body != turns[0]:
        raise FidelityError(
            f"writing task {entry.id!r}: the text does not match its digest or payload; verify the pack"
        )
    return PresentedTask(
        puzzle_id=entry.id,
        family=entry.family,
        rendering_id=told.id,
        title=told.domain.replace("_", " "),
        complexity=entry.complexity,
        text=turns[len(earlier)],
        text_sha=text_digest(turns[len(earlier)]),
        requirements=requirements,
        turn=len(earlier) + 1,
        turns=len(turns),
        earlier=earlier,
    )
