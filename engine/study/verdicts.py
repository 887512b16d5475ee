"""Scoring a study: people, models, shortcuts and floors by the same scorer, against the gold that was committed to.

Scores go to a file of their own beside the answers; reports read that file and never the sealed one. PRIVATE: the
researcher's commands call this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.models.parsing import Parsed
from engine.references import reference_scores
from engine.scoring import Scored, final_calls, heard_in, keep, read_label, score_attempt
from engine.store.answer_rows import AttemptRow
from engine.store.answers import Answers
from engine.store.call_rows import ModelCallRow
from engine.store.pack import Pack, PackEntry
from engine.store.scores import ScoreRow, Scores
from engine.store.sealed import Sealed
from engine.study.model_rows import Read
from engine.study.packset import PackSet
from engine.study.proof import require_committed
from engine.study.trials import StudyData, Trial

NO_CALLS: Mapping[tuple[str, int], ModelCallRow] = {}


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
        beside: list[ScoreRow] = []
        for path, secret in zip(packs, sealed, strict=True):
            pack = files.enter_context(Pack.open(path))
            opened = files.enter_context(Sealed.open(secret))
            entries = {entry.id: entry for entry in pack.puzzles() if entry.id in wanted}
            for trial in _scorable(data, entries):
                attempt = given.attempt(trial.attempt)
                assert attempt is not None, "a trial names an attempt of this file"
                finals = final_calls(given, attempt.solver) if trial.kind == "model" else NO_CALLS
                rows.append(score_attempt(pack, opened, given, attempt, entries[trial.item_uid], finals))
            for entry in entries.values():
                beside += reference_scores(pack, opened, entry)
        keep(kept, rows, beside)
    return len(rows) + len(beside)


def _scorable(data: StudyData, entries: Mapping[str, PackEntry]) -> Iterator[Trial]:
    """Yield the trials with an answer to an item of a pack, repeated and later exposures among them."""
    trials = [person.trials for person in data.people] + [model.trials for model in data.models]
    for trial in chain.from_iterable(trials):
        if trial.attempt and trial.item_uid in entries and trial.role in ("main", "repeat"):
            yield trial
