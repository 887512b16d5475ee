"""Hints for practice: where in the evidence to look next. Made from the public payload alone.

Nothing private is reachable from here: this module must never import the program layer or the sealed store. A hint
points at rows that stand side by side in the payload; it pools no counts, fits nothing and suggests no answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.hidden_systems.behavior import Differences, EvidenceRow, PublicPayload, differences, evidence_rows
from engine.public import Hint, Legend

FIRST = "Begin with the rows of a single step: they show what each step does alone. The filter n<=1 keeps just those."
HINTS = 6
"""Most hints for one puzzle, the first included."""
MOST_DIFFERENT = 2
"""Most things in which the rows of a hint differ."""
_Pair = tuple[EvidenceRow, EvidenceRow]


def hint(payload: PublicPayload, legend: Legend, nth: int) -> Hint | None:
    """Return the nth hint, from 1; None when there are no more.

    The first is about method. Each later one names two rows that are alike but for one thing, or else two, and whose
    ranges lie apart: those that differ in a step, in a setting and in the order take turns, widest gap first.
    """
    if nth == 1:
        return Hint(sentence=FIRST, cases=())
    pairs = list(telling_pairs(payload))
    if not 1 < nth <= min(len(pairs) + 1, HINTS):
        return None
    first, second = pairs[nth - 2]
    said = f"Compare rows {first.nth} and {second.nth}: they are alike but for {_what(first, second, legend)}."
    return Hint(sentence=said, cases=(first.case_id, second.case_id))


def telling_pairs(payload: PublicPayload) -> Iterator[_Pair]:
    """Yield pairs of rows whose ranges are apart: those that differ in one thing, kind by kind, then in two."""
    kinds: dict[str, list[_Pair]] = {"step": [], "setting": [], "order": [], "two": []}
    for first, second in combinations(evidence_rows(payload), 2):
        if first.high < second.low or second.high < first.low:
            found = differences(first, second)
            if found.count <= MOST_DIFFERENT:
                kinds[_kind(found)].append((first, second))
    two = sorted(kinds.pop("two"), key=_gap)
    queues = [sorted(pairs, key=_gap) for pairs in kinds.values() if pairs]
    while queues:
        for queue in queues:
            yield queue.pop(0)
        queues = [queue for queue in queues if queue]
    yield from two


def _kind(found: Differences) -> str:
    if found.count > 1:
        return "two"
    return "setting" if found.other_settings else "order" if not found.same_order else "step"


def _gap(pair: _Pair) -> tuple[float, int, int]:
    """Order pairs by the distance of their shares, widest first, then by their places."""
    shares = [row.present / row.trials for row in pair]
    return -abs(shares[0] - shares[1]), pair[0].nth, pair[1].nth


def _what(first: EvidenceRow, second: EvidenceRow, legend: Legend) -> str:
    found = differences(first, second)
    attributes = {item.code: item.name for item in legend.attributes}
    events = {item.code: item.name for item in legend.events}
    parts = [attributes[name] for name in found.other_settings]
    parts += [events[event] for event in (*found.first_only, *found.second_only)]
    return " and ".join(parts if found.same_order else [*parts, "the order"])
