"""Running audits: which ones a request selects, on what, and how their rows become one report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Protocol, get_args

from audits.base import (
    BundleAudit,
    DrawAudit,
    ExitAudit,
    Finding,
    Measure,
    PackAudit,
    ProgramAudit,
    Request,
    Row,
    Scope,
    ScriptAudit,
    ScriptRequest,
    Sensitivity,
    SetAudit,
    SetRequest,
    TellingAudit,
    exact_rows,
    exit_code,
    settled,
    trusted,
)
from audits.baseline import Entry, accepted
from audits.bench import Bench
from audits.bundles import is_bundle, open_bundle
from audits.draws import Draws, collect
from audits.record import code_digest, read_record, tool, write_record
from audits.registry import AUDITS, AnyAudit
from audits.report import Report
from audits.scripts import draw_scripts
from audits.selected import collect_selected
from audits.telling import tellings
from audits.view import PackView, open_view
from audits.writing_sets import draw_sets
from engine.errors import StoreError, UsageError, counted, quoted
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
    scripts: ScriptRequest | None = None
    program: bool = False
    bundle: Path | None = None
    sealed_halves: tuple[Path, ...] = ()
    """Of the packs of the bundle."""
    contents: str = ""
    """How much is in the pack."""

    def line(self) -> str:
        """Return one line that says it."""
        parts = []
        if self.pack is not None:
            parts.append(f"pack {self.pack}{self.contents}" + (" with its sealed file" if self.sealed else ""))
        if self.bundle is not None:
            halves = f" with {counted(len(self.sealed_halves), 'sealed file')}" if self.sealed_halves else ""
            parts.append(f"bundle {self.bundle}{halves}")
        if self.request is not None:
            complexities = ", ".join(map(str, self.request.complexities))
            draws = counted(self.request.draws, "draw")
            draws += "" if self.request.percent is None else f" selected at 0.{self.request.percent}"
            parts.append(f"{draws} of complexity {complexities} (audit seed {self.request.seed})")
        if self.sets is not None:
            sets, each = counted(self.sets.sets, "set"), counted(self.sets.constraints, "constraint")
            parts.append(f"{sets} of {each} in {', '.join(self.sets.splits)} (audit seed {self.sets.seed})")
        if self.scripts is not None:
            scripts, most = counted(self.scripts.scripts, "script"), self.scripts.constraints
            each = "" if most is None else f" of up to {counted(most, 'constraint')}"
            parts.append(f"{scripts}{each} in {', '.join(self.scripts.splits)} (audit seed {self.scripts.seed})")
        parts += ["this program"] if self.program else []
        return f"audit {' '.join(dict.fromkeys(audit.rule for audit in self.audits))} on {' and '.join(parts)}"


def plan(
    rules: Sequence[str],
    pack: str | None,
    request: Request | None,
    sets: SetRequest | None = None,
    *,
    scripts: ScriptRequest | None = None,
    program: bool = False,
    sealed_halves: tuple[Path, ...] = (),
) -> Plan:
    """Select the audits for what is there.

    Args:
        pack: a pack file, its folder, or the bundle of a participant.
        program: audit this program as well; a rule that reads nothing else asks for it by its name.
        sealed_halves: of the packs of a bundle, in their order.

    Raises:
        UsageError: nothing to audit, an unknown rule, or a rule that nothing given can be audited by.
        StoreError: no such pack.
    """
    program = program or any(_reads_program_alone(rule) for rule in rules)
    if pack is None and request is None and sets is None and scripts is None and not program:
        raise UsageError(
            "nothing to audit; a pack file or folder, or --draws N, --sets N, --scripts N or --program, is needed"
        )
    scopes: set[Scope] = set() if request is None else {"draws", "exits"}
    scopes |= set() if sets is None else {"sets"}
    scopes |= set() if scripts is None else {"scripts"}
    scopes |= {"program"} if program else set()
    path = sealed = bundle = None
    contents = ""
    if sealed_halves and not (pack is not None and is_bundle(Path(pack))):
        raise UsageError("--sealed goes with a bundle; of a pack, give the folder that holds its sealed.db")
    if pack is not None and is_bundle(Path(pack)):
        bundle = Path(pack)
        scopes.add("bundle")
    elif pack is not None:
        path = pack_path(pack)
        if not path.is_file():
            raise StoreError(f"no pack at {str(path)!r}; a pack file, or a folder that holds pack.db, is needed")
        with Pack.open(path) as opened:
            listed = Counter(entry.family for entry in opened.puzzles())
            contents = f" ({counted(listed[FAMILY_NAME], 'hidden system')}, {counted(listed[FAMILY], 'writing task')})"
            sealed = _sealed_half(opened, given_folder=Path(pack).is_dir())
        scopes |= _scopes(listed.keys(), with_sealed=sealed is not None)
    return Plan(
        audits=select(rules, scopes), pack=path, sealed=sealed, request=request, sets=sets, scripts=scripts,
        program=program, bundle=bundle, sealed_halves=sealed_halves, contents=contents,
    )  # fmt: skip


def _reads_program_alone(rule: str) -> bool:
    return {audit.scope for audit in AUDITS if audit.rule == rule} == {"program"}


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
    return scopes | ({"file", "files"} if with_sealed else {"file"})


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
        *_pack_groups(plan, track),
        *_draw_groups(plan, track),
        *_exit_groups(plan, track),
        *_set_groups(plan, track),
        *_script_groups(plan, track),
        *_program_groups(plan, track),
        *_bundle_groups(plan, track),
    ]
    flat = settled([row for _, rows in groups for row in rows])
    named = [audit for audit, rows in groups for _ in rows]
    proved = {audit.key: _sensitivity(audit, known) for audit, _ in groups}
    proper = [trusted(row, proved[audit.key]) for audit, row in zip(named, flat, strict=True)]
    rows = accepted(proper, entries, today)
    by_audit = [[row for one, row in zip(named, rows, strict=False) if one is audit] for audit in plan.audits]
    return _report(rows, exit_code(by_audit))


Group = tuple[AnyAudit, tuple[Row, ...]]


def _pack_groups(plan: Plan, track: Track) -> list[Group]:
    exact = [audit for audit in plan.audits if isinstance(audit, PackAudit)]
    texts = [audit for audit in plan.audits if isinstance(audit, TellingAudit)]
    if plan.pack is None or not (exact or texts):
        return []
    view = open_view(plan.pack, plan.sealed, whole_folder=not is_builtin(plan.pack))
    groups: list[Group] = [(exact[at], exact[at].run(view)) for at in track(range(len(exact)), "rules on the pack")]
    return [*groups, *_telling_groups(texts, view, track)]


def _telling_groups(audits: Sequence[TellingAudit], view: PackView, track: Track) -> list[Group]:
    """Read each rendering once, for all rules."""
    findings: dict[str, list[Finding]] = {audit.key: [] for audit in audits}
    total = sum(len(puzzle.tellings) for puzzle in view.puzzles)
    listed = tellings(view)
    for _ in track(range(total if audits else 0), "renderings"):
        puzzle, nth, one = next(listed)
        for audit in audits:
            findings[audit.key] += [Finding(puzzle, f"/renderings/{nth}{at}") for at in audit.check(one)]
    return [
        (audit, exact_rows(audit.rule, audit.claim, audit.severity, "rendering", findings[audit.key], total))
        for audit in audits
    ]


def _draw_groups(plan: Plan, track: Track) -> list[Group]:
    audits = [audit for audit in plan.audits if isinstance(audit, DrawAudit)]
    groups: list[Group] = []
    if not audits or plan.request is None:
        return groups
    texts = any(audit.reads_texts for audit in audits)
    for complexity in plan.request.complexities:
        draws = _drawn(plan.request, complexity, partial(track, label=f"complexity {complexity}"), texts=texts)
        told = track(range(len(audits)), f"rules on complexity {complexity}")
        groups += [(audits[at], audits[at].run(draws)) for at in told]
    return groups


def _drawn(request: Request, complexity: int, track: Callable[[Iterable[int]], Iterable[int]], *, texts: bool) -> Draws:
    if request.percent is None:
        return collect(complexity, request.draws, request.seed, track, texts=texts)
    return collect_selected(complexity, request.draws, request.seed, request.percent, track, texts=texts)


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


def _script_groups(plan: Plan, track: Track) -> list[Group]:
    audits = [audit for audit in plan.audits if isinstance(audit, ScriptAudit)]
    groups: list[Group] = []
    if not audits or plan.scripts is None:
        return groups
    for split in plan.scripts.splits:
        drawn = draw_scripts(plan.scripts, split, track=partial(track, label=f"scripts of {split}"))
        groups += [(audit, audit.run(drawn)) for audit in audits]
    return groups


def _program_groups(plan: Plan, track: Track) -> list[Group]:
    audits = [audit for audit in plan.audits if isinstance(audit, ProgramAudit)]
    if not audits or not plan.program:
        return []
    with Bench() as bench:
        return [(audits[at], audits[at].run(bench)) for at in track(range(len(audits)), "rules on this program")]


def _bundle_groups(plan: Plan, track: Track) -> list[Group]:
    audits = [audit for audit in plan.audits if isinstance(audit, BundleAudit)]
    if not audits or plan.bundle is None:
        return []
    view = open_bundle(plan.bundle, plan.sealed_halves)
    return [(audits[at], audits[at].run(view)) for at in track(range(len(audits)), "rules on the bundle")]


def _sensitivity(audit: AnyAudit, known: Mapping[str, Sensitivity]) -> Sensitivity | None:
    """Return what is on record; exact rules on packs, sets and scripts plant at once and need no record."""
    exact = isinstance(audit, PackAudit | BundleAudit | SetAudit | ScriptAudit | TellingAudit)
    return known.get(audit.key) or (audit.self_test() if exact else None)


def self_test(rules: Sequence[str], note: Callable[[str], None]) -> Report:
    """Plant every leak of these rules (all, if none is named), record what was found, and report it."""
    audits = select(rules, get_args(Scope))
    plants: dict[str, Sensitivity] = {}
    for audit in audits:
        note(audit.key)
        thorough = audit.thorough if isinstance(audit, PackAudit | TellingAudit) else None
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
