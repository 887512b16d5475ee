"""F02, F03 and F04: a text says what its payload says, and keeps what it must not tell.

Every rendering is read back from its text and legend; what was read must equal the payload. Beside that the numbers of
every block, and names and outcome words of the question, are compared without the parser, so that a mistake of the
parser does not hide a mistake of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from audits.mutants import Mark
from audits.telling import Telling
from audits.wordlists import plain
from engine.hidden_systems.behavior import BehaviorCase, PublicPayload
from engine.public import Legend

CLAIM_F02 = "every block of a rendering says its part of the payload, number by number and name by name"
CLAIM_F03 = "the question tells the query's events and attributes, both outcomes and no other number"
CLAIM_F04 = "no introduction and no case tells the query's whole set of events as something that was done"


def slot_faults(one: Telling) -> Iterator[str]:
    """Yield a pointer to each part of a text that does not say what the payload says."""
    payload, legend = one.payload, one.legend
    if payload is None or legend is None:
        yield "/legend"
        return
    cases = payload.support_cases
    if len(one.blocks) != len(cases) + 2:
        yield "/blocks"
        return
    for nth, (found, case) in enumerate(zip(one.marked[1:-1], cases, strict=True), start=1):
        if _numbers(found) != _case_numbers(case):
            yield f"/blocks/{nth}/numbers"
    told = one.parsed
    if told is None:
        yield "/text"
        return
    for nth, (said, meant) in enumerate(zip(told.support_cases, cases, strict=True), start=1):
        if said != meant:
            yield f"/blocks/{nth}"
    if _frame(told) != _frame(payload):
        yield "/blocks/0"


def query_faults(one: Telling) -> Iterator[str]:
    """Yield a pointer to what the last block gets wrong."""
    payload, legend = one.payload, one.legend
    if payload is None or legend is None:
        yield "/legend"
        return
    query = payload.query_case
    names = {item.code: item.name for item in legend.events}
    found = one.marked[-1]
    if [mark.text.lower() for mark in found if mark.kind == "event"] != [names[event] for event in query.events]:
        yield "/question/events"
    if {mark.text.lower() for mark in found if mark.kind == "outcome"} != {item.name for item in legend.outcomes}:
        yield "/question/outcomes"
    if _numbers(found) != Counter(_numeric(query)):
        yield "/question/numbers"
    if Counter(mark.text.lower() for mark in found if mark.kind == "value") != _value_names(query, legend):
        yield "/question/attributes"
    if one.parsed is not None and one.parsed.query_case != query:
        yield "/question"


def held_out_faults(one: Telling) -> Iterator[str]:
    """Yield the blocks that tell the query's events as history, in whatever order."""
    payload, legend = one.payload, one.legend
    if payload is None or legend is None:
        yield "/legend"
        return
    names = {item.code: plain(item.name) for item in legend.events}
    wanted = {names[event] for event in payload.query_case.events}
    for nth, found in enumerate(one.marked[:-1]):
        told = [plain(mark.text) for mark in found if mark.kind == "event"]
        # The introduction lists every event once, as what can be done; a second mention would be history.
        history = [name for name, times in Counter(told).items() if times > 1] if nth == 0 else told
        if wanted and wanted <= set(history):
            yield f"/blocks/{nth}/events"
        elif nth == 0 and history:
            yield "/blocks/0/events"


def _frame(payload: PublicPayload) -> tuple[object, ...]:
    """Return what the introduction tells; it names events and values in no particular order."""
    ranges = sorted((item.name, sorted(map(str, item.values))) for item in payload.attribute_vocabulary)
    return sorted(payload.event_vocabulary), ranges, payload.observation_protocol, payload.complexity


def _numbers(found: Sequence[Mark]) -> Counter[int]:
    return Counter(int(mark.text) for mark in found if mark.kind == "number")


def _case_numbers(case: BehaviorCase) -> Counter[int]:
    counts = (case.trials, case.observed_present, case.observed_absent)
    return Counter([*_numeric(case), *(count for count in counts if count is not None)])


def _numeric(case: BehaviorCase) -> list[int]:
    return [setting.value for setting in case.attributes if isinstance(setting.value, int)]


def _value_names(case: BehaviorCase, legend: Legend) -> Counter[str]:
    names = {(item.code, value.code): value.name for item in legend.attributes for value in item.values}
    return Counter(names[s.name, s.value] for s in case.attributes if isinstance(s.value, str))
