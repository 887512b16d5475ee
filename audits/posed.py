"""One turn of a writing task as the audits judge it: what was said, what is checked, the witness that is to pass.

PRIVATE. Everything is read from stored text and parameters, never taken over from the generator. The functions here
return JSON pointers to what is wrong, and no value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from audits.mutation import mutants
from engine.canonical import Json
from engine.errors import UsageError
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.meta import Restate, SelfAudit
from engine.instruction_adherence.keywords import used
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.turn import Check, Turn, turn_of
from engine.randomness import Stream

Judge = Callable[[Check, Reading], bool]
"""Whether a response is as a check wants it."""
ENOUGH_PICKS = 100
"""Constraints of one type that are damaged in any case: with two operators or more, 200 mutants."""

_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
)  # fmt: skip
_NUMBER = re.compile(rf"(?<![\w-])(\d+)(?:st|nd|rd|th)?(?![\w-])|\b({'|'.join(_ORDINALS)})\b")


def fair(check: Check, reading: Reading) -> bool:
    """Ask the checker."""
    return check.judge(reading).passed


@dataclass(frozen=True, kw_only=True, repr=False)
class Posed:
    """One turn; private."""

    id: str
    """Public id of the task."""
    nth: int
    """Of the turn, from 1."""
    said: str
    """The user's text of this turn."""
    turn: Turn
    witness: str


def posed(identity: str, nth: int, said: str, document: Mapping[str, Json]) -> Posed:
    """Read a turn with its witness from the stored form.

    Raises:
        UsageError: it cannot be scored as it is stored.
    """
    witness = document.get("witness")
    if not isinstance(witness, str):
        raise UsageError(f"puzzle {identity!r}: turn {nth} has no witness; every turn has one")
    rest = {name: value for name, value in document.items() if name != "witness"}
    return Posed(id=identity, nth=nth, said=said, turn=turn_of(rest), witness=witness)


# Witnesses ----------------------------------------------------------------------------------------------------------


def unmet(task: Posed, judge: Judge = fair) -> Iterator[str]:
    """Yield which scored checks the witness fails, and whether it keeps off the topic."""
    reading = Reading(task.witness)
    for at, check in enumerate(task.turn.checks):
        if check.scored and not judge(check, reading):
            yield f"/turns/{task.nth}/checks/{at}"
    if not used(task.turn.usable_keywords, reading):
        yield f"/turns/{task.nth}/keywords"


# Mutants ------------------------------------------------------------------------------------------------------------


class Damaged(NamedTuple):
    """What became of the mutants of one witness for one check."""

    kind: str
    """Id of the constraint type."""
    made: int
    accepted: tuple[str, ...]
    """Pointers to those that the checker let through."""


def damaged(task: Posed, at: int, judge: Judge = fair) -> Damaged:
    """Damage the witness in all ways that break one of its checks. None is made where the witness does not keep to it,
    or cannot be taken apart."""
    check = task.turn.checks[at]
    kind = check.constraint.id
    if not (check.expect and check.scored and check.constraint.check(Reading(task.witness)).passed):
        return Damaged(kind, 0, ())
    stream = Stream("audits/mutants", task.id, task.nth, at)
    try:
        texts = [mutant.text for mutant in mutants(check.constraint, task.witness, stream)]
    except UsageError:
        return Damaged(kind, 0, ())
    pointers = (f"/turns/{task.nth}/checks/{at}/mutants/{nth}" for nth in range(len(texts)))
    passed = tuple(where for where, text in zip(pointers, texts, strict=True) if judge(check, Reading(text)))
    return Damaged(kind, len(texts), passed)


class Picks:
    """Which checks of one task after another are damaged: of each type the first hundred, and then the rarest one."""

    def __init__(self, enough: int = ENOUGH_PICKS) -> None:
        self.enough = enough
        self.counts: Counter[str] = Counter()

    def among(self, kinds: Sequence[str]) -> tuple[int, ...]:
        """Return the indices to damage, and count them."""
        rarest = min(range(len(kinds)), key=lambda at: self.counts[kinds[at]], default=0)
        chosen = tuple(at for at, kind in enumerate(kinds) if self.counts[kind] < self.enough or at == rarest)
        self.counts.update(kinds[at] for at in chosen)
        return chosen


# Phrasings ----------------------------------------------------------------------------------------------------------


def misphrased(task: Posed) -> Iterator[str]:
    """Yield where the text does not ask for what is checked, of the requirements that this turn sets."""
    last = -1
    for at, check in enumerate(task.turn.checks):
        if not check.active or check.since_turn != task.nth:
            continue
        where = f"/turns/{task.nth}/checks/{at}"
        yield from (f"{where}{fault}" for fault in _entry_faults(task, check))
        place = task.said.find(check.requirement)
        if place < last:
            yield f"{where}/order"
        last = place


def _entry_faults(task: Posed, check: Check) -> Iterator[str]:
    entry = f"{check.label}: {check.requirement}" if check.label else check.requirement
    if task.said.count(check.requirement) != 1 or entry not in task.said:
        yield "/requirement"
    constraint = check.constraint
    if check.requirement not in {constraint.render(nth) for nth in range(len(constraint.phrasings))}:
        yield "/wording"
    others = [other for other in task.turn.checks if other.active and other is not check]
    if isinstance(constraint, Restate):
        if constraint.requirements != tuple(other.requirement for other in others):
            yield "/restated"
        return
    if isinstance(constraint, SelfAudit) and constraint.labels != tuple(other.label for other in others):
        yield "/labels"
    yield from unspoken(constraint, check.requirement)


def unspoken(constraint: Constraint, text: str) -> Iterator[str]:
    """Yield the parameters that a text does not name, read without help of the phrasings."""
    said = Counter(_number(*match.groups()) for match in _NUMBER.finditer(text))
    for name, value in constraint.params.items():
        if isinstance(value, int):
            said[value] -= 1
            if said[value] < 0:
                yield f"/params/{name}"
        elif isinstance(value, str | list):
            literals = [value] if isinstance(value, str) else value
            if not all(isinstance(one, str) and _names(text, one) for one in literals):
                yield f"/params/{name}"


def _number(digits: str | None, word: str | None) -> int:
    return int(digits) if digits is not None else _ORDINALS.index(word or "") + 1


def _names(text: str, literal: str) -> bool:
    """Whether a text holds a literal that is part of no longer word."""
    before = r"(?<!\w)" if literal[:1].isalnum() else ""
    after = r"(?!\w)" if literal[-1:].isalnum() else ""
    return re.search(f"{before}{re.escape(literal)}{after}", text) is not None
