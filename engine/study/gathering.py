"""What comes back to the researcher: merging participants' files, watching coverage, withdrawing, closing.

Everything here reads what the export reads, so the monitor and the data can never disagree; and nothing here knows
whether an answer is right.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from sqlite_utils import Database

from engine.canonical import canonical_text
from engine.errors import ConflictError, UsageError, quoted
from engine.store.answers import Answers
from engine.store.clock import Clock, utc_now
from engine.store.collected import read_collected
from engine.store.merging import MergeReport, merge
from engine.store.study_file import PlaceRow
from engine.store.withdrawing import traces, withdraw, words_of
from engine.study.assigning import aids_of
from engine.study.attention import attended
from engine.study.compiling import compile_study
from engine.study.exclusions import Excluded, exclude
from engine.study.folder import Study
from engine.study.leases import Holding, expired, finished, holdings
from engine.study.packset import PackSet
from engine.study.statuses import PRESENTED
from engine.study.trials import Person, StudyData
from engine.study.verdicts import model_reader


@dataclass(frozen=True, kw_only=True)
class Merged:
    """What a merge came to."""

    source: Path
    report: MergeReport
    people: int
    """Participants of the study in the source."""
    models: int


def study_data(study: Study) -> StudyData:
    """Return everything collected so far under the version at hand."""
    if not study.answers.exists():
        return StudyData(people=(), models=(), withdrawn=0)
    collected = read_collected(study.answers)
    with PackSet(study.packs) as packs, Answers.open(study.answers, create=False, read_only=True) as answers:
        data = compile_study(study.manifest, collected, lambda solver: model_reader(packs, answers, solver))
    return _with_leases(study, attended(study, data, collected.turns))


def _with_leases(study: Study, data: StudyData) -> StudyData:
    """Mark the trials that were done after their lease had ended."""
    known = holdings(study.file.leases())
    late = {key for key, holding in known.items() if holding.late}
    return data.marked_late(late)


def excluded(study: Study, data: StudyData) -> tuple[Excluded, ...]:
    """Return who is left out by the manifest's rules; nothing of this looks at scores."""
    rules = [(use.rule, use.limit) for use in study.manifest.exclusions]
    return exclude(data.people, rules)


# Merging --------------------------------------------------------------------------------------------------------------


def merge_file(study: Study, source: Path, *, clock: Clock = utc_now) -> Merged:
    """Merge one answers file into the study's; the same again changes nothing.

    People come with the rows that carry the study's digest, models with their answers to its items.

    Raises:
        UsageError: the study is closed, or the file holds nothing of it; names what it holds.
        ConflictError: rows disagree; nothing was written.
    """
    if study.is_closed():
        raise UsageError(f"study {study.manifest.name!r} is closed; its data are final")
    found: dict[str, list[str]] = {}

    def wanted(db: Database) -> list[str]:
        found.update(_ours(study, db))
        return found["people"] + found["models"]

    with ExitStack() as files:
        files.enter_context(Answers.open(source, create=False, read_only=True))
        report = merge(study.answers, source, wanted, clock=clock)
    if report.conflicts:
        first = report.conflicts[0].line()
        more = f"; and {len(report.conflicts) - 1} more" if len(report.conflicts) > 1 else ""
        raise ConflictError(f"{source}: nothing was merged: {first}{more}")
    if not (found["people"] or found["models"] or report.withdrawn or found["tombstones"]):
        raise UsageError(
            f"{source} holds nothing of study {study.sha[:12]}; it holds {', '.join(found['others']) or 'no study'}"
        )
    settle(study, clock=clock)
    _forget_withdrawn(study, clock())
    study.file.note(clock(), "merged", canonical_text({
        "sha": _file_sha(source), "new": report.added, "people": len(found["people"]), "models": len(found["models"]),
    }))  # fmt: skip
    return Merged(source=source, report=report, people=len(found["people"]), models=len(found["models"]))


def _ours(study: Study, db: Database) -> dict[str, list[str]]:
    """Return the solvers of a file that belong to the study, and the names of other studies in it."""
    shas, items = study.shas, {item.uid for version in study.versions for item in version.items}
    sessions = db.execute(
        "select session.solver, session.manifest_sha, solver.kind"
        " from session join solver on solver.id = session.solver"
    ).fetchall()
    attempts = db.execute(
        "select distinct attempt.solver, attempt.puzzle_id from attempt join solver on solver.id = attempt.solver"
        " where solver.kind = 'model'"
    ).fetchall()
    others = {sha for _, sha, kind in sessions if kind == "human" and sha and sha not in shas}
    named = {
        row[0]: f"{json.loads(row[1]).get('name', '?')} ({row[0][:12]})"
        for row in db.execute("select id, config from study")
    }
    places = {place.id for place in study.file.places()}
    gone = {row[0] for row in db.execute("select solver from withdrawal").fetchall()}
    return {
        "people": sorted({solver for solver, sha, kind in sessions if kind == "human" and sha in shas}),
        "models": sorted({solver for solver, puzzle in attempts if puzzle in items}),
        "others": sorted(named.get(sha, sha[:12]) for sha in others),
        "tombstones": sorted(gone & places),
    }


