"""The public payload: closed, checked on reading, and the table rows that are read off it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import UsageError
from engine.hidden_systems.behavior import (
    AttributeRange,
    AttributeSetting,
    BehaviorCase,
    ObservationProtocol,
    PublicPayload,
    evidence_rows,
    payload_document,
    payload_text,
    read_payload,
)
from engine.statistics import wilson


def case(nth: int, events: str, present: int, a: int = 2, b: str = "V1") -> BehaviorCase:
    return BehaviorCase(
        id=f"c{nth:02d}",
        attributes=(AttributeSetting(name="A1", value=a), AttributeSetting(name="A2", value=b)),
        events=tuple(events.split()),
        trials=48,
        observed_present=present,
        observed_absent=48 - present,
    )


def small_payload(*cases: BehaviorCase) -> PublicPayload:
    settings = (AttributeSetting(name="A1", value=5), AttributeSetting(name="A2", value="V2"))
    return PublicPayload(
        complexity=4,
        event_vocabulary=("E1", "E2", "E3", "E4"),
        attribute_vocabulary=(
            AttributeRange(name="A1", values=(2, 5, 9)),
            AttributeRange(name="A2", values=("V1", "V2")),
        ),
        observation_protocol=ObservationProtocol(trials_per_case=48),
        support_cases=cases or (case(1, "E1", 0), case(2, "E2 E1", 48, 9, "V2")),
        query_case=BehaviorCase(
            id="q", attributes=settings, events=("E3", "E1", "E4", "E2"),
            trials=None, observed_present=None, observed_absent=None,
        ),
    )  # fmt: skip


def test_golden_text() -> None:
    """Pins the shape that every export and every digest is made of."""
    assert payload_text(small_payload()) == (
        '{"answer_options":["PRESENT","ABSENT"],'
        '"attribute_vocabulary":[{"name":"A1","values":[2,5,9]},{"name":"A2","values":["V1","V2"]}],'
        '"complexity":4,"event_vocabulary":["E1","E2","E3","E4"],"family":"persistent-veto",'
        '"observation_protocol":{"attributes_fixed":true,"event_order":"left_to_right","independent":true,'
        '"initial_record":"ABSENT","trials_per_case":48},'
        '"query_case":{"attributes":{"A1":5,"A2":"V2"},"events":["E3","E1","E4","E2"],"id":"q",'
        '"observed_absent":null,"observed_present":null,"trials":null},'
        '"support_cases":[{"attributes":{"A1":2,"A2":"V1"},"events":["E1"],"id":"c01",'
        '"observed_absent":48,"observed_present":0,"trials":48},'
        '{"attributes":{"A1":9,"A2":"V2"},"events":["E2","E1"],"id":"c02",'
        '"observed_absent":0,"observed_present":48,"trials":48}]}'
    )


def test_text_reads_back() -> None:
    assert read_payload(payload_text(small_payload())) == small_payload()


def set_at(*path: Any) -> Callable[[Any, Any], None]:
    """Return a function that sets the place of a path in a document."""

    def put(document: Any, value: Any) -> None:
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] = value

    return put


SPOILED: dict[str, tuple[Callable[[Any, Any], None], Any]] = {
    "gold beside the eight keys": (set_at("gold_answer"), "PRESENT"),
    "program beside the eight keys": (set_at("hidden_system"), {"rules": []}),
    "gold inside a case": (set_at("support_cases", 0, "probability"), 1),
    "role inside a case": (set_at("query_case", "role"), "query"),
    "seed inside the protocol": (set_at("observation_protocol", "seed"), 7),
    "another family": (set_at("family"), "last-write"),
    "another option": (set_at("answer_options"), ["PRESENT", "UNSURE"]),
    "options swapped": (set_at("answer_options"), ["ABSENT", "PRESENT"]),
    "another protocol": (set_at("observation_protocol", "independent"), False),
    "count as text": (set_at("support_cases", 0, "observed_present"), "0"),
    "count as bool": (set_at("support_cases", 0, "observed_present"), False),
    "count missing": (set_at("support_cases", 0, "observed_present"), None),
    "counts that do not add up": (set_at("support_cases", 0, "observed_present"), 1),
    "count below zero": (set_at("support_cases", 0, "observed_absent"), -1),
    "trials off the protocol": (set_at("support_cases", 0, "trials"), 64),
    "query with trials": (set_at("query_case", "trials"), 48),
    "query with counts": (set_at("query_case", "observed_present"), 0),
    "unknown event": (set_at("support_cases", 1, "events"), ["E2", "E9"]),
    "unknown value": (set_at("support_cases", 1, "attributes", "A1"), 3),
    "value of another kind": (set_at("support_cases", 1, "attributes", "A1"), True),
    "unknown attribute": (set_at("query_case", "attributes", "A3"), 2),
    "attribute missing": (set_at("query_case", "attributes"), {"A1": 5}),
    "shared id": (set_at("support_cases", 1, "id"), "c01"),
    "cases that are no list": (set_at("support_cases"), {}),
}


@pytest.mark.parametrize("name", SPOILED)
def test_spoiled_payload_is_refused(name: str) -> None:
    put, value = SPOILED[name]
    document = json.loads(payload_text(small_payload()))
    put(document, value)
    with pytest.raises(UsageError) as caught:
        read_payload(json.dumps(document), where="pack row 3")
    assert caught.value.line().startswith("pack row 3: ")


def test_no_key_of_the_payload_may_be_missing() -> None:
    for key in payload_document(small_payload()):
        document = json.loads(payload_text(small_payload()))
        del document[key]
        if key in ("family", "answer_options"):
            continue
        with pytest.raises(UsageError):
            read_payload(json.dumps(document))


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_payload(text)
    except UsageError:
        return
    raise AssertionError(text)


def test_evidence_rows_hold_counts_and_ranges() -> None:
    first, second = evidence_rows(small_payload())
    assert (first.case_id, first.nth, first.events, first.present, first.trials) == ("c01", 1, ("E1",), 0, 48)
    assert (second.low, second.high) == wilson(48, 48)
    assert second.attributes == small_payload().support_cases[1].attributes


@pytest.mark.parametrize(
    ("events", "overlap"),
    [
        ("E1", 1),
        ("E3 E1", 2),
        ("E1 E3", 1),
        ("E3 E2", 2),
        ("E3 E1 E2", 3),
        ("E1 E4 E3", 2),
        ("E2 E3 E1 E4", 3),
        ("E1 E1", 1),
    ],
)
def test_overlap_is_the_longest_run_in_query_order(events: str, overlap: int) -> None:
    """The query is E3 E1 E4 E2."""
    (row,) = evidence_rows(small_payload(case(1, events, 5)))
    assert row.overlap == overlap
