"""Running audits: which ones a request selects, on what, and how their rows become one report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Protocol, get_args

from audits.base import (
    DrawAudit,
    ExitAudit,
    Measure,
    PackAudit,
    Request,
    Row,
    Scope,
    Sensitivity,
    SetAudit,
    SetRequest,
    exit_code,
    settled,
    trusted,
)
from audits.baseline import Entry, accepted
from audits.draws import collect
from audits.record import code_digest, read_record, tool, write_record
from audits.registry import AUDITS, AnyAudit
from audits.report import Report
from audits.view import open_view
from audits.writing_sets import draw_sets
from engine.errors import StoreError, UsageError, quoted
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.instruction_adherence.writing import FAMILY
from engine.practice import is_builtin, sealed_half
from engine.store.pack import Pack
from engine.store.places import pack_path, sealed_path

MUTANTS = "W02"
"""The rule for which witnesses of drawn sets are damaged."""


class Track(Protocol):
    """Wraps a loop over indices to show its progress under a label."""

    def __call__(self, indices: Iterable[int], label: str) -> Iterable[int]: ...


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a run is going to do."""

    audits: tuple[AnyAudit, ...]
    pack: Path | None = None
    sealed: Path | None = None
    request: Request | None = None
    sets: SetRequest | None = None

    def line(self) -> str:
        """Return one line that says it."""
        parts = []
        if self.pack is not None:
            parts.append(f"pack {self.pack}" + (" with its sealed file" if self.sealed else ""))
        if self.request is not None:
            complexities = ", ".join(map(str, self.request.complexities))
            parts.append(f"{self.request.draws} draws of complexity {complexities} (audit seed {self.request.seed})")
        if self.sets is not None:
            told = f"{self.sets.sets} sets of {self.sets.constraints} constraints in {', '.join(self.sets.splits)}"
            parts.append(f"{told} (audit seed {self.sets.seed})")
        return f"audit {' '.join(dict.fromkeys(audit.rule for audit in self.audits))} on {' and '.join(parts)}"


def plan(rules: Sequence[str], pack: str | None, request: Request | None, sets: SetRequest | None = None) -> Plan:
    """Select the audits for what is there.

    Raises:
        UsageError: nothing to audit, an unknown rule, or a rule that nothing given can be audited by.
        StoreError: no such pack.
    """
    if pack is None and request is None and sets is None:
        raise UsageError("nothing to audit; a pack file or folder, or --draws N, or --sets N, is needed")
    scopes: set[Scope] = set() if request is None else {"draws", "exits"}
    scopes |= set() if sets is None else {"sets"}
    path = sealed = None
    if pack is not None:
        path = pack_path(pack)
        if not path.is_file():
            raise StoreError(f"no pack at {str(path)!r}; a pack file, or a folder that holds pack.db, is needed")
        with Pack.open(path) as opened:
            families = {entry.family for entry in opened.puzzles()}
            sealed = _sealed_half(opened, given_folder=Path(pack).is_dir())
        scopes |= _scopes(families, with_sealed=sealed is not None)
    return Plan(audits=select(rules, scopes), pack=path, sealed=sealed, request=request, sets=sets)


def _sealed_half(pack: Pack, *, given_folder: bool) -> Path | None:
    """Return the sealed file of the built-in pack, or the one beside a pack whose folder was given."""
    if is_builtin(pack.path):
        return sealed_half(pack)
    beside = sealed_path(pack.path)
    return beside if given_folder and beside.is_file() else None


def _scopes(families: Set[str], *, with_sealed: bool) -> set[Scope]:
    """Return what a pack with puzzles of these families can be audited by."""
    scopes: set[Scope] = set()
    if FAMILY in families:
        scopes |= {"tasks", "checks"} if with_sealed else {"tasks"}
    if FAMILY_NAME in families or not scopes:
        scopes |= {"pack", "sealed"} if with_sealed else {"pack"}
    return scopes


def select(rules: Sequence[str], scopes: Iterable[Scope]) -> tuple[AnyAudit, ...]:
    """Return the audits of these rules (all, if none is named) on these kinds of subject.

    Raises:
        UsageError: a rule that does not exist, or has nothing to look at here.
    """
    scopes = set(scopes)
    known = sorted({audit.rule for audit in AUDITS})
    for rule in rules:
        if rule not in known:
            raise UsageError(f"unknown rule {quoted(rule)}; known are {', '.join(known)}")
        if not any(audit.rule == rule and audit.scope in scopes for audit in AUDITS):
            needs = sorted({audit.scope for audit in AUDITS if audit.rule == rule})
            raise UsageError(f"rule {rule} has nothing to look at here; it reads: {', '.join(needs)}")
    return tuple(audit for audit in AUDITS if audit.scope in scopes and (not rules or audit.rule in rules))


