"""Small valid rows and files for the tests of the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from engine.canonical import canonical_text, text_digest
from engine.store.answer_rows import AttemptRow, EventRow, SessionRow, TurnRow
from engine.store.answers import Answers
from engine.store.content import schema_sha
from engine.store.migrations import ANSWERS_STEPS, Steps, m001_answers, m002_model_calls
from engine.store.pack import PackPuzzle, PackRendering, puzzle_id, write_pack
from engine.store.sealed import SealedPuzzle, commitment

NOW = "2031-05-06T07:08:09.123Z"
PACK_SALT = "ab" * 16
SHA = "0" * 64
NOW_VERSION = len(ANSWERS_STEPS.names)
NEXT_VERSION = NOW_VERSION + 1
NEXT_NAME = f"m{NEXT_VERSION:03d}_next"


def fixed_clock() -> str:
    return NOW


def session_row(solver: str, session: str = "s1") -> SessionRow:
    return SessionRow(
        id=session, solver=solver, started_at=NOW, app_version="0.1.0", pack_sha=SHA, mode="collect", aid="A0",
        feedback="never", label_order="PRESENT,ABSENT",
    )  # fmt: skip


def attempt_row(solver: str, attempt: str = "a1", puzzle: str = "p1", session: str = "s1") -> AttemptRow:
    return AttemptRow(
        id=attempt, session=session, solver=solver, puzzle_id=puzzle, puzzle_sha=SHA, text_sha=SHA, answer="PRESENT",
        confidence=80, shown_at=NOW, answered_at=NOW, response_ms=1200,
    )  # fmt: skip


def event_row(session: str = "s1", kind: str = "sort", n: int | None = None) -> EventRow:
    return EventRow(session=session, t_ms=5, kind=kind, puzzle_id="p1", n=n)


def turn_row(turn: int = 1, text: str = "maybe", session: str = "s1") -> TurnRow:
    return TurnRow(session=session, puzzle_id="p1", turn=turn, role="solver", text=text, at=NOW)


def started(answers: Answers, alias: str = "ada") -> str:
    """Make a solver with a session s1 and return the solver's id."""
    solver = answers.solver(alias, "human")
    answers.begin_session(session_row(solver))
    return solver


def sealed_puzzle(nth: int) -> SealedPuzzle:
    return SealedPuzzle(
        puzzle_id=puzzle_id(payload_of(nth), PACK_SALT), seed=2**255 + nth, idx=nth, generator_version="1",
        program='{"rules":["hidden-rule-text"]}', gold="PRESENT" if nth % 2 else "ABSENT", present_probability="7/16",
        latent_trace="[]", salt=bytes([nth]) * 16,
    )  # fmt: skip


def payload_of(nth: int) -> str:
    return canonical_text({"family": "persistent-veto", "nth": nth, "text": "é…" * nth})


def pack_puzzle(nth: int, complexity: int = 4) -> PackPuzzle:
    payload = payload_of(nth)
    return PackPuzzle(
        id=puzzle_id(payload, PACK_SALT), family="hidden-systems", kind="persistent-veto", complexity=complexity,
        n_turns=1, payload_sha=text_digest(payload), commit_sha=commitment(sealed_puzzle(nth)), payload=payload,
    )  # fmt: skip


def rendering_of(puzzle: PackPuzzle) -> PackRendering:
    body = f"A kiln, told for {puzzle.id}."
    return PackRendering(
        id=text_digest(puzzle.id)[:32], puzzle_id=puzzle.id, renderer="template", domain="kiln", params_sha=SHA,
        body=body, body_sha=text_digest(body), audit_status="",
    )  # fmt: skip


def write_sample_pack(path: Path, *, count: int = 3, replace: bool = False) -> str:
    puzzles = [pack_puzzle(nth, 4 + nth % 2) for nth in range(count)]
    return write_pack(
        path, meta={"title": "sample", "pack_salt": PACK_SALT}, puzzles=puzzles,
        renderings=[rendering_of(puzzle) for puzzle in puzzles], replace=replace,
    )  # fmt: skip


def next_migrations(change: Callable[[Database], None]) -> Migrations:
    """Return today's migrations with one more."""
    migrations = Migrations("clew")
    for step in (m001_answers, m002_model_calls):
        migrations()(step)
    migrations(name=NEXT_NAME)(change)
    return migrations


def next_steps(change: Callable[[Database], None]) -> Steps:
    """Return the steps of an imagined next version with one more migration."""
    db = Database(memory=True)
    for step in (m001_answers, m002_model_calls):
        step(db)
    change(db)
    found = schema_sha(db.conn)
    db.close()
    names = (*ANSWERS_STEPS.names, NEXT_NAME)
    return replace(ANSWERS_STEPS, migrations=next_migrations(change), names=names, schema_sha=found)


def add_table(db: Database) -> None:
    db.execute("create table note (id text not null primary key) strict, without rowid")