def _file_sha(path: Path) -> str:
    with path.open("rb") as reading:
        return hashlib.file_digest(reading, "sha256").hexdigest()


def settle(study: Study, *, clock: Clock = utc_now) -> None:
    """Bring the log of leases up to date: what is done, and which leases are over."""
    now = clock()
    data = study_data(study)
    done = {
        person.solver: [t.item_uid for t in person.main if t.status in PRESENTED and t.status != "abandoned"]
        for person in data.people
    }
    log = study.file.leases()
    lines = finished(log, done, now)
    study.file.append([*lines, *expired([*log, *lines], now)])


def _forget_withdrawn(study: Study, now: str) -> None:
    gone = {row.solver for row in read_collected(study.answers, []).withdrawals}
    for place in study.file.places():
        if place.id in gone:
            study.file.forget(place.id, now, _items(study, place.id), canonical_text({"solver": place.id}))


def _items(study: Study, place: str) -> list[str]:
    return sorted({row.puzzle_id for row in study.file.leases() if row.place == place and row.puzzle_id})


# Watching -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class PlaceStatus:
    """How far one participant is."""

    code: str
    position: int
    aid: str
    """All of them in order where the study varies them within people, such as `A1>A0`."""
    assigned: int
    by_status: Mapping[str, int]
    """Main items by status, as the export has them."""
    lease: str
    """until ..., over, done, or nothing yet."""
    ended: str


@dataclass(frozen=True, kw_only=True)
class StudyStatus:
    """The state of a collection, without a word about who is right."""

    places: tuple[PlaceStatus, ...]
    items: int
    wanted: int
    """Raters an item."""
    covered: int
    """Items with enough done answers."""
    open_items: int
    """Items with fewer done and live leases than wanted."""
    rows: int
    """Trials that an export would hold."""
    models: tuple[str, ...]
    excluded: Mapping[str, int]
    """People left out, by rule."""
    withdrawn: int
    closed: bool


def watch(study: Study, *, clock: Clock = utc_now) -> StudyStatus:
    """Return the state of the collection now; it writes what became due, nothing else."""
    settle(study, clock=clock)
    now, data, log = clock(), study_data(study), study.file.leases()
    people = {person.solver: person for person in data.people}
    places = [place for place in study.file.places() if place.version == study.manifest.version]
    known = holdings(log)
    left_out = excluded(study, data)
    skipped = {one.solver for one in left_out}
    ids = {place.id for place in places}
    done = Counter(p for (place, p), held in known.items() if held.done and place in ids and place not in skipped)
    live = Counter(p for (place, p), held in known.items() if not held.done and held.until > now and place in ids)
    raters = study.manifest.design.raters_per_item
    uids = [item.uid for item in study.manifest.items]
    return StudyStatus(
        places=tuple(
            _place_status(place, aids_of(study.manifest, place.position), people.get(place.id), known, now)
            for place in places
        ),
        items=len(uids), wanted=raters, covered=sum(done[uid] >= raters for uid in uids),
        open_items=sum(done[uid] + live[uid] < raters for uid in uids),
        rows=sum(len(person.trials) for person in data.people) + sum(len(model.trials) for model in data.models),
        models=tuple(model.name for model in data.models), excluded=Counter(one.rule for one in left_out),
        withdrawn=len(study.file.notes("withdrawn")), closed=study.is_closed(),
    )  # fmt: skip


def _place_status(
    place: PlaceRow, aids: Sequence[str], person: Person | None, known: Mapping[tuple[str, str], Holding], now: str
) -> PlaceStatus:
    held = [holding for (owner, _), holding in known.items() if owner == place.id]
    until = max((holding.until for holding in held), default="")
    counts = Counter[str](trial.status for trial in person.main) if person else Counter[str]()
    lease = "over"
    if held and all(holding.done for holding in held):
        lease = "done"
    elif until > now:
        lease = f"until {until[:16]}Z"
    return PlaceStatus(
        code=place.code, position=place.position, aid=">".join(aids), assigned=len(held), by_status=dict(counts),
        lease=lease, ended=person.ended if person else "",
    )  # fmt: skip


# Withdrawing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Withdrawn:
    """What a withdrawal came to."""

    removed: Mapping[str, int]
    """Rows by table."""
    left: tuple[Path, ...]
    """Files that still hold something of the person; none is right."""


def withdraw_person(study: Study, code: str, *, clock: Clock = utc_now) -> Withdrawn:
    """Delete a participant from the study: answers, backups, place and code; a random id and a time stay.

    Raises:
        UsageError: the study has no such code.
    """
    place = next((one for one in study.file.places() if one.code == code), None)
    if place is None:
        raise UsageError(f"code {quoted(code)} has no place in this study; clew study status lists them")
    Answers.open(study.answers, clock=clock).close()
    words = {code, *words_of(study.answers, place.id)}
    removed = withdraw(study.answers, place.id, clock())
    # Scores name answers; they are made anew from what is left.
    study.scores.unlink(missing_ok=True)
    data = canonical_text({"solver": place.id, "removed": dict(removed)})
    study.file.forget(place.id, clock(), _items(study, place.id), data)
    return Withdrawn(removed=removed, left=tuple(traces([study.folder], words)))
