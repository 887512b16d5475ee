"""The exits through which puzzles leave: each sends them out in an empty folder and returns what came out, by record.

A world is a list of puzzles with both halves as a pack and its sealed file hold them. What is released on purpose is
left out: commitments to the hidden half, which a secret salt keys, and digests that are computed from them; random
names and times of an answer say nothing of a puzzle and are left out as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner
from sqlite_utils.utils import sqlite3

from engine.canonical import canonical_text, text_digest
from engine.commands.export import export
from engine.desk import RealDesk
from engine.hidden_systems.behavior import LABELS, read_payload
from engine.hidden_systems.presenting import FAMILY_NAME, present
from engine.hidden_systems.surface.prompt import PROMPT_VERSION, question
from engine.instruction_adherence.presenting import present_task
from engine.models.baselines import BASELINES, answer_all
from engine.models.dialogue import dialogue
from engine.models.keys import Setting, request_key
from engine.models.solver import Parameters, Question
from engine.packs import Halves, Salts, write_halves
from engine.sitting import COLLECT
from engine.store.pack import Pack

DECLARED = ("commit_sha", "commit_root", "content_sha")
"""Released on purpose: commitments to the hidden half, keyed by a secret salt, and what is computed from them."""
VOLATILE = re.compile(r"^(?:id|session|solver|attempt|row_sha|pack_sha|commit_root|app_version|n|at|\w*_ms|\w*_at)$")
"""Columns of answers that are random, or times, or declared; the order of a queue is drawn from a declared digest."""
PACK_SALT = "salt of the audit"
NOW = "2030-01-01T00:00:00.000Z"
World = Sequence[Halves]
Exit = Callable[[World, Path], Mapping[str, str]]


def written(world: World, folder: Path) -> Path:
    """Write both files of a world and return the pack's path."""
    path = folder / "pack.db"
    write_halves(
        path, folder / "sealed.db", world, title="audit", recipe="{}", salts=Salts(seed=0), pack_salt=PACK_SALT
    )  # fmt: skip
    return path


def pack_rows(world: World, folder: Path) -> Mapping[str, str]:
    """The rows of the pack file and the names of the files beside it."""
    path = written(world, folder)
    released = {"files": " ".join(sorted(entry.name for entry in folder.iterdir()))}
    with Pack.open(path) as pack:
        released["meta"] = canonical_text({key: value for key, value in pack.meta.items() if key not in DECLARED})
        for place, entry in enumerate(pack.puzzles()):
            rows = (replace(entry, commit_sha=""), pack.payload(entry.id), *pack.renderings(entry.id))
            released[str(place)] = "\n".join(map(repr, rows))
    return released


def exported(world: World, folder: Path) -> Mapping[str, str]:
    """Standard output and error, exit code and file name of the public export."""
    written(world, folder)
    done = CliRunner().invoke(export, ["payloads", str(folder / "pack.db")])
    lines = {f"line {nth}": line for nth, line in enumerate(done.stdout.splitlines())}
    return {**lines, "stderr": done.stderr, "exit code": str(done.exit_code), "error": repr(done.exception)}


def asked(world: World, folder: Path) -> Mapping[str, str]:
    """What a model is asked in every mode, and the keys under which requests and their answers are kept."""
    return {str(nth): "\n".join(map(_asked, _questions(half))) for nth, half in enumerate(world)}


def _questions(half: Halves) -> list[Question]:
    entry, told = half.puzzle, half.rendering
    if entry.family == FAMILY_NAME:
        shown = present(read_payload(entry.payload), told, LABELS)
        return [question(shown, "text"), question(shown, "schema"), question(shown, "grammar")]
    return [dialogue(present_task(entry, entry.payload, (told,)))]


def _asked(one: Question) -> str:
    setting = Setting(
        identity={"adapter": "audit", "model": "parrot"}, parameters=Parameters(), mode=one.mode,
        prompt_version=PROMPT_VERSION,
    )  # fmt: skip
    return f"{request_key(setting, one)} {one!r}"


def presented(world: World, folder: Path) -> Mapping[str, str]:
    """What people and models meet, and the digest by which an answer is stored."""
    released = {}
    for nth, half in enumerate(world):
        entry, told = half.puzzle, half.rendering
        if entry.family == FAMILY_NAME:
            released[str(nth)] = repr(present(read_payload(entry.payload), told, LABELS))
        else:
            released[str(nth)] = repr(present_task(entry, entry.payload, (told,)))
    return released


def answered(world: World, folder: Path) -> Mapping[str, str]:
    """The rows of an answers file after a built-in solver has answered everything beside the sealed file."""
    path, answers = written(world, folder), folder / "answers.db"
    number = iter(range(1 << 40))
    desk = RealDesk(
        pack=str(path), solver="baseline:pooled", kind="model", answers=answers, policy=COLLECT, clock=lambda: NOW
    )  # fmt: skip
    with closing(desk):
        desk.open()
        for _ in answer_all(desk, BASELINES["baseline:pooled"], lambda: _answer_id(next(number)), lambda: NOW):
            pass
    return {**database_rows(answers), "files": " ".join(sorted(entry.name for entry in folder.iterdir()))}


def _answer_id(nth: int) -> str:
    digits = text_digest(f"answer {nth}")
    return f"{digits[:8]}-{digits[8:12]}-7{digits[13:16]}-8{digits[17:20]}-{digits[20:32]}"


def database_rows(path: Path) -> dict[str, str]:
    """Return every row of a database without its random columns, keyed by table and puzzle."""
    released: dict[str, list[str]] = {}
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        tables = [row[0] for row in connection.execute("select name from sqlite_master where type = 'table'")]
        for table in sorted(name for name in tables if not name.startswith("_")):
            for row in connection.execute(f"select * from {table}"):
                told = {name: str(value) for name, value in dict(row).items() if not VOLATILE.search(name)}
                released.setdefault(f"{table} {told.get('puzzle_id', '')}", []).append(canonical_text(told))
    return {key: "\n".join(sorted(rows)) for key, rows in released.items()}


def printed(world: World, folder: Path) -> Mapping[str, str]:
    """What a log line or a traceback would print."""
    return {str(nth): f"{half!r} {half.system!r} {half.task!r}" for nth, half in enumerate(world)}


EXITS: tuple[tuple[str, Exit], ...] = (
    ("presented", presented),
    ("asked", asked),
    ("pack", pack_rows),
    ("export", exported),
    ("repr", printed),
)
"""Exits of both families."""
ANSWERED: tuple[str, Exit] = ("answers", answered)
"""Of hidden systems alone: built-in solvers write no texts."""
