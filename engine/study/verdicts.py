"""Scoring a study: people, models, shortcuts and floors by the same scorer, against the gold that was committed to.

Scores go to a file of their own beside the answers; reports read that file and never the sealed one. PRIVATE: the
researcher's commands call this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

from engine.conversation import WRITER
from engine.hidden_systems.behavior import read_payload
from engine.instruction_adherence.packing import sealed_turns
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.instruction_adherence.writing import read_writing
from engine.models.baselines import BASELINES
from engine.models.parsing import Parsed
from engine.scoring import Scored, final_calls, heard_in, read_label, score_system, score_task
from engine.store.answer_rows import AttemptRow
from engine.store.answers import Answers
from engine.store.call_rows import ModelCallRow
from engine.store.pack import Pack, PackEntry
from engine.store.scores import Scores
from engine.store.sealed import Sealed
from engine.study.model_rows import Read
from engine.study.packset import PackSet
from engine.study.proof import require_committed
from engine.study.trials import StudyData, Trial

FLOORS = ("floor:empty", "floor:copied-prompt")
"""What writing nothing, and handing the brief back, is worth."""
Calls = Mapping[tuple[str, int], ModelCallRow]


def model_reader(packs: PackSet, answers: Answers, solver: str) -> Read:
    """Return how a model's texts are read: by the scorer's own parser, in the words of the rendering shown."""
    finals = final_calls(answers, solver)

    def read(attempt: AttemptRow, texts: Sequence[str]) -> tuple[str, str]:
        if attempt.answer is not None:
            return "scored", attempt.answer
        if not texts:
            return "empty", ""
        calls = [finals.get((attempt.puzzle_id, nth)) for nth in range(1, len(texts) + 1)]
        if packs.entry(attempt.puzzle_id).family == WRITING:
            heard = [heard_in(text, call).status for text, call in zip(texts, calls, strict=True)]
            return next((status for status in heard if status != "answered"), "scored"), ""
        found = read_label(packs.home(attempt.puzzle_id), attempt, texts[0], calls[0])
        if not isinstance(found, Parsed):
            return found, ""
        return ("scored", str(found.label)) if found.status == "read" else (found.status, "")

    return read


def score_study(
    data: StudyData, packs: Sequence[Path], sealed: Sequence[Path], answers: Path, scores: Path, items: Sequence[str]
) -> int:
    """Score every answer of a study that counts, and the baselines and floors; return how many rows were made.

    Args:
        packs, sealed: the two halves, pair by pair.
        scores: the file that takes the scores; made now if it is missing.

    Raises:
        StoreError: a sealed file is not the committed one, or a file cannot be used.
    """
    wanted = frozenset(items)
    require_committed(packs, sealed, wanted)
    with ExitStack() as files:
        given = files.enter_context(Answers.open(answers, create=False, read_only=True))
        kept = files.enter_context(Scores.open(scores))
        rows: list[Scored] = []
        for path, secret in zip(packs, sealed, strict=True):
            pack = files.enter_context(Pack.open(path))
            opened = files.enter_context(Sealed.open(secret))
            entries = {entry.id: entry for entry in pack.puzzles() if entry.id in wanted}
            for trial in _scorable(data, entries):
                rows.append(_score(pack, opened, given, entries[trial.item_uid], trial))
            for entry in entries.values():
                rows += _references(pack, opened, entry)
        kept.put_scores(
            (one.row for one in rows), [turn for one in rows for turn in one.turns],
            [check for one in rows for check in one.checks], [one.parsed for one in rows if one.parsed is not None],
        )  # fmt: skip
    return len(rows)


def _scorable(data: StudyData, entries: Mapping[str, PackEntry]) -> Iterator[Trial]:
    """Yield the trials with an answer to an item of a pack, repeated and later exposures among them."""
    trials = [person.trials for person in data.people] + [model.trials for model in data.models]
    for trial in chain.from_iterable(trials):
        if trial.attempt and trial.item_uid in entries and trial.role in ("main", "repeat"):
            yield trial


def _score(pack: Pack, sealed: Sealed, answers: Answers, entry: PackEntry, trial: Trial) -> Scored:
    attempt = answers.attempt(trial.attempt)
    assert attempt is not None, "a trial names an attempt of this file"
    texts = [
        turn.text
        for turn in answers.turns(attempt.session, attempt.puzzle_id, attempt.attempt_no)
        if turn.role == WRITER
    ]
    finals: Calls = final_calls(answers, attempt.solver) if trial.kind == "model" else {}
    if entry.family == WRITING:
        turns = sealed_turns(sealed.task(entry.id))
        return score_task(
            attempt, entry, turns, texts, [finals.get((entry.id, nth)) for nth in range(1, len(turns) + 1)]
        )
    found = None
    if attempt.answer is None and texts:
        found = read_label(pack, attempt, texts[0], finals.get((entry.id, 1)))
    return score_system(attempt, entry, sealed.record(entry.id), found)


def _references(pack: Pack, sealed: Sealed, entry: PackEntry) -> Iterator[Scored]:
    """Yield the scores of what stands beside every solver: shortcuts for hidden systems, floors for writing tasks."""
    if entry.family == WRITING:
        task = sealed.task(entry.id)
        turns, asked = sealed_turns(task), read_writing(pack.payload(entry.id), where=entry.id).turns
        for name, said in zip(FLOORS, ([""] * len(turns), list(asked)), strict=True):
            yield score_task(_reference(name, entry), entry, turns, said, [None] * len(turns))
        return
    payload = read_payload(pack.payload(entry.id), where=f"puzzle {entry.id!r}")
    for name, solve in BASELINES.items():
        label = Parsed(status="read", label=solve(payload))
        yield score_system(_reference(name, entry), entry, sealed.record(entry.id), label)


def _reference(name: str, entry: PackEntry) -> AttemptRow:
    """Return an attempt that nobody made: its id says so."""
    return AttemptRow(
        id=f"{name}/{entry.id}", session="", solver=name, puzzle_id=entry.id, puzzle_sha=entry.payload_sha, text_sha="",
        answer=None, confidence=None, shown_at="", answered_at="", response_ms=0,
    )  # fmt: skip
