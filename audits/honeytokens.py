"""A pack whose every hidden value can be recognised: 128 random bits in each text, a big denominator in each share.

Rule ids, flags, the seed, the recipe, witnesses and salts carry tokens of their own; probabilities are those of the law
moved by a hair, so that fraction and decimals are as good as tokens. The public half is a real one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

from audits.tokens import Secret
from engine.canonical import canonical_text, read_json
from engine.hidden_systems.packing import Sown
from engine.hidden_systems.packing import halves as system_halves
from engine.hidden_systems.program.exact import gold, trace
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.program.grammar import HiddenRule, HiddenSystem, read_system
from engine.hidden_systems.program.semantics import Compiled
from engine.hidden_systems.program.skeleton import BehaviorSkeleton, TraceStep, case_attributes, fraction_text
from engine.instruction_adherence.generate import Recipe, WritingTask, generate_task
from engine.instruction_adherence.packing import halves as task_halves
from engine.instruction_adherence.seed_tasks import public_seed_tasks
from engine.packs import PACK_SALT_PURPOSE, Halves, Salts, write_halves
from engine.store.sealed import Sealed, SealedPuzzle, write_sealed
from engine.store.sealed_tasks import SealedTask, task_commitment

COMPLEXITIES = (4, 4, 5, 6)
"""Of the hidden systems in the pack."""
BITS = 128
DECIMALS = 12
"""Digits of a share that are looked for; a double prints more."""


def token() -> str:
    """Return 128 random bits as hex digits."""
    return os.urandom(BITS // 8).hex()


def write_tokened(
    folder: Path, *, practice: bool = False, complexities: Sequence[int] = COMPLEXITIES, tasks: int = 1
) -> tuple[Secret, ...]:
    """Write a study pack, or one for practice, and its sealed half; return all that must not be seen."""
    salts = Salts(seed=int.from_bytes(os.urandom(32), "big") if practice else None)
    pack_salt = salts.token(PACK_SALT_PURPOSE)
    made = [system_halves(tokened(complexity, nth), pack_salt, salts) for nth, complexity in enumerate(complexities)]
    made += [_tokened_task(pack_salt, salts) for _ in range(tasks)]
    pack, sealed = folder / "pack.db", folder / "sealed.db"
    recipe = canonical_text({"seed": token()})
    write_halves(pack, sealed, made, title="honey", recipe=recipe, salts=salts, pack_salt=pack_salt)
    return tuple(secrets_of(sealed, [half.puzzle.id for half in made if half.task is not None]))


def tokened(complexity: int, index: int) -> Sown:
    """Return a puzzle whose hidden half is full of tokens."""
    seed = int.from_bytes(os.urandom(32), "big")
    skeleton = generate_skeleton(complexity, seed, index)
    return Sown(skeleton=_tokened_skeleton(skeleton), seed=seed, index=index)


def _tokened_skeleton(skeleton: BehaviorSkeleton) -> BehaviorSkeleton:
    system = _tokened_system(skeleton.hidden_system)
    query = skeleton.payload.query_case
    attributes = case_attributes(query)
    steps = trace(Compiled(system).moves(attributes, query.events))
    return replace(
        skeleton,
        hidden_system=system,
        gold_present_probability=gold(system, attributes, query.events),
        latent_trace=tuple(
            TraceStep(
                event=system.rules[step.rule].on_event,
                rule=system.rules[step.rule].id,
                reached=step.reached,
                triggered=step.triggered,
            )
            for step in steps
        ),
    )


def _tokened_system(system: HiddenSystem) -> HiddenSystem:
    flags = {rule.target: f"f{token()}" for rule in system.rules if rule.target}

    def renamed(rule: HiddenRule) -> HiddenRule:
        conditions = tuple(replace(test, key=flags.get(test.key, test.key)) for test in rule.conditions)
        hair = Fraction(int.from_bytes(os.urandom(8), "big"), 10**24)
        return replace(
            rule,
            id=f"r{token()}",
            conditions=conditions,
            target=flags.get(rule.target) if rule.target else None,
            probability=rule.probability * (1 - hair) + hair / 3,
        )

    return replace(system, rules=tuple(map(renamed, system.rules)))


def sample_task() -> WritingTask:
    """Return a writing task of a seed of its own."""
    seed = int.from_bytes(os.urandom(16), "big")
    recipe = Recipe(
        split="train", seed=seed, constraints=4, burial_depth=1, hard_family_weight=1.0,
        seed_tasks=public_seed_tasks(),
    )  # fmt: skip
    return generate_task(recipe, 0)


LONG_LINE = 24
"""Characters from which a line of a witness is nobody else's."""


