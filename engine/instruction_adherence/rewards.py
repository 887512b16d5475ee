"""The rewards, gates and diagnostics of a response, or of the responses to a script turn by turn.

A turn is scored on its own response and its own checks. Two gates zero a turn as a whole: a response under 30 words
(unless a length constraint caps it below that) and one of which half is copied from the requirements. A third, no topic
keyword at all, zeroes `all_satisfied` and `fraction_satisfied`. Diagnostics keep the checkers' verdicts, whatever the
gates say. Everything is exact until `document` turns it into floats. Specification, "Rewards".

    stripped response   what is left after the removals, with a REQUIREMENTS block that nobody asked for put back
    overlap             share of the stripped response's distinct word-4-grams that occur in an active requirement
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import NamedTuple

from engine.errors import UsageError
from engine.instruction_adherence.constraint import Constraint, Verdict
from engine.instruction_adherence.constraints import length
from engine.instruction_adherence.constraints.meta import Restate, SelfAudit
from engine.instruction_adherence.constraints.registry import TYPES
from engine.instruction_adherence.families import FAMILIES
from engine.instruction_adherence.flagging import flags_conflict
from engine.instruction_adherence.keywords import used
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.turn import PATTERNS, Check, Turn
from engine.instruction_adherence.writing import MOST_TURNS

WEIGHTS: Mapping[str, Fraction] = {
    "all_satisfied": Fraction(1),
    "fraction_satisfied": Fraction(3, 10),
    "task_relevance": Fraction(1, 5),
    "no_leakage": Fraction(1, 10),
    "self_audit_accuracy": Fraction(1, 5),
    "conflict_flagged": Fraction(1, 2),
}
FLOOR_WORDS = 30
GRAM = 4
LEAK_FREE, LEAK_FULL = Fraction(1, 5), Fraction(1, 2)
"""Overlap up to which nothing is taken off, and from which the turn is zeroed."""


class Outcome(NamedTuple):
    """What a checker said of one check; `verdict.passed` is what the user wanted, absence for a revoked one."""

    check: Check
    verdict: Verdict


@dataclass(frozen=True, kw_only=True)
class Rewards:
    """Rewards in [0, 1]; None where one does not apply."""

    all_satisfied: Fraction
    fraction_satisfied: Fraction
    task_relevance: Fraction
    no_leakage: Fraction
    self_audit_accuracy: Fraction | None
    """None unless a self-audit is active."""
    conflict_flagged: Fraction | None
    """None but on contradiction turns."""

    @property
    def total(self) -> Fraction:
        """The weighted sum of what applies."""
        return sum((WEIGHTS[name] * value for name, value in self.values() if value is not None), Fraction(0))

    @property
    def full(self) -> bool:
        """Whether everything that applies is at its maximum."""
        return all(value in (None, 1) for _, value in self.values())

    def values(self) -> Iterator[tuple[str, Fraction | None]]:
        return ((name, getattr(self, name)) for name in WEIGHTS)

    def document(self) -> dict[str, float | None]:
        return {name: None if value is None else float(value) for name, value in self.values()}


@dataclass(frozen=True, kw_only=True)
class TurnScore:
    """One response, scored."""

    rewards: Rewards
    outcomes: tuple[Outcome, ...]
    """In the order of the turn's checks."""
    words: int
    floored: bool
    """Too short, so that all rewards are 0."""
    overlap: Fraction
    """In [0, 1]; from one half on all rewards are 0."""
    keywords_used: tuple[str, ...]
    keywords_usable: tuple[str, ...]

    @property
    def copied(self) -> bool:
        return self.overlap >= LEAK_FULL

    @property
    def zeroed(self) -> bool:
        return self.floored or self.copied

    def document(self) -> dict[str, object]:
        """Return the turn as plain JSON values, each verdict with what was seen."""
        return {
            "rewards": self.rewards.document(),
            "words": self.words,
            "content_floor": float(not self.floored),
            "overlap": float(self.overlap),
            "copied": self.copied,
            "keywords_used": list(self.keywords_used),
            "keywords_usable": list(self.keywords_usable),
            "checks": [
                {
                    "constraint": check.constraint.id,
                    "label": check.label,
                    "expect": check.expect,
                    "scored": check.scored,
                    "passed": verdict.passed,
                    "seen": verdict.seen,
                    "spans": [list(span) for span in verdict.spans],
                }
                for check, verdict in self.outcomes
            ],
        }


