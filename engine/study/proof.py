"""That the gold was fixed before the first answer, and that no byte of it lies where participants are.

PRIVATE: the researcher's commands call this; it opens the sealed file.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from engine.canonical import canonical_text
from engine.errors import StoreError
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.reveals import head_line, reveal_lines, sealed_text
from engine.store.commitment import leaf
from engine.store.pack import Pack
from engine.store.sealed import Sealed, SealedPuzzle
from engine.store.sealed_tasks import SealedTask
from engine.store.withdrawing import traces

SHORTEST = 12
"""Shorter texts occur by chance."""


def require_committed(packs: Sequence[Path], sealed: Sequence[Path], items: Collection[str]) -> None:
    """Refuse sealed files that are not what the packs committed to.

    Raises:
        StoreError: a file is missing, or an item differs; names the first.
    """
    for path, secret in zip(packs, sealed, strict=True):
        with Pack.open(path) as pack, Sealed.open(secret) as opened:
            for entry in pack.puzzles():
                if entry.id in items and _commitment(pack, opened, entry.id) != entry.commit_sha:
                    raise StoreError(
                        f"{secret}: item {entry.id!r} is not what {path} committed to; give the file made with it"
                    )


def secret_words(sealed: Sealed, pack: Pack) -> tuple[str, ...]:
    """Return texts that occur in the sealed file and may occur in no file of a participant."""
    found = {*sealed.canaries(), *sealed.meta.values()}
    for entry in pack.puzzles():
        found.update(_task_words(sealed.task(entry.id)) if entry.family == WRITING else _words(sealed.record(entry.id)))
    return tuple(sorted(word for word in found if len(word) >= SHORTEST))


def leaks(folder: Path, packs: Sequence[Path], sealed: Sequence[Path]) -> tuple[str, ...]:
    """Return the files of a folder that hold a sealed text, by name; an honest bundle has none."""
    found: set[str] = set()
    for path, secret in zip(packs, sealed, strict=True):
        with Pack.open(path) as pack, Sealed.open(secret) as opened:
            public = set(pack.meta.values())
            words = [word for word in secret_words(opened, pack) if word not in public]
        found |= {str(file.relative_to(folder)) for file in traces([folder], words)}
    return tuple(sorted(found))


def reveals(packs: Sequence[Path], sealed: Sequence[Path], items: Collection[str]) -> Iterator[list[str]]:
    """Yield for each pack the lines of a reveal of its items, as `clew seal verify` reads them."""
    for path, secret in zip(packs, sealed, strict=True):
        with Pack.open(path) as pack, Sealed.open(secret) as opened:
            mine = [entry.id for entry in pack.puzzles() if entry.id in items]
            yield [head_line(pack), *(reveal_lines(pack, opened, mine) if mine else ())]


def gold_of(
    packs: Sequence[Path], sealed: Sequence[Path], items: Collection[str]
) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield each item with its likelier outcome and exact probability; None twice for a writing task."""
    for path, secret in zip(packs, sealed, strict=True):
        with Pack.open(path) as pack, Sealed.open(secret) as opened:
            known = {record.puzzle_id: record for record in opened.records()}
            for entry in pack.puzzles():
                if entry.id in items:
                    record = known.get(entry.id)
                    yield entry.id, record.gold if record else None, record.present_probability if record else None


def _commitment(pack: Pack, sealed: Sealed, puzzle_id: str) -> str:
    text, salt = sealed_text(pack, sealed, puzzle_id)
    return leaf(salt, text)


def _words(record: SealedPuzzle) -> Iterator[str]:
    yield from (record.program, record.latent_trace, record.present_probability, record.salt.hex())
    yield from (str(record.seed), f"{record.seed:x}")
    for rule in json.loads(record.program).get("rules", ()):
        yield canonical_text(rule)


def _task_words(task: SealedTask) -> Iterator[str]:
    yield task.salt.hex()
    for turn in task.turns:
        yield turn.witness
        yield turn.keywords
