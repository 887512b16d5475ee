"""What a domain may hold, and how codes get their names."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import RenderingError, UsageError
from engine.hidden_systems.behavior import AttributeRange, PublicPayload, payload_text, read_payload
from engine.hidden_systems.surface.domain import (
    domain_names,
    domain_reasons,
    legend_for,
    load_domain,
    pick_domain,
    read_domain,
)

Document = dict[str, Any]


def kiln() -> Document:
    path = files("engine.hidden_systems.surface") / "domains" / "kiln.yaml"
    document: Document = yaml.safe_load(path.read_text(encoding="utf-8"))
    return document


def with_count(payload: PublicPayload, present: int) -> PublicPayload:
    """Return a payload that differs in the counts of its first case alone."""
    first, *others = payload.support_cases
    changed = msgspec.structs.replace(first, observed_present=present, observed_absent=48 - present)
    return msgspec.structs.replace(payload, support_cases=(changed, *others))


def with_question(payload: PublicPayload, *events: str) -> PublicPayload:
    query = msgspec.structs.replace(payload.query_case, events=events)
    return msgspec.structs.replace(payload, query_case=query)


def variants(payload: PublicPayload) -> list[PublicPayload]:
    """Return 196 payloads that differ in a count or in the event that the question repeats."""
    events = payload.query_case.events
    counted = [with_count(payload, present) for present in range(49)]
    return [with_question(variant, *events, again) for variant in counted for again in events]


def test_there_are_at_least_eight_domains_in_sorted_order() -> None:
    assert len(domain_names()) >= 8
    assert list(domain_names()) == sorted(domain_names())


@pytest.mark.parametrize("name", domain_names())
def test_every_domain_can_tell_the_largest_puzzle(name: str) -> None:
    domain = load_domain(name)
    assert domain.id == name
    assert domain_reasons(domain) == ()
    assert len(domain.events) >= 10
    assert len(domain.attributes) >= 4
    assert all(len(entry.values) >= 4 for entry in domain.attributes)
    assert load_domain(name) is domain


@pytest.mark.parametrize("name", domain_names())
def test_every_question_says_that_the_combination_was_not_tried(name: str) -> None:
    for frame in load_domain(name).frames.question:
        words = frame.replace(":", " ").replace(",", " ").replace(".", " ").split()
        assert {"whole", "combination", "not", "tried", "many"} <= set(words)


def test_domains_share_no_title_record_or_outcome_word() -> None:
    domains = [load_domain(name) for name in domain_names()]
    for words in ([d.title for d in domains], [d.record for d in domains], [d.outcomes.present for d in domains]):
        assert len(set(words)) == len(domains)


def test_an_unknown_domain_is_refused_with_the_legal_ones() -> None:
    with pytest.raises(UsageError) as caught:
        load_domain("moonbase")
    assert "'moonbase'" in caught.value.message
    assert all(name in caught.value.message for name in domain_names())


def frame(kind: str, text: str) -> Callable[[Document], None]:
    return lambda document: document["frames"][kind].__setitem__(0, text)


def event(name: str) -> Callable[[Document], None]:
    return lambda document: document["events"].__setitem__(0, name)


def attribute(key: str, value: object) -> Callable[[Document], None]:
    return lambda document: document["attributes"][0].__setitem__(key, value)


def put(key: str, value: object) -> Callable[[Document], None]:
    return lambda document: document.__setitem__(key, value)


INTRO = "{cases} of {trials} from {absent} to {present} by {events} at {attributes}."
CASE = "{trials} {steps} {setting} {present} {present_count} {absent} {absent_count}"
QUESTION = "{setting} {steps} {present} {absent}"

SPOILED = {
    "few events": (lambda d: d["events"].__delitem__(slice(9, None)), "9 events; at least 10"),
    "few attributes": (lambda d: d["attributes"].pop(), "3 attributes; at least 4"),
    "few values": (attribute("values", ["copper", "slate", "pewter"]), "3 values of 'damper'; at least 4"),
    "few frames": (lambda d: d["frames"]["case"].__delitem__(slice(1, None)), "1 case frames; at least 2"),
    "same name twice": (event("quench"), "'quench' occurs twice"),
    "name in name": (event("slated"), "'slated' contains 'slate'"),
    "name in the record": (put("record", "the rake"), "'the rake' contains 'rake'"),
    "digit": (event("bellows2"), "'bellows2': one word"),
    "two words": (event("big bell"), "'big bell': one word"),
    "too long": (event("windlassing"), "'windlassing': one word"),
    "capital": (event("Bellows"), "'Bellows': one word"),
    "record without article": (put("record", "Bell"), "record 'Bell'"),
    "law in a name": (event("causing"), "holds 'causing'"),
    "internal in a name": (event("flagpole"), "holds 'flagpole'"),
    "order in a name": (event("starter"), "holds 'starter'"),
    "valence in a name": (event("blocker"), "holds 'blocker'"),
    "number in a name": (event("seven"), "holds 'seven'"),
    "law in the title": (put("title", "The rule of the kiln"), "title"),
    "slot missing": (frame("case", CASE.replace("{trials}", "some")), "slots"),
    "slot twice": (frame("case", CASE + " {steps}"), "slots"),
    "slot unknown": (frame("case", CASE + " {gold}"), "slots"),
    "slot with a format": (frame("case", CASE.replace("{trials}", "{trials:>9}")), "a slot is a bare name"),
    "unpaired brace": (frame("case", CASE + " {"), "braces"),
    "law in a frame": (frame("case", CASE + " because"), "'because'"),
    "hedge in a frame": (frame("case", CASE + " mostly"), "'mostly'"),
    "percent in a frame": (frame("case", CASE + " %"), "'%'"),
    "inverting cue": (frame("case", "After that " + CASE), "'after'"),
    "number word": (frame("case", CASE + " one"), "a number: 'one'"),
    "digit in a frame": (frame("case", CASE + " 7"), "a digit: '7'"),
    "name in a frame": (frame("case", CASE + " quench"), "a name of the domain outside its slot: 'quench'"),
    "line break": (frame("case", CASE + "\nso"), "one line"),
    "count ahead of trials": (frame("case", "{present_count} of " + CASE.replace("{present_count}", "")), "tells"),
    "crossed counts": (
        frame("case", "{trials} {steps} {setting} {present} {present_count} {absent_count} {absent}"),
        "tells trials present present_count absent_count absent",
    ),
    "trials ahead of cases": (
        frame("intro", INTRO.replace("{cases} of {trials}", "{trials} of {cases}")),
        "{trials} stands ahead of {cases}",
    ),
    "present ahead of absent": (
        frame("intro", INTRO.replace("from {absent} to {present}", "from {present} to {absent}")),
        "{present} stands ahead of {absent}",
    ),
    "attributes not closed": (frame("intro", INTRO.removesuffix(".")), "a full stop must end {attributes}"),
    "question with a count": (frame("question", QUESTION + " {trials}"), "slots"),
    "unit behind a number": (attribute("numeric", "{name} of {value} inches"), "{value} ends it"),
    "attribute frame without name": (attribute("categorical", "{value}"), "slots"),
    "unknown key": (put("gold", "PRESENT"), "unknown field"),
    "wrong type": (put("events", "bellows"), "array"),
}


@pytest.mark.parametrize("spoil, reason", SPOILED.values(), ids=SPOILED)
def test_a_spoiled_domain_is_refused_with_the_reason(spoil: Callable[[Document], None], reason: str) -> None:
    document = kiln()
    assert read_domain(yaml.safe_dump(document), "spoiled").id == "spoiled"
    spoil(document)
    with pytest.raises(UsageError) as caught:
        read_domain(yaml.safe_dump(document), "spoiled")
    assert "'spoiled'" in caught.value.message
    assert reason in caught.value.message


def test_the_plain_frames_used_to_spoil_are_themselves_fine() -> None:
    document = kiln()
    for kind, text in (("intro", INTRO), ("case", CASE), ("question", QUESTION)):
        frame(kind, text)(document)
    assert read_domain(yaml.safe_dump(document), "plain").frames.case[0] == CASE


@pytest.mark.parametrize("text", ["", "- a\n- b", "title: [", "{1: 2}"], ids=["empty", "list", "no yaml", "number key"])
def test_a_file_that_is_no_domain_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="surface domain 'odd'"):
        read_domain(text, "odd")


@given(data=st.data())
@settings(deadline=None)
def test_a_legend_names_every_code_once_and_in_vocabulary_order(
    data: st.DataObject, payloads: st.SearchStrategy[PublicPayload]
) -> None:
    payload = data.draw(payloads)
    for name in domain_names():
        legend = legend_for(payload, load_domain(name))
        assert tuple(item.code for item in legend.events) == payload.event_vocabulary
        assert [item.code for item in legend.attributes] == [item.name for item in payload.attribute_vocabulary]
        for named, told in zip(legend.attributes, payload.attribute_vocabulary, strict=True):
            codes = tuple(value for value in told.values if isinstance(value, str))
            assert tuple(item.code for item in named.values) == codes
        words = [item.name for item in (*legend.events, *legend.outcomes)]
        words += [item.name for item in legend.attributes]
        words += [value.name for item in legend.attributes for value in item.values]
        assert len(set(words)) == len(words)


def test_a_legend_is_the_same_for_equal_payloads_and_differs_with_payload_and_domain(small: PublicPayload) -> None:
    again = read_payload(payload_text(small))
    assert again is not small
    assert legend_for(again, load_domain("kiln")) == legend_for(small, load_domain("kiln"))
    assert legend_for(small, load_domain("kiln")) != legend_for(small, load_domain("bakery"))
    legends = {legend_for(with_count(small, present), load_domain("kiln")) for present in range(20)}
    assert len(legends) == 20


def test_no_code_is_tied_to_a_name(small: PublicPayload) -> None:
    domain = load_domain("kiln")
    # One name of twelve misses one code in all 196 draws with probability below 1e-7.
    legends = [legend_for(variant, domain) for variant in variants(small)]
    for place in range(4):
        assert {legend.events[place].name for legend in legends} == set(domain.events)
    assert {legend.attributes[0].name for legend in legends} == {entry.name for entry in domain.attributes}


def test_a_payload_picks_its_domain_and_every_domain_is_picked(small: PublicPayload) -> None:
    assert pick_domain(read_payload(payload_text(small))) == pick_domain(small)
    assert {pick_domain(variant) for variant in variants(small)} == set(domain_names())


def test_too_many_names_and_mixed_values_are_refused(small: PublicPayload) -> None:
    many = msgspec.structs.replace(small, event_vocabulary=tuple(f"E{nth}" for nth in range(1, 41)))
    with pytest.raises(RenderingError, match="40 events cannot be told in domain 'kiln'"):
        legend_for(many, load_domain("kiln"))
    mixed = msgspec.structs.replace(small, attribute_vocabulary=(AttributeRange(name="A1", values=(3, "V1")),))
    with pytest.raises(RenderingError, match="'A1' mixes numbers and codes"):
        legend_for(mixed, load_domain("kiln"))