@dataclass(frozen=True, kw_only=True)
class Score:
    """A whole conversation, scored; a single-turn task is one of one turn."""

    turns: tuple[TurnScore, ...]
    rewards: Rewards
    """Each a mean over the turns to which it applies."""
    content_floor: Fraction
    """Share of the turns that are long enough."""

    @property
    def episode_all_satisfied(self) -> bool:
        return all(turn.rewards.all_satisfied == 1 for turn in self.turns)

    def diagnostics(self) -> dict[str, int]:
        """Return all count and pass pairs, those with nothing to count as 0 of 0."""
        counted: Counter[str] = Counter()
        passed: Counter[str] = Counter()
        for number, turn in enumerate(self.turns, start=1):
            for check, verdict in turn.outcomes:
                names = list(_counted_under(check, number))
                counted.update(names)
                passed.update(names if verdict.passed else ())
        return {f"{kind}_{name}": of[name] for name in _names() for kind, of in (("n", counted), ("pass", passed))}

    def document(self) -> dict[str, object]:
        """Return rewards, gates and diagnostics as plain JSON values."""
        return {
            "reward": float(self.rewards.total),
            **self.rewards.document(),
            "content_floor": float(self.content_floor),
            "episode_all_satisfied": int(self.episode_all_satisfied),
            **self.diagnostics(),
            "turns": [turn.document() for turn in self.turns],
        }


def diagnostic_names() -> tuple[str, ...]:
    """Return the names of all count and pass pairs, in the order in which a score lists them."""
    return tuple(f"{kind}_{name}" for name in _names() for kind in ("n", "pass"))


def score_turns(turns: Sequence[Turn], responses: Sequence[str]) -> Score:
    """Score the responses to a task, one a turn.

    Raises:
        UsageError: there are more or fewer responses than turns, or no turn at all.
    """
    if len(turns) != len(responses) or not turns:
        raise UsageError(f"{len(responses)} responses to a task of {len(turns)} turns; one a turn is right")
    scores = tuple(score_turn(turn, response) for turn, response in zip(turns, responses, strict=True))
    means = {name: _mean(getattr(score.rewards, name) for score in scores) for name in WEIGHTS}
    floor = Fraction(sum(not score.floored for score in scores), len(scores))
    return Score(turns=scores, rewards=_rewards(means), content_floor=floor)


def score_turn(turn: Turn, response: str) -> TurnScore:
    """Score one response against the checks of its turn; defined for any text."""
    reading = Reading(response)
    outcomes = tuple(Outcome(check, check.judge(reading)) for check in turn.checks)
    words = len(reading.word_places)
    floored = words < FLOOR_WORDS and not caps_below_floor([check.constraint for check in turn.scored])
    overlap = _overlap(turn, reading)
    found = used(turn.keywords, reading)
    values = _values(turn, reading, outcomes, overlap, found)
    if floored or overlap >= LEAK_FULL:
        values = {name: None if value is None else Fraction(0) for name, value in values.items()}
    return TurnScore(
        rewards=_rewards(values), outcomes=outcomes, words=words, floored=floored, overlap=overlap, keywords_used=found,
        keywords_usable=turn.usable_keywords,
    )  # fmt: skip


def caps_below_floor(constraints: Iterable[Constraint]) -> bool:
    """Whether length constraints leave no room for 30 words."""
    caps: dict[type[Constraint], int] = {}
    for constraint in constraints:
        for kind, cap in _caps(constraint):
            caps[kind] = min(cap, caps.get(kind, cap))
    products = (
        (length.WordRange,),
        (length.SentenceCount, length.SentenceMaxWords),
        (length.ParagraphCount, length.ParagraphWordRange),
    )
    return any(all(k in caps for k in kinds) and prod(caps[k] for k in kinds) < FLOOR_WORDS for kinds in products)