def run(plan: Plan, track: Track, entries: Sequence[Entry], today: date) -> Report:
    """Run a plan; `entries` are findings accepted before.

    Raises:
        UsageError: an entry for a finding of severity error.
    """
    # First of all: the digest must be of the code that is now in memory, should files change during a long run.
    known = read_record()
    groups = [
        *_pack_groups(plan),
        *_draw_groups(plan, track),
        *_exit_groups(plan, track),
        *_set_groups(plan, track),
    ]
    flat = settled([row for _, rows in groups for row in rows])
    named = [audit for audit, rows in groups for _ in rows]
    proved = {audit.key: _sensitivity(audit, known) for audit, _ in groups}
    proper = [trusted(row, proved[audit.key]) for audit, row in zip(named, flat, strict=True)]
    rows = accepted(proper, entries, today)
    by_audit = [[row for one, row in zip(named, rows, strict=False) if one is audit] for audit in plan.audits]
    return _report(rows, exit_code(by_audit))


Group = tuple[AnyAudit, tuple[Row, ...]]


def _pack_groups(plan: Plan) -> list[Group]:
    audits = [audit for audit in plan.audits if isinstance(audit, PackAudit)]
    if not audits or plan.pack is None:
        return []
    view = open_view(plan.pack, plan.sealed)
    return [(audit, audit.run(view)) for audit in audits]


def _draw_groups(plan: Plan, track: Track) -> list[Group]:
    audits = [audit for audit in plan.audits if isinstance(audit, DrawAudit)]
    groups: list[Group] = []
    if not audits or plan.request is None:
        return groups
    for complexity in plan.request.complexities:
        draws = collect(
            complexity, plan.request.draws, plan.request.seed, partial(track, label=f"complexity {complexity}")
        )
        told = track(range(len(audits)), f"rules on complexity {complexity}")
        groups += [(audits[at], audits[at].run(draws)) for at in told]
    return groups


def _exit_groups(plan: Plan, track: Track) -> list[Group]:
    audits = [audit for audit in plan.audits if isinstance(audit, ExitAudit)]
    if not audits or plan.request is None:
        return []
    return [(audits[at], audits[at].run(plan.request)) for at in track(range(len(audits)), "exits")]


def _set_groups(plan: Plan, track: Track) -> list[Group]:
    audits = [audit for audit in plan.audits if isinstance(audit, SetAudit)]
    groups: list[Group] = []
    if not audits or plan.sets is None:
        return groups
    damage = any(audit.rule == MUTANTS for audit in audits)
    for split in plan.sets.splits:
        drawn = draw_sets(plan.sets, split, damage=damage, track=partial(track, label=f"sets of {split}"))
        groups += [(audit, audit.run(drawn)) for audit in audits]
    return groups


def _sensitivity(audit: AnyAudit, known: Mapping[str, Sensitivity]) -> Sensitivity | None:
    """Return what is on record; exact rules on packs and sets plant at once, so that they need no record."""
    exact = isinstance(audit, PackAudit | SetAudit)
    return known.get(audit.key) or (audit.self_test() if exact else None)


def self_test(rules: Sequence[str], note: Callable[[str], None]) -> Report:
    """Plant every leak of these rules (all, if none is named), record what was found, and report it."""
    audits = select(rules, get_args(Scope))
    plants: dict[str, Sensitivity] = {}
    for audit in audits:
        note(audit.key)
        thorough = audit.thorough if isinstance(audit, PackAudit) else None
        plants[audit.key] = (thorough or audit.self_test)()
    write_record({key: one for key, one in plants.items() if one.planted})
    rows = [_planted_row(audit, plants[audit.key]) for audit in audits]
    return _report(rows, exit_code([row] for row in rows))


def _planted_row(audit: AnyAudit, one: Sensitivity) -> Row:
    row = Row(
        rule=audit.rule,
        claim=f"self-test on {audit.scope}: {audit.claim}",
        severity="error",
        status="pass",
        n=one.planted,
        statistic=Measure("planted leaks found", one.found),
        threshold="all planted leaks found, none on the clean fixture",
    )
    return trusted(row, one)


def _report(rows: Sequence[Row], code: int) -> Report:
    told, digest = tool(), code_digest()
    marked = tuple(replace(row, tool=told, code_digest=digest) for row in rows)
    return Report(rows=marked, exit_code=code, tool=told, code_digest=digest)
