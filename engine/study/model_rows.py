"""What models and built-in solvers answered to the items of a study, as trials: one row an item and rollout."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.conversation import WRITER
from engine.store.answer_rows import AttemptRow, TurnRow
from engine.store.collected import CallFacts, Collected, SolverRow
from engine.study.book import Shelf, Shown, prompt_matches, prompt_sha
from engine.study.statuses import Status
from engine.study.trials import Model, Trial

Read = Callable[[AttemptRow, Sequence[str]], tuple[str, str]]
"""Takes an attempt and its texts; returns the scorer's status and, for a hidden system, the label or nothing."""
STATUS_OF: dict[str, Status] = {
    "scored": "answered", "skipped": "skipped", "ambiguous": "unparseable", "unparsable": "unparseable",
    "truncated": "truncated", "refused": "skipped", "filtered": "skipped", "empty": "skipped", "too_long": "skipped",
}  # fmt: skip
"""What the scorer's status of a model's answer is called here: giving none is a skip, for people and for models."""


def model_trials(book: Shelf, solver: SolverRow, collected: Collected, read: Read) -> Model:
    """Return one model's trials over all items of the study; an item that was not run is missing."""
    sessions = {row.id: row for row in collected.sessions if row.solver == solver.id}
    attempts: dict[str, list[AttemptRow]] = defaultdict(list)
    for attempt in collected.attempts:
        if attempt.solver == solver.id:
            attempts[attempt.puzzle_id].append(attempt)
    turns: dict[tuple[str, str, int], list[TurnRow]] = defaultdict(list)
    for turn in collected.turns:
        if turn.session in sessions:
            turns[turn.session, turn.puzzle_id, turn.attempt_no].append(turn)
    calls: dict[str, list[CallFacts]] = defaultdict(list)
    for call in collected.calls:
        if call.solver == solver.id:
            calls[call.puzzle_id].append(call)
    trials: list[Trial] = []
    for item in book.items:
        shown = book.shown[item.uid]
        base = empty_trial(book, solver, shown, item.uid)
        rollouts = sorted(attempts[item.uid], key=lambda attempt: attempt.attempt_no)
        for attempt in rollouts:
            said = turns[attempt.session, item.uid, attempt.attempt_no]
            session = sessions[attempt.session]
            trials.append(
                replace(_answered(base, shown, attempt, said, read), aid=session.aid, app_version=session.app_version)
            )
        if not rollouts:
            trials.append(replace(base, status=_unanswered(calls[item.uid])))
    return Model(solver=solver.id, name=solver.alias, trials=tuple(trials))


def empty_trial(book: Shelf, solver: SolverRow, shown: Shown, uid: str) -> Trial:
    """Return the trial of an item that a model was to answer and was not run on."""
    return Trial(
        manifest_sha=book.sha, kind="model", solver=solver.id, code=solver.alias, role="main", item_uid=uid,
        shown_uid=uid, prompt_sha="", prompt_matches=True, family=shown.family, stratum=shown.stratum,
        complexity=shown.complexity, domain=shown.domain, aid="A0", position=-1, block=-1, status="missing", answer="",
        confidence=None, rt_ms_active=None, rt_ms_wall=None, n_revisions=0, exposure=1, rollout=0, resumed=False,
        reason="", shown_at="", answered_at="", session="", attempt="", app_version="", columns=None, rows=None,
        characters=None,
    )  # fmt: skip


def _answered(base: Trial, shown: Shown, attempt: AttemptRow, turns: Sequence[TurnRow], read: Read) -> Trial:
    texts = [turn.text for turn in sorted(turns, key=lambda one: one.turn) if turn.role == WRITER]
    status, label = ("skipped", "SKIP") if attempt.answer == "SKIP" else read(attempt, texts)
    return replace(
        base, prompt_sha=prompt_sha(attempt, turns), prompt_matches=prompt_matches(shown.prompt_shas, attempt, turns),
        status=STATUS_OF[status], answer=label, confidence=attempt.confidence, rt_ms_active=attempt.response_ms,
        rollout=attempt.attempt_no - 1, shown_at=attempt.shown_at, answered_at=attempt.answered_at,
        session=attempt.session, attempt=attempt.id, characters=sum(map(len, texts)) if texts else None,
    )  # fmt: skip


def _unanswered(calls: Sequence[CallFacts]) -> Status:
    """Return the status of an item without an answer: what its final request came to, an error, or never run."""
    final = [call.status for call in calls if call.final]
    if final:
        return STATUS_OF.get(final[-1], "error")
    return "error" if calls else "missing"
