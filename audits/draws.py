"""Generator draws in columns: what the statistical rules read, and the roles and labels they must not be able to guess.

One `Draws` holds puzzles of one complexity. Events are named by query position, so a feature of "the third event of the
query" is a column. Attribute values are left out: the rules here look at everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from sys import intern

import numpy as np
from numpy.typing import NDArray

from engine.canonical import text_digest
from engine.hidden_systems.behavior import PublicPayload, payload_text
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.program.grammar import HiddenRule, HiddenSystem
from engine.hidden_systems.program.skeleton import BehaviorSkeleton
from engine.randomness import derive

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

NO_EVENT = -1
"""Fills the places of a short case."""
ROLES = ("adder", "veto", "setter", "gated", "gated_add", "inert", "several")
SETTER, GATED = ROLES.index("setter"), ROLES.index("gated")


@dataclass(frozen=True, kw_only=True, repr=False)
class Draws:
    """Puzzles of one complexity, in generation order. N puzzles, C cases, k events, L places a case."""

    complexity: int
    trials: int
    seed: int
    """The audit's own seed."""
    present: Bools
    """N: the gold label; private."""
    roles: Ints
    """N x k: index in `ROLES` of the event at each query position; private."""
    events: Ints
    """N x C x L: query positions of each case's events, in the order of execution, cases in public order."""
    lengths: Ints
    """N x C; 0 for a case that is not there."""
    counts: Ints
    """N x C: trials that ended present."""
    codes: tuple[tuple[str, ...], ...]
    """N x k: public event codes by query position."""
    case_ids: tuple[tuple[str, ...], ...]
    query_ids: tuple[str, ...]
    public_ids: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.present)

    def public_order(self) -> Ints:
        """Return the puzzles' numbers in the order in which a pack shows them: by public id."""
        return np.array(sorted(range(len(self)), key=self.public_ids.__getitem__), dtype=np.int64)


def collect(complexity: int, count: int, seed: int, track: Callable[[Iterable[int]], Iterable[int]] = iter) -> Draws:
    """Draw `count` puzzles of one complexity.

    Args:
        seed: the audit's own; it is hashed, so that no puzzle here is a puzzle of a pack with the same seed.
        track: wraps the indices, to show progress.
    """
    own = derive("audits/draws", complexity, seed)
    return table(complexity, seed, (generate_skeleton(complexity, own, index) for index in track(range(count))))


def table(complexity: int, seed: int, skeletons: Iterator[BehaviorSkeleton]) -> Draws:
    """Put skeletons of one complexity into columns, one after the other, so that they need not all be in memory."""
    salt = f"{derive('audits/salt', seed):064x}"
    rows = [_row(skeleton, salt) for skeleton in skeletons]
    most = max((len(row.lengths) for row in rows), default=0)
    return Draws(
        complexity=complexity,
        trials=rows[0].trials if rows else 0,
        seed=seed,
        present=np.array([row.present for row in rows], dtype=bool),
        roles=np.array([row.roles for row in rows], dtype=np.int64).reshape(len(rows), complexity),
        events=_padded([row.events for row in rows], (most, complexity), NO_EVENT),
        lengths=_padded([row.lengths for row in rows], (most,), 0),
        counts=_padded([row.counts for row in rows], (most,), 0),
        codes=tuple(row.codes for row in rows),
        case_ids=tuple(row.case_ids for row in rows),
        query_ids=tuple(row.query_id for row in rows),
        public_ids=tuple(row.public_id for row in rows),
    )


@dataclass(frozen=True, kw_only=True, repr=False)
class _Row:
    present: bool
    trials: int
    roles: tuple[int, ...]
    events: Ints
    lengths: Ints
    counts: Ints
    codes: tuple[str, ...]
    case_ids: tuple[str, ...]
    query_id: str
    public_id: str


def _row(skeleton: BehaviorSkeleton, salt: str) -> _Row:
    payload = skeleton.renderer_payload()
    place = {event: nth for nth, event in enumerate(payload.query_case.events)}
    cases = payload.support_cases
    events = np.full((len(cases), payload.complexity), NO_EVENT, dtype=np.int64)
    for nth, case in enumerate(cases):
        events[nth, : len(case.events)] = [place[event] for event in case.events]
    return _Row(
        present=skeleton.gold_answer == "PRESENT",
        trials=payload.observation_protocol.trials_per_case,
        roles=roles_of(skeleton.hidden_system, payload),
        events=events,
        lengths=np.array([len(case.events) for case in cases], dtype=np.int64),
        counts=np.array([case.observed_present for case in cases], dtype=np.int64),
        codes=tuple(map(intern, payload.query_case.events)),
        case_ids=tuple(intern(case.id) for case in cases),
        query_id=intern(payload.query_case.id),
        public_id=text_digest(payload_text(payload) + salt),
    )


def _padded(parts: list[Ints], shape: tuple[int, ...], fill: int) -> Ints:
    result = np.full((len(parts), *shape), fill, dtype=np.int64)
    for nth, part in enumerate(parts):
        result[nth, : len(part)] = part
    return result


def roles_of(system: HiddenSystem, payload: PublicPayload) -> tuple[int, ...]:
    """Return the role of the event at each query position, as the rules on that event show it."""
    by_event: dict[str, list[HiddenRule]] = {event: [] for event in payload.query_case.events}
    for rule in system.rules:
        by_event[rule.on_event].append(rule)
    return tuple(ROLES.index(_role(rules)) for rules in by_event.values())


def _role(rules: list[HiddenRule]) -> str:
    if len(rules) != 1:
        return "several" if rules else "inert"
    [rule] = rules
    if rule.action == "SET_FLAG":
        return "setter"
    if any(condition.source == "state" for condition in rule.conditions):
        return "gated"
    if rule.action == "INVALIDATE_RECORD":
        return "veto"
    return "gated_add" if rule.conditions else "adder"
