"""Rules by which people are left out: pure functions of what was collected, fixed by name and by digest of their code.

They run on frozen data, before anything is scored, and results stand with and without them. A rule returns the
quantity that its limit is compared with, or None where it does not apply.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from engine.canonical import text_digest
from engine.errors import UsageError, quoted
from engine.study.trials import Person

Rule = Callable[[Person], int | None]


@dataclass(frozen=True, kw_only=True)
class Excluded:
    """One person who is left out."""

    solver: str
    rule: str


def attention_failed(person: Person) -> int | None:
    """Count attention items that were answered wrong, written without what they ask for, skipped, or out of time."""
    return sum(trial.attention_passed is False for trial in person.of_role("attention"))


def comprehension_failed(person: Person) -> int | None:
    """Return 1 for whoever never passed the comprehension check, though there was one to pass and it was tried."""
    return int(person.checked and bool(person.checks) and not person.checks[-1])


def prior_exposure(person: Person) -> int | None:
    """Return the option chosen for the intake question `prior_exposure`, from 0."""
    return person.intake.get("prior_exposure")


def is_author(person: Person) -> int | None:
    """Return the option chosen for the intake question `is_author`, from 0."""
    return person.intake.get("is_author")


def too_fast(person: Person) -> int | None:
    """Return how many seconds the median answered main item falls short of 100; a limit of 95 leaves out under 5 s."""
    times = [
        trial.rt_ms_active for trial in person.main if trial.status == "answered" and trial.rt_ms_active is not None
    ]
    return max(0, 100 - round(median(times) / 1000)) if times else None


def few_answers(person: Person) -> int | None:
    """Return the percentage of assigned main items that were not answered."""
    main = person.main
    return round(100 * sum(trial.status != "answered" for trial in main) / len(main)) if main else None


RULES: Mapping[str, Rule] = {
    "attention-failed": attention_failed,
    "comprehension-failed": comprehension_failed,
    "prior-exposure": prior_exposure,
    "is-author": is_author,
    "too-fast": too_fast,
    "few-answers": few_answers,
}


def code_sha(name: str) -> str:
    """Return the digest of a rule's source.

    Raises:
        UsageError: no such rule.
    """
    if name not in RULES:
        raise UsageError(f"exclusion rule {quoted(name)} is not known; known: {', '.join(RULES)}")
    return text_digest(inspect.getsource(RULES[name]))


def exclude(people: Sequence[Person], rules: Sequence[tuple[str, int]]) -> tuple[Excluded, ...]:
    """Return who is left out, each under the first rule that says so.

    Args:
        rules: (rule, limit) in the manifest's order.
    """
    found = []
    for person in people:
        for name, limit in rules:
            measured = RULES[name](person)
            if measured is not None and measured >= limit:
                found.append(Excluded(solver=person.solver, rule=name))
                break
    return tuple(found)
