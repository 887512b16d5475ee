"""The audits of writing tasks with their planted faults: tasks and sets that are right, spoiled one thing at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain

import msgspec

from audits import writing
from audits.base import PackAudit, Row, Scope, Sensitivity, SetAudit, SetRequest
from audits.mutation import mutants
from audits.pairs import NEVER_PAIRED
from audits.posed import Judge, Posed, fair, posed
from audits.view import PackView, ShippedTask, Told
from audits.writing_sets import Drawing, DrawnSets, SetLine, judged, read_turn
from engine.instruction_adherence.constraints.registry import TRAINABLE, TYPES
from engine.instruction_adherence.generate import Recipe, generate_tasks
from engine.instruction_adherence.packing import halves
from engine.instruction_adherence.seed_tasks import public_seed_tasks
from engine.instruction_adherence.splits import Pair, held_out_pairs, pairs_of_test
from engine.instruction_adherence.turn import Check
from engine.instruction_adherence.writing import read_writing, writing_text
from engine.packs import Halves, Salts
from engine.randomness import Stream

RunOnPack = Callable[[PackView], tuple[Row, ...]]
RunOnSets = Callable[[DrawnSets], tuple[Row, ...]]

TASKS, CONSTRAINTS, SEED = 6, 9, 3
"""The clean fixtures."""


@cache
def clean_tasks() -> PackView:
    """Return writing tasks as a pack has them, with their sealed halves."""
    recipe = Recipe(
        split="train",
        seed=SEED,
        constraints=CONSTRAINTS,
        burial_depth=2,
        hard_family_weight=1.0,
        seed_tasks=public_seed_tasks(),
    )
    made = [halves(task, "public salt", Salts(seed=SEED)) for task in generate_tasks(recipe, TASKS)]
    return PackView(salt="public salt", puzzles=(), tasks=tuple(sorted(map(shipped, made), key=lambda task: task.id)))


def shipped(half: Halves) -> ShippedTask:
    """Return a writing task as it is read from a pack."""
    told = half.rendering
    return ShippedTask(
        id=half.puzzle.id,
        constraints=half.puzzle.complexity,
        n_turns=half.puzzle.n_turns,
        payload=half.puzzle.payload,
        tellings=(Told(renderer=told.renderer, domain=told.domain, text=told.body),),
        sealed=half.task,
    )


def tried(run: RunOnPack, plants: Callable[[], Iterable[PackView]]) -> Sensitivity:
    """Run an exact rule on the clean tasks and on spoiled ones."""
    outcomes = [_alarms(run(plant)) > 0 for plant in plants()]
    return Sensitivity(sum(outcomes), len(outcomes), _alarms(run(clean_tasks())))


def _alarms(rows: Sequence[Row]) -> int:
    return sum(row.status == "fail" for row in rows)


def _with(spoiled: Iterable[ShippedTask]) -> Iterator[PackView]:
    """Yield the clean tasks with one of them replaced, for each of these."""
    clean = clean_tasks()
    for task in spoiled:
        yield replace(clean, tasks=tuple(task if task.id == one.id else one for one in clean.tasks))


# The public half ----------------------------------------------------------------------------------------------------


def wrong_ids() -> Iterator[PackView]:
    """Lose the salt, mark an id, list the tasks in another order."""
    clean = clean_tasks()
    first = clean.tasks[0]
    yield replace(clean, salt="another salt")
    yield replace(clean, tasks=(replace(first, id=f"{first.id[:-1]}{'01'[first.id[-1] == '0']}"), *clean.tasks[1:]))
    yield replace(clean, tasks=(*clean.tasks[1:], first))


def wrong_texts() -> Iterator[PackView]:
    """Show a text that is not the payload's."""

    def spoiled() -> Iterator[ShippedTask]:
        task = clean_tasks().tasks[0]
        told = task.tellings[0]
        for text in (
            told.text + " ",
            told.text[:-1],
            told.text.replace(" ", "\u00a0", 1),
            "Hint: avoid e. " + told.text,
        ):
            yield replace(task, tellings=(replace(told, text=text),))
        yield replace(task, tellings=(replace(told, renderer="parrot/1"),))
        yield replace(task, tellings=())
        yield replace(task, n_turns=2)
        yield replace(task, payload=task.payload.replace(":", ": ", 1))
        yield replace(task, payload="{}")

    return _with(spoiled())


