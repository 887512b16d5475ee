"""Hand-made writing tasks, and a pack with one conversation of four turns and its sealed half."""

from __future__ import annotations

from pathlib import Path

from engine.canonical import Json, canonical_text, text_digest
from engine.instruction_adherence.packing import rendering_row
from engine.instruction_adherence.writing import FAMILY, WritingMode, WritingPayload, writing_text
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


def written_half(turns: tuple[str, ...], pack_salt: str) -> Halves:
    """Return the rows of a task with these turns, the first ones of `CHECKS` apply to it."""
    mode: WritingMode = "multi" if len(turns) > 1 else "single"
    payload = writing_text(WritingPayload(mode=mode, turns=turns))
    identity = puzzle_id(payload, pack_salt)
    secret = SealedTask(
        puzzle_id=identity,
        checks=tuple(
            SealedCheck(
                puzzle_id=identity, turn=turn, position=place, constraint_id=name, params=canonical_text(params),
                requirement=text, label=None, expect=int(expect), scored=int(scored), since_turn=since, patterns="[]",
            )
            for turn, rows in enumerate(CHECKS[: len(turns)], start=1)
            for place, ((name, params, text), expect, scored, since) in enumerate(rows)
        ),
        turns=tuple(
            SealedTurn(puzzle_id=identity, turn=turn, keywords='["bakery"]', conflict=None, witness="")
            for turn in range(1, len(turns) + 1)
        ),
        salt=bytes(16),
    )  # fmt: skip
    puzzle = PackPuzzle(
        id=identity, family=FAMILY, kind=mode, complexity=min(len(turns), 2), n_turns=len(turns),
        payload_sha=text_digest(payload), commit_sha=task_commitment(secret), payload=payload,
    )  # fmt: skip
    return Halves(puzzle=puzzle, rendering=rendering_row(identity, "note", turns[0]), task=secret)


def write_conversation(folder: Path, *, study: bool = False) -> Path:
    """Write the pack into a folder and return the folder."""
    salts = Salts(seed=None if study else 3)
    pack_salt = salts.token(PACK_SALT_PURPOSE)
    folder.mkdir(parents=True, exist_ok=True)
    write_halves(
        folder / "pack.db", folder / "sealed.db", [written_half(TURNS, pack_salt)], title="talk", recipe="{}",
        salts=salts, pack_salt=pack_salt,
    )  # fmt: skip
    return folder
