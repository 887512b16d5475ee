"""F02 and F03: a text says what its payload says.

Every rendering is read back from its text and a legend recomputed from the payload and the named domain; what was read
must equal the payload. Beside that the numbers of every block, and names and outcome words of the question, are
compared without the parser, so that a mistake of the parser does not hide a mistake of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from audits.base import Finding, PackAudit, Row, Sensitivity, exact_rows
from audits.mutants import Group, Right, marks, mutants
from audits.view import PackView
from engine.errors import ClewError, FidelityError
from engine.hidden_systems.behavior import BehaviorCase, PublicPayload, read_payload
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.surface.domain import domain_names, legend_for, load_domain
from engine.hidden_systems.surface.parse_back import parse_back
from engine.hidden_systems.surface.template import BORDER, render, split_blocks
from engine.public import Legend
from engine.randomness import Stream, derive

CLAIM_F02 = "every block of a rendering says its part of the payload, number by number and name by name"
CLAIM_F03 = "the question tells the query's events and attributes, both outcomes and no other number"


def slot_faults(text: str, payload: PublicPayload, legend: Legend) -> Iterator[str]:
    """Yield a pointer to each part of a text that does not say what the payload says."""
    blocks = split_blocks(text)
    cases = payload.support_cases
    if len(blocks) != len(cases) + 2:
        yield "/blocks"
        return
    for nth, (block, case) in enumerate(zip(blocks[1:-1], cases, strict=True), start=1):
        if _numbers(block, legend) != _case_numbers(case):
            yield f"/blocks/{nth}/numbers"
    try:
        told = parse_back(text, legend)
    except FidelityError:
        yield "/text"
        return
    for nth, (one, other) in enumerate(zip(told.support_cases, cases, strict=True), start=1):
        if one != other:
            yield f"/blocks/{nth}"
    if _frame(told) != _frame(payload):
        yield "/blocks/0"


def query_faults(text: str, payload: PublicPayload, legend: Legend) -> Iterator[str]:
    """Yield a pointer to what the last block gets wrong."""
    block, query = split_blocks(text)[-1], payload.query_case
    names = {item.code: item.name for item in legend.events}
    found = marks(block, legend)
    if [mark.text.lower() for mark in found if mark.kind == "event"] != [names[event] for event in query.events]:
        yield "/question/events"
    if {mark.text.lower() for mark in found if mark.kind == "outcome"} != {item.name for item in legend.outcomes}:
        yield "/question/outcomes"
    if _numbers(block, legend) != Counter(_numeric(query)):
        yield "/question/numbers"
    if Counter(mark.text.lower() for mark in found if mark.kind == "value") != _value_names(query, legend):
        yield "/question/attributes"
    try:
        told = parse_back(text, legend).query_case
    except FidelityError:
        return
    if told != query:
        yield "/question"


def _frame(payload: PublicPayload) -> tuple[object, ...]:
    """Return what the introduction tells; it names events and values in no particular order."""
    ranges = sorted((item.name, sorted(map(str, item.values))) for item in payload.attribute_vocabulary)
    return sorted(payload.event_vocabulary), ranges, payload.observation_protocol, payload.complexity


def _numbers(block: str, legend: Legend) -> Counter[int]:
    return Counter(int(mark.text) for mark in marks(block, legend) if mark.kind == "number")


def _case_numbers(case: BehaviorCase) -> Counter[int]:
    counts = (case.trials, case.observed_present, case.observed_absent)
    return Counter([*_numeric(case), *(count for count in counts if count is not None)])


def _numeric(case: BehaviorCase) -> list[int]:
    return [setting.value for setting in case.attributes if isinstance(setting.value, int)]


def _value_names(case: BehaviorCase, legend: Legend) -> Counter[str]:
    names = {(item.code, value.code): value.name for item in legend.attributes for value in item.values}
    return Counter(names[s.name, s.value] for s in case.attributes if isinstance(s.value, str))


def audit_slots(view: PackView) -> tuple[Row, ...]:
    """Run F02 on every rendering of a pack."""
    return _audit(view, "F02", CLAIM_F02)


def audit_query(view: PackView) -> tuple[Row, ...]:
    """Run F03 on every rendering of a pack."""
    return _audit(view, "F03", CLAIM_F03)


FAULTS = {"F02": slot_faults, "F03": query_faults}


def _audit(view: PackView, rule: str, claim: str) -> tuple[Row, ...]:
    findings, scanned = [], 0
    for puzzle in view.puzzles:
        for nth, telling in enumerate(puzzle.tellings):
            scanned += 1
            pointers = _telling_faults(rule, puzzle.payload, telling.domain, telling.text)
            findings += [Finding(puzzle.id, f"/renderings/{nth}{pointer}") for pointer in pointers]
    return exact_rows(rule, claim, "error", "rendering", findings, scanned)


def _telling_faults(rule: str, payload_json: str, domain: str, text: str) -> list[str]:
    """Return the faults of one rendering; a payload or domain that cannot be read is one."""
    try:
        payload = read_payload(payload_json)
        legend = legend_for(payload, load_domain(domain))
    except ClewError:
        return ["/legend"]
    return list(FAULTS[rule](text, payload, legend))


# Self-test ----------------------------------------------------------------------------------------------------------

RULE_OF: dict[Group, str] = {"N": "F02", "A": "F02", "E": "F02", "B": "F02", "O": "F02", "Q": "F03"}


@cache
def right_texts(count: int) -> tuple[Right, ...]:
    """Return right texts of several complexities, one domain after the other."""
    seed = derive("audits/plants", "F")
    texts = []
    for index in range(count):
        payload = generate_skeleton(4 + index % 3, seed, index).payload
        told = render(payload, domain_names()[index % len(domain_names())])
        texts.append(Right(payload=payload, legend=told.legend, blocks=told.blocks))
    return tuple(texts)


def mutation_scores(
    texts: Sequence[Right], rules: Sequence[str] = ("F02", "F03")
) -> dict[tuple[Group, str], Sensitivity]:
    """Return, for each operator, how many of its mutants the group's rule finds."""
    scores: dict[tuple[Group, str], Sensitivity] = {}
    for nth, right in enumerate(texts):
        for group, name, blocks in mutants(right, Stream("audits/mutants", nth)):
            if RULE_OF[group] not in rules:
                continue
            before = scores.get((group, name), Sensitivity(0, 0))
            found = any(FAULTS[RULE_OF[group]](BORDER.join(blocks), right.payload, right.legend))
            scores[group, name] = Sensitivity(before.found + found, before.planted + 1)
    return scores


def plants(rule: str, texts: Sequence[Right]) -> Sensitivity:
    """Return what becomes of one rule's mutants and of the right texts themselves."""
    scores = mutation_scores(texts, (rule,)).values()
    alarms = sum(any(FAULTS[rule](BORDER.join(one.blocks), one.payload, one.legend)) for one in texts)
    return Sensitivity(sum(one.found for one in scores), sum(one.planted for one in scores), alarms)


BESIDE_TEXTS = 8
"""Enough to see every operator fail; quick enough to run beside every audit of a pack."""
GATE_TEXTS = 80
"""At least 50 mutants an operator."""

SLOTS = PackAudit(
    rule="F02",
    scope="pack",
    severity="error",
    claim=CLAIM_F02,
    run=audit_slots,
    self_test=lambda: plants("F02", right_texts(BESIDE_TEXTS)),
    thorough=lambda: plants("F02", right_texts(GATE_TEXTS)),
)
QUERY = PackAudit(
    rule="F03",
    scope="pack",
    severity="error",
    claim=CLAIM_F03,
    run=audit_query,
    self_test=lambda: plants("F03", right_texts(BESIDE_TEXTS)),
    thorough=lambda: plants("F03", right_texts(GATE_TEXTS)),
)
