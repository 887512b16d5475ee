"""C09: the gold was fixed before the first answer, and it is the one that is scored.

Every sealed record is held against the commitment in the pack, the commitments against the root, the sessions against
the root that they must have stored before their first answer, and the scores against the sealed gold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from audits.base import Finding, PackAudit, Row, Sensitivity, exact_rows
from audits.view import PackView
from engine.errors import ClewError
from engine.hidden_systems.packing import Sown, halves
from engine.hidden_systems.program.generate import generate_skeleton
from engine.packs import Salts
from engine.randomness import derive
from engine.reveals import sealed_text, session_faults
from engine.store.answer_rows import AttemptRow, SessionRow
from engine.store.answers import Answers
from engine.store.clock import uuid7
from engine.store.commitment import leaf, merkle_root
from engine.store.pack import PACK_SALT, Pack, write_pack
from engine.store.places import answers_path, scores_path
from engine.store.scores import ScoreRow, Scores
from engine.store.sealed import Sealed, SealedPuzzle, write_sealed

CLAIM = "every sealed record opens its commitment, every session held the root first, every score is by that gold"


def audit_commitments(view: PackView) -> tuple[Row, ...]:
    """Run C09 beside a sealed file; answers and scores count if the data directory has any."""
    if view.place is None:
        return exact_rows("C09", CLAIM, "error", "pack", (), 0)
    findings = commitment_findings(view.place.pack, view.place.sealed, answers_path(), scores_path())
    return exact_rows("C09", CLAIM, "error", "pack", findings, len(view.puzzles) + len(view.tasks))


def commitment_findings(pack: Path, sealed: Path, answers: Path, scores: Path) -> list[Finding]:
    """Return everything that does not fit the root."""
    with Pack.open(pack) as opened, Sealed.open(sealed) as secrets:
        found = [*_records(opened, secrets)]
        root, sha = opened.meta.get("commit_root", ""), opened.sha
        puzzles = [entry.id for entry in opened.puzzles()]
        gold = {record.puzzle_id: record.gold for record in secrets.records()}
    if answers.is_file():
        with closing(Answers.open(answers, create=False, read_only=True)) as given:
            found += [Finding(fault.subject, "/session") for fault in session_faults(given, sha, root, puzzles)]
    if scores.is_file():
        with closing(Scores.open(scores)) as kept:
            wrong = [row for row in kept.scores() if row.puzzle_id in gold and not _by_gold(row, gold[row.puzzle_id])]
        found += [Finding("scores", "/correct")] * bool(wrong)
    return found


def _records(pack: Pack, sealed: Sealed) -> Iterator[Finding]:
    entries = pack.puzzles()
    if pack.meta.get("commit_root", "") != merkle_root([(entry.id, entry.commit_sha) for entry in entries]):
        yield Finding("pack", "/commit_root")
    for entry in entries:
        try:
            text, salt = sealed_text(pack, sealed, entry.id)
        except ClewError:
            yield Finding(entry.id, "/record")
            continue
        if leaf(salt, text) != entry.commit_sha:
            yield Finding(entry.id, "/commit_sha")


def _by_gold(row: ScoreRow, gold: str) -> bool:
    return row.correct is None or bool(row.correct) == (row.label == gold)


# Self-test ----------------------------------------------------------------------------------------------------------

PUZZLES, SALT = 4, "public salt"
EARLY, LATE = "2030-01-01T00:00:00.000Z", "2030-01-02T00:00:00.000Z"


class _World:
    """A pack with its sealed file, one session and one answer, spoiled on request."""

    def __init__(self, folder: Path) -> None:
        self.pack, self.sealed = folder / "pack.db", folder / "sealed.db"
        self.answers, self.scores = folder / "answers.db", folder / "scores.db"
        seed = derive("audits/plants", "C09")
        self.halves = [
            halves(Sown(skeleton=generate_skeleton(4, seed, nth), seed=seed, index=nth), SALT, Salts(seed=seed))
            for nth in range(PUZZLES)
        ]

    def write(self, *, record: Callable[[SealedPuzzle], SealedPuzzle], root: str | None, started: str) -> None:
        """Write all files; the root in the session is the pack's if None is given."""
        meta = {"title": "sample", "kind": "study", PACK_SALT: SALT}
        write_pack(
            self.pack, meta=meta, puzzles=[one.puzzle for one in self.halves],
            renderings=[one.rendering for one in self.halves],
        )  # fmt: skip
        systems = [one.system for one in self.halves if one.system is not None]
        write_sealed(self.sealed, meta={}, puzzles=[record(systems[0]), *systems[1:]], canaries=[])
        self._answer(root, started)

    def _answer(self, root: str | None, started: str) -> None:
        with Pack.open(self.pack) as pack:
            sha, kept = pack.sha, pack.meta["commit_root"] if root is None else root
            shown = pack.renderings(self.halves[0].puzzle.id)[0]
        with closing(Answers.open(self.answers)) as answers:
            solver = answers.solver("anna", "human")
            session = SessionRow(
                id=uuid7(), solver=solver, started_at=started, app_version="0", pack_sha=sha, mode="collect", aid="A0",
                feedback="never", label_order="PRESENT,ABSENT", commit_root=kept,
            )  # fmt: skip
            attempt = AttemptRow(
                id=uuid7(), session=session.id, solver=solver, puzzle_id=shown.puzzle_id,
                puzzle_sha=self.halves[0].puzzle.payload_sha, rendering_id=shown.id, text_sha=shown.body_sha,
                answer="PRESENT", confidence=70, shown_at=EARLY, answered_at=EARLY, response_ms=1,
            )  # fmt: skip
            answers.save(attempt, session=session)

    def score(self, *, turned: bool) -> None:
        """Score the answer, by the wrong gold if it is to be turned."""
        system = self.halves[0].system
        assert system is not None
        right = (system.gold == "PRESENT") is not turned
        with closing(Scores.open(self.scores)) as scores:
            scores.put_scores(
                [
                    ScoreRow(
                        attempt=uuid7(), scorer_version="1", puzzle_id=system.puzzle_id, solver="s", complexity=4,
                        status="scored", label="PRESENT", correct=1 if right else 0,
                        present_probability=system.present_probability,
                    )
                ]
            )  # fmt: skip

    def findings(self) -> list[Finding]:
        return commitment_findings(self.pack, self.sealed, self.answers, self.scores)


