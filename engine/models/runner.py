"""Lets a solver answer a pack through the desk; what is answered already is not asked again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from engine.errors import ConflictError
from engine.hidden_systems.behavior import Label, PublicPayload
from engine.public import Answer, Desk, Receipt


def solve(
    desk: Desk, solver: Callable[[PublicPayload], Label], new_id: Callable[[], str], now: Callable[[], str]
) -> Iterator[Receipt]:
    """Yield the receipt of each puzzle as its answer is committed; each commit stands whatever comes later."""
    while (shown := desk.next()) is not None:
        shown_at, started = now(), time.monotonic()
        label = solver(shown.payload)
        answer = Answer(
            answer_id=new_id(),
            puzzle_id=shown.puzzle_id,
            rendering_id=shown.rendering_id,
            text_sha=shown.text_sha,
            answer=None,
            confidence=None,
            shown_at=shown_at,
            response_ms=round((time.monotonic() - started) * 1000),
            raw=label,
        )
        # Another run of the same solver may have answered it meanwhile; its answer stands, and this run goes on.
        with suppress(ConflictError):
            yield desk.submit(answer)
