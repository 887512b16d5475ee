"""Where the app was left: the pack, the player and the aid of the newest session with something open.

Answers hold the digest of their pack and no path, since they are handed on. Where on this machine a pack lies is kept
beside them, in a file of its own (`packs.json`, by digest), which may be deleted: the app is then left nowhere.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import msgspec

from engine.errors import StoreError, quoted
from engine.public import Aid
from engine.store.answer_rows import DraftRow, SessionRow
from engine.store.answers import Answers
from engine.store.files import create_empty, publish, scratch_folder
from engine.store.places import answers_path, data_folder

MOST_PACKS = 100
"""The packs opened longest ago are forgotten."""


@dataclass(frozen=True, kw_only=True)
class LeftOpen:
    """What `clew resume` opens again."""

    player: str
    pack: str | None = None
    """None for the built-in pack, where a puzzle made from a code is gone on with too."""
    aid: Aid | None = None


def remember(pack: Path, sha: str) -> None:
    """Keep where a pack lies in which something is left open."""
    known, place = _places(), str(pack.resolve())
    if known.get(sha) == place:
        return
    known.pop(sha, None)
    known[sha] = place
    newest = dict(list(known.items())[-MOST_PACKS:])
    with scratch_folder(data_folder()) as folder:
        written = folder / "packs.json"
        create_empty(written, 0o600)
        written.write_text(json.dumps(newest, indent=1), encoding="utf-8")
        publish(written, _file(), replace=True)


def left_open(player: str | None) -> LeftOpen | None:
    """Return what was left open last, by one player if given; None where nothing is.

    Raises:
        StoreError: its pack is not where it was.
    """
    path = answers_path()
    if not path.exists():
        return None
    with Answers.open(path, read_only=True) as answers:
        people = {solver: alias for solver, (alias, kind) in answers.solvers().items() if kind == "human"}
        found = [
            (draft.saved_at, draft, session)
            for solver, alias in people.items()
            if player in (None, alias)
            for draft, session in _open_drafts(answers, solver)
        ]
    if not found:
        return None
    _, _, session = max(found, key=lambda one: one[0])
    return _left(session, people[session.solver])


def _open_drafts(answers: Answers, solver: str) -> list[tuple[DraftRow, SessionRow]]:
    """Return a person's drafts of items without an answer, outside of studies, with their sessions."""
    done = answers.answered(solver)
    sessions = {session.id: session for session in answers.sessions(solver) if not session.manifest_sha}
    return [
        (draft, sessions[draft.session])
        for draft in answers.drafts(solver)
        if draft.puzzle_id not in done and draft.session in sessions
    ]


def _left(session: SessionRow, alias: str) -> LeftOpen:
    place = _places().get(session.pack_sha)
    if place is not None and not Path(place).is_file():
        raise StoreError(
            f"the pack in which {alias!r} left an item open is gone; put it back, or name another with clew resume "
            f"--pack FILE: {quoted(place)}"
        )
    return LeftOpen(player=alias, pack=place, aid=None if session.mode == "collect" else session.aid)


def _file() -> Path:
    return data_folder() / "packs.json"


def _places() -> dict[str, str]:
    """Return where packs lie, by digest; nothing where the file is missing or none of ours."""
    try:
        return msgspec.json.decode(_file().read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        return {}
