"""What a session and an answer become: rows of the store, and a line of the history. Values in, values out."""

from __future__ import annotations

from collections.abc import Sequence

from engine import installed
from engine.public import Answer, Past, Presented, PresentedTask, Session
from engine.store.answer_rows import AttemptRow, EventRow, SessionRow, TurnRow
from engine.store.pack import Pack, PackEntry

ANSWERED = "answered"
"""Kind of the event that goes with every answer."""


def session_row(session: Session, pack: Pack, *, solver: str, now: str, resumed_from: str | None) -> SessionRow:
    """Return the row of a session of the solver with this id."""
    return SessionRow(
        id=session.session_id,
        solver=solver,
        started_at=now,
        app_version=installed.version(),
        pack_sha=pack.sha,
        mode=session.mode,
        aid=session.aid,
        feedback=session.feedback,
        label_order=",".join(session.labels),
        commit_root=pack.meta.get("commit_root", ""),
        resumed_from=resumed_from,
    )


def attempt_row(answer: Answer, entry: PackEntry, *, session: str, solver: str, nth: int, now: str) -> AttemptRow:
    """Return the row of an answer, which is the solver's nth attempt on its item, from 1."""
    return AttemptRow(
        id=answer.answer_id,
        session=session,
        solver=solver,
        puzzle_id=answer.puzzle_id,
        puzzle_sha=entry.payload_sha,
        rendering_id=answer.rendering_id,
        text_sha=answer.text_sha,
        attempt_no=nth,
        answer=answer.answer,
        confidence=answer.confidence,
        shown_at=answer.shown_at,
        answered_at=now,
        response_ms=answer.response_ms,
        notes=answer.notes,
    )


def turn_rows(answer: Answer, *, session: str, now: str) -> Sequence[TurnRow]:
    """Return the row of what a solver said, for an answer that was read out of a text."""
    if answer.raw is None:
        return ()
    return [
        TurnRow(
            session=session, puzzle_id=answer.puzzle_id, turn=1, role="assistant", text=answer.raw, at=now,
            response_ms=answer.response_ms,
        )
    ]  # fmt: skip


def event_rows(answer: Answer, *, session: str) -> Sequence[EventRow]:
    """Return the event of an answer, or of a skip with its reason."""
    kind, data = ("skipped", str(answer.reason)) if answer.answer == "SKIP" else (ANSWERED, answer.revises)
    return [EventRow(session=session, t_ms=answer.response_ms, kind=kind, puzzle_id=answer.puzzle_id, data=data)]


def told_past(attempt: AttemptRow, shown: Presented | PresentedTask, correct: bool | None) -> Past:
    """Return an answer as the history lists it."""
    words = {item.code: item.name for item in shown.legend.outcomes} if isinstance(shown, Presented) else {}
    return Past(
        answer_id=attempt.id,
        puzzle_id=attempt.puzzle_id,
        title=shown.legend.title if isinstance(shown, Presented) else shown.title,
        complexity=shown.payload.complexity if isinstance(shown, Presented) else shown.complexity,
        answered_at=attempt.answered_at,
        answer=words.get(attempt.answer or "", attempt.answer or ""),
        confidence=attempt.confidence,
        correct=correct,
    )
