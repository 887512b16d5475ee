"""W03, W04 and W06 on scripts: drawn for the purpose and judged in a fresh process from what would be stored of them,
or W06 on those of a pack.

This process draws; another one, which shares no memory with it, reads JSON lines and judges each script as a whole
(`script_faults`). The same request gives the same result. Witnesses and checks are private: a finding names a script by
split and number, and a pointer.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from audits.base import Finding, Measure, Row, ScriptRequest, exact_rows, fingerprint
from audits.pairs import split_faults
from audits.posed import Judge, Posed, fair, misphrased, posed, unmet
from audits.script_faults import contradictions, course_faults, short_of_full, types_of
from audits.view import PackView, ShippedTask
from audits.writing import posed_turns
from audits.writing_sets import elsewhere
from engine.errors import UsageError
from engine.instruction_adherence.brief import PARTS
from engine.instruction_adherence.generate import Recipe, WritingTask, generate_task
from engine.instruction_adherence.sampling import FEWEST, MOST
from engine.instruction_adherence.seed_tasks import public_seed_tasks
from engine.instruction_adherence.splits import Split, held_out_pairs, pairs_of_test, read_split
from engine.instruction_adherence.turn import PATTERNS
from engine.randomness import derive

CLAIM_W03 = "each turn's text tells what it adds, drops, restores and quotes, and reminds of nothing that merely stays"
CLAIM_W04 = "the turns of a script keep to the pairs of its split, revoked and disputed requirements included"
CLAIM_W04_TASKS = "the writing tasks of a pack keep to the pairs of the split that its sealed half names"
CLAIM_W06 = (
    "every turn's witness gets the maximum of every reward, and turns contradict themselves only where they say so"
)
CLAIM_W06_COURSE = "what is active in a turn, its labels and its patterns follow from the turns before"
CLAIM_W06_TASKS = "witnesses get the maximum of every reward, and the turns of a conversation follow from one another"
CLAIM_W06_PATTERNS = "each pattern occurs"

ENOUGH = 50
"""Scripts from which on each pattern must occur."""
CHUNK = 5
"""Scripts that are handed over together."""
WEIGHTS = (1.0, 2.0, 3.0)
"""Hard-family weights, in turn, as in the data sets; burial depths likewise."""


class ScriptLine(msgspec.Struct, frozen=True, kw_only=True):
    """A script as it is handed over."""

    id: str
    split: str
    most: int
    """K."""
    said: tuple[str, ...]
    """What the user says, turn by turn."""
    turns: tuple[str, ...]
    """JSON in the stored form, with witnesses."""


@dataclass(frozen=True, kw_only=True)
class JudgedScripts:
    """What was found in scripts: totals and places."""

    scripts: int = 0
    turns: int = 0
    unmet: tuple[Finding, ...] = ()
    """Witnesses that fail or do not get the maximum, contradictions that are none or not declared."""
    astray: tuple[Finding, ...] = ()
    """Checks that do not follow from the turn before."""
    misphrased: tuple[Finding, ...] = ()
    misplaced: tuple[Finding, ...] = ()
    """In a split to which they do not belong."""
    patterns: Mapping[str, int] = field(default_factory=dict)
    """Scripts with each pattern."""
    lengths: Mapping[int, int] = field(default_factory=dict)
    """Scripts of each number of turns."""

    def __add__(self, other: JudgedScripts) -> JudgedScripts:
        return JudgedScripts(
            scripts=self.scripts + other.scripts,
            turns=self.turns + other.turns,
            unmet=self.unmet + other.unmet,
            astray=self.astray + other.astray,
            misphrased=self.misphrased + other.misphrased,
            misplaced=self.misplaced + other.misplaced,
            patterns=Counter(self.patterns) + Counter(other.patterns),
            lengths=Counter(self.lengths) + Counter(other.lengths),
        )


@dataclass(frozen=True, kw_only=True)
class DrawnScripts:
    """Scripts of one split, and what became of the draws."""

    split: Split
    constraints: int | None
    """K; None where it differs from script to script."""
    seed: int
    redraws: Mapping[str, int]
    """Scripts and single turns that were drawn again, by reason."""
    judged: JudgedScripts


# Judging, in the fresh process --------------------------------------------------------------------------------------


def judged(lines: Sequence[str], judge: Judge = fair) -> JudgedScripts:
    """Judge scripts from their JSON lines."""
    return sum((_judged(msgspec.json.decode(line, type=ScriptLine), judge) for line in lines), JudgedScripts())


def _judged(line: ScriptLine, judge: Judge) -> JudgedScripts:
    """Judge one script. A turn that cannot be read is a finding, and the rest is not looked at."""
    turns: list[Posed] = []
    for nth, (said, turn) in enumerate(zip(line.said, line.turns, strict=True), start=1):
        try:
            turns.append(posed(line.id, nth, said, json.loads(turn)))
        except UsageError:
            return JudgedScripts(scripts=1, turns=nth, unmet=(Finding(line.id, f"/turns/{nth}"),))

    def found(pointers: Iterable[str]) -> tuple[Finding, ...]:
        return tuple(Finding(line.id, at) for at in pointers)

    faults = list(course_faults(turns, line.most))
    return JudgedScripts(
        scripts=1,
        turns=len(turns),
        unmet=found(at for task in turns for at in (*unmet(task, judge), *short_of_full(task), *contradictions(task))),
        astray=found(at for at in faults if "/text/" not in at),
        misphrased=found(
            [*(at for task in turns for at in misphrased(task)), *(at for at in faults if "/text/" in at)]
        ),
        misplaced=found(script_split_faults(read_split(line.split), turns)),
        patterns=Counter({pattern for task in turns for check in task.turn.checks for pattern in check.patterns}),
        lengths=Counter([len(turns)]),
    )


def script_split_faults(split: Split, turns: Sequence[Posed]) -> Iterator[str]:
    """Yield why a script is not one of the split: a barred pair in one of its turns, or a wanted one in none."""
    wanted = {"held_out_combos": held_out_pairs(), "test": pairs_of_test()}.get(split, ())
    types = [types_of(task) for task in turns]
    for task, ids in zip(turns, types, strict=True):
        faults = (at for at in split_faults(split, ids) if not at.startswith("/pairs/none"))
        yield from (f"/turns/{task.nth}{at}" for at in faults)
    if wanted and not any(pair <= set(ids) for pair in wanted for ids in types):
        yield "/pairs/none"


# Drawing ------------------------------------------------------------------------------------------------------------


def draw_scripts(
    request: ScriptRequest, split: Split, *, track: Callable[[Iterable[int]], Iterable[int]] = iter
) -> DrawnScripts:
    """Draw the scripts of one split and have them judged.

    Args:
        track: wraps the indices, to show progress.

    Raises:
        GenerationError: no script was found, which has not been seen.
    """
    redraws: Counter[str] = Counter()

    def lines() -> Iterator[str]:
        for index in track(range(request.scripts)):
            task = generate_task(recipe(request, split, index), index)
            redraws.update(task.redraws)
            yield line_of(f"{split}/{index}", split, task)

    result = elsewhere(lines(), judged, JudgedScripts(), CHUNK)
    return DrawnScripts(
        split=split, constraints=request.constraints, seed=request.seed, redraws=redraws, judged=result
    )  # fmt: skip


def recipe(request: ScriptRequest, split: Split, index: int) -> Recipe:
    """Return the recipe of one script; its seed is hashed, so that no script here is that of a pack."""
    return Recipe(
        split=split,
        mode="multi",
        seed=derive("audits/scripts", request.seed),
        constraints=request.constraints or FEWEST + index % (MOST - FEWEST + 1),
        burial_depth=index % len(PARTS),
        hard_family_weight=WEIGHTS[index % len(WEIGHTS)],
        seed_tasks=public_seed_tasks(),
    )


def line_of(name: str, split: Split, task: WritingTask) -> str:
    """Return a script as a JSON line."""
    turns = tuple(
        json.dumps(
            {
                "keywords": turn.keywords,
                "checks": [check.stored() for check in turn.checks],
                "conflict": turn.conflict,
                "witness": witness,
            }
        )
        for turn, witness in zip(task.turns, task.witnesses, strict=True)
    )
    line = ScriptLine(id=name, split=split, most=task.constraints, said=task.payload.turns, turns=turns)
    return msgspec.json.encode(line).decode()


# Rules ----------------------------------------------------------------------------------------------------------------


def audit_tasks(view: PackView) -> tuple[Row, ...]:
    """Run W06 on a pack beside its sealed file; a task of one turn has no course."""
    findings = [Finding(task.id, at) for task in view.tasks for at in _task_faults(task)]
    return exact_rows("W06", CLAIM_W06_TASKS, "error", "writing task", findings, len(view.tasks))


def _task_faults(task: ShippedTask) -> Iterator[str]:
    turns: list[Posed] = []
    for one in posed_turns(task):
        if isinstance(one, Finding):
            yield one.pointer
            return
        turns.append(one)
    yield from (at for one in turns for at in (*short_of_full(one), *contradictions(one)))
    if len(turns) > 1:
        yield from course_faults(turns, task.constraints)


def audit_task_splits(view: PackView) -> tuple[Row, ...]:
    """Run W04 on a pack beside its sealed file, whose recipe names the split."""
    findings = [Finding(task.id, at) for task in view.tasks for at in _split_faults_of(task, view.split)]
    rows = exact_rows("W04", CLAIM_W04_TASKS, "error", "writing task", findings, len(view.tasks))
    if view.split:
        return rows
    # A recipe that names no split promises nothing: a note, never a pass.
    return tuple(replace(row, severity="note", status="inconclusive") for row in rows)


def _split_faults_of(task: ShippedTask, split: str) -> Iterator[str]:
    turns = [one for one in posed_turns(task) if isinstance(one, Posed)]
    if split and turns:
        yield from script_split_faults(read_split(split), turns)


def audit_script_texts(drawn: DrawnScripts) -> tuple[Row, ...]:
    """Run W03 on drawn scripts."""
    return _rows("W03", CLAIM_W03, drawn, drawn.judged.misphrased)


def audit_script_splits(drawn: DrawnScripts) -> tuple[Row, ...]:
    """Run W04 on drawn scripts."""
    return _rows("W04", CLAIM_W04, drawn, drawn.judged.misplaced)


def audit_scripts(drawn: DrawnScripts) -> tuple[Row, ...]:
    """Run W06: witnesses and contradictions, the course of the turns, the patterns; then notes."""
    return (
        *_rows("W06", CLAIM_W06, drawn, drawn.judged.unmet, drawn.judged.turns),
        *_rows("W06", CLAIM_W06_COURSE, drawn, drawn.judged.astray, drawn.judged.turns, "course of a script"),
        *_pattern_rows(drawn),
        *_notes(drawn),
    )


def _pattern_rows(drawn: DrawnScripts) -> tuple[Row, ...]:
    """Return the verdict on the patterns, of which few scripts need not have all."""
    missing = [Finding(drawn.split, f"/patterns/{name}") for name in PATTERNS if not drawn.judged.patterns.get(name)]
    few = drawn.judged.scripts < ENOUGH
    rows = _rows("W06", CLAIM_W06_PATTERNS, drawn, () if few else missing, artefact="run")
    wanted = f"each of {len(PATTERNS)} patterns, in {ENOUGH} scripts or more"
    return tuple(replace(row, threshold=wanted, severity="note" if few else row.severity) for row in rows)


def _notes(drawn: DrawnScripts) -> Iterator[Row]:
    scripts = max(drawn.judged.scripts, 1)
    for name in PATTERNS:
        yield _note(drawn, f"scripts with {name}", "share", drawn.judged.patterns.get(name, 0) / scripts)
    for turns, count in sorted(drawn.judged.lengths.items()):
        yield _note(drawn, f"scripts of {turns} turns", "share", count / scripts)
    for reason, count in sorted(drawn.redraws.items()):
        yield _note(drawn, f"drawn again, {reason}", "redraws", count)


def _rows(
    rule: str,
    claim: str,
    drawn: DrawnScripts,
    findings: Iterable[Finding],
    n: int | None = None,
    artefact: str = "script",
) -> tuple[Row, ...]:
    scanned = drawn.judged.scripts if n is None else n
    rows = exact_rows(rule, f"{claim} ({_where(drawn)})", "error", artefact, findings, scanned)
    return tuple(replace(row, seed=drawn.seed) for row in rows)


def _note(drawn: DrawnScripts, claim: str, name: str, value: float) -> Row:
    """Return a line that is shown and never judged."""
    return Row(
        rule="W06",
        claim=f"{claim} ({_where(drawn)})",
        severity="note",
        status="pass",
        n=drawn.judged.scripts,
        statistic=Measure(name, value),
        threshold="none",
        fingerprint=fingerprint("W06", "script", f"/{drawn.split}/{claim}"),
        seed=drawn.seed,
    )


def _where(drawn: DrawnScripts) -> str:
    most = f"{FEWEST} to {MOST}" if drawn.constraints is None else f"{drawn.constraints}"
    return f"{drawn.split}, {most} constraints at once"
