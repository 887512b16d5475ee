"""What an audit is, what its rows say, and what they add up to.

An audit is one function with planted leaks that it must find and a clean fixture on which it must be silent. How many
of its plants it found stands in each of its rows: a row of an audit that was never seen to fail is worth nothing.

    exit 0  every row passed, and every selected audit looked at something
    exit 1  a finding of severity error or warning
    exit 2  unusable input, a crash, or an audit that misses its own plants
    exit 3  inconclusive: too few records, nothing scanned, or no plants on record
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from audits.draws import Draws
from audits.statistics import holm
from audits.view import PackView
from engine.canonical import digest
from engine.instruction_adherence.splits import Split

if TYPE_CHECKING:
    from audits.bench import Bench
    from audits.bundles import BundleView
    from audits.scripts import DrawnScripts
    from audits.telling import Telling
    from audits.writing_sets import DrawnSets

Status = Literal["pass", "fail", "inconclusive", "error"]
Severity = Literal["error", "warning", "note"]
Scope = Literal[
    "pack", "sealed", "file", "files", "draws", "exits", "tasks", "checks", "sets", "scripts", "program", "bundle"
]
"""What an audit reads.

Of hidden systems: a pack, a pack beside its sealed file, draws of one complexity, the exits of the generator. Of
writing tasks: those of a pack, those beside their checks and witnesses, drawn sets of constraints, drawn scripts. Of
neither: this program itself, its source and its runs; the file of any pack; the files of any pack with those of whoever
plays it; and the bundle that a participant of a study gets.
"""
BaselineState = Literal["new", "unchanged", "absent"]

ALPHA = 0.01
"""Share of clean runs in which any statistical row of the run may fail."""
FEWEST_HELD_OUT = 720
"""Fewer held-out items than this cannot exclude an AUC of 0.55 even when exactly 0.5 is observed."""


class Measure(NamedTuple):
    """A named number."""

    name: str
    value: float


class Sensitivity(NamedTuple):
    """What became of an audit's planted leaks, and of its clean fixture."""

    found: int
    planted: int
    alarms: int = 0
    """Findings on the clean fixture."""

    @property
    def trusted(self) -> bool:
        return self.planted > 0 and self.found == self.planted and not self.alarms


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of a report. Holds totals only: no secret, no digest of one, no verdict on a single puzzle."""

    rule: str
    claim: str
    severity: Severity
    status: Status
    n: int
    """Records scored."""
    statistic: Measure | None = None
    chance: float | None = None
    """The statistic's value under no leak."""
    p: float | None = None
    """None for rows outside the family of tests."""
    p_holm: float | None = None
    bound: Measure | None = None
    """The name says level and side."""
    threshold: str = "0 findings"
    limit: float | None = None
    """For a tested row with a bound: it passes when the bound lies below."""
    fewest: int = FEWEST_HELD_OUT
    """For a tested row without a bound: it passes from this number of records on."""
    detects_only: bool = False
    """The claim is carried by another row, on draws or on exact facts: undecided, this one is a note."""
    location: str = ""
    fingerprint: str = ""
    sensitivity: Sensitivity | None = None
    seed: int | None = None
    """The audit's own."""
    tool: str = ""
    code_digest: str = ""
    baseline_state: BaselineState = "new"


@dataclass(frozen=True, kw_only=True)
class Audit:
    """One rule on one kind of subject."""

    rule: str
    scope: Scope
    severity: Severity
    claim: str
    self_test: Callable[[], Sensitivity]

    @property
    def key(self) -> str:
        return f"{self.rule}/{self.scope}"


@dataclass(frozen=True, kw_only=True)
class PackAudit(Audit):
    """An exact rule on a shipped pack; its plants are cheap and run beside it."""

    run: Callable[[PackView], tuple[Row, ...]]
    thorough: Callable[[], Sensitivity] | None = None
    """More plants than beside every audit, for the recorded self-test."""


@dataclass(frozen=True, kw_only=True)
class TellingAudit(Audit):
    """An exact rule on one rendering of a pack; all of them read each rendering together. Its plants are cheap."""

    check: Callable[[Telling], Iterable[str]]
    """Yields a pointer to each fault."""
    thorough: Callable[[], Sensitivity] | None = None
    """More plants than beside every audit, for the recorded self-test."""


@dataclass(frozen=True, kw_only=True)
class ProgramAudit(Audit):
    """A rule on this program: its source, its runs, what they leave behind."""

    run: Callable[[Bench], tuple[Row, ...]]


@dataclass(frozen=True, kw_only=True)
class BundleAudit(Audit):
    """A rule on a participant's bundle; its plants are cheap and run beside it."""

    run: Callable[[BundleView], tuple[Row, ...]]


@dataclass(frozen=True, kw_only=True)
class DrawAudit(Audit):
    """A statistical rule on draws of one complexity."""

    run: Callable[[Draws], tuple[Row, ...]]
    reads_texts: bool = False
    """Needs the style of the texts as well."""


