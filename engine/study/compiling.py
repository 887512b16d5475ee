"""From rows of an answers file to trials: which answer counts, what became of each item, how long it took."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from engine.conversation import WRITER
from engine.store.answer_rows import AttemptRow, EventRow, SessionRow, TurnRow
from engine.store.collected import AssignmentRow, Collected, SolverRow
from engine.store.field_rules import TIME
from engine.study import marks
from engine.study.book import Book, prompt_matches, prompt_sha
from engine.study.manifest import Manifest
from engine.study.model_rows import Read, model_trials
from engine.study.ordering import Slot
from engine.study.statuses import Status
from engine.study.trials import Model, Person, StudyData, Trial


def compile_study(manifest: Manifest, collected: Collected, reader: Callable[[str], Read]) -> StudyData:
    """Return people and models of one version of a study.

    Args:
        reader: returns, for a model's solver id, how its texts are read.
    """
    book = Book(manifest)
    mine = [row for row in collected.sessions if row.manifest_sha == book.sha]
    humans = {row.solver for row in mine}
    people = [
        _person(book, solver, collected)
        for solver in collected.solvers
        if solver.kind == "human" and solver.id in humans
    ]
    models = [
        model_trials(book, solver, collected, reader(solver.id))
        for solver in collected.solvers
        if solver.kind == "model"
    ]
    return StudyData(
        people=tuple(sorted(people, key=lambda person: (person.code, person.solver))),
        models=tuple(sorted((one for one in models if _met_any(one)), key=lambda one: one.name)),
        withdrawn=len(collected.withdrawals),
    )


def _met_any(model: Model) -> bool:
    return any(trial.status != "missing" for trial in model.trials)


@dataclass(frozen=True, kw_only=True)
class _Records:
    """The rows of one person under one manifest."""

    sessions: tuple[SessionRow, ...]
    assignments: tuple[AssignmentRow, ...]
    attempts: tuple[AttemptRow, ...]
    turns: Mapping[tuple[str, str, int], tuple[TurnRow, ...]]
    events: tuple[EventRow, ...]
    """By session in order of beginning, then by place."""

    def of(self, puzzle: str, kinds: Iterable[str]) -> tuple[EventRow, ...]:
        wanted = frozenset(kinds)
        return tuple(event for event in self.events if event.puzzle_id == puzzle and event.kind in wanted)


def _records(book: Book, solver: SolverRow, collected: Collected) -> _Records:
    sessions = tuple(row for row in collected.sessions if row.solver == solver.id and row.manifest_sha == book.sha)
    order = {row.id: nth for nth, row in enumerate(sessions)}
    turns: dict[tuple[str, str, int], list[TurnRow]] = defaultdict(list)
    for turn in collected.turns:
        if turn.session in order:
            turns[turn.session, turn.puzzle_id, turn.attempt_no].append(turn)
    events = sorted(
        (event for event in collected.events if event.session in order),
        key=lambda event: (order[event.session], event.n or 0),
    )
    return _Records(
        sessions=sessions,
        assignments=tuple(row for row in collected.assignments if row.solver == solver.id and row.study == book.sha),
        attempts=tuple(row for row in collected.attempts if row.session in order),
        turns={key: tuple(rows) for key, rows in turns.items()},
        events=tuple(events),
    )


def _person(book: Book, solver: SolverRow, collected: Collected) -> Person:
    records = _records(book, solver, collected)
    consent = _first(records.events, marks.CONSENT)
    checks = [json.loads(event.data) for event in records.events if event.kind == marks.CHECK]
    slots = marks.slots_of(records.events)
    aid = slots[0].aid if slots else records.sessions[0].aid
    blocks = {slot.puzzle_id: slot for slot in slots}
    trials = [
        trial
        for row in records.assignments
        for trial in _trials(book, solver, records, row.puzzle_id, row.position, blocks.get(row.puzzle_id), aid)
    ]
    for extra in book.manifest.aside.practice:
        trials += _trials(book, solver, records, extra.uid, -1, None, aid)
    return Person(
        solver=solver.id, code=solver.alias, aid=aid, position=int(consent.get("position", 0)),
        consent_at=solver.consent_at or "", consent_version=str(consent.get("version", "")),
        consent_sha=str(consent.get("text_sha", "")),
        intake={code: int(option) for code, option in _first(records.events, marks.INTAKE).items()},
        checks=tuple(bool(check["passed"]) for check in checks),
        checked=bool(book.manifest.comprehension.questions), ended=_ended(records.events),
        sessions=tuple(row.id for row in records.sessions), trials=tuple(trials),
    )  # fmt: skip


def _first(events: Sequence[EventRow], kind: str) -> dict[str, str | int]:
    """Return the data of the first event of a kind; empty without one."""
    found: dict[str, str | int] = next((json.loads(event.data) for event in events if event.kind == kind), {})
    return found


def _ended(events: Sequence[EventRow]) -> str:
    ends = [event.data for event in events if event.kind == marks.ENDED]
    return ends[-1] if ends else ""


def _trials(
    book: Book, solver: SolverRow, records: _Records, puzzle: str, position: int, slot: Slot | None, aid: str
) -> list[Trial]:
    """Return the exposures of one item: one each session in which it was answered anew, or one without an answer."""
    shown, exposures = book.shown[puzzle], _exposures(records, puzzle)
    made: list[Trial] = []
    for nth, attempts in enumerate(exposures or [()], start=1):
        counted = attempts[-1] if attempts else None
        shown_at = _shown_at(records, attempts, after=made[-1].session if made else "")
        session = next((row for row in records.sessions if counted and row.id == counted.session), None)
        seen = records.of(puzzle, (*marks.OPENED, marks.SHOWN))
        texts = records.turns.get((counted.session, puzzle, counted.attempt_no), ()) if counted else ()
        status, reason = _status(records, puzzle, counted, texts)
        size = _terminal_size(records.events, session)
        made.append(
            Trial(
                manifest_sha=book.sha, kind="human", solver=solver.id, code=solver.alias, role=shown.role,
                item_uid=shown.item_uid, shown_uid=puzzle, prompt_sha=prompt_sha(counted, texts),
                prompt_matches=counted is None or prompt_matches(shown.prompt_shas, counted, texts),
                family=shown.family, stratum=shown.stratum, complexity=shown.complexity, domain=shown.domain,
                aid=session.aid if session else slot.aid if slot else aid,
                position=position, block=slot.block if slot else -1, status=status,
                answer=(counted.answer or "") if counted else "", confidence=counted.confidence if counted else None,
                rt_ms_active=counted.response_ms if counted else None, rt_ms_wall=_whole_ms(shown_at, counted),
                n_revisions=len(attempts) - 1 if attempts else 0, exposure=nth, rollout=0,
                resumed=bool(records.of(puzzle, (marks.RESUMED_ITEM,))), reason=reason,
                shown_at=shown_at, answered_at=counted.answered_at if counted else "",
                session=(session or records.sessions[-1]).id, attempt=counted.id if counted else "",
                app_version=(session or records.sessions[-1]).app_version, columns=size[0], rows=size[1],
                characters=sum(len(turn.text) for turn in texts if turn.role == WRITER) if texts else None,
            )
        )  # fmt: skip
        if not seen and counted is None:
            break
    return made


def _exposures(records: _Records, puzzle: str) -> list[tuple[AttemptRow, ...]]:
    """Return the answers to an item, session by session; later ones of a session revise the earlier."""
    by_session: dict[str, list[AttemptRow]] = defaultdict(list)
    for attempt in records.attempts:
        if attempt.puzzle_id == puzzle:
            by_session[attempt.session].append(attempt)
    ordered = [by_session[row.id] for row in records.sessions if row.id in by_session]
    return [tuple(sorted(group, key=lambda attempt: attempt.attempt_no)) for group in ordered]


def _status(records: _Records, puzzle: str, counted: AttemptRow | None, texts: Sequence[TurnRow]) -> tuple[Status, str]:
    """Return what became of an item, and why it was skipped if it was."""
    if counted is None:
        seen = records.of(puzzle, (*marks.OPENED, marks.SHOWN))
        return ("abandoned" if seen else "missing"), ""
    if counted.answer == "SKIP":
        if records.of(puzzle, (marks.TIMEOUT,)):
            return "timeout", ""
        reasons = [event.data for event in records.of(puzzle, (marks.SKIPPED,))]
        return "skipped", reasons[-1] if reasons else ""
    if counted.answer is None and not any(turn.text.strip() for turn in texts if turn.role == WRITER):
        return "skipped", "empty"
    return "answered", ""


def _shown_at(records: _Records, attempts: Sequence[AttemptRow], after: str) -> str:
    """Return when an item was first on screen, UTC, in the sessions after that of its last exposure.

    Its answers alone need not know: each turn is shown anew, and what ran out of time, or was killed before its draft
    was kept, is answered under an id of a later moment. The screens read the clock whenever an item comes into view.
    """
    ids = [row.id for row in records.sessions]
    later = ids[ids.index(after) + 1 :] if after else ids
    seen = [event for one in attempts[:1] for event in records.of(one.puzzle_id, (marks.CLOCK,))]
    clocks = [event.data for event in seen if event.session in later and TIME.holds(event.data)]
    return min([*clocks, *(one.shown_at for one in attempts)], default="")


def _whole_ms(shown_at: str, counted: AttemptRow | None) -> int | None:
    """Return the milliseconds from first paint to answer, over pauses, sittings and crashes."""
    if counted is None:
        return None
    whole = datetime.fromisoformat(counted.answered_at) - datetime.fromisoformat(shown_at)
    return whole // timedelta(milliseconds=1)


def _terminal_size(events: Sequence[EventRow], session: SessionRow | None) -> tuple[int | None, int | None]:
    """Return columns and rows of the terminal as last noted in a session."""
    for event in reversed(events):
        if session is not None and event.kind in marks.SIZES and event.session == session.id:
            columns, _, rows = event.data.partition(" ")[0].partition("x")
            if columns.isdigit() and rows.isdigit():
                return int(columns), int(rows)
    return None, None
