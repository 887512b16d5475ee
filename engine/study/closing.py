"""Closing a study: no further answer is merged, and the sealed records are laid open. What it writes holds the gold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.canonical import canonical_text
from engine.errors import UsageError
from engine.store.clock import Clock, utc_now
from engine.study.folder import Study
from engine.study.proof import require_committed, revealed

REVEAL_NAME = "reveal.jsonl"


def close_study(study: Study, sealed: Sequence[Path] = (), *, clock: Clock = utc_now) -> tuple[Path, int]:
    """Close a study and write its records with salts and paths; return the file and how many records it holds.

    Raises:
        UsageError: it is closed already.
        StoreError: a sealed file is not the committed one.
    """
    if study.is_closed():
        raise UsageError(f"study {study.manifest.name!r} is closed already; {REVEAL_NAME} lies in its folder")
    items = {item.uid for item in study.manifest.items}
    halves = study.sealed(sealed)
    require_committed(study.packs, halves, items)
    lines = [canonical_text(row) for row in revealed(study.packs, halves, items)]
    target = study.place / REVEAL_NAME
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    study.file.note(clock(), "closed", canonical_text({"manifest": study.sha, "records": len(lines)}))
    return target, len(lines)