# With the sealed half -----------------------------------------------------------------------------------------------


def damaged_witnesses() -> Iterator[PackView]:
    """Damage a witness once for each of its checks, take its topic words, empty it, spoil stored parameters."""
    return _with(chain.from_iterable(map(_damaged_tasks, clean_tasks().tasks)))


def _damaged_tasks(task: ShippedTask) -> Iterator[ShippedTask]:
    assert task.sealed is not None
    (turn,) = task.sealed.turns
    for one in writing.posed_turns(task):
        assert isinstance(one, Posed)
        texts = [text for at in range(len(one.turn.checks)) for text in _least_damage(one.turn.checks[at], one.witness)]
        for text in (*texts, ""):
            yield replace(task, sealed=replace(task.sealed, turns=(replace(turn, witness=text),)))
    yield replace(task, sealed=replace(task.sealed, turns=(replace(turn, keywords='["zyzzyva"]'),)))
    yield replace(task, sealed=replace(task.sealed, turns=()))
    first, *rest = task.sealed.checks
    yield replace(task, sealed=replace(task.sealed, checks=(replace(first, params='{"unknown":1}'), *rest)))


def _least_damage(check: Check, witness: str) -> list[str]:
    """Return the witness with one thing in it that breaks the check, certain by construction."""
    return [mutant.text for mutant in mutants(check.constraint, witness, Stream("audits/plants", "W01"))][:1]


def lenient(kinds: Sequence[str]) -> Judge:
    """Return a judge whose checkers of these types accept everything."""
    return lambda check, reading: check.constraint.id in kinds or fair(check, reading)


def _kinds_of(view: PackView) -> list[str]:
    return sorted({row.constraint_id for task in view.tasks if task.sealed is not None for row in task.sealed.checks})


def mutants_tried() -> Sensitivity:
    """Let every checker accept everything, then those of one type alone."""
    kinds = _kinds_of(clean_tasks())
    clean = _alarms(writing.audit_mutants(clean_tasks()))
    judges = [lenient(kinds), *(lenient([kind]) for kind in kinds)]
    found = sum(_alarms(writing.audit_mutants(clean_tasks(), judge)) > 0 for judge in judges)
    return Sensitivity(found, len(judges), clean)


def wrong_phrasings() -> Iterator[PackView]:
    """Leave a requirement out, say it twice, change a number or a literal in it, move it, lose a label."""
    return _with(chain.from_iterable(map(_reworded_tasks, clean_tasks().tasks)))


def _reworded_tasks(task: ShippedTask) -> Iterator[ShippedTask]:
    assert task.sealed is not None
    (said,) = read_writing(task.payload).turns
    for nth, check in enumerate(task.sealed.checks):
        text = check.requirement
        yield _saying(task, said.replace(text, ""))
        yield _saying(task, f"{said}\n\n{text}")
        for changed in _reworded(text):
            yield _saying(task, said.replace(text, changed))
            checks = list(task.sealed.checks)
            checks[nth] = replace(check, requirement=changed)
            yield replace(_saying(task, said.replace(text, changed)), sealed=replace(task.sealed, checks=tuple(checks)))
    first, second = (check.requirement for check in task.sealed.checks[:2])
    yield _saying(task, said.replace(first, "\0").replace(second, first).replace("\0", second))


def _saying(task: ShippedTask, said: str) -> ShippedTask:
    payload = replace_turns(task.payload, said)
    return replace(task, payload=payload, tellings=(replace(task.tellings[0], text=said),))


