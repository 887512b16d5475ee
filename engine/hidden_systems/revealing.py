"""Practice feedback: the mechanism in words, made from the whole record after an answer was committed.

PRIVATE: only the desk (after the commit) and the audits call this.
"""

from __future__ import annotations

from fractions import Fraction

from engine.hidden_systems.behavior import (
    BehaviorCase,
    EvidenceRow,
    Label,
    PublicPayload,
    differences,
    evidence_rows,
)
from engine.hidden_systems.program.exact import present_probability
from engine.hidden_systems.program.grammar import Condition, HiddenRule, HiddenSystem
from engine.hidden_systems.program.semantics import Compiled, holds
from engine.hidden_systems.program.skeleton import BehaviorSkeleton, case_attributes
from engine.public import Evidenced, Legend, Reveal

CASES_SHOWN = 3
"""Most cases named for one rule."""


def reveal(skeleton: BehaviorSkeleton, legend: Legend, given: Label) -> Reveal:
    """Return the verdict on an answer, the exact probability and the rules, in query order, in the domain's words."""
    payload, system = skeleton.payload, skeleton.hidden_system
    words = _Words(legend)
    order = sorted(system.rules, key=lambda rule: payload.query_case.events.index(rule.on_event))
    return Reveal(
        correct=given == skeleton.gold_answer,
        label=skeleton.gold_answer,
        present_probability=float(skeleton.gold_present_probability),
        rules=tuple(
            Evidenced(sentence=words.rule(rule, system, payload), cases=showing(rule, system, payload))
            for rule in order
        ),
        turning=turning(skeleton, words),
    )


def turning(skeleton: BehaviorSkeleton, words: _Words) -> Evidenced | None:
    """Return the two cases that show best what the answer turns on.

    That is the rule without which the question's probability would be nearest to the other answer, or furthest into
    it, of the rules that two of the cases can show: one in which it counts, and the most alike one in which it does
    not, with ranges of their shares that lie apart in the direction of the rule.
    """
    system = skeleton.hidden_system
    for rule in sorted(system.rules, key=lambda rule: _query_without(rule, skeleton)):
        pair = _pair(rule, system, skeleton.payload)
        if pair is not None:
            return Evidenced(sentence=words.pair(rule, *pair), cases=tuple(row.case_id for row in pair))
    return None


def _query_without(rule: HiddenRule, skeleton: BehaviorSkeleton) -> Fraction:
    """Return how probable the right answer would be without a rule."""
    present = _probability(Compiled(_without(rule, skeleton.hidden_system)), skeleton.payload.query_case)
    return present if skeleton.gold_answer == "PRESENT" else 1 - present


def _pair(rule: HiddenRule, system: HiddenSystem, payload: PublicPayload) -> tuple[EvidenceRow, EvidenceRow] | None:
    full, rest = Compiled(system), Compiled(_without(rule, system))
    change = {case.id: _probability(full, case) - _probability(rest, case) for case in payload.support_cases}
    rows = evidence_rows(payload)
    still = [row for row in rows if not change[row.case_id]]
    pairs = [(row, other) for row in rows if change[row.case_id] for other in still]
    shown = [(row, other) for row, other in pairs if _apart(row, other, up=change[row.case_id] > 0)]
    return min(shown, key=_unlikeness, default=None)


def _apart(row: EvidenceRow, other: EvidenceRow, *, up: bool) -> bool:
    return row.low > other.high if up else row.high < other.low


def _unlikeness(pair: tuple[EvidenceRow, EvidenceRow]) -> tuple[int, float, int, int]:
    """Order pairs by in how many things they differ, then by the distance of their shares, then by place."""
    row, other = pair
    gap = abs(row.present / row.trials - other.present / other.trials)
    return differences(row, other).count, -gap, row.nth, other.nth


def _without(rule: HiddenRule, system: HiddenSystem) -> HiddenSystem:
    return HiddenSystem(rules=tuple(other for other in system.rules if other is not rule))


def showing(rule: HiddenRule, system: HiddenSystem, payload: PublicPayload) -> tuple[str, ...]:
    """Return the ids of the cases whose exact probability would change most without the rule, largest change first."""
    full, rest = Compiled(system), Compiled(_without(rule, system))
    changes = []
    for case in payload.support_cases:
        change = abs(_probability(full, case) - _probability(rest, case))
        if change:
            changes.append((-change, len(case.events), case.id))
    return tuple(case_id for _, _, case_id in sorted(changes)[:CASES_SHOWN])


def _probability(compiled: Compiled, case: BehaviorCase) -> Fraction:
    return present_probability(compiled.moves(case_attributes(case), case.events))


class _Words:
    """Rules as sentences in the words of a legend."""

    def __init__(self, legend: Legend) -> None:
        self.legend = legend
        self.events = {item.code: item.name for item in legend.events}
        self.attributes = {item.code: item for item in legend.attributes}
        self.present, self.absent = (item.name for item in legend.outcomes)

    def rule(self, rule: HiddenRule, system: HiddenSystem, payload: PublicPayload) -> str:
        """Return one rule as a sentence, and whether its attribute test holds in the question."""
        share = f"{float(rule.probability * 100):g} %"
        event = self.events[rule.on_event]
        tests = [test for test in rule.conditions if test.source == "attribute"]
        needs = [self._needs(test, system) for test in rule.conditions if test.source == "state"]
        gates = [self._test(test) for test in tests]
        condition = f" {' and '.join(needs + [f'when {gate}' for gate in gates])}," if needs or gates else ""
        effect = {
            "ADD_RECORD": f"brings about “{self.present}” in {share} of runs, unless it has been ruled out earlier",
            "INVALIDATE_RECORD": f"rules out “{self.present}” for good in {share} of runs",
            "SET_FLAG": f"sets something unseen in {share} of runs, and shows nothing by itself",
        }[rule.action]
        return f"{event}:{condition} {effect}.{self._in_question(tests, payload)}"

    def pair(self, rule: HiddenRule, row: EvidenceRow, other: EvidenceRow) -> str:
        """Return what two rows show, one in which a rule counts and one in which it does not."""
        found = differences(row, other)
        parts = [self.attributes[name].name for name in found.other_settings]
        parts += [self.events[event] for event in (*found.first_only, *found.second_only)]
        parts += [] if found.same_order else ["the order"]
        shares = " against ".join(f"{one.present} of {one.trials}" for one in (row, other))
        alike = f"Rows {row.nth} and {other.nth} are alike but for {' and '.join(parts)}"
        return f"{alike}: {self.present} {shares}. What {self.events[rule.on_event]} does is behind it."

    def _needs(self, test: Condition, system: HiddenSystem) -> str:
        setters = [self.events[r.on_event] for r in system.rules if r.action == "SET_FLAG" and r.target == test.key]
        return f"only once {' or '.join(setters) or 'something'} has set something unseen"

    def _test(self, test: Condition) -> str:
        attribute = self.attributes[test.key]
        names = {item.code: item.name for item in attribute.values}
        value = names.get(str(test.value), str(test.value))
        relation = {"LE": "is at most", "GT": "is above", "EQ": "is"}[test.operator]
        return f"{attribute.name} {relation} {value}"

    def _in_question(self, tests: list[Condition], payload: PublicPayload) -> str:
        if not tests:
            return ""
        active = all(holds(test, case_attributes(payload.query_case)) for test in tests)
        return " In the question this holds." if active else " In the question this does not hold."
