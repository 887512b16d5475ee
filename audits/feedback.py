"""C10: no outcome is visible before a study is over: what the app shows does not depend on the gold.

The same walk through all screens (`walking`) is made twice, beside sealed files with opposite labels. Every screen
after every key must show the same text; every key that any screen offers must have been pressed. What either walk
stored in its answers file, its event log too, must be the same as well.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from audits.base import Finding, ProgramAudit, Row, Sensitivity, exact_rows
from audits.bench import Bench
from audits.exits import database_rows
from audits.honeytokens import write_tokened, write_turned
from audits.terminal import Home, piped
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.store.pack import Pack

CLAIM = "no screen of a collection, and no row that it stores, depends on the gold, whatever was pressed before"
PUZZLES, TASKS = (4,) * 20, 8
"""Enough for every key that ends one."""
WALK = "from audits.walking import main; main()"


class Walked(NamedTuple):
    """What one walk showed."""

    steps: tuple[tuple[str, str, str], ...]
    """Screen, key, text."""
    offered: int
    """Keys offered by the screens that were reached."""
    left: str
    """Those that were not pressed."""
    stored: tuple[tuple[str, str], ...] = ()
    """Table and puzzle, and the rows of the answers file without what is random or a time."""


def audit_feedback(bench: Bench) -> tuple[Row, ...]:
    """Run C10 over hidden systems and over writing tasks."""
    pairs = [both_walks(bench.folder(), tasks=tasks) for tasks in (False, True)]
    findings = [
        finding
        for tasks, (one, other) in zip((False, True), pairs, strict=True)
        for finding in _again(walk_findings(one, other), bench, tasks=tasks)
    ]
    steps = [step for one, _ in pairs for step in one.steps]
    left = " ".join(one.left for one, _ in pairs).strip()
    rows = exact_rows("C10", CLAIM, "error", "screen", findings, len(steps))
    if not findings and (left or not all(one.steps for one, _ in pairs)):
        return tuple(replace(row, status="inconclusive", threshold=f"0 findings; not pressed: {left}") for row in rows)
    offered = sum(one.offered for one, _ in pairs)
    told = f"0 findings; all of {offered} keys pressed on {len({screen for screen, _, _ in steps})} screens"
    return tuple(replace(row, threshold=told) for row in rows)


def _again(findings: list[Finding], bench: Bench, *, tasks: bool) -> list[Finding]:
    """Return the findings that come again in a second pair of walks: a screen that was late shows as one, but once."""
    if not findings:
        return []
    second = set(walk_findings(*both_walks(bench.folder(), tasks=tasks)))
    return [finding for finding in findings if finding in second]


def walk_findings(one: Walked, other: Walked) -> list[Finding]:
    """Return the steps after which one walk shows a line that the other does not.

    A hint goes by itself after a while, so a line that the other walk shows a step earlier or later is the same line.
    """
    findings = []
    for at, (screen, key, _) in enumerate(one.steps):
        if _only(one, other, at) or _only(other, one, at):
            findings.append(Finding(f"{screen} after {key or 'the start'}", f"/{screen}"))
    if [step[:2] for step in one.steps] != [step[:2] for step in other.steps]:
        findings.append(Finding("walk", "/steps"))
    rows, others = dict(one.stored), dict(other.stored)
    for kept in sorted(rows.keys() | others.keys()):
        if rows.get(kept) != others.get(kept):
            findings.append(Finding("answers", f"/answers/{kept.split()[0]}"))
    return findings


def _only(one: Walked, other: Walked, at: int) -> set[str]:
    """Return the lines of one step that the other walk shows neither there nor next to it."""
    beside = {line for step in other.steps[max(0, at - 1) : at + 2] for line in _lines(step[2])}
    return set(_lines(one.steps[at][2]) if at < len(one.steps) else ()) - beside


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


def both_walks(folder: Path, *, tasks: bool = False, leak: str = "", steps: int = 0) -> tuple[Walked, Walked]:
    """Walk twice over one study pack, beside its sealed file and beside one with every hidden half turned.

    Args:
        tasks: over writing tasks in place of hidden systems.
        steps: as many steps only; 0 for all.
    """
    made = folder / "made"
    made.mkdir()
    write_tokened(made, complexities=() if tasks else PUZZLES, tasks=TASKS if tasks else 0)
    with Pack.open(made / "pack.db") as pack:
        listed = [entry.id for entry in pack.puzzles() if entry.family != FAMILY_NAME]
    write_turned(made / "sealed.db", folder / "turned.db", listed)
    return (
        _walk(folder / "one", made / "pack.db", made / "sealed.db", leak, steps),
        _walk(folder / "other", made / "pack.db", folder / "turned.db", leak, steps),
    )


def _walk(root: Path, pack: Path, sealed: Path, leak: str, steps: int) -> Walked:
    home = Home.made(root)
    shutil.copy(pack, home.work / "pack.db")
    shutil.copy(sealed, home.work / "sealed.db")
    ran = piped(home, WALK, ("pack.db", leak, str(steps)))
    walked = read_walk(ran.out.decode(errors="replace").splitlines())
    answers = home.data / "answers.db"
    return walked._replace(stored=tuple(database_rows(answers).items()) if answers.exists() else ())


def read_walk(lines: Sequence[str]) -> Walked:
    """Read the lines that a walk printed."""
    steps, offered, left = [], 0, ""
    for line in lines:
        told = json.loads(line)
        if "offered" in told:
            offered += int(told["offered"])
            left = f"{left} {told['left']}".strip()
        else:
            steps.append((told["screen"], told["key"], told["text"]))
    return Walked(tuple(steps), offered, left)


PLANTED_STEPS = 24
"""Enough to answer, and to look at the history."""


def plants() -> Sensitivity:
    """Let the history show "right", the receipt say it in a notice, the event log keep it; else nothing may differ."""
    leaks = ("history", "receipt", "events")
    found = sum(bool(_findings(leak)) for leak in leaks)
    alarms = set(_findings(""))
    # As in the audit itself: what a screen that was late shows comes once, and not again.
    return Sensitivity(found, len(leaks), len(alarms & set(_findings(""))) if alarms else 0)


def _findings(leak: str) -> list[Finding]:
    with TemporaryDirectory(prefix="clew-audit-") as name:
        return walk_findings(*both_walks(Path(name), leak=leak, steps=PLANTED_STEPS))


FEEDBACK = ProgramAudit(
    rule="C10", scope="program", severity="error", claim=CLAIM, run=audit_feedback, self_test=plants
)  # fmt: skip
