"""A pack with one hand-made conversation of four turns, and its sealed half."""

from __future__ import annotations

from pathlib import Path

from engine.canonical import Json, canonical_text, text_digest
from engine.instruction_adherence.packing import rendering_row
from engine.instruction_adherence.writing import FAMILY, WritingPayload, writing_text
from engine.packs import PACK_SALT_PURPOSE, Halves, Salts, write_halves
from engine.store.pack import PackPuzzle, puzzle_id
from engine.store.sealed_tasks import SealedCheck, SealedTask, SealedTurn, task_commitment

TURNS = ("Write to the bakery.", "Now a note, without commas.", "A poster; drop the title.", "A farewell.")
TITLE: tuple[str, dict[str, Json], str] = ("struct.title", {}, "Start with a title.")
COMMAS: tuple[str, dict[str, Json], str] = ("lex.no_commas", {}, "Use no commas.")
QUESTION: tuple[str, dict[str, Json], str] = ("struct.ends_question", {}, "End with a question.")
CHECKS = (
    ((TITLE, True, True, 1),),
    ((TITLE, True, True, 1), (COMMAS, True, True, 2)),
    ((TITLE, False, True, 1), (COMMAS, True, True, 2), (QUESTION, False, False, 3)),
    ((COMMAS, True, True, 2),),
)
"""By turn: the constraint, expect, scored, since_turn."""


def write_conversation(folder: Path, *, study: bool = False) -> Path:
    """Write the pack into a folder and return the folder."""
    salts = Salts(seed=None if study else 3)
    pack_salt = salts.token(PACK_SALT_PURPOSE)
    payload = writing_text(WritingPayload(mode="multi", turns=TURNS))
    identity = puzzle_id(payload, pack_salt)
    secret = SealedTask(
        puzzle_id=identity,
        checks=tuple(
            SealedCheck(
                puzzle_id=identity, turn=turn, position=place, constraint_id=name, params=canonical_text(params),
                requirement=text, label=None, expect=int(expect), scored=int(scored), since_turn=since, patterns="[]",
            )
            for turn, rows in enumerate(CHECKS, start=1)
            for place, ((name, params, text), expect, scored, since) in enumerate(rows)
        ),
        turns=tuple(
            SealedTurn(puzzle_id=identity, turn=turn, keywords='["bakery"]', conflict=None, witness="")
            for turn in range(1, len(TURNS) + 1)
        ),
        salt=bytes(16),
    )  # fmt: skip
    puzzle = PackPuzzle(
        id=identity, family=FAMILY, kind="multi", complexity=2, n_turns=len(TURNS), payload_sha=text_digest(payload),
        commit_sha=task_commitment(secret), payload=payload,
    )  # fmt: skip
    half = Halves(puzzle=puzzle, rendering=rendering_row(identity, "note", TURNS[0]), task=secret)
    folder.mkdir(parents=True, exist_ok=True)
    write_halves(
        folder / "pack.db", folder / "sealed.db", [half], title="talk", recipe="{}", salts=salts, pack_salt=pack_salt
    )
    return folder
