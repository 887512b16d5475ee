"""One user turn as it is scored: topic keywords, the checks that bear on it, a conflict between two of them.

The stored form is that of the record: a check is `{"constraint", "params", "requirement", "label", "expect", "scored",
"since_turn", "patterns"}`, a turn `{"text", "keywords", "checks", "conflict", "witness"}`, and a single-turn record has
these fields at its top level. What a check means follows from two of its fields:

    expect  scored
    true    true     an active requirement
    false   true     revoked: nothing of it may be left
    true    false    disputed: one of the two that contradict each other in this turn
    false   false    quoted: meant for somebody else and not to be adopted
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import msgspec

from engine.canonical import Json
from engine.errors import UsageError, quoted
from engine.instruction_adherence.absence import TRACERS, absent
from engine.instruction_adherence.constraint import Constraint, Verdict
from engine.instruction_adherence.constraints.registry import constraint_of
from engine.instruction_adherence.keywords import usable
from engine.instruction_adherence.text import Reading
from engine.private import Private

Pattern = Literal["persistence", "addition", "revocation", "contradiction", "distractor", "long_gap"]
PATTERNS: tuple[Pattern, ...] = (
    "persistence", "addition", "revocation", "contradiction", "distractor", "long_gap",
)  # fmt: skip
"""Specification, "Multi-turn scripts"."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Check(Private):
    """A constraint that bears on a turn."""

    constraint: Constraint
    requirement: str
    """The text in which it was asked for."""
    label: str | None = None
    expect: bool = True
    scored: bool = True
    since_turn: int = 1
    """The turn that set it, from 1."""
    patterns: tuple[Pattern, ...] = ()

    def __post_init__(self) -> None:
        if not self.expect and self.scored and type(self.constraint) not in TRACERS:
            raise UsageError(f"{self.constraint.id} cannot be revoked; only what asks for something visible can")

    @property
    def active(self) -> bool:
        """Whether the user wants it in this turn, disputed or not."""
        return self.expect

    @property
    def quoted(self) -> bool:
        return not self.expect and not self.scored

    def judge(self, reading: Reading) -> Verdict:
        """Return the verdict on what is wanted: satisfied, absent, or (quoted and not revocable) not satisfied."""
        if self.expect:
            return self.constraint.check(reading)
        if type(self.constraint) in TRACERS:
            return absent(self.constraint, reading)
        found = self.constraint.check(reading)
        return Verdict(not found.passed, f"not to be adopted; {found.seen}", ())

    def stored(self) -> dict[str, Json]:
        """Return the storage form."""
        return {
            **self.constraint.stored(),
            "requirement": self.requirement,
            "label": self.label,
            "expect": self.expect,
            "scored": self.scored,
            "since_turn": self.since_turn,
            "patterns": list(self.patterns),
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class Turn(Private):
    """What one response is scored against."""

    keywords: tuple[str, ...]
    checks: tuple[Check, ...]
    """In order of appearance."""
    conflict: tuple[int, int] | None = None
    """Indices of the two disputed checks; None but on a contradiction turn."""

    def __post_init__(self) -> None:
        if not self.scored:
            raise UsageError("a turn has no scored check; at least one is needed")
        if not self.usable_keywords:
            raise UsageError(
                f"a turn leaves none of the keywords {quoted(self.keywords)} usable; at least one is needed"
            )
        disputed = [index for index, check in enumerate(self.checks) if check.expect and not check.scored]
        if disputed != sorted(self.conflict or ()):
            raise UsageError(f"conflict {quoted(self.conflict)} of a turn; its disputed checks are {disputed}")

    @cached_property
    def scored(self) -> tuple[Check, ...]:
        """The checks on which the rewards rest."""
        return tuple(check for check in self.checks if check.scored)

    @cached_property
    def usable_keywords(self) -> tuple[str, ...]:
        """The keywords that no scored check bans, be it a prohibition or a revoked demand for that very word."""
        free = usable(self.keywords, [check.constraint for check in self.scored if check.expect])
        revoked = [check for check in self.scored if not check.expect]
        return tuple(word for word in free if all(check.judge(Reading(word)).passed for check in revoked))

    def asks(self, kind: type[Constraint]) -> bool:
        """Whether a constraint of this type is active."""
        return any(check.active and isinstance(check.constraint, kind) for check in self.checks)


class _StoredCheck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A check as it is stored; its parameters are read by the constraint's type."""

    constraint: str
    params: dict[str, bool | int | str | list[str] | None]
    requirement: str
    label: str | None
    expect: bool
    scored: bool
    since_turn: int
    patterns: tuple[Pattern, ...]


class _StoredTurn(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a stored turn that scoring needs; text and witness are others' business."""

    keywords: tuple[str, ...]
    checks: tuple[_StoredCheck, ...]
    conflict: tuple[int, int] | None


def turn_of(document: Mapping[str, Json], *, where: str = "turn") -> Turn:
    """Read a stored turn, or a single-turn record.

    Raises:
        UsageError: a field is missing or of the wrong type, or a constraint is not usable.
    """
    try:
        stored = msgspec.convert(document, _StoredTurn, strict=True)
    except msgspec.ValidationError as error:
        raise UsageError(f"{where}: {error}") from error
    return Turn(keywords=stored.keywords, checks=tuple(map(_check, stored.checks)), conflict=stored.conflict)


def _check(stored: _StoredCheck) -> Check:
    params: Mapping[str, Json] = stored.params
    return Check(
        constraint=constraint_of(stored.constraint, params),
        requirement=stored.requirement,
        label=stored.label,
        expect=stored.expect,
        scored=stored.scored,
        since_turn=stored.since_turn,
        patterns=stored.patterns,
    )
