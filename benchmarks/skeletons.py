"""Whole skeletons (draw, reject, simulate, name, payload, trace) against the same with a plain loop over every trial.

The plain loop reads the rules as they are written, keeps flags in a set and draws one trigger at a time; all else is
shared, so the ratio is what simulating on compiled moves brings to a whole puzzle.
Run: python benchmarks/skeletons.py
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from measure import medians, verdict

from engine.hidden_systems.behavior import PublicPayload, payload_text, read_payload
from engine.hidden_systems.program import skeleton as parts
from engine.hidden_systems.program.draw import draw_system
from engine.hidden_systems.program.exact import label_of, outside_margin, trace
from engine.hidden_systems.program.generate import generate_skeleton, target_label
from engine.hidden_systems.program.grammar import Condition, HiddenRule, HiddenSystem, Value
from engine.hidden_systems.program.semantics import Compiled, holds
from engine.hidden_systems.program.supports import draw_setups
from engine.randomness import Stream

SEED = 11
PUZZLES = 12
ROUNDS = 5
COMPLEXITIES = (4, 6, 8, 10)
CLAIM_COMPLEXITY = 10


class Trial:
    """One trial under way."""

    def __init__(self) -> None:
        self.record = "ABSENT"
        self.invalidated = False
        self.flags: set[str] = set()


def trial_is_present(
    system: HiddenSystem, attributes: Mapping[str, Value], events: Sequence[str], stream: Stream
) -> bool:
    """Run one trial as the specification tells it, and tell whether the record ended present."""
    trial = Trial()
    for event in events:
        for rule in system.rules:
            if (
                rule.on_event == event
                and all(condition_holds(condition, attributes, trial) for condition in rule.conditions)
                and stream.chance(rule.probability.numerator, rule.probability.denominator)
            ):
                take(rule, trial)
    return trial.record == "PRESENT"


def condition_holds(condition: Condition, attributes: Mapping[str, Value], trial: Trial) -> bool:
    if condition.source == "attribute":
        return holds(condition, attributes)
    if condition.key == "record":
        return trial.record == condition.value
    if condition.key == "invalidated":
        return trial.invalidated is condition.value
    return (condition.key in trial.flags) is (condition.value is not False)


def take(rule: HiddenRule, trial: Trial) -> None:
    if rule.action == "SET_FLAG":
        trial.flags.add(str(rule.target))
    elif rule.action == "INVALIDATE_RECORD":
        trial.record, trial.invalidated = "ABSENT", True
    elif not trial.invalidated:
        trial.record = "PRESENT"


def plain_payload(complexity: int, seed: int, index: int) -> PublicPayload:
    """Return the payload of one index, simulated trial by trial; like the real one but for the sampled counts."""
    attempt = 0
    while True:
        draw = draw_system(complexity, seed, index, attempt)
        probability = parts.query_probability(draw)
        if outside_margin(probability) and label_of(probability) == target_label(index):
            break
        attempt += 1
    key = (complexity, seed, index)
    names = parts._Names(draw, Stream("hidden-systems/order", *key))
    setups = draw_setups(draw, Stream("hidden-systems/supports", *key))
    stream, trials = Stream("benchmarks/trials", *key), parts.trials_for(complexity)
    presents = []
    for setup in setups:
        attributes, events = parts._raw(setup.values), [str(event) for event in setup.events]
        presents.append(sum(trial_is_present(draw.system, attributes, events, stream) for _ in range(trials)))
    payload = parts._payload(draw, names, setups, presents, trials)
    query = payload.query_case
    trace(Compiled(names.system(draw.system)).moves(parts.case_attributes(query), query.events))
    return payload


def without_counts(payload: PublicPayload) -> list[object]:
    return [(case.id, case.events, case.attributes, case.trials) for case in payload.support_cases]


def main() -> int:
    held = True
    for complexity in COMPLEXITIES:
        real, plain = generate_skeleton(complexity, SEED, 0).payload, plain_payload(complexity, SEED, 0)
        assert read_payload(payload_text(plain)) == plain and without_counts(real) == without_counts(plain)
        found = medians(
            {
                "plain": lambda k=complexity: [plain_payload(k, SEED, index) for index in range(PUZZLES)],
                "skeletons": lambda k=complexity: [generate_skeleton(k, SEED, index) for index in range(PUZZLES)],
            },
            ROUNDS,
        )
        each = {name: seconds / PUZZLES * 1e3 for name, seconds in found.items()}
        ratio = each["plain"] / each["skeletons"]
        print(
            f"complexity {complexity:2}: {each['skeletons']:6.2f} ms a skeleton, "
            f"{each['plain']:7.2f} ms with the plain loop, {ratio:.1f}x"
        )
        if complexity == CLAIM_COMPLEXITY:
            held = verdict("whole skeletons at complexity 10, against the plain trial loop", ratio, 8)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
