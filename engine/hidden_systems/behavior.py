"""What a solver may see of a hidden system: frozen, closed types with no field for gold.

The payload is built from counts and vocabularies; nothing is ever removed from anything to get it.
JSON is the specification's ("Behavioral skeleton grammar", the public payload): exactly eight keys, a case
exactly six, no floats. This module must never import the program layer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from engine.canonical import Json, canonical_text, read_json
from engine.errors import UsageError
from engine.statistics import wilson

Label = Literal["PRESENT", "ABSENT"]
LABELS: tuple[Literal["PRESENT"], Literal["ABSENT"]] = ("PRESENT", "ABSENT")
AttributeValue: TypeAlias = int | str
"""A whole number for a numeric attribute, a neutral code such as V2 for a categorical one."""

FAMILY = "persistent-veto"
QUERY_ID = "q"


class Public(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all public values."""


class AttributeSetting(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One attribute of one case."""

    name: str
    value: AttributeValue


class AttributeRange(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attribute and every value it takes in this puzzle."""

    name: str
    values: tuple[AttributeValue, ...]


class BehaviorCase(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One repeated experiment, or the query, whose `trials` and counts are None."""

    id: str
    attributes: tuple[AttributeSetting, ...]
    """Sorted by name."""
    events: tuple[str, ...]
    """Left to right."""
    trials: int | None
    observed_present: int | None
    observed_absent: int | None


class ObservationProtocol(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How every support case was observed."""

    trials_per_case: int
    independent: Literal[True] = True
    initial_record: Literal["ABSENT"] = "ABSENT"
    attributes_fixed: Literal[True] = True
    event_order: Literal["left_to_right"] = "left_to_right"


class PublicPayload(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that a renderer or a solver learns about a hidden system."""

    family: Literal["persistent-veto"] = "persistent-veto"
    complexity: int
    event_vocabulary: tuple[str, ...]
    attribute_vocabulary: tuple[AttributeRange, ...]
    observation_protocol: ObservationProtocol
    support_cases: tuple[BehaviorCase, ...]
    query_case: BehaviorCase
    answer_options: tuple[Literal["PRESENT"], Literal["ABSENT"]] = LABELS


def payload_document(payload: PublicPayload) -> dict[str, Json]:
    """Return the payload as plain JSON values with the specification's eight keys."""
    return {
        "family": payload.family,
        "complexity": payload.complexity,
        "event_vocabulary": list(payload.event_vocabulary),
        "attribute_vocabulary": [
            {"name": item.name, "values": list(item.values)} for item in payload.attribute_vocabulary
        ],
        "observation_protocol": {
            "trials_per_case": payload.observation_protocol.trials_per_case,
            "independent": payload.observation_protocol.independent,
            "initial_record": payload.observation_protocol.initial_record,
            "attributes_fixed": payload.observation_protocol.attributes_fixed,
            "event_order": payload.observation_protocol.event_order,
        },
        "support_cases": [case_document(case) for case in payload.support_cases],
        "query_case": case_document(payload.query_case),
        "answer_options": list(payload.answer_options),
    }


def case_document(case: BehaviorCase) -> dict[str, Json]:
    """Return a case as plain JSON values with the specification's six keys."""
    return {
        "id": case.id,
        "attributes": {setting.name: setting.value for setting in case.attributes},
        "events": list(case.events),
        "trials": case.trials,
        "observed_present": case.observed_present,
        "observed_absent": case.observed_absent,
    }


def payload_text(payload: PublicPayload) -> str:
    """Return the payload's canonical JSON."""
    return canonical_text(payload_document(payload))


def read_payload(text: str, *, where: str = "payload") -> PublicPayload:
    """Read a payload from JSON.

    Raises:
        UsageError: a key or type off the list, or counts that do not add up; names `where` and the place.
    """
    document = read_json(text, where=where)
    try:
        payload = msgspec.convert(_with_settings(document), PublicPayload, strict=True)
    except msgspec.ValidationError as error:
        raise UsageError(f"{where}: {error}") from error
    reasons = payload_reasons(payload)
    if reasons:
        raise UsageError(f"{where}: {reasons[0]}")
    return payload


def payload_reasons(payload: PublicPayload) -> tuple[str, ...]:
    """Return what is wrong with a payload of the right types: vocabulary, counts, ids. Empty when nothing is."""
    reasons: list[str] = []
    events = set(payload.event_vocabulary)
    names = {item.name for item in payload.attribute_vocabulary}
    allowed = {(item.name, value) for item in payload.attribute_vocabulary for value in item.values}
    ids = [case.id for case in payload.support_cases]
    if len(set(ids)) != len(ids):
        reasons.append("two support cases share an id; ids are unique")
    for case in (*payload.support_cases, payload.query_case):
        if unknown := [event for event in case.events if event not in events]:
            reasons.append(f"case {case.id!r}: unknown event {unknown[0]!r}; known are {sorted(events)}")
        if {setting.name for setting in case.attributes} != names or len(case.attributes) != len(names):
            reasons.append(f"case {case.id!r}: attributes must be exactly {sorted(names)}")
        elif odd := [setting for setting in case.attributes if (setting.name, setting.value) not in allowed]:
            reasons.append(f"case {case.id!r}: {odd[0].name} = {odd[0].value!r} is not in the attribute's values")
    trials = payload.observation_protocol.trials_per_case
    for case in payload.support_cases:
        counts = (case.trials, case.observed_present, case.observed_absent)
        if None in counts or min(c for c in counts if c is not None) < 0 or case.trials != trials:
            reasons.append(f"case {case.id!r}: counts {counts} must be whole numbers over {trials} trials")
        elif counts[0] != (counts[1] or 0) + (counts[2] or 0):
            reasons.append(f"case {case.id!r}: {counts[1]} present and {counts[2]} absent do not add up to {counts[0]}")
    query = payload.query_case
    if (query.trials, query.observed_present, query.observed_absent) != (None, None, None):
        reasons.append("the query's trials and counts must be null")
    return tuple(reasons)


def _with_settings(document: Json) -> Json:
    """Turn each case's attribute mapping into the sorted settings that the types hold."""
    if not isinstance(document, Mapping):
        return document
    result = dict(document)
    cases = result.get("support_cases")
    if isinstance(cases, list):
        result["support_cases"] = [_case_settings(case) for case in cases]
    if "query_case" in result:
        result["query_case"] = _case_settings(result["query_case"])
    return result


def _case_settings(case: Json) -> Json:
    if isinstance(case, Mapping) and isinstance(case.get("attributes"), Mapping):
        settings = case["attributes"]
        assert isinstance(settings, Mapping)
        return {**case, "attributes": [{"name": name, "value": settings[name]} for name in sorted(settings)]}
    return case


class EvidenceRow(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One support case as a table row; a reading of the payload, never more."""

    case_id: str
    nth: int
    """1-based place in the payload."""
    events: tuple[str, ...]
    attributes: tuple[AttributeSetting, ...]
    present: int
    trials: int
    low: float
    high: float
    """Wilson 95 % range of present / trials."""
    overlap: int
    """Length of the longest run of this case's events that are in query order, neighbours in the query or not."""
    overlap_at: int = 0
    """Place of that run's first event among this case's, from 0; the first run where several are longest."""


def evidence_rows(payload: PublicPayload) -> tuple[EvidenceRow, ...]:
    """Return the support cases as table rows in payload order."""
    place = {event: index for index, event in enumerate(payload.query_case.events)}
    rows = []
    for nth, case in enumerate(payload.support_cases, start=1):
        present, trials = case.observed_present or 0, case.trials or 0
        low, high = wilson(present, trials)
        run = _overlap(case.events, place)
        rows.append(
            EvidenceRow(
                case_id=case.id, nth=nth, events=case.events, attributes=case.attributes, present=present,
                trials=trials, low=low, high=high, overlap=len(run), overlap_at=run.start,
            )
        )  # fmt: skip
    return tuple(rows)


def _overlap(events: tuple[str, ...], place: Mapping[str, int]) -> range:
    """Return the places of the longest run of events in query order."""
    best = range(0)
    start, before = 0, -1
    for index, event in enumerate(events):
        at = place.get(event, -1)
        if at <= before:
            start = index
        if at < 0:
            start = index + 1
        before = at
        best = max(best, range(start, index + 1), key=len)
    return best


class Differences(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """In what two rows are alike and in what they differ; a reading of both, with no count in it."""

    same_settings: tuple[str, ...]
    """Attributes of equal value, in the rows' order."""
    other_settings: tuple[str, ...]
    shared_events: tuple[str, ...]
    """In the first row's order."""
    first_only: tuple[str, ...]
    second_only: tuple[str, ...]
    same_order: bool
    """Whether the shared events stand in the same order in both."""

    @property
    def count(self) -> int:
        """How many things differ: settings, events in one row alone, and the order."""
        return len(self.other_settings) + len(self.first_only) + len(self.second_only) + (not self.same_order)


def differences(first: EvidenceRow, second: EvidenceRow) -> Differences:
    """Compare two rows of one payload."""
    values = {setting.name: setting.value for setting in second.attributes}
    same = tuple(setting.name for setting in first.attributes if values.get(setting.name) == setting.value)
    shared = tuple(event for event in first.events if event in second.events)
    return Differences(
        same_settings=same,
        other_settings=tuple(setting.name for setting in first.attributes if setting.name not in same),
        shared_events=shared,
        first_only=tuple(event for event in first.events if event not in second.events),
        second_only=tuple(event for event in second.events if event not in first.events),
        same_order=shared == tuple(event for event in second.events if event in first.events),
    )
