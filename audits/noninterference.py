"""R02: puzzles that differ in their hidden half only leave equal bytes at every exit.

Public and hidden half are drawn independently and paired, so each pair is one draw from a stated law. The counts belong
to the public half: what they tell is S06's question. Of a writing task the texts of its turns are public; checks,
patterns, witness, split, seed and index are hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from audits.base import ExitAudit, Finding, Measure, Request, Row, Sensitivity, exact_rows, fingerprint
from audits.exits import ANSWERED, EXITS, PACK_SALT, Exit, World
from audits.redaction import reordered
from engine.canonical import text_digest
from engine.hidden_systems.behavior import PublicPayload, payload_text
from engine.hidden_systems.packing import Sown, sealed_row
from engine.hidden_systems.packing import halves as system_halves
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.surface.llm_prompts import block_question, legend_question
from engine.hidden_systems.surface.template import render
from engine.hidden_systems.surface.wording import Wording
from engine.instruction_adherence.generate import Recipe, generate_task
from engine.instruction_adherence.packing import halves as task_halves
from engine.instruction_adherence.seed_tasks import public_seed_tasks
from engine.models.solver import Question
from engine.packs import Halves, Salts
from engine.public import Legend
from engine.randomness import derive
from engine.store.sealed import commitment
from engine.store.sealed_tasks import SealedTask, task_commitment

CLAIM_R02 = "two puzzles with equal public halves and different hidden halves give equal bytes at every exit"
CLAIM_TASKS = "two writing tasks with equal texts and different hidden halves give equal bytes at every exit"
PAIRS = 3000
"""Independent pairs after which no difference means: at most one pair in a thousand differs, at 95 %."""
LARGEST_SHARE = 0.001
CONSTRAINTS = (3, 4, 5)
"""Of the writing tasks: few, so that thousands are drawn in half a minute."""


def direct(puzzles: Sequence[Sown]) -> dict[str, str]:
    """Payload, text, legend, and what a model that renders is asked: what renderer and solver are handed."""
    released = {}
    for nth, sown in enumerate(puzzles):
        payload = sown.skeleton.renderer_payload()
        told = render(payload)
        released[str(nth)] = "\n".join(
            (
                payload_text(payload), told.domain, told.renderer, told.text, repr(told.legend), repr(sown),
                *map(repr, _asked_to_tell(payload, told.legend)),
            )
        )  # fmt: skip
    return released


def _asked_to_tell(payload: PublicPayload, legend: Legend) -> Iterator[Question]:
    """Yield the calls for names and for all blocks to a model that renders a payload."""
    yield legend_question(payload, "schema")
    yield block_question(payload, Wording(legend=legend, words=()), range(len(payload.support_cases) + 2), "schema")


def differences(exits: Sequence[tuple[str, Exit]], one: World, other: World) -> list[Finding]:
    """Send both worlds out through every exit; return where they differ."""
    findings: list[Finding] = []
    for name, leave in exits:
        with TemporaryDirectory(prefix="clew-audit-") as first, TemporaryDirectory(prefix="clew-audit-") as second:
            findings += _unequal(name, leave(one, Path(first)), leave(other, Path(second)))
    return findings


def _unequal(name: str, left: Mapping[str, str], right: Mapping[str, str]) -> Iterator[Finding]:
    for at in sorted(left.keys() | right.keys()):
        if left.get(at) != right.get(at):
            yield Finding(at, f"/{name}")


# Pairs --------------------------------------------------------------------------------------------------------------


def twins(count: int, complexities: Sequence[int], seed: int) -> tuple[list[Sown], list[Sown]]:
    """Return two lists of puzzles with pairwise equal public and independent hidden halves."""
    own, other = derive("audits/R02", seed), derive("audits/R02 other", seed)
    ones, others = [], []
    for index in range(count):
        complexity = complexities[index % len(complexities)]
        skeleton = generate_skeleton(complexity, own, index)
        # The next index has the other label.
        hidden = generate_skeleton(complexity, other, index + 1)
        ones.append(Sown(skeleton=skeleton, seed=own, index=index))
        others.append(Sown(skeleton=replace(hidden, payload=skeleton.payload), seed=other, index=index + 1))
    return ones, others


def worlds(ones: Sequence[Sown], others: Sequence[Sown]) -> tuple[World, World]:
    """Return both lists as a pack has them, the public rows of both built from the own list."""
    salts = Salts(seed=0)
    built = [system_halves(one, PACK_SALT, salts) for one in ones]
    return built, [_with_system(half, other) for half, other in zip(built, others, strict=True)]


def _with_system(half: Halves, hidden: Sown) -> Halves:
    assert half.system is not None
    secret = sealed_row(half.puzzle.id, hidden, half.system.salt)
    return replace(half, system=secret, puzzle=replace(half.puzzle, commit_sha=commitment(secret)))


def task_worlds(count: int, seed: int) -> tuple[World, World]:
    """Return two lists of writing tasks with pairwise equal texts and independent hidden halves."""
    own = list(_tasks(count, derive("audits/R02 tasks", seed)))
    hidden = _tasks(count, derive("audits/R02 other tasks", seed))
    return own, [_with_task(half, other) for half, other in zip(own, hidden, strict=True)]


def _tasks(count: int, seed: int) -> Iterator[Halves]:
    for index in range(count):
        recipe = Recipe(
            split="train", seed=seed, constraints=CONSTRAINTS[index % len(CONSTRAINTS)], burial_depth=index % 4,
            hard_family_weight=1.0, seed_tasks=public_seed_tasks(),
        )  # fmt: skip
        yield task_halves(generate_task(recipe, index), PACK_SALT, Salts(seed=0))


def _with_task(half: Halves, hidden: Halves) -> Halves:
    assert half.task is not None and hidden.task is not None
    identity = half.puzzle.id
    secret = SealedTask(
        puzzle_id=identity,
        checks=tuple(replace(check, puzzle_id=identity) for check in hidden.task.checks),
        turns=tuple(replace(turn, puzzle_id=identity) for turn in hidden.task.turns),
        salt=half.task.salt,
    )
    return replace(half, task=secret, puzzle=replace(half.puzzle, commit_sha=task_commitment(secret)))


# The rule -----------------------------------------------------------------------------------------------------------


def audit_exits(request: Request) -> tuple[Row, ...]:
    """Run R02 on at most `PAIRS` independent pairs of each family, spread over the complexities asked for."""
    count = min(PAIRS, request.draws)
    ones, others = twins(count, request.complexities, request.seed)
    findings = [*_unequal("direct", direct(ones), direct(others))]
    findings += differences((*EXITS, ANSWERED), *worlds(ones, others))
    tasks = differences(EXITS, *task_worlds(count, request.seed))
    return (*_rows(CLAIM_R02, findings, count, request), *_rows(CLAIM_TASKS, tasks, count, request))


def _rows(claim: str, findings: Sequence[Finding], count: int, request: Request) -> tuple[Row, ...]:
    if findings:
        return exact_rows("R02", claim, "error", "exit", findings, count)
    bound = 3 / count if count else 1.0
    return (
        Row(
            rule="R02",
            claim=claim,
            severity="error",
            status="pass" if bound <= LARGEST_SHARE else "inconclusive",
            n=count,
            statistic=Measure("differences", 0),
            chance=0.0,
            bound=Measure("95 % upper, share of pairs that differ", bound),
            threshold=f"0 differences in {PAIRS} pairs",
            fingerprint=fingerprint("R02", "exit", f"/{claim}"),
            seed=request.seed,
        ),
    )


# Self-test ----------------------------------------------------------------------------------------------------------

Leak = Callable[[Sequence[Sown]], Mapping[str, str]]


def _leaky(change: Callable[[Sown, str], str]) -> Leak:
    """Return the direct exit with one hidden bit mixed in."""
    return lambda puzzles: {at: change(puzzles[int(at)], text) for at, text in direct(puzzles).items()}


def _bit(sown: Sown) -> bool:
    return sown.skeleton.gold_answer == "PRESENT"


LEAKY_EXITS: tuple[tuple[str, Leak], ...] = (
    ("key order", _leaky(lambda sown, text: reordered(text.split("\n")[0]) if _bit(sown) else text.split("\n")[0])),
    ("cache key", _leaky(lambda sown, text: text_digest(text + sown.skeleton.gold_answer))),
    ("file name", lambda puzzles: {"files": " ".join(f"{nth}-{_bit(one):d}.txt" for nth, one in enumerate(puzzles))}),
    ("stdout", _leaky(lambda sown, text: text + (" " if _bit(sown) else ""))),
    ("row", _leaky(lambda sown, text: f"{text}\n{sown.index}")),
    ("exit code", _leaky(lambda sown, text: str(int(sown.skeleton.gold_present_probability > Fraction(1, 2))))),
    ("seed", _leaky(lambda sown, text: f"{text}\n{sown.seed}")),
)


def _leaky_task(change: Callable[[Halves], str]) -> Exit:
    return lambda world, folder: {str(nth): change(half) for nth, half in enumerate(world)}


LEAKY_TASKS: tuple[tuple[str, Exit], ...] = (
    ("witness in a row", _leaky_task(lambda half: half.task.turns[0].witness if half.task else "")),
    ("constraints in a row", _leaky_task(lambda half: str([c.constraint_id for c in half.task.checks])
                                         if half.task else "")),
    ("patterns in a key", _leaky_task(lambda half: text_digest(str([c.params for c in half.task.checks]))
                                      if half.task else "")),
)  # fmt: skip


def plants_exits() -> Sensitivity:
    """Mix one hidden bit into each kind of exit, of both families."""
    ones, others = twins(8, (4, 6), 0)
    found = sum(any(_unequal(name, leak(ones), leak(others))) for name, leak in LEAKY_EXITS)
    tasks = task_worlds(6, 0)
    found += sum(bool(differences((leak,), *tasks)) for leak in LEAKY_TASKS)
    clean = [*_unequal("direct", direct(ones), direct(others)), *differences((*EXITS, ANSWERED), *worlds(ones, others))]
    clean += differences(EXITS, *tasks)
    return Sensitivity(found, len(LEAKY_EXITS) + len(LEAKY_TASKS), len(clean))


NONINTERFERENCE = ExitAudit(
    rule="R02", scope="exits", severity="error", claim=CLAIM_R02, run=audit_exits, self_test=plants_exits
)  # fmt: skip
