"""What people and models answered on a pack outside of any study, as the same trials that a study is made of.

Nobody was assigned anything: what a person did not answer is not missing, it was never asked for. Of each puzzle one
text counts, the one that most models were given, or most people where no model was; whoever read another one is kept
with that mark, since only equal bytes are compared. Nothing is scored here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from engine.conversation import WRITER
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.scoring import counted
from engine.store.answer_rows import AttemptRow, TurnRow
from engine.store.answers import Answers
from engine.store.collected import Collected, SolverRow, read_collected
from engine.store.pack import Pack, PackEntry
from engine.study.aside import Told, told
from engine.study.book import Shown, prompt_matches, prompt_sha, shown_item
from engine.study.manifest import Item
from engine.study.model_rows import empty_trial, model_trials
from engine.study.packset import PackSet
from engine.study.statuses import Status
from engine.study.trials import Model, Person, StudyData, Trial
from engine.study.verdicts import model_reader

Place = tuple[str, str, int]
"""Session, puzzle and number of an answer."""


@dataclass(frozen=True, kw_only=True)
class PackPlay:
    """The puzzles of a pack that somebody answered, and everybody's trials."""

    sha: str
    """Of the pack's content."""
    title: str
    items: tuple[Item, ...]
    """Those that people answered; without people, those that models did. By id."""
    data: StudyData

    @property
    def aids(self) -> tuple[str, ...]:
        """Return the aids that people had, plainest first."""
        return tuple(sorted({trial.aid for person in self.data.people for trial in person.trials})) or ("A0",)


@dataclass(frozen=True, kw_only=True)
class PackShelf:
    """The items of a pack, in place of a frozen study's."""

    sha: str
    items: tuple[Item, ...]

    @cached_property
    def shown(self) -> Mapping[str, Shown]:
        return {item.uid: shown_item(item, item.uid, "main") for item in self.items}


def pack_play(pack: Path, answers: Path) -> PackPlay:
    """Read what was answered on a pack.

    Raises:
        StoreError: one of the two files cannot be used.
    """
    collected = read_collected(answers)
    with PackSet([pack]) as packs, Answers.open(answers, create=False, read_only=True) as given:
        (opened,) = packs.packs
        attempts = tuple(counted(row for row in collected.attempts if row.puzzle_id in packs.entries))
        collected = replace(collected, attempts=attempts)
        shelf = PackShelf(sha=opened.sha, items=tuple(_items(opened, packs.entries, collected)))
        models = [
            model_trials(shelf, solver, collected, model_reader(packs, given, solver.id))
            for solver in collected.solvers
            if solver.kind == "model"
        ]
    return PackPlay(
        sha=shelf.sha, title=opened.meta.get("title", "") or pack.parent.name, items=shelf.items,
        data=StudyData(
            people=_people(shelf, collected), models=tuple(sorted(filter(_met_any, models), key=lambda one: one.name)),
            withdrawn=len(collected.withdrawals),
        ),
    )  # fmt: skip


def _met_any(model: Model) -> bool:
    return any(trial.attempt for trial in model.trials)


def _items(pack: Pack, entries: Mapping[str, PackEntry], collected: Collected) -> list[Item]:
    """Return the puzzles that people answered, or models where no person did, by id."""
    humans = {row.id for row in collected.solvers if row.kind == "human"}
    answered: dict[str, list[AttemptRow]] = defaultdict(list)
    for row in collected.attempts:
        answered[row.puzzle_id].append(row)
    met = {puzzle for puzzle, rows in answered.items() if any(row.solver in humans for row in rows)} or set(answered)
    known = [puzzle for puzzle in sorted(met) if entries[puzzle].family in (FAMILY_NAME, WRITING)]
    return [_item(pack, entries[puzzle], answered[puzzle], humans) for puzzle in known]


def _item(pack: Pack, entry: PackEntry, attempts: Sequence[AttemptRow], humans: set[str]) -> Item:
    """Return a puzzle under the text that counts."""
    votes: Counter[str] = Counter()
    for row in attempts:
        votes[row.rendering_id] += 1 if row.solver in humans else len(attempts) + 1
    wanted = max(votes, key=lambda rendering: (votes[rendering], rendering))
    usual = told(pack, entry)
    rendering = next((one for one in pack.renderings(entry.id) if one.id == wanted), usual.rendering)
    one = Told(puzzle=usual.puzzle, rendering=rendering)
    return Item(
        uid=entry.id, family=one.family, kind=entry.kind, complexity=entry.complexity, domain=rendering.domain,
        rendering_id=rendering.id, payload_sha=entry.payload_sha, prompt_shas=one.prompt_shas(),
    )  # fmt: skip


def _people(shelf: PackShelf, collected: Collected) -> tuple[Person, ...]:
    turns: dict[Place, list[TurnRow]] = defaultdict(list)
    for turn in collected.turns:
        turns[turn.session, turn.puzzle_id, turn.attempt_no].append(turn)
    humans = sorted((row for row in collected.solvers if row.kind == "human"), key=lambda row: (row.alias, row.id))
    made = [(solver, _trials(shelf, solver, collected, turns)) for solver in humans]
    return tuple(
        Person(
            solver=solver.id, code=solver.alias, aid=min(trial.aid for trial in trials), position=position,
            consent_at=solver.consent_at or "", consent_version="", consent_sha="", intake={}, checks=(),
            checked=False, ended="", sessions=tuple(dict.fromkeys(trial.session for trial in trials)), trials=trials,
        )
        for position, (solver, trials) in enumerate(one for one in made if one[1])
    )  # fmt: skip


def _trials(
    shelf: PackShelf, solver: SolverRow, collected: Collected, turns: Mapping[Place, Sequence[TurnRow]]
) -> tuple[Trial, ...]:
    """Return a person's answers in the order in which they were given."""
    sessions = {row.id: row for row in collected.sessions}
    mine = [row for row in collected.attempts if row.solver == solver.id and row.puzzle_id in shelf.shown]
    found = []
    for position, row in enumerate(sorted(mine, key=lambda row: (row.answered_at, row.id))):
        texts = turns.get((row.session, row.puzzle_id, row.attempt_no), ())
        session, shown = sessions[row.session], shelf.shown[row.puzzle_id]
        written = [turn.text for turn in texts if turn.role == WRITER]
        found.append(
            replace(
                empty_trial(shelf, solver, shown, row.puzzle_id), kind="human", aid=session.aid, position=position,
                block=0, prompt_sha=prompt_sha(row, texts),
                prompt_matches=prompt_matches(shown.prompt_shas, row, texts), status=_status(row, shown, written),
                answer=row.answer or "", confidence=row.confidence, rt_ms_active=row.response_ms,
                n_revisions=row.attempt_no - 1, shown_at=row.shown_at, answered_at=row.answered_at,
                session=row.session, attempt=row.id, app_version=session.app_version,
                characters=sum(map(len, written)) if written else None,
            )
        )  # fmt: skip
    return tuple(found)


def _status(row: AttemptRow, shown: Shown, written: Sequence[str]) -> Status:
    blank = shown.family == WRITING and not any(text.strip() for text in written)
    return "skipped" if row.answer == "SKIP" or blank else "answered"