def _caps(constraint: Constraint) -> Iterator[tuple[type[Constraint], int]]:
    match constraint:
        case length.WordRange() | length.ParagraphWordRange():
            yield type(constraint), constraint.max
        case length.SentenceCount() | length.ParagraphCount():
            yield type(constraint), constraint.n
        case length.SentenceMaxWords():
            yield type(constraint), constraint.fewer_than - 1


def _values(
    turn: Turn, reading: Reading, outcomes: Sequence[Outcome], overlap: Fraction, found: Sequence[str]
) -> dict[str, Fraction | None]:
    """Return the rewards before the gates that zero a turn."""
    verdicts = [verdict.passed for check, verdict in outcomes if check.scored]
    share = Fraction(sum(verdicts), len(verdicts)) if found else Fraction(0)
    usable = turn.usable_keywords
    return {
        "all_satisfied": Fraction(share == 1),
        "fraction_satisfied": share,
        "task_relevance": Fraction(len(set(found) & set(usable)), len(set(usable))),
        "no_leakage": min(Fraction(1), max(Fraction(0), (LEAK_FULL - overlap) / (LEAK_FULL - LEAK_FREE))),
        "self_audit_accuracy": _audit_accuracy(reading, outcomes) if turn.asks(SelfAudit) else None,
        "conflict_flagged": _flagged(turn, reading),
    }


def _audit_accuracy(reading: Reading, outcomes: Sequence[Outcome]) -> Fraction:
    """Return the F1 of "yes" over the labelled requirements that count in the turn (reading 36).

    A label that is missing, or claimed both ways, counts as "no"; unknown labels are the audit checker's business, and
    disputed ones may be answered either way (reading 11).
    """
    if reading.audit is None:
        return Fraction(0)
    denied = {claim.label for claim in reading.audit if not claim.yes}
    claimed = {claim.label for claim in reading.audit} - denied
    judged = {c.label: verdict.passed for c, verdict in outcomes if c.label and c.expect and c.scored}
    satisfied = {label for label, passed in judged.items() if passed}
    claimed &= judged.keys()
    if not claimed and not satisfied:
        return Fraction(1)
    return Fraction(2 * len(claimed & satisfied), len(claimed) + len(satisfied))


def _flagged(turn: Turn, reading: Reading) -> Fraction | None:
    if turn.conflict is None:
        return None
    return Fraction(flags_conflict(reading, [turn.checks[index].requirement for index in turn.conflict]))


def _overlap(turn: Turn, reading: Reading) -> Fraction:
    asked = {gram for check in turn.checks if check.active for gram in _grams(Reading(check.requirement))}
    own = set(_grams(reading))
    if reading.restated is not None and not turn.asks(Restate):
        start, end = reading.restated
        own.update(_grams(Reading(reading.clean[start:end])))
    return Fraction(len(own & asked), len(own)) if own else Fraction(0)


def _grams(reading: Reading) -> Iterator[tuple[str, ...]]:
    words = reading.words
    return (words[start : start + GRAM] for start in range(len(words) - GRAM + 1))


def _mean(values: Iterable[Fraction | None]) -> Fraction | None:
    present = [value for value in values if value is not None]
    return sum(present, Fraction(0)) / len(present) if present else None


def _rewards(values: Mapping[str, Fraction | None]) -> Rewards:
    always = {name: values[name] or Fraction(0) for name in list(WEIGHTS)[:4]}
    return Rewards(
        **always, self_audit_accuracy=values["self_audit_accuracy"], conflict_flagged=values["conflict_flagged"]
    )


def _counted_under(check: Check, number: int) -> Iterator[str]:
    """Yield what a check counts under: a quoted one as distractor alone, a revoked one not under its type."""
    if check.quoted:
        yield "pat_distractor"
    if not check.scored:
        return
    yield f"turn_{number}"
    yield from (f"pat_{pattern}" for pattern in check.patterns)
    if check.expect:
        yield check.constraint.id
        yield f"fam_{check.constraint.family}"


def _names() -> Iterator[str]:
    yield from TYPES
    yield from (f"fam_{family}" for family in FAMILIES.values())
    yield from (f"pat_{pattern}" for pattern in PATTERNS)
    yield from (f"turn_{number}" for number in range(1, MOST_TURNS + 1))
