"""Practice feedback: the mechanism in words, made from the whole record after an answer was committed.

PRIVATE: only the desk (after the commit) and the audits call this.
"""

from __future__ import annotations

from fractions import Fraction

from engine.hidden_systems.behavior import BehaviorCase, Label, PublicPayload
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
    )


def showing(rule: HiddenRule, system: HiddenSystem, payload: PublicPayload) -> tuple[str, ...]:
    """Return the ids of the cases whose exact probability would change most without the rule, largest change first."""
    without = HiddenSystem(rules=tuple(other for other in system.rules if other is not rule))
    full, rest = Compiled(system), Compiled(without)
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
