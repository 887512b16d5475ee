"""The filter means what it says, and says where it cannot be read."""

import pytest
from fake_desk import legend, payload
from hypothesis import given
from hypothesis import strategies as st

from engine.hidden_systems.behavior import EvidenceRow, evidence_rows
from tui.filtering import Filter, Flaw, read_filter, vocabulary

PAYLOAD = payload(6)
WORDS = vocabulary(legend(), PAYLOAD)
ROWS = evidence_rows(PAYLOAD)


def kept(text: str) -> set[int]:
    found = read_filter(text, WORDS)
    assert isinstance(found, Filter), found
    return {row.nth for row in ROWS if found.keeps(row)}


def load(row: EvidenceRow) -> int:
    value = row.attributes[0].value
    assert isinstance(value, int)
    return value


EVENTS = st.sampled_from(["prime", "seal", "vent", "purge", "warm", '"flush slowly"', "flush-slowly", "fl"])
TESTS = st.one_of(
    EVENTS,
    EVENTS.map(lambda name: f"!{name}"),
    st.builds("load{}{}".format, st.sampled_from(["<=", ">=", "<", ">", "=", "!="]), st.integers(0, 10)),
    st.builds("n{}{}".format, st.sampled_from(["<=", ">=", "<", ">", "=", "!="]), st.integers(0, 3)),
    st.builds("hue{}{}".format, st.sampled_from(["=", "!="]), st.sampled_from(["red", "blue", "BLUE", '"red"'])),
)


@given(st.lists(TESTS, max_size=4))
def test_a_filter_keeps_what_all_its_tests_keep(tests: list[str]) -> None:
    expected = {row.nth for row in ROWS}
    for test in tests:
        expected &= kept(test)
    assert kept("  ".join(tests)) == expected


@given(EVENTS)
def test_an_event_and_its_denial_part_the_rows(name: str) -> None:
    assert kept(name) | kept(f"!{name}") == {row.nth for row in ROWS}
    assert not kept(name) & kept(f"!{name}")


@given(st.integers(-2, 12))
def test_comparisons_part_the_rows(limit: int) -> None:
    assert kept(f"load<={limit}") == {row.nth for row in ROWS if load(row) <= limit}
    for one, other in (("<=", ">"), ("<", ">="), ("=", "!=")):
        assert kept(f"load{one}{limit}") | kept(f"load{other}{limit}") == {row.nth for row in ROWS}
        assert not kept(f"load{one}{limit}") & kept(f"load{other}{limit}")


def test_the_number_of_events_counts() -> None:
    assert kept("n>=2") == {row.nth for row in ROWS if len(row.events) >= 2}


@given(st.text(max_size=60))
def test_any_text_is_a_filter_or_a_flaw_with_a_place_in_it(text: str) -> None:
    found = read_filter(text, WORDS)
    if isinstance(found, Flaw):
        assert 0 <= found.position <= len(text) and found.reason
    else:
        assert found.text == text


@pytest.mark.parametrize(
    ("text", "position", "reason"),
    [
        ("seal nonsense", 5, "no such event"),
        ("load<=x", 6, "a whole number belongs here"),
        ("load<=", 6, "something to compare with is missing"),
        ("hue<red", 3, "only = and != apply"),
        ("hue=green", 4, "no such value"),
        ("seal !load<3", 5, "! goes before an event only"),
        ("p", 0, "could be prime or purge"),
        ("colour=red", 0, "no such attribute"),
        ("seal <3", 5, "write an event"),
        ('"seal', 0, "write an event"),
        ("seal=", 5, "something to compare with is missing"),
        ("n>=two", 3, "a whole number belongs here"),
        ("!", 0, "write an event"),
    ],
)
def test_a_flaw_names_its_place(text: str, position: int, reason: str) -> None:
    found = read_filter(text, WORDS)
    assert isinstance(found, Flaw)
    assert found.position == position
    assert reason in found.reason
