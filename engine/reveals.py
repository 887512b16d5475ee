"""Opening commitments after collection: a record, its salt and its path lead to the root that was published before.

A reveal shows that the gold of a puzzle was fixed when the root was, and that it is the gold that is scored. It does
not show that nobody knew it, and not when the root was made, unless the root had left the operator's hands (a
registration, a session row). A revealed pack is burnt: nobody can be asked its puzzles any more.
PRIVATE: reads the sealed file. Specification, "Commit-reveal".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from engine.canonical import Json, canonical_text
from engine.errors import StoreError, UsageError, quoted
from engine.store.answer_rows import AttemptRow, SessionRow
from engine.store.answers import Answers
from engine.store.commitment import Step, leaf, merkle_paths, merkle_root, root_from_path
from engine.store.pack import Pack
from engine.store.sealed import Sealed, record_text
from engine.store.sealed_tasks import task_text

FORMAT = "clew-reveal/1"


class Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of a reveal."""

    format: str
    commit_root: str
    content_sha: str
    puzzles: int
    """In the pack."""


class Neighbour(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step of a path."""

    sibling: str
    left: bool


class Opened(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One puzzle with all that opens its commitment."""

    puzzle_id: str
    record: str
    """Canonical JSON of the sealed record: the very text that was committed to."""
    salt: str
    """Hex digits."""
    commit_sha: str
    path: tuple[Neighbour, ...]


class Fault(msgspec.Struct, frozen=True):
    """What does not hold, and of which puzzle or session."""

    subject: str
    what: str


def head_line(pack: Pack) -> str:
    """Return the first line of a reveal."""
    head = Head(
        format=FORMAT,
        commit_root=pack.meta.get("commit_root", ""),
        content_sha=pack.sha,
        puzzles=len(pack.puzzles()),
    )
    return msgspec.json.encode(head).decode()


def reveal_lines(pack: Pack, sealed: Sealed, puzzle_ids: Collection[str] = ()) -> Iterator[str]:
    """Yield the line of each puzzle, of all if none is named.

    Raises:
        UsageError: a puzzle that the pack or the sealed file does not have.
        StoreError: a record that is not the one committed to, or a root that is not the one of the commitments.
    """
    leaves = {entry.id: entry.commit_sha for entry in pack.puzzles()}
    if merkle_root(list(leaves.items())) != pack.meta.get("commit_root", ""):
        raise StoreError(f"{pack.path}: its root is not that of its commitments; clew verify-pack says what differs")
    paths = merkle_paths(list(leaves.items()))
    for puzzle in puzzle_ids or paths:
        text, salt = committed_text(pack, sealed, puzzle)
        path: list[Json] = [{"sibling": step.sibling, "left": step.left} for step in paths[puzzle]]
        told: dict[str, Json] = {"record": text, "salt": salt.hex(), "commit_sha": leaves[puzzle], "path": path}
        yield canonical_text({"puzzle_id": puzzle, **told})


def sealed_text(pack: Pack, sealed: Sealed, puzzle_id: str) -> tuple[str, bytes]:
    """Return the committed text of a puzzle of either family, and its salt."""
    if pack.entry(puzzle_id).family == "hidden-systems":
        record = sealed.record(puzzle_id)
        return record_text(record), record.salt
    task = sealed.task(puzzle_id)
    return task_text(task), task.salt


def committed_text(pack: Pack, sealed: Sealed, puzzle_id: str) -> tuple[str, bytes]:
    """Return the same for a record that opens its commitment.

    Raises:
        StoreError: it is not the record that the pack committed to.
    """
    text, salt = sealed_text(pack, sealed, puzzle_id)
    if leaf(salt, text) != pack.entry(puzzle_id).commit_sha:
        raise StoreError(
            f"puzzle {puzzle_id!r}: its sealed record is not the one that the pack committed to; the sealed file was "
            f"changed, take the one made with the pack"
        )
    return text, salt


def read_reveal(lines: Sequence[str]) -> tuple[Head, tuple[Opened, ...]]:
    """Read a reveal.

    Raises:
        UsageError: a line that is not one of a reveal; names the line.
    """
    if not lines:
        raise UsageError("the reveal is empty; its first line names the root")
    try:
        head = msgspec.json.decode(lines[0], type=Head)
    except msgspec.DecodeError as error:
        raise UsageError(f"line 1 {quoted(lines[0][:80])}: {error}; the head of a reveal is needed") from error
    if head.format != FORMAT:
        raise UsageError(f"line 1: format {quoted(head.format)} is not known; {FORMAT!r} is")
    return head, tuple(_opened(line, nth) for nth, line in enumerate(lines[1:], start=2))


def _opened(line: str, nth: int) -> Opened:
    try:
        return msgspec.json.decode(line, type=Opened)
    except msgspec.DecodeError as error:
        raise UsageError(f"line {nth}: {error}; puzzle_id, record, salt and path are needed") from error


def opening_faults(one: Opened, root: str, commitments: Mapping[str, str] | None = None) -> Iterator[Fault]:
    """Yield what does not hold of one opened puzzle: its path to the root, and the commitment of a pack if given."""
    try:
        salt = bytes.fromhex(one.salt)
        path = [Step(sibling=step.sibling, left=step.left) for step in one.path]
        told = leaf(salt, one.record)
        reached = root_from_path(one.puzzle_id, told, path)
    except ValueError:
        yield Fault(one.puzzle_id, "salt or path cannot be read")
        return
    if reached != root or told != one.commit_sha:
        yield Fault(one.puzzle_id, "record, salt and path do not lead to the root")
    if commitments is not None and commitments.get(one.puzzle_id) != told:
        yield Fault(one.puzzle_id, "the pack commits to another record, or has no such puzzle")


def session_faults(answers: Answers, content_sha: str, root: str, puzzles: Collection[str]) -> Iterator[Fault]:
    """Yield the sessions that do not hold the root of the pack from before their first answer on it."""
    for solver in answers.solvers():
        sessions = {session.id: session for session in answers.sessions(solver)}
        mine = [session for session in sessions.values() if session.pack_sha == content_sha]
        yield from (Fault(one.id, "the session holds another root, or none") for one in mine if one.commit_root != root)
        for attempt in answers.attempts(solver, puzzles):
            yield from _late(sessions.get(attempt.session), attempt)


def _late(session: SessionRow | None, attempt: AttemptRow) -> Iterator[Fault]:
    if session is None:
        yield Fault(attempt.id, "the answer belongs to no session")
    elif session.started_at > min(attempt.shown_at, attempt.answered_at):
        yield Fault(session.id, "the session, and its root, are younger than an answer in it")
