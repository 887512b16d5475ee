"""W01 to W05: writing tasks can be met, wrong answers are seen, the text asks for what is checked, splits are kept.

    tasks   the public half in a pack: the text shown is the payload's, ids follow from payload and salt
    checks  with the sealed half: witnesses, mutants and phrasings, all from stored text and parameters
    sets    sets drawn for the purpose (`writing_sets`)

Witnesses and checks are private: a finding names a public id and a pointer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import get_args

from audits.base import Finding, Measure, Row, Status, exact_rows, fingerprint
from audits.pairs import list_faults
from audits.posed import ENOUGH_PICKS, Judge, Picks, Posed, damaged, fair, misphrased, posed, unmet
from audits.view import PackView, ShippedTask
from audits.writing_sets import DrawnSets
from engine.errors import UsageError
from engine.instruction_adherence.constraints.registry import ALL
from engine.instruction_adherence.packing import RENDERER, turn_document
from engine.instruction_adherence.splits import Pair, held_out_pairs, pairs_of_test
from engine.instruction_adherence.witness import Reason
from engine.instruction_adherence.writing import read_writing, writing_text
from engine.store.pack import puzzle_id

CLAIM_S04 = "every id of a writing task is recomputed from payload and public salt, and tasks are listed by id"
CLAIM_W01 = "every witness passes all scored checks of its turn and uses a topic keyword, judged from what is stored"
CLAIM_W02 = "damaged witnesses are rejected by the checker whose constraint was broken"
CLAIM_W03 = "the text holds every requirement once, in order, and each requirement names every parameter"
CLAIM_W03_TASKS = "the text shown is the payload's turn, character for character"
CLAIM_W04 = "sets keep to the pairs of their split, and types for evaluation only to the test"
CLAIM_W04_LISTS = "the two lists of pairs have 40 each, are disjoint, and leave out json_keys"
CLAIM_W05 = "every set given out has a witness that a fresh process verifies from stored text and parameters"

SPECIFIED_REJECTIONS = "specification: 21.6 % of draws rejected at 16 constraints"
AGAIN = "parameters and layouts without a witness, drawn again for the same types and not counted as rejected"
FEWEST_MUTANTS = 2 * ENOUGH_PICKS
"""Of each type, for a verdict on drawn sets."""


# The public half of a pack ------------------------------------------------------------------------------------------


def audit_task_ids(view: PackView) -> tuple[Row, ...]:
    """Run S04 on the writing tasks of a pack."""
    ids = [task.id for task in view.tasks]
    findings = [Finding(task.id, "/id") for task in view.tasks if task.id != puzzle_id(task.payload, view.salt)]
    findings += [Finding(at, "/order") for at, right in zip(ids, sorted(ids), strict=True) if at != right]
    return exact_rows("S04", CLAIM_S04, "error", "pack", findings, len(ids))


def audit_task_texts(view: PackView) -> tuple[Row, ...]:
    """Run W03 on the public half of a pack."""
    findings = [Finding(task.id, at) for task in view.tasks for at in _text_faults(task)]
    return exact_rows("W03", CLAIM_W03_TASKS, "error", "writing task", findings, len(view.tasks))


def _text_faults(task: ShippedTask) -> Iterator[str]:
    try:
        payload = read_writing(task.payload)
    except UsageError:
        yield "/payload"
        return
    if writing_text(payload) != task.payload:
        yield "/payload"
    if task.n_turns != len(payload.turns):
        yield "/n_turns"
    if len(task.tellings) != 1:
        yield "/renderings"
    for nth, told in enumerate(task.tellings):
        if told.renderer != RENDERER:
            yield f"/renderings/{nth}/renderer"
        if told.text != payload.turns[0]:
            yield f"/renderings/{nth}/text"


# With the sealed half -----------------------------------------------------------------------------------------------


def audit_witnesses(view: PackView) -> tuple[Row, ...]:
    """Run W01 on a pack beside its sealed file."""
    return _pack_rows("W01", CLAIM_W01, view, lambda task: (1, unmet(task)))


def audit_mutants(view: PackView, judge: Judge = fair) -> tuple[Row, ...]:
    """Run W02 on a pack beside its sealed file."""
    picks = Picks()

    def found(task: Posed) -> tuple[int, Iterable[str]]:
        chosen = picks.among([check.constraint.id for check in task.turn.checks])
        made = [damaged(task, at, judge) for at in chosen]
        return sum(one.made for one in made), (where for one in made for where in one.accepted)

    return _pack_rows("W02", CLAIM_W02, view, found)


def audit_phrasings(view: PackView) -> tuple[Row, ...]:
    """Run W03 on a pack beside its sealed file."""
    return _pack_rows("W03", CLAIM_W03, view, lambda task: (len(task.turn.checks), misphrased(task)))


def _pack_rows(
    rule: str, claim: str, view: PackView, found: Callable[[Posed], tuple[int, Iterable[str]]]
) -> tuple[Row, ...]:
    """Return the rows of a rule that gives, for each turn, what it scanned and pointers to what is wrong."""
    scanned, findings = 0, []
    for task in view.tasks:
        for one in posed_turns(task):
            if isinstance(one, Finding):
                findings.append(one)
                continue
            count, pointers = found(one)
            scanned += count
            findings += [Finding(task.id, where) for where in pointers]
    return exact_rows(rule, claim, "error", "writing task", findings, scanned)


def posed_turns(task: ShippedTask) -> Iterator[Posed | Finding]:
    """Yield the turns of a task with its sealed half, or where one cannot be read."""
    if task.sealed is None:
        return
    try:
        said = read_writing(task.payload).turns
    except UsageError:
        yield Finding(task.id, "/payload")
        return
    stored = [row.turn for row in task.sealed.turns]
    if stored != list(range(1, len(said) + 1)):
        yield Finding(task.id, "/turns")
        return
    for nth, text in enumerate(said, start=1):
        try:
            yield posed(task.id, nth, text, turn_document(task.sealed, nth))
        except (UsageError, ValueError):
            yield Finding(task.id, f"/turns/{nth}")


# Drawn sets ---------------------------------------------------------------------------------------------------------


def audit_set_mutants(drawn: DrawnSets) -> tuple[Row, ...]:
    """Run W02 on drawn sets: the verdict, then the type with the fewest mutants."""
    both = drawn.judged + drawn.spare
    rows = _set_rows("W02", CLAIM_W02, drawn, both.accepted, sum(both.mutants.values()))
    counts = {kind.id: both.mutants.get(kind.id, 0) for kind in ALL}
    rarest = min(counts, key=counts.__getitem__)
    if counts[rarest] < FEWEST_MUTANTS:
        few: Status = "inconclusive"
        rows = tuple(replace(row, status=few) if row.status == "pass" else row for row in rows)
    wanted = f"0 accepted, and {FEWEST_MUTANTS} mutants or more of each of {len(ALL)} types"
    told = [
        _note("W02", drawn, f"fewest mutants of a type: {rarest}", "mutants", counts[rarest]),
        _note("W02", drawn, "constraints that could not be damaged", "constraints", both.unbroken),
    ]
    return (*(replace(row, threshold=wanted) for row in rows), *told)


def audit_set_phrasings(drawn: DrawnSets) -> tuple[Row, ...]:
    """Run W03 on drawn sets."""
    both = drawn.judged + drawn.spare
    return _set_rows("W03", CLAIM_W03, drawn, both.misphrased, both.requirements)


def audit_splits(drawn: DrawnSets, lists: tuple[Sequence[Pair], Sequence[Pair]] | None = None) -> tuple[Row, ...]:
    """Run W04: the lists of pairs, then the drawn sets."""
    held_out, of_test = lists or (held_out_pairs(), pairs_of_test())
    faults = [Finding("splits", at) for at in list_faults(held_out, of_test)]
    return (
        *exact_rows("W04", CLAIM_W04_LISTS, "error", "list of pairs", faults, len(held_out) + len(of_test)),
        *_set_rows("W04", CLAIM_W04, drawn, drawn.judged.misplaced, drawn.judged.sets),
    )


def audit_contradictions(drawn: DrawnSets) -> tuple[Row, ...]:
    """Run W05: the verdict, then notes on rejected draws, dead ends and the share of each type."""
    unproved = drawn.judged.unproved + drawn.spare.unproved
    verdict = _set_rows("W05", CLAIM_W05, drawn, unproved, drawn.judged.sets)
    return (*verdict, *_draw_notes(drawn), *_share_notes(drawn))


def _draw_notes(drawn: DrawnSets) -> Iterator[Row]:
    lost = sum(drawn.rejected.values())
    note = _note("W05", drawn, f"draws rejected ({SPECIFIED_REJECTIONS})", "share", lost / max(drawn.draws, 1))
    yield replace(note, n=drawn.draws)
    for reason in get_args(Reason):
        note = _note("W05", drawn, f"draws rejected for {reason}", "draws", drawn.rejected.get(reason, 0))
        yield replace(note, n=drawn.draws)
    settled = drawn.draws - sum(drawn.rejected.get(reason, 0) for reason in ("tag", "parameter"))
    note = _note("W05", drawn, "draws that no rule refused get a witness", "share", drawn.judged.sets / max(settled, 1))
    yield replace(note, n=settled)
    again = _note("W05", drawn, AGAIN, "share", (drawn.tries - drawn.judged.sets) / max(drawn.tries, 1))
    yield replace(again, n=drawn.tries)
    yield _note("W05", drawn, "types taken back in drawing the ids (dead ends)", "dead ends", drawn.dead_ends)


def _share_notes(drawn: DrawnSets) -> Iterator[Row]:
    shares = {kind.id: drawn.ids.get(kind.id, 0) / max(drawn.judged.sets, 1) for kind in ALL}
    for name in sorted(shares, key=lambda name: (shares[name], name)):
        yield _note("W05", drawn, f"sets with {name}", "share", shares[name])


def _set_rows(rule: str, claim: str, drawn: DrawnSets, findings: Iterable[Finding], n: int) -> tuple[Row, ...]:
    told = f"{claim} ({_where(drawn)})"
    return tuple(replace(row, seed=drawn.seed) for row in exact_rows(rule, told, "error", "set", findings, n))


def _note(rule: str, drawn: DrawnSets, claim: str, name: str, value: float) -> Row:
    """Return a line that is shown and never judged."""
    return Row(
        rule=rule,
        claim=f"{claim} ({_where(drawn)})",
        severity="note",
        status="pass",
        n=drawn.judged.sets,
        statistic=Measure(name, value),
        threshold="none",
        fingerprint=fingerprint(rule, "set", f"/{drawn.split}/{claim}"),
        seed=drawn.seed,
    )


def _where(drawn: DrawnSets) -> str:
    return f"{drawn.split}, {drawn.constraints} constraints"
