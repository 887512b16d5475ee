"""A constraint as it is asked for: with one of its phrasings and, where an audit is asked for, a label.

Section "Readings decided", 11: while `meta.self_audit` is active every other requirement carries R1, R2, ... in order
of appearance, and keeps its label for the whole conversation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.meta import SelfAudit


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """A constraint in words."""

    constraint: Constraint
    phrasing: int
    """Index of the phrasing, from 0."""
    label: str | None = None
    """R1, R2, ...; None where no audit is asked for, and for the audit itself."""

    @property
    def text(self) -> str:
        """The rendered text, which `meta.restate` wants word for word."""
        return self.constraint.render(self.phrasing)

    @property
    def entry(self) -> str:
        """The text after its label."""
        return f"{self.label}: {self.text}" if self.label else self.text


def labelled(requirements: Sequence[Requirement], *, first: int = 1) -> tuple[Requirement, ...]:
    """Return the requirements with labels from `first` upwards in order of appearance, none for an audit."""
    result: list[Requirement] = []
    for requirement in requirements:
        bare = isinstance(requirement.constraint, SelfAudit)
        result.append(replace(requirement, label=None if bare else f"R{first}"))
        first += not bare
    return tuple(result)