def _tokened_task(pack_salt: str, salts: Salts) -> Halves:
    half = task_halves(sample_task(), pack_salt, salts)
    assert half.task is not None
    turns = tuple(replace(turn, witness=f"{turn.witness}\n{token()}") for turn in half.task.turns)
    marked = replace(half.task, turns=turns)
    return replace(half, task=marked, puzzle=replace(half.puzzle, commit_sha=task_commitment(marked)))


# What to look for ---------------------------------------------------------------------------------------------------


def secrets_of(sealed: Path, tasks: Iterable[str] = ()) -> Iterator[Secret]:
    """Yield everything in a sealed file that its pack, its answers and its players must not hold.

    Args:
        tasks: ids of the writing tasks among its puzzles.
    """
    with Sealed.open(sealed) as opened:
        yield from (Secret("canary", canary) for canary in opened.canaries())
        yield Secret("recipe", opened.meta.get("recipe", ""))
        for record in opened.records():
            yield from _system_secrets(record)
        for task in tasks:
            yield from _task_secrets(opened.task(task))


def _system_secrets(record: SealedPuzzle) -> Iterator[Secret]:
    yield Secret("seed", str(record.seed))
    yield Secret("seed", f"{record.seed:x}")
    yield Secret("salt", record.salt.hex())
    yield Secret("program", record.program)
    yield Secret("trace", record.latent_trace)
    yield from _share_secrets(Fraction(record.present_probability))
    system = read_system(read_json(record.program, where="sealed record"))
    for rule in system.rules:
        yield Secret("rule", rule.id)
        yield Secret("flag", rule.target or "")
        yield from _share_secrets(rule.probability)


def _share_secrets(share: Fraction) -> Iterator[Secret]:
    """Yield a share as a fraction and as decimals, if it is not one of the common ones."""
    yield Secret("probability", fraction_text(share))
    with localcontext(prec=DECIMALS + 4):
        digits = str((Decimal(share.numerator) / Decimal(share.denominator)).normalize())
    yield Secret("probability", digits[: DECIMALS + 2])


def _task_secrets(task: SealedTask) -> Iterator[Secret]:
    yield Secret("salt", task.salt.hex())
    for turn in task.turns:
        yield Secret("witness", turn.witness)
        # A short last line may be a mark that many texts end with, such as END RESPONSE.
        yield from (Secret("witness", line) for line in turn.witness.splitlines()[-1:] if len(line) >= LONG_LINE)


def write_turned(sealed: Path, target: Path, tasks: Iterable[str] = ()) -> None:
    """Write a sealed file for the same puzzles in which every label is the other one and every program another's."""
    with Sealed.open(sealed) as opened:
        records, kept = opened.records(), [opened.task(task) for task in tasks]
        meta, canaries = opened.meta, [token() for _ in opened.canaries()]
    turned = [
        replace(
            record,
            gold="ABSENT" if record.gold == "PRESENT" else "PRESENT",
            present_probability=fraction_text(1 - Fraction(record.present_probability)),
            seed=int.from_bytes(os.urandom(32), "big"),
            salt=os.urandom(16),
        )
        for record in records
    ]
    others = [_told_for(task, kept[nth - 1]) for nth, task in enumerate(kept)]
    write_sealed(target, meta=meta, puzzles=turned, canaries=canaries, tasks=others)


def _told_for(task: SealedTask, other: SealedTask) -> SealedTask:
    """Return another task's hidden half under this one's id."""
    identity = task.puzzle_id
    checks = tuple(replace(check, puzzle_id=identity) for check in other.checks)
    return replace(task, checks=checks, turns=tuple(replace(turn, puzzle_id=identity) for turn in other.turns))
