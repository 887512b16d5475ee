"""The audits of scripts with their planted faults: scripts that are right, spoiled one thing at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from typing import Any

import msgspec

from audits import scripts
from audits.base import PackAudit, Row, ScriptAudit, ScriptRequest, Sensitivity
from audits.mutation import mutants
from audits.posed import posed
from audits.scripts import DrawnScripts, JudgedScripts, ScriptLine, judged
from audits.view import PackView, ShippedTask
from audits.writing_plants import shipped
from engine.canonical import canonical_text
from engine.errors import UsageError
from engine.instruction_adherence.constraints.registry import TYPES
from engine.instruction_adherence.flagging import FLAGS
from engine.instruction_adherence.generate import WritingTask, generate_task
from engine.instruction_adherence.inflection import forms
from engine.instruction_adherence.packing import halves
from engine.instruction_adherence.splits import held_out_pairs, pairs_of_test
from engine.instruction_adherence.turn import PATTERNS
from engine.packs import Salts
from engine.randomness import Stream

SEED = 3
CLEAN = (18, 33, 59, 89, 100)
"""Small scripts that have, together, every pattern, an audit that comes late, and a restatement; a test holds that."""
UNUSED = ("zyzzy", "quokka")
"""Keywords that no witness has; whatever letter is banned, one of them stays usable."""
REQUEST = ScriptRequest(splits=("train",), constraints=None, scripts=len(CLEAN), seed=SEED)

Turns = list[dict[str, Any]]
Change = Callable[[Turns], Any]
"""Spoils the stored turns in place."""


@cache
def clean_lines() -> tuple[str, ...]:
    """Return the clean scripts as they are handed over."""
    return tuple(scripts.line_of(f"train/{at}", "train", clean_task(at)) for at in CLEAN)


@cache
def clean_task(index: int) -> WritingTask:
    return generate_task(scripts.recipe(REQUEST, "train", index), index)


def as_drawn(lines: Sequence[str]) -> DrawnScripts:
    """Judge scripts in this process, as if they had been drawn."""
    return _with(judged(lines))


def _with(found: JudgedScripts) -> DrawnScripts:
    return DrawnScripts(split="train", constraints=None, seed=SEED, redraws={}, judged=found)


def tried(run: Callable[[DrawnScripts], tuple[Row, ...]], plants: Callable[[], Iterable[DrawnScripts]]) -> Sensitivity:
    """Run an exact rule on the clean scripts and on spoiled ones."""
    outcomes = [_alarms(run(plant)) > 0 for plant in plants()]
    return Sensitivity(sum(outcomes), len(outcomes), _alarms(run(as_drawn(clean_lines()))))


def _alarms(rows: Sequence[Row]) -> int:
    return sum(row.status == "fail" for row in rows)


def _read(line: str) -> ScriptLine:
    return msgspec.json.decode(line, type=ScriptLine)


def _turns(line: ScriptLine) -> Turns:
    return [json.loads(turn) for turn in line.turns]


def _spoiled(line: ScriptLine, change: Change) -> DrawnScripts:
    """Judge a script whose stored turns were changed; a change that shortens them shortens the texts too."""
    turns = _turns(line)
    change(turns)
    return _judged(line, turns=tuple(map(json.dumps, turns)), said=line.said[: len(turns)])


def _judged(line: ScriptLine, **fields: object) -> DrawnScripts:
    return as_drawn([msgspec.json.encode(msgspec.structs.replace(line, **fields)).decode()])


def _kind(check: dict[str, Any]) -> str:
    return {(True, True): "active", (False, True): "revoked", (True, False): "disputed"}.get(
        (check["expect"], check["scored"]), "quoted"
    )


def _of(turns: Turns, kind: str) -> list[tuple[int, int]]:
    """Return turn and place, from 0, of all checks of one kind."""
    return [
        (nth, at)
        for nth, turn in enumerate(turns)
        for at, check in enumerate(turn["checks"])
        if _kind(check) == kind
    ]  # fmt: skip


# Of a pack ------------------------------------------------------------------------------------------------------------


@cache
def clean_tasks() -> PackView:
    """Return the clean scripts as a pack has them, with their sealed halves."""
    salt = "public salt"
    made = [halves(clean_task(at), salt, Salts(seed=SEED)) for at in CLEAN]
    return PackView(salt=salt, puzzles=(), tasks=tuple(map(shipped, made)))


def tried_tasks() -> Sensitivity:
    """Run W06 on the clean scripts of a pack and on spoiled ones."""
    clean = clean_tasks()
    plants = (replace(clean, tasks=(one,)) for task in clean.tasks for one in _spoiled_tasks(task))
    outcomes = [_alarms(scripts.audit_tasks(plant)) > 0 for plant in plants]
    return Sensitivity(sum(outcomes), len(outcomes), _alarms(scripts.audit_tasks(clean)))


def tried_splits() -> Sensitivity:
    """Run W04 on the clean scripts of a pack, under the names of other splits, and with a barred pair in a turn."""
    clean = replace(clean_tasks(), split="train")
    others = ("held_out_combos", "test")
    plants = [replace(clean, split=split, tasks=(task,)) for task in clean.tasks for split in others]
    barred = [sorted(min(pairs, key=sorted)) for pairs in (held_out_pairs(), pairs_of_test())]
    plants += [replace(clean, tasks=(_paired(task, pair),)) for task in clean.tasks for pair in barred]
    outcomes = [_alarms(scripts.audit_task_splits(plant)) > 0 for plant in plants]
    return Sensitivity(sum(outcomes), len(outcomes), _alarms(scripts.audit_task_splits(clean)))


def _paired(task: ShippedTask, pair: Sequence[str]) -> ShippedTask:
    """Make the first two active checks of a task ones of these types."""
    assert task.sealed is not None
    checks = list(task.sealed.checks)
    places = [at for at, check in enumerate(checks) if check.turn == 1 and check.expect and check.scored]
    for at, name in zip(places, pair, strict=False):
        made = TYPES[name].sample(Stream("audits/plants", "W04 in a pack", name))
        checks[at] = replace(checks[at], constraint_id=name, params=canonical_text(made.params))
    return replace(task, sealed=replace(task.sealed, checks=tuple(checks)))


def _spoiled_tasks(task: ShippedTask) -> Iterator[ShippedTask]:
    """Exchange or lose turns, lose checks, take conflicts away."""
    assert task.sealed is not None
    sealed = task.sealed
    first, second, *rest = sealed.turns
    exchanged = (replace(first, witness=second.witness), replace(second, witness=first.witness), *rest)
    yield replace(task, sealed=replace(sealed, turns=exchanged))
    yield replace(task, sealed=replace(sealed, turns=sealed.turns[:-1]))
    yield replace(task, sealed=replace(sealed, checks=tuple(one for one in sealed.checks if one.since_turn > 1)))
    yield replace(task, constraints=task.constraints + 1)
    for nth, turn in enumerate(sealed.turns):
        if turn.conflict is not None:
            without = (*sealed.turns[:nth], replace(turn, conflict=None), *sealed.turns[nth + 1 :])
            yield replace(task, sealed=replace(sealed, turns=without))


# Witnesses and contradictions -----------------------------------------------------------------------------------------


def spoiled_scripts() -> Iterator[DrawnScripts]:
    """Spoil witnesses, contradictions and the course of the turns."""
    for line in map(_read, clean_lines()):
        changes = chain(_bad_witnesses(line), _bad_conflicts(_turns(line)), _bad_courses(_turns(line)))
        yield from (_spoiled(line, change) for change in changes)
        yield _judged(line, most=line.most + 1)
    yield from _missing_patterns()


def _missing_patterns() -> Iterator[DrawnScripts]:
    """Leave each pattern out of a run that is long enough."""
    found = replace(judged(clean_lines()), scripts=scripts.ENOUGH)
    for name in PATTERNS:
        yield _with(replace(found, patterns={other: 9 for other in PATTERNS if other != name}))


def _set(nth: int, name: str, value: Any) -> Change:
    return lambda turns: turns[nth].__setitem__(name, value)


def _bad_witnesses(line: ScriptLine) -> Iterator[Change]:
    """Damage each turn's witness for one of its checks, empty it, take another turn's, take the flag out of it."""
    turns = _turns(line)
    flags = frozenset().union(*map(forms, FLAGS))
    for nth, (said, turn) in enumerate(zip(line.said, turns, strict=True)):
        yield from (_set(nth, "witness", text) for text in _least_damage(said, turn, nth))
        yield _set(nth, "witness", "")
        yield _set(nth, "witness", turns[nth - 1]["witness"])
        yield _set(nth, "keywords", [*UNUSED, *turn["keywords"]])
        if turn["conflict"]:
            mild = re.sub(r"[A-Za-z]+", lambda m: "zinc" if m[0].lower() in flags else m[0], turn["witness"])
            yield _set(nth, "witness", mild)


def _least_damage(said: str, turn: dict[str, Any], nth: int) -> Iterator[str]:
    """Yield the witness with one thing in it that breaks one check, certain by construction."""
    task = posed("plant", nth + 1, said, turn)
    checks = [check for check in task.turn.checks if check.scored and check.expect]
    for check in (*checks[nth % len(checks) :], *checks):
        try:
            yield next(mutants(check.constraint, task.witness, Stream("audits/plants", "W06", nth))).text
            return
        except (StopIteration, UsageError):
            continue


def _bad_conflicts(turns: Turns) -> Iterator[Change]:
    """Declare no conflict, one that is none, or one in the last turn; keep the rival; do not restore the original."""
    for nth, turn in enumerate(turns):
        if not turn["conflict"]:
            continue
        one, other = turn["conflict"]
        yield partial(_undeclared, nth=nth)
        harmless: dict[str, Any] = {"constraint": "lang.caps_limit", "params": {"max": 500}}
        yield partial(_altered, nth=nth, at=other, **harmless)
        yield partial(_copied, nth=nth, at=other, to=nth + 1)
        yield partial(_copied, nth=nth, at=one, to=nth + 1)
        yield partial(_lost, nth=nth + 1, requirement=turn["checks"][one]["requirement"])
        yield partial(_cut, size=nth + 1)


def _undeclared(turns: Turns, nth: int) -> None:
    turns[nth]["conflict"] = None
    for check in turns[nth]["checks"]:
        check["scored"] = check["scored"] or check["expect"]


def _altered(turns: Turns, nth: int, at: int, **fields: Any) -> None:
    turns[nth]["checks"][at].update(fields)


def _copied(turns: Turns, nth: int, at: int, to: int) -> None:
    turns[to]["checks"].append({**turns[nth]["checks"][at], "scored": True})


def _lost(turns: Turns, nth: int, requirement: str) -> None:
    turns[nth]["checks"] = [one for one in turns[nth]["checks"] if one["requirement"] != requirement]


def _cut(turns: Turns, size: int) -> None:
    del turns[size:]


# The course of the turns ----------------------------------------------------------------------------------------------


def _bad_courses(turns: Turns) -> Iterator[Change]:
    """Lose, move, relabel or misname checks; take turns away."""
    last = len(turns) - 1
    for at, check in enumerate(turns[last]["checks"]):
        if check["since_turn"] <= last:
            yield partial(_lost, nth=last, requirement=check["requirement"])
        yield partial(_altered, nth=last, at=at, since_turn=check["since_turn"] % (last + 1) + 1)
        yield partial(_altered, nth=last, at=at, label="R99")
        yield partial(_altered, nth=last, at=at, patterns=[])
        yield partial(_altered, nth=last, at=at, patterns=[*check["patterns"], "contradiction"])
        changed = [name for name in check["patterns"] if name != "long_gap"] + ["long_gap"] * (
            "long_gap" not in check["patterns"]
        )
        yield partial(_altered, nth=last, at=at, patterns=changed)
    for nth, at in _of(turns, "revoked"):
        yield partial(_altered, nth=nth, at=at, expect=True)
        yield partial(_lost, nth=nth, requirement=turns[nth]["checks"][at]["requirement"])
    for nth, at in _of(turns, "quoted"):
        yield partial(_altered, nth=nth, at=at, since_turn=nth)
        met = next(check for check in turns[nth]["checks"] if _kind(check) == "active")
        yield partial(_altered, nth=nth, at=at, **_storage(met))
    for nth, at in _of(turns, "active"):
        params = turns[nth]["checks"][at]["params"]
        for name in {"labels", "requirements"} & params.keys():
            yield partial(_altered, nth=nth, at=at, params={name: [*params[name], "R98"]})
    yield partial(_swapped, nth=last)
    yield partial(_cut, size=3)
    yield _set(last, "checks", [])


def _storage(check: dict[str, Any]) -> dict[str, Any]:
    return {name: check[name] for name in ("constraint", "params")}


def _swapped(turns: Turns, nth: int) -> None:
    checks = turns[nth]["checks"]
    checks[0], checks[1] = checks[1], checks[0]


# Texts and splits -----------------------------------------------------------------------------------------------------


def reworded_scripts() -> Iterator[DrawnScripts]:
    """Leave out or repeat what a turn adds, drops, restores, quotes or lists, and remind of what stays."""
    for line in map(_read, clean_lines()):
        turns = _turns(line)
        for nth, said in enumerate(line.said):
            for text in _retold(turns, nth, said):
                yield _judged(line, said=(*line.said[:nth], text, *line.said[nth + 1 :]))


def _retold(turns: Turns, nth: int, said: str) -> Iterator[str]:
    checks = turns[nth]["checks"]
    told = {check["requirement"] for turn in turns[max(nth - 1, 0) : nth + 1] for check in turn["checks"]}
    for text in sorted(told):
        if text in said:
            yield said.replace(text, "")
    stays = [check["requirement"] for check in checks if _kind(check) == "active" and check["requirement"] not in said]
    yield from (f"{said}\n\n{text}" for text in stays)
    fresh = [check["requirement"] for check in checks if check["since_turn"] == nth + 1 and check["expect"]]
    yield from (f"{said}\n\n{text}" for text in fresh)
    had = [check["requirement"] for check in turns[nth - 1]["checks"] if _kind(check) == "revoked"] if nth else []
    if any(_kind(check) == "revoked" and check["requirement"] not in had for check in checks):
        kept = [block for block in said.split("\n\n") if not re.search("no longer|leave that out", block)]
        yield "\n\n".join(kept)


def misplaced_scripts() -> Iterator[DrawnScripts]:
    """Put a barred pair into a turn, revoked, disputed or not; claim other splits; use a type for evaluation."""
    held_out, of_test = sorted(map(sorted, held_out_pairs())), sorted(map(sorted, pairs_of_test()))
    for line in map(_read, clean_lines()):
        for pair in (held_out[0], of_test[0], of_test[-1], ["lang.no_passive", "lex.no_commas"]):
            yield _spoiled(line, partial(_joined, ids=pair))
        yield _judged(line, split="held_out_combos")
        yield _judged(line, split="test")


def _joined(turns: Turns, ids: Sequence[str]) -> None:
    """Add checks of these types to the second turn."""
    like = turns[1]["checks"][0]
    for name in ids:
        if all(check["constraint"] != name for check in turns[1]["checks"]):
            made = TYPES[name].sample(Stream("audits/plants", "W04", name))
            turns[1]["checks"].append({**like, **made.stored(), "requirement": made.render(0)})


def _audit(rule: str, claim: str, run: Callable[[DrawnScripts], tuple[Row, ...]], self_test: Any) -> ScriptAudit:
    return ScriptAudit(rule=rule, scope="scripts", severity="error", claim=claim, run=run, self_test=self_test)


AUDITS: tuple[PackAudit | ScriptAudit, ...] = (
    PackAudit(
        rule="W06",
        scope="checks",
        severity="error",
        claim=scripts.CLAIM_W06_TASKS,
        run=scripts.audit_tasks,
        self_test=tried_tasks,
    ),
    PackAudit(
        rule="W04",
        scope="checks",
        severity="error",
        claim=scripts.CLAIM_W04_TASKS,
        run=scripts.audit_task_splits,
        self_test=tried_splits,
    ),
    *(
        _audit(rule, claim, run, partial(tried, run, plants))
        for rule, claim, run, plants in (
            ("W03", scripts.CLAIM_W03, scripts.audit_script_texts, reworded_scripts),
            ("W04", scripts.CLAIM_W04, scripts.audit_script_splits, misplaced_scripts),
            ("W06", scripts.CLAIM_W06, scripts.audit_scripts, spoiled_scripts),
        )
    ),
)
