"""Generator draws in columns: what the statistical rules read, and the roles and labels they must not be able to guess.

One `Draws` holds puzzles of one complexity. Events are named by query position, so a feature of "the third event of the
query" is a column. Attributes stand in a table of their own (`Settings`), so that rules blind to them stay blind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from sys import intern

import numpy as np

from audits.style import Style, style_row, styles
from engine.canonical import text_digest
from engine.hidden_systems.behavior import AttributeRange, PublicPayload, payload_text
from engine.hidden_systems.counts import NO_EVENT, Bools, Floats, Ints, case_columns, padded
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.program.grammar import HiddenRule, HiddenSystem
from engine.hidden_systems.program.semantics import holds
from engine.hidden_systems.program.skeleton import BehaviorSkeleton, case_attributes
from engine.hidden_systems.surface.template import render
from engine.randomness import derive

__all__ = ["NO_EVENT", "Bools", "Draws", "Floats", "Ints", "Settings", "collect", "table"]

ROLES = ("adder", "veto", "setter", "gated", "gated_add", "inert", "several")
SETTER, GATED = ROLES.index("setter"), ROLES.index("gated")
MOST_ATTRIBUTES = 4
NUMERIC, CATEGORICAL = 1, 2
_KEY = re.compile(r'"([a-z_]+)":')
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, kw_only=True, repr=False)
class Settings:
    """The attributes of N puzzles in the order of their codes; all arrays N x 4, zeros where there is no attribute."""

    kinds: Ints
    """0 no attribute, `NUMERIC`, `CATEGORICAL`."""
    query: Floats
    """The query's value; the number in its code for a category."""
    low: Floats
    """Smallest value shown in a support case."""
    high: Floats
    below: Ints
    """How many shown values are smaller than the query's."""


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
    gates: Ints
    """N x 3: attribute tests, those that hold in the query, attributes that no rule tests; private."""
    events: Ints
    """N x C x L: query positions of each case's events, in the order of execution, cases in public order."""
    lengths: Ints
    """N x C; 0 for a case that is not there."""
    counts: Ints
    """N x C: trials that ended present."""
    shown_trials: Ints
    """N: trials of a support case."""
    settings: Settings
    codes: tuple[tuple[str, ...], ...]
    """N x k: public event codes by query position."""
    case_ids: tuple[tuple[str, ...], ...]
    query_ids: tuple[str, ...]
    public_ids: tuple[str, ...]
    keys: tuple[str, ...]
    """N: the keys of the payload's JSON in the order of the text."""
    masked: Ints
    """N: characters of the payload's JSON without its digits."""
    style: Style | None = None
    """Of the template's texts; None unless they were asked for."""
    percent: int | None = None
    """The accuracy of counts alone that the draws were selected for; None: they are as they came."""

    def __len__(self) -> int:
        return len(self.present)

    def public_order(self) -> Ints:
        """Return the puzzles' numbers in the order in which a pack shows them: by public id."""
        return np.array(sorted(range(len(self)), key=self.public_ids.__getitem__), dtype=np.int64)


def collect(
    complexity: int,
    count: int,
    seed: int,
    track: Callable[[Iterable[int]], Iterable[int]] = iter,
    *,
    texts: bool = False,
) -> Draws:
    """Draw `count` puzzles of one complexity.

    Args:
        seed: the audit's own; it is hashed, so that no puzzle here is a puzzle of a pack with the same seed.
        track: wraps the indices, to show progress.
        texts: tell each puzzle as well, and keep the style of its text.
    """
    own = derive("audits/draws", complexity, seed)
    skeletons = (generate_skeleton(complexity, own, index) for index in track(range(count)))
    return table(complexity, seed, skeletons, texts=texts)


