"""Sets of constraints with their wording and a witness: types first, then parameters together with a layout.

Parameters that are counts are read off the layout of the witness, so hardly any draw is in vain. A draw is a function
of its arguments. What fails after the types are fixed is a rejection with a reason. Specification, "The witness".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.errors import UsageError
from engine.instruction_adherence.closing import close, close_object, opened
from engine.instruction_adherence.compat import parameter_conflict, tag_conflict
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.meta import Restate, SelfAudit
from engine.instruction_adherence.demands import demands_of
from engine.instruction_adherence.drafts import ConstraintType, NoChoice
from engine.instruction_adherence.filling import Filler
from engine.instruction_adherence.keywords import FEWEST_USABLE
from engine.instruction_adherence.layout import Layout
from engine.instruction_adherence.parameters import draft
from engine.instruction_adherence.placing import NoRoom
from engine.instruction_adherence.requirement import Requirement, labelled
from engine.instruction_adherence.selection import select
from engine.instruction_adherence.splits import Split
from engine.instruction_adherence.witness import (
    MOST_TRIES,
    Rejection,
    Task,
    Witness,
    attempt,
    broken,
    layout_of,
    realised,
    usable_keywords,
)
from engine.randomness import Stream

FEWEST, MOST = 3, 16
"""Legal numbers of constraints."""
MOST_WEIGHT = 100
"""The largest legal hard-family weight."""


@dataclass(frozen=True, kw_only=True)
class DrawnSet:
    """Requirements in brief order, and a response that keeps to all of them."""

    requirements: tuple[Requirement, ...]
    witness: str
    tries: int
    """Parameters and layouts drawn, the successful ones included."""
    dead_ends: int
    """Choices of a type that were taken back."""

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return tuple(requirement.constraint for requirement in self.requirements)


def draw(
    count: int,
    split: Split,
    hard_family_weight: float,
    key: Sequence[int | str],
    keywords: Sequence[str] = (),
) -> DrawnSet | Rejection:
    """Return a set of `count` constraints; the same arguments give the same set.

    Args:
        hard_family_weight: how much likelier a type of a hard family is than another one.
        keywords: topic words; at least two stay usable, and the witness uses all that find room.

    Raises:
        UsageError: the count or the weight is out of range.
        GenerationError: so many types do not go together in this split.
    """
    if not FEWEST <= count <= MOST:
        raise UsageError(f"number of constraints {count!r} is not legal; {FEWEST} to {MOST}")
    if not 0 < hard_family_weight <= MOST_WEIGHT:
        raise UsageError(f"hard-family weight {hard_family_weight!r} is not legal; above 0 and up to {MOST_WEIGHT}")
    name = (split, count, str(float(hard_family_weight)), *key)
    chosen = select(count, split, hard_family_weight, Stream("constraint types", *name))
    drawn = draw_parameters(chosen.types, name, keywords)
    return replace(drawn, dead_ends=chosen.dead_ends) if isinstance(drawn, DrawnSet) else drawn


def draw_parameters(
    types: Sequence[ConstraintType],
    key: Sequence[int | str],
    keywords: Sequence[str] = (),
    given: Sequence[Constraint] = (),
    revoked: Sequence[Constraint] = (),
) -> DrawnSet | Rejection:
    """Return a set of the given constraints, which stay as they are, and of new ones of these types.

    Args:
        revoked: constraints of which the witness must be free.
    """
    fault = Rejection("layout", "no layout found")
    for nth in range(MOST_TRIES):
        found = _try(types, (*key, nth), keywords, given, revoked)
        if isinstance(found, DrawnSet):
            return replace(found, tries=nth + 1)
        fault = found
    return fault


def _try(
    types: Sequence[ConstraintType],
    key: Sequence[int | str],
    keywords: Sequence[str],
    given: Sequence[Constraint],
    revoked: Sequence[Constraint],
) -> DrawnSet | Rejection:
    stream = Stream("parameters", *key)
    try:
        drawn, paragraphs = draft(types, stream, keywords, given, revoked)
    except NoChoice as error:
        return Rejection("parameter", str(error))
    task = Task(constraints=tuple(drawn), keywords=tuple(keywords), revoked=tuple(revoked))
    demands = opened(drawn, types, paragraphs)
    shape = Stream("layout", *key)
    layout = None if demands.keys else layout_of(task, demands, shape)
    if layout is None and not demands.keys:
        return Rejection("layout", f"no layout with {paragraphs} paragraphs")
    closed = close_object(drawn, types, stream) if layout is None else close(drawn, types, layout, demands, stream)
    requirements = worded(closed[len(given) :], types, given, Stream("phrasing", *key))
    task = replace(task, constraints=tuple(requirement.constraint for requirement in requirements))
    if reason := tag_conflict(task.constraints):
        return Rejection("tag", reason)
    if reason := parameter_conflict(task.constraints):
        return Rejection("parameter", reason)
    if keywords and len(usable_keywords(task)) < FEWEST_USABLE:
        return Rejection("parameter", f"fewer than {FEWEST_USABLE} topic keywords stay usable")
    found = attempt(task, ("object", *key)) if layout is None else _realise(task, layout, shape)
    if isinstance(found, Rejection):
        return found
    return DrawnSet(requirements=requirements, witness=found.text, tries=0, dead_ends=0)


def _realise(task: Task, layout: Layout, stream: Stream) -> Witness | Rejection:
    try:
        text = realised(
            task, demands_of(task.constraints), layout, Filler(task.constraints, task.revoked, stream), stream
        )
    except NoRoom as error:
        return Rejection("unresolved", f"no room for {error}")
    failed = broken(task, text)
    return Rejection("unresolved", failed) if failed else Witness(text, 1)


def worded(
    new: Sequence[Constraint], types: Sequence[ConstraintType], given: Sequence[Constraint], stream: Stream
) -> tuple[Requirement, ...]:
    """Return the given constraints and then the new ones in the order of their types, each with a phrasing.

    An audit, if one is among the types, labels all others; a restatement names what all others say.
    """
    made = {type(constraint): constraint for constraint in new}
    blank: dict[ConstraintType, Constraint] = {
        SelfAudit: SelfAudit(labels=("R1",)),
        Restate: Restate(requirements=("-",)),
    }
    constraints = [*given, *(made.get(kind) or blank[kind] for kind in types)]
    rows = [Requirement(constraint=c, phrasing=stream.below(len(c.phrasings))) for c in constraints]
    if SelfAudit in types:
        rows = list(labelled(rows))
        labels = tuple(row.label for row in rows if row.label is not None)
        rows = [replace(r, constraint=SelfAudit(labels=labels)) if _is(r, SelfAudit) else r for r in rows]
    if Restate in types:
        told = tuple(row.text for row in rows if not _is(row, Restate))
        rows = [replace(r, constraint=Restate(requirements=told)) if _is(r, Restate) else r for r in rows]
    return tuple(rows)


def _is(requirement: Requirement, kind: ConstraintType) -> bool:
    return isinstance(requirement.constraint, kind)