@dataclass(frozen=True, kw_only=True)
class SetAudit(Audit):
    """An exact rule on drawn sets of constraints; its plants are cheap and run beside it."""

    run: Callable[[DrawnSets], tuple[Row, ...]]


@dataclass(frozen=True, kw_only=True)
class ScriptAudit(Audit):
    """An exact rule on drawn scripts; its plants are cheap and run beside it."""

    run: Callable[[DrawnScripts], tuple[Row, ...]]


class ScriptRequest(NamedTuple):
    """Which scripts are asked for."""

    splits: tuple[Split, ...]
    constraints: int | None
    """Most that are active at once; None: 3 to 16, in turn."""
    scripts: int
    """Of each split."""
    seed: int


class SetRequest(NamedTuple):
    """Which sets of constraints are asked for."""

    splits: tuple[Split, ...]
    constraints: int
    """In each set."""
    sets: int
    """Of each split."""
    seed: int


class Request(NamedTuple):
    """Which draws are asked for."""

    complexities: tuple[int, ...]
    draws: int
    """Puzzles of each complexity."""
    seed: int
    percent: int | None = None
    """Draws go through the selection of study packs at this accuracy of counts alone; None: as they come."""


@dataclass(frozen=True, kw_only=True)
class ExitAudit(Audit):
    """A rule on what leaves the generator, run once for all complexities."""

    run: Callable[[Request], tuple[Row, ...]]


# Findings of exact rules --------------------------------------------------------------------------------------------


class Finding(NamedTuple):
    """One place where an exact rule is broken."""

    record: str
    """Public id of the record."""
    pointer: str
    """JSON pointer inside it."""


def exact_rows(
    rule: str, claim: str, severity: Severity, artefact: str, findings: Iterable[Finding], n: int
) -> tuple[Row, ...]:
    """Return one passing row, or a failing one for each kind of place, at its first finding."""
    places: dict[str, list[Finding]] = {}
    for finding in findings:
        places.setdefault(fingerprint(rule, artefact, finding.pointer), []).append(finding)
    blank = Row(rule=rule, claim=claim, severity=severity, status="pass" if n else "inconclusive", n=n, chance=0.0)
    if not places:
        return (replace(blank, statistic=Measure("findings", 0), fingerprint=fingerprint(rule, artefact, "")),)
    return tuple(
        replace(
            blank,
            status="fail",
            statistic=Measure("findings", len(found)),
            location=f"{artefact} {found[0].record}#{found[0].pointer}",
            fingerprint=mark,
        )
        for mark, found in places.items()
    )


def fingerprint(rule: str, artefact: str, pointer: str) -> str:
    """Return what a finding has in common with the same finding elsewhere: no value, no record, no array index."""
    return digest([rule, artefact, re.sub(r"(?<=/)\d+(?=/|$)", "*", pointer)])[:32]


# From rows to a verdict ---------------------------------------------------------------------------------------------


def settled(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Judge the tested rows of a run together, as one Holm family.

    A tested row fails if its adjusted p is below `ALPHA`, whatever the size of the effect. Otherwise it passes if it
    had enough records to exclude a leak: by its bound if it has one, else by their number.
    """
    tested = [at for at, row in enumerate(rows) if row.p is not None]
    adjusted = holm([p for row in rows if (p := row.p) is not None])
    result = list(rows)
    for at, p in zip(tested, adjusted, strict=True):
        result[at] = replace(rows[at], p_holm=p, status=_tested_status(rows[at], p))
    return tuple(map(_told_as_note, result))


def _told_as_note(row: Row) -> Row:
    return replace(row, severity="note") if row.detects_only and row.status == "inconclusive" else row


def _tested_status(row: Row, p_holm: float) -> Status:
    if p_holm < ALPHA:
        return "fail"
    if row.limit is None or row.bound is None:
        return "pass" if row.n >= row.fewest else "inconclusive"
    return "pass" if row.bound.value < row.limit else "inconclusive"


def trusted(row: Row, sensitivity: Sensitivity | None) -> Row:
    """Return the row with its audit's sensitivity: without one it cannot pass, a bad one makes it an error."""
    row = replace(row, sensitivity=sensitivity)
    if sensitivity is None or not sensitivity.planted:
        return replace(row, status="inconclusive") if row.status == "pass" else row
    return row if sensitivity.trusted else replace(row, status="error")


def exit_code(groups: Iterable[Sequence[Row]]) -> int:
    """Return the exit code for the rows of each selected audit: 2 over 1 over 3 over 0."""
    codes = {code_of(rows) for rows in groups}
    return next((code for code in (2, 1, 3) if code in codes), 0 if codes else 3)


def code_of(rows: Sequence[Row]) -> int:
    """Return the exit code of one audit's rows; notes and accepted findings never change it."""
    counted = [row for row in rows if row.severity != "note"]
    states = {row.status for row in counted if row.baseline_state != "unchanged"}
    if "error" in states:
        return 2
    if "fail" in states:
        return 1
    if not any(row.n for row in rows) or "inconclusive" in states or any(row.n == 0 for row in counted):
        return 3
    return 0