def replace_turns(payload: str, said: str) -> str:
    """Return a payload with another text."""
    return writing_text(msgspec.structs.replace(read_writing(payload), turns=(said,)))


def _reworded(text: str) -> Iterator[str]:
    """Yield a requirement with its first number one higher, and with a quoted literal a letter longer."""
    higher = re.sub(r"\d+", lambda match: str(int(match[0]) + 1), text, count=1)
    longer = re.sub(r'"(\w+)"', r'"\1x"', text, count=1)
    yield from (changed for changed in (higher, longer) if changed != text)


# Drawn sets ---------------------------------------------------------------------------------------------------------


@cache
def _clean_lines() -> tuple[str, ...]:
    drawing = Drawing(request=SetRequest(("train",), CONSTRAINTS, TASKS, SEED), split="train", damage=True)
    return tuple(line for index in range(TASKS) for line in drawing.line(index))


def as_drawn(lines: Sequence[str], judge: Judge = fair) -> DrawnSets:
    """Judge sets in this process, as if they had been drawn."""
    found = judged(lines, judge)
    return DrawnSets(
        split="train",
        constraints=CONSTRAINTS,
        seed=SEED,
        draws=found.sets,
        rejected={},
        tries=found.sets,
        dead_ends=0,
        ids={},
        judged=found,
    )


def tried_sets(run: RunOnSets, plants: Callable[[], Iterable[DrawnSets]]) -> Sensitivity:
    """Run an exact rule on the clean sets and on spoiled ones."""
    outcomes = [_alarms(run(plant)) > 0 for plant in plants()]
    return Sensitivity(sum(outcomes), len(outcomes), _alarms(run(as_drawn(_clean_lines()))))


def _changed(line: str, **fields: object) -> str:
    return msgspec.json.encode(msgspec.structs.replace(_read(line), **fields)).decode()


def _read(line: str) -> SetLine:
    return msgspec.json.decode(line, type=SetLine)


def lenient_checkers() -> Iterator[DrawnSets]:
    """Let all checkers accept everything."""
    kinds = [kind.id for kind in TRAINABLE]
    yield from (as_drawn([line], lenient(kinds)) for line in _clean_lines())


def reworded_sets() -> Iterator[DrawnSets]:
    """Leave a requirement out of a brief, say it twice, change a number in it."""
    for line in _clean_lines():
        said = _read(line).said
        for check in posed(_read(line).id, 1, said, read_turn(_read(line))).turn.checks:
            text = check.requirement
            for changed in ("", f"{text} {text}", *_reworded(text)):
                yield as_drawn([_changed(line, said=said.replace(text, changed), picks=())])


def unproved_sets() -> Iterator[DrawnSets]:
    """Give a set out without a witness, with an empty one, with that of another set, with one word too many."""
    lines = _clean_lines()
    for line, other in zip(lines, (*lines[1:], lines[0]), strict=True):
        turn = read_turn(_read(line))
        task = posed(_read(line).id, 1, "", turn)
        spoiled = [text for check in task.turn.checks for text in _least_damage(check, task.witness)]
        for witness in (None, "", read_turn(_read(other))["witness"], *spoiled):
            yield as_drawn([_changed(line, turn=json.dumps(turn | {"witness": witness}), picks=())])


def misplaced_sets() -> Iterator[DrawnSets]:
    """Put each barred pair into a set of train, and sets without or with the wrong pair into the other splits."""
    held_out, of_test = _named(held_out_pairs()), _named(pairs_of_test())
    for pair in (*held_out, *of_test):
        yield _placed("train", pair)
    yield _placed("train", ["lang.no_passive"])
    yield _placed("held_out_combos", ["lex.no_commas"])
    for pair in of_test:
        yield _placed("held_out_combos", [*held_out[0], *pair])
        yield _placed("held_out_combos", pair)
    for pair in held_out:
        yield _placed("test", pair)


def _named(pairs: Iterable[Pair]) -> list[list[str]]:
    return [sorted(pair) for pair in pairs]