def _flipped(record: SealedPuzzle) -> SealedPuzzle:
    return replace(record, gold="ABSENT" if record.gold == "PRESENT" else "PRESENT")


def _resalted(record: SealedPuzzle) -> SealedPuzzle:
    return replace(record, salt=bytes(reversed(record.salt)))


def plants() -> Sensitivity:
    """Flip a gold, change a salt, store no root, another root, a session younger than its answer, a turned score."""
    trials: tuple[tuple[Callable[[SealedPuzzle], SealedPuzzle], str | None, str, bool], ...] = (
        (_flipped, None, EARLY, False),
        (_resalted, None, EARLY, False),
        (_same, "", EARLY, False),
        (_same, "0" * 64, EARLY, False),
        (_same, None, LATE, False),
        (_same, None, EARLY, True),
    )
    return Sensitivity(sum(_finds(*trial) for trial in trials), len(trials), int(_finds(_same, None, EARLY, False)))


def _same(record: SealedPuzzle) -> SealedPuzzle:
    return record


def _finds(record: Callable[[SealedPuzzle], SealedPuzzle], root: str | None, started: str, turned: bool) -> bool:
    with TemporaryDirectory(prefix="clew-audit-") as name:
        world = _World(Path(name))
        world.write(record=record, root=root, started=started)
        world.score(turned=turned)
        return bool(world.findings())


COMMITTED = PackAudit(
    rule="C09", scope="files", severity="error", claim=CLAIM, run=audit_commitments, self_test=plants
)  # fmt: skip
