"""How a stored writing task is put before a solver: public rows in, `PresentedTask` out.

Nothing private is reachable from here: this module must never import constraints, witnesses or the sealed store.
"""

from __future__ import annotations

from engine.canonical import text_digest
from engine.errors import FidelityError, RenderingError
from engine.instruction_adherence.writing import read_writing
from engine.public import PresentedTask
from engine.store.pack import PackEntry, PackRendering


def present_task(
    entry: PackEntry, payload_json: str, renderings: tuple[PackRendering, ...], requirements: tuple[str, ...]
) -> PresentedTask:
    """Return a writing task as people and models meet it.

    Args:
        requirements: the list of them, where the session's aid allows it; else empty.

    Raises:
        RenderingError: the task has no telling.
        FidelityError: the stored text is not the payload's, or not the one whose digest is stored beside it.
    """
    if not renderings:
        raise RenderingError(f"writing task {entry.id!r} has no text in this pack; verify the pack")
    told = renderings[0]
    sha = text_digest(told.body)
    if sha != told.body_sha or told.body != read_writing(payload_json, where=f"puzzle {entry.id!r}").turns[0]:
        raise FidelityError(
            f"writing task {entry.id!r}: the text does not match its digest or payload; verify the pack"
        )
    return PresentedTask(
        puzzle_id=entry.id,
        family=entry.family,
        rendering_id=told.id,
        title=told.domain.replace("_", " "),
        complexity=entry.complexity,
        text=told.body,
        text_sha=sha,
        requirements=requirements,
    )