def _placed(split: str, ids: Sequence[str]) -> DrawnSets:
    kinds = [TYPES[name] for name in dict.fromkeys(ids)]
    made = [kind.sample(Stream("audits/plants", "W04", kind.id)) for kind in kinds]
    checks = [Check(constraint=constraint, requirement=constraint.render(0)).stored() for constraint in made]
    turn = {"keywords": ["plum", "desk", "bring", "fox"], "checks": checks, "conflict": None, "witness": "A plum."}
    line = SetLine(id=f"{split}/plant", split=split, said="", turn=json.dumps(turn), picks=())
    return as_drawn([msgspec.json.encode(line).decode()])


def wrong_lists() -> Iterator[tuple[Sequence[Pair], Sequence[Pair]]]:
    """Spoil the lists of pairs."""
    held_out, of_test = held_out_pairs(), pairs_of_test()
    yield held_out[1:], of_test
    yield held_out, (*of_test[1:], of_test[1])
    yield (*held_out[1:], of_test[0]), of_test
    yield (*held_out[1:], frozenset((NEVER_PAIRED, "lex.no_commas"))), of_test
    yield held_out, (*of_test[1:], frozenset(("lang.no_passive", "lex.no_commas")))
    yield held_out, (*of_test[1:], frozenset(("lex.no_commas",)))


def splits_tried() -> Sensitivity:
    """Misplace sets, and spoil the lists."""
    sets = tried_sets(writing.audit_splits, misplaced_sets)
    clean = as_drawn(_clean_lines())
    found = [_alarms(writing.audit_splits(clean, lists)) > 0 for lists in wrong_lists()]
    return Sensitivity(sets.found + sum(found), sets.planted + len(found), sets.alarms)


# The audits ---------------------------------------------------------------------------------------------------------


def _on_pack(rule: str, scope: Scope, claim: str, run: RunOnPack, self_test: Callable[[], Sensitivity]) -> PackAudit:
    return PackAudit(rule=rule, scope=scope, severity="error", claim=claim, run=run, self_test=self_test)


def _on_sets(rule: str, claim: str, run: RunOnSets, self_test: Callable[[], Sensitivity]) -> SetAudit:
    return SetAudit(rule=rule, scope="sets", severity="error", claim=claim, run=run, self_test=self_test)


AUDITS: tuple[PackAudit | SetAudit, ...] = (
    _on_pack(
        "S04", "tasks", writing.CLAIM_S04, writing.audit_task_ids, partial(tried, writing.audit_task_ids, wrong_ids)
    ),
    _on_pack(
        "W01",
        "checks",
        writing.CLAIM_W01,
        writing.audit_witnesses,
        partial(tried, writing.audit_witnesses, damaged_witnesses),
    ),
    _on_pack("W02", "checks", writing.CLAIM_W02, writing.audit_mutants, mutants_tried),
    _on_sets(
        "W02",
        writing.CLAIM_W02,
        writing.audit_set_mutants,
        partial(tried_sets, writing.audit_set_mutants, lenient_checkers),
    ),
    _on_pack(
        "W03",
        "tasks",
        writing.CLAIM_W03_TASKS,
        writing.audit_task_texts,
        partial(tried, writing.audit_task_texts, wrong_texts),
    ),
    _on_pack(
        "W03",
        "checks",
        writing.CLAIM_W03,
        writing.audit_phrasings,
        partial(tried, writing.audit_phrasings, wrong_phrasings),
    ),
    _on_sets(
        "W03",
        writing.CLAIM_W03,
        writing.audit_set_phrasings,
        partial(tried_sets, writing.audit_set_phrasings, reworded_sets),
    ),
    _on_sets("W04", writing.CLAIM_W04, writing.audit_splits, splits_tried),
    _on_sets(
        "W05",
        writing.CLAIM_W05,
        writing.audit_contradictions,
        partial(tried_sets, writing.audit_contradictions, unproved_sets),
    ),
)
