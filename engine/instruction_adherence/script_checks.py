"""From what is in force in a turn of a script to the checks of that turn and their patterns.

Checks stand in this order: what is active, in order of appearance; what is revoked; what is quoted. What a pattern
counts (section "Multi-turn scripts"; diagnostics count scored checks, and quoted ones as distractors):

    persistence    an active requirement of the first turn, in a later one
    addition       an active requirement of a later turn
    revocation     a requirement that was taken back, of which nothing may be left
    contradiction  the two in dispute, and the original in the next turn, which restores it
    distractor     an instruction for somebody else, not to be adopted
    long_gap       from turn 8 on, an active and scored one that was last heard of 7 or more turns earlier
"""

from __future__ import annotations

from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.in_force import InForce, State
from engine.instruction_adherence.requirement import Requirement
from engine.instruction_adherence.script_plan import FIRST_LATE, LONG_GAP
from engine.instruction_adherence.turn import Check, Pattern, Turn


def turn_in(
    state: State,
    nth: int,
    *,
    keywords: tuple[str, ...],
    disputed: tuple[Constraint, ...] = (),
    original: Constraint | None = None,
    quoted: Requirement | None = None,
) -> Turn:
    """Return what turn `nth` (from 1) is scored against.

    Args:
        disputed: two active constraints that contradict each other, or none.
        original: the constraint that this turn restores.
    """
    apart = [at for at, one in enumerate(state.active) if any(one.constraint is other for other in disputed)]
    checks = []
    for at, one in enumerate(state.active):
        patterns: list[Pattern] = []
        if nth > 1:
            patterns.append("persistence" if one.since_turn == 1 else "addition")
        if at in apart or one.constraint is original:
            patterns.append("contradiction")
        if at not in apart and nth >= FIRST_LATE and nth - one.heard >= LONG_GAP:
            patterns.append("long_gap")
        checks.append(_check(one, scored=at not in apart, patterns=tuple(patterns)))
    checks += [_check(one, expect=False, patterns=("revocation",)) for one in state.revoked]
    checks += [_quoted(quoted, nth)] if quoted is not None else []
    return Turn(keywords=keywords, checks=tuple(checks), conflict=(apart[0], apart[1]) if apart else None)


def _check(one: InForce, *, patterns: tuple[Pattern, ...], expect: bool = True, scored: bool = True) -> Check:
    return Check(
        constraint=one.constraint, requirement=one.said, label=one.label, expect=expect, scored=scored,
        since_turn=one.since_turn, patterns=patterns,
    )  # fmt: skip


def _quoted(quoted: Requirement, nth: int) -> Check:
    return Check(
        constraint=quoted.constraint, requirement=quoted.text, expect=False, scored=False, since_turn=nth,
        patterns=("distractor",),
    )  # fmt: skip
