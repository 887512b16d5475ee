"""What is in force in a conversation: requirements with the turn that set them, those revoked, and their labels.

A state is a value; every function returns a new one. The two meta constraints that speak of the others are made anew
whenever those change: an audit lists the active labels, a restatement names the active texts. What the user said of
them stays as it was said. Section "Readings decided", 11 and 35.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.meta import Restate, SelfAudit
from engine.instruction_adherence.requirement import Requirement


@dataclass(frozen=True, kw_only=True)
class InForce:
    """A requirement in the course of a conversation."""

    requirement: Requirement
    """Its constraint as it is checked now."""
    said: str
    """The text in which it was asked for."""
    since_turn: int
    """The turn that set it, from 1."""
    heard: int
    """The last turn whose text has it."""

    @property
    def constraint(self) -> Constraint:
        return self.requirement.constraint

    @property
    def label(self) -> str | None:
        return self.requirement.label

    @property
    def entry(self) -> str:
        """What was said, after its label."""
        return f"{self.label}: {self.said}" if self.label else self.said


@dataclass(frozen=True, kw_only=True)
class State:
    """What is in force after a turn was said."""

    active: tuple[InForce, ...] = ()
    """In order of appearance."""
    revoked: tuple[InForce, ...] = ()
    """In order of revocation; never restored."""
    labels: int = 0
    """Labels given so far; none is given twice."""
    listed: bool = False
    """Whether this turn labels requirements that earlier ones set, so that its text must list them."""

    def holding(self, constraint: Constraint) -> InForce:
        """Return what is active with this very constraint."""
        return next(one for one in self.active if one.constraint is constraint)


def revoked(state: State, one: InForce) -> State:
    """Return the state with an active requirement taken back, of which nothing may be left."""
    rest = tuple(other for other in state.active if other is not one)
    return replace(state, active=rest, revoked=(*state.revoked, one))


def restored(state: State, original: InForce, rival: InForce, nth: int) -> State:
    """Return the state with a rival withdrawn, where turn `nth` says once more that the original holds."""
    rest = (other for other in state.active if other is not rival)
    return replace(state, active=tuple(replace(one, heard=nth) if one is original else one for one in rest))


def added(state: State, new: Iterable[Requirement], nth: int) -> State:
    """Return the state once turn `nth` has set its requirements, if any; this is the last change of every turn.

    Labels that an audit misses are given, then audit and restatement are made to speak of what is active.
    """
    joined = [InForce(requirement=one, said=one.text, since_turn=nth, heard=nth) for one in new]
    rows, labels, listed = [*state.active, *joined], state.labels, False
    if any(_is(one, SelfAudit) for one in rows):
        for at, one in enumerate(rows):
            if one.label is None and not _is(one, SelfAudit):
                labels += 1
                listed = listed or one.since_turn < nth
                rows[at] = replace(one, requirement=replace(one.requirement, label=f"R{labels}"), heard=nth)
        rows = [_labelling(one, rows, nth) if _is(one, SelfAudit) else one for one in rows]
    rows = [_restating(one, rows) if _is(one, Restate) else one for one in rows]
    return State(active=tuple(rows), revoked=state.revoked, labels=labels, listed=listed)


def _labelling(audit: InForce, rows: Sequence[InForce], nth: int) -> InForce:
    labels = tuple(one.label for one in rows if one.label is not None)
    made = replace(audit.requirement, constraint=SelfAudit(labels=labels))
    return replace(audit, requirement=made, said=made.text if audit.since_turn == nth else audit.said)


def _restating(restatement: InForce, rows: Sequence[InForce]) -> InForce:
    told = tuple(one.said for one in rows if one is not restatement)
    return replace(restatement, requirement=replace(restatement.requirement, constraint=Restate(requirements=told)))


def _is(one: InForce, kind: type[Constraint]) -> bool:
    return isinstance(one.constraint, kind)