def table(complexity: int, seed: int, skeletons: Iterator[BehaviorSkeleton], *, texts: bool = False) -> Draws:
    """Put skeletons of one complexity into columns, one after the other, so that they need not all be in memory."""
    salt = f"{derive('audits/salt', seed):064x}"
    rows = [_row(skeleton, salt, texts) for skeleton in skeletons]
    most = max((len(row.lengths) for row in rows), default=0)
    count = len(rows)
    attributes = np.array([row.settings for row in rows], dtype=np.float64).reshape(count, MOST_ATTRIBUTES, 5)
    return Draws(
        complexity=complexity,
        trials=rows[0].trials if rows else 0,
        seed=seed,
        present=np.array([row.present for row in rows], dtype=bool),
        roles=np.array([row.roles for row in rows], dtype=np.int64).reshape(count, complexity),
        gates=np.array([row.gates for row in rows], dtype=np.int64).reshape(count, 3),
        events=padded([row.events for row in rows], (most, complexity), NO_EVENT),
        lengths=padded([row.lengths for row in rows], (most,), 0),
        counts=padded([row.counts for row in rows], (most,), 0),
        shown_trials=np.array([row.trials for row in rows], dtype=np.int64),
        settings=Settings(
            kinds=attributes[:, :, 0].astype(np.int64),
            query=attributes[:, :, 1],
            low=attributes[:, :, 2],
            high=attributes[:, :, 3],
            below=attributes[:, :, 4].astype(np.int64),
        ),
        codes=tuple(row.codes for row in rows),
        case_ids=tuple(row.case_ids for row in rows),
        query_ids=tuple(row.query_id for row in rows),
        public_ids=tuple(row.public_id for row in rows),
        keys=tuple(row.keys for row in rows),
        masked=np.array([row.masked for row in rows], dtype=np.int64),
        style=styles([row.style for row in rows if row.style is not None]) if texts else None,
    )


@dataclass(frozen=True, kw_only=True, repr=False)
class _Row:
    present: bool
    trials: int
    roles: tuple[int, ...]
    gates: tuple[int, int, int]
    events: Ints
    lengths: Ints
    counts: Ints
    settings: tuple[tuple[float, ...], ...]
    codes: tuple[str, ...]
    case_ids: tuple[str, ...]
    query_id: str
    public_id: str
    keys: str
    masked: int
    style: Style | None


def _row(skeleton: BehaviorSkeleton, salt: str, texts: bool) -> _Row:
    payload = skeleton.renderer_payload()
    events, lengths, counts = case_columns(payload)
    text = payload_text(payload)
    told = render(payload) if texts else None
    return _Row(
        present=skeleton.gold_answer == "PRESENT",
        trials=payload.observation_protocol.trials_per_case,
        roles=roles_of(skeleton.hidden_system, payload),
        gates=_gates(skeleton.hidden_system, payload),
        events=events,
        lengths=lengths,
        counts=counts,
        settings=_settings(payload),
        codes=tuple(map(intern, payload.query_case.events)),
        case_ids=tuple(intern(case.id) for case in payload.support_cases),
        query_id=intern(payload.query_case.id),
        public_id=text_digest(text + salt),
        keys=intern(" ".join(_KEY.findall(text))),
        masked=len(_DIGITS.sub("", text)),
        style=None if told is None else style_row(told.text, told.domain, told.renderer),
    )


def _settings(payload: PublicPayload) -> tuple[tuple[float, ...], ...]:
    """Return kind, query value, low, high and values below of each attribute, zeros for those that are not there."""
    told = [_setting(item, payload) for item in payload.attribute_vocabulary]
    return (*told, *((0.0,) * 5 for _ in range(MOST_ATTRIBUTES - len(told))))


def _setting(attribute: AttributeRange, payload: PublicPayload) -> tuple[float, ...]:
    [asked] = [one.value for one in payload.query_case.attributes if one.name == attribute.name]
    if isinstance(asked, str):
        return (CATEGORICAL, float(asked[1:]), 1.0, float(len(attribute.values)), 0.0)
    shown = [value for value in attribute.values if isinstance(value, int) and value != asked]
    return (NUMERIC, float(asked), float(shown[0]), float(shown[-1]), float(sum(value < asked for value in shown)))


def _gates(system: HiddenSystem, payload: PublicPayload) -> tuple[int, int, int]:
    """Return the number of attribute tests, of those that hold in the query, and of attributes that none names."""
    tests = [test for rule in system.rules for test in rule.conditions if test.source == "attribute"]
    asked = case_attributes(payload.query_case)
    idle = {item.name for item in payload.attribute_vocabulary} - {test.key for test in tests}
    return len(tests), sum(holds(test, asked) for test in tests), len(idle)


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
