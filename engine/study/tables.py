"""The rows of an export, from trials and from what was collected: people stand under P-numbers, never under codes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.canonical import canonical_text
from engine.scoring import SCORER_VERSIONS
from engine.store.collected import Collected
from engine.store.scores import Scores
from engine.study.columns import FILES
from engine.study.folder import Study
from engine.study.gathering import excluded
from engine.study.proof import gold_of
from engine.study.statuses import PRESENTED
from engine.study.trials import Person, StudyData, Trial

Value = str | int | bool | None
Row = Mapping[str, Value]


class Names:
    """What people, models and sessions are called in an export."""

    def __init__(self, data: StudyData, collected: Collected) -> None:
        self._who = {person.solver: f"P{person.position + 1:02d}" for person in data.people}
        self._who |= {model.solver: model.name for model in data.models}
        self._sessions: dict[str, str] = {}
        counts: Counter[str] = Counter()
        for row in collected.sessions:
            if row.solver in self._who:
                counts[row.solver] += 1
                self._sessions[row.id] = f"{self._who[row.solver]}-s{counts[row.solver]}"

    def who(self, solver: str) -> str:
        return self._who[solver]

    def knows(self, session: str) -> bool:
        return session in self._sessions

    def session(self, session: str | None) -> str | None:
        """Return a session's name; None for none, or one outside the study."""
        return self._sessions.get(session or "")


def tables_of(study: Study, data: StudyData, collected: Collected, gold: Sequence[Path] = ()) -> dict[str, list[Row]]:
    """Return the rows of every file."""
    names, left_out = Names(data, collected), {one.solver: one.rule for one in excluded(study, data)}
    right, met = _verdicts(study) if gold else ({}, {})
    trials = [trial for person in data.people for trial in person.trials]
    trials += [trial for model in data.models for trial in model.trials]
    tables: dict[str, list[Row]] = {
        "trials": [trial_row(trial, names, left_out) for trial in trials],
        "participants": [_person_row(person, names, left_out) for person in data.people],
        "sessions": _session_rows(data, collected, names),
        "items": _item_rows(study, data),
        "attempts": [_attempt_row(trial, names, right, met) for trial in trials if trial.attempt],
        "events": [
            {
                "participant": str(names.session(event.session)).rpartition("-")[0],
                "session": names.session(event.session), "n": event.n, "t_ms": event.t_ms, "kind": event.kind,
                "puzzle": event.puzzle_id or None, "data": event.data or None,
            }
            for event in collected.events
            if names.knows(event.session)
        ],
        "texts": [
            {
                "participant": str(names.session(turn.session)).rpartition("-")[0],
                "session": names.session(turn.session), "shown_uid": turn.puzzle_id, "turn": turn.turn,
                "role": turn.role, "text": turn.text,
            }
            for turn in collected.turns
            if names.knows(turn.session)
        ],
    }  # fmt: skip
    if gold:
        tables["gold"] = _gold_rows(study, gold)
    return tables


def trial_row(trial: Trial, names: Names, left_out: Mapping[str, str]) -> Row:
    """Return one row of the trials file."""
    found: dict[str, Value] = {
        "participant": names.who(trial.solver), "session": names.session(trial.session),
        "answer_id": trial.attempt or None, "excluded_by": left_out.get(trial.solver),
    }  # fmt: skip
    for column in FILES["trials"]:
        if column.name not in found:
            value = getattr(trial, column.name)
            found[column.name] = None if value == "" else value
    return {column.name: found[column.name] for column in FILES["trials"]}


def _person_row(person: Person, names: Names, left_out: Mapping[str, str]) -> Row:
    counts = person.counts()
    return {
        "participant": names.who(person.solver), "aid": " ".join(person.aids), "position": person.position,
        "consent_version": person.consent_version, "consent_sha": person.consent_sha, "ended": person.ended or None,
        "checks_tried": len(person.checks), "check_passed": person.checks[-1] if person.checks else None,
        "intake": canonical_text(dict(person.intake)), "excluded_by": left_out.get(person.solver),
        "n_assigned": counts.expected, "n_answered": counts.answered, "n_presented": counts.scored,
        "active_ms": sum(trial.rt_ms_active or 0 for trial in person.main),
    }  # fmt: skip


def _session_rows(data: StudyData, collected: Collected, names: Names) -> list[Row]:
    people = {person.solver: person for person in data.people}
    events = Counter(event.session for event in collected.events)
    sizes = {
        trial.session: (trial.columns, trial.rows) for person in data.people for trial in person.trials if trial.columns
    }
    return [
        {
            "participant": names.who(row.solver), "session": names.session(row.id), "mode": row.mode, "aid": row.aid,
            "started_at": row.started_at, "app_version": row.app_version, "label_order": row.label_order,
            "resumed_from": names.session(row.resumed_from), "columns": sizes.get(row.id, (None, None))[0],
            "rows": sizes.get(row.id, (None, None))[1], "n_events": events[row.id],
        }
        for row in collected.sessions
        if row.solver in people
    ]  # fmt: skip


def _item_rows(study: Study, data: StudyData) -> list[Row]:
    raters = Counter(
        trial.item_uid for person in data.people for trial in person.main if trial.status in PRESENTED - {"abandoned"}
    )
    return [
        {
            "item_uid": item.uid, "family": item.family, "kind": item.kind, "complexity": item.complexity,
            "domain": item.domain, "prompt_shas": " ".join(item.prompt_shas), "n_raters": raters[item.uid],
        }
        for item in study.manifest.items
    ]  # fmt: skip


def _attempt_row(trial: Trial, names: Names, right: Mapping[str, bool], met: Mapping[str, str]) -> Row:
    return {
        "task": trial.item_uid, "participant": names.who(trial.solver), "session": names.session(trial.session),
        "start": trial.shown_at, "duration_ms": trial.rt_ms_active, "submissions": trial.n_revisions + 1,
        "correct": right.get(trial.attempt), "verdicts": met.get(trial.attempt),
    }  # fmt: skip


def _verdicts(study: Study) -> tuple[dict[str, bool], dict[str, str]]:
    """Return which attempts are right, and of written ones what each requirement got, both by attempt."""
    if not study.scores.exists():
        return {}, {}
    with Scores.open(study.scores) as scores:
        right = {row.attempt: row.correct == 1 for row in scores.scores() if row.correct is not None}
        marks: dict[str, dict[int, str]] = defaultdict(lambda: defaultdict(str))
        for check in scores.check_scores():
            if check.scorer_version in SCORER_VERSIONS:
                marks[check.attempt][check.turn] += str(int(check.passed))
    return right, {attempt: " ".join(turns.values()) for attempt, turns in marks.items()}


def _gold_rows(study: Study, sealed: Sequence[Path]) -> list[Row]:
    items = {item.uid for item in study.manifest.items}
    return [
        {"item_uid": uid, "answer": answer, "present_probability": probability}
        for uid, answer, probability in gold_of(study.packs, sealed, items)
    ]
