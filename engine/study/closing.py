"""Closing a study: no further answer is merged, and the sealed records are laid open. What it writes holds the gold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.canonical import canonical_text
from engine.errors import UsageError
from engine.store.clock import Clock, utc_now
from engine.study.folder import Study
from engine.study.proof import require_committed, reveals


def reveal_name(nth: int) -> str:
    """Return the name of the file that opens the nth pack of a study, from 0."""
    return f"reveal-{nth + 1}.jsonl"


def close_study(study: Study, sealed: Sequence[Path] = (), *, clock: Clock = utc_now) -> tuple[tuple[Path, ...], int]:
    """Close a study and write its records with salts and paths; return the files, one a pack, and the records in them.

    Raises:
        UsageError: it is closed already.
        StoreError: a sealed file is not the committed one.
    """
    if study.is_closed():
        raise UsageError(f"study {study.manifest.name!r} is closed already; {reveal_name(0)} lies in {study.place}")
    items = {item.uid for item in study.manifest.items}
    halves = study.sealed(sealed)
    require_committed(study.packs, halves, items)
    opened = list(reveals(study.packs, halves, items))
    targets = tuple(study.place / reveal_name(nth) for nth in range(len(opened)))
    for target, lines in zip(targets, opened, strict=True):
        target.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    study.file.note(clock(), "closed", canonical_text({"manifest": study.sha, "records": len(items)}))
    return targets, len(items)
