"""Rows that stand side by side: how two differ, which pairs are worth a hint, and what an answer turns on."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hidden_systems.behavior import (
    AttributeSetting,
    EvidenceRow,
    PublicPayload,
    differences,
    evidence_rows,
)
from engine.hidden_systems.hinting import HINTS, hint, telling_pairs
from engine.hidden_systems.program.exact import present_probability
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.program.grammar import HiddenRule, HiddenSystem
from engine.hidden_systems.program.semantics import Compiled
from engine.hidden_systems.program.skeleton import BehaviorSkeleton, case_attributes
from engine.hidden_systems.revealing import reveal
from engine.hidden_systems.surface.domain import legend_for, load_domain

EVENTS = ("E1", "E2", "E3", "E4", "E5")


def row(events: tuple[str, ...], *values: int) -> EvidenceRow:
    settings = tuple(AttributeSetting(name=f"A{nth}", value=value) for nth, value in enumerate(values))
    return EvidenceRow(
        case_id="c", nth=1, events=events, attributes=settings, present=1, trials=2, low=0.0, high=1.0, overlap=0
    )


ROWS = st.builds(
    row, st.lists(st.sampled_from(EVENTS), unique=True, max_size=4).map(tuple), st.integers(0, 2), st.integers(0, 2)
)


@given(ROWS, ROWS)
def test_differences_are_symmetric_and_empty_for_the_same(first: EvidenceRow, second: EvidenceRow) -> None:
    there, back = differences(first, second), differences(second, first)
    assert there.count == back.count and there.first_only == back.second_only
    assert set(there.shared_events) == set(back.shared_events)
    assert (there.count == 0) == ((first.events, first.attributes) == (second.events, second.attributes))
    assert {*there.same_settings, *there.other_settings} == {"A0", "A1"}


def test_the_order_counts_as_one_difference() -> None:
    found = differences(row(("E1", "E2", "E3"), 1), row(("E3", "E1", "E2"), 1))
    assert found.count == 1 and not found.same_order and found.shared_events == ("E1", "E2", "E3")


def longest_part(events: tuple[str, ...], query: tuple[str, ...]) -> tuple[int, int]:
    """Return (length, place) of the first longest stretch that is in the query's order, found by trying all."""
    runs = [
        (end - start, -start)
        for start in range(len(events) + 1)
        for end in range(start, len(events) + 1)
        if all(event in query for event in events[start:end])
        and all(
            query.index(a) < query.index(b) for a, b in zip(events[start:end], events[start + 1 : end], strict=False)
        )
    ]
    length, place = max(runs)
    return length, -place


@pytest.fixture(scope="module", params=[4, 6, 10])
def skeleton(request: pytest.FixtureRequest) -> BehaviorSkeleton:
    return generate_skeleton(request.param, 11, 0)


@given(
    st.lists(st.sampled_from(EVENTS), max_size=6).map(tuple), st.permutations(EVENTS).map(lambda all_: tuple(all_[:3]))
)
def test_the_overlap_is_the_longest_part_in_the_order_of_the_question(
    events: tuple[str, ...], query: tuple[str, ...]
) -> None:
    payload = generate_payload(events, query)
    (found,) = evidence_rows(payload)
    length, place = longest_part(events, query)
    assert (found.overlap, found.overlap_at if length else 0) == (length, place if length else 0)


def generate_payload(events: tuple[str, ...], query: tuple[str, ...]) -> PublicPayload:
    from engine.hidden_systems.behavior import BehaviorCase, ObservationProtocol

    def case(name: str, of: tuple[str, ...], trials: int | None) -> BehaviorCase:
        return BehaviorCase(
            id=name, attributes=(), events=of, trials=trials, observed_present=trials, observed_absent=trials and 0
        )

    return PublicPayload(
        complexity=4, event_vocabulary=EVENTS, attribute_vocabulary=(),
        observation_protocol=ObservationProtocol(trials_per_case=48), support_cases=(case("c1", events, 48),),
        query_case=case("q", query, None),
    )  # fmt: skip


def test_a_hint_names_rows_that_are_alike_with_ranges_apart(skeleton: BehaviorSkeleton) -> None:
    payload = skeleton.payload
    pairs = list(telling_pairs(payload))
    counts = [differences(*pair).count for pair in pairs]
    assert counts == sorted(counts) and set(counts) <= {1, 2}
    assert all(first.high < second.low or second.high < first.low for first, second in pairs)
    every = {
        (first.nth, second.nth)
        for first, second in combinations(evidence_rows(payload), 2)
        if differences(first, second).count <= 2 and (first.high < second.low or second.high < first.low)
    }
    assert {(first.nth, second.nth) for first, second in pairs} == every and len(pairs) == len(every)
    legend = legend_for(payload, load_domain("kiln"))
    for nth in range(2, HINTS + 1):
        given_hint = hint(payload, legend, nth)
        assert given_hint is not None and len(given_hint.cases) == 2
    assert hint(payload, legend, HINTS + 1) is None


@pytest.mark.parametrize(("complexity", "index"), [(4, 0), (4, 1), (4, 2), (6, 0), (6, 1), (8, 0), (10, 0)])
def test_what_an_answer_turns_on_is_shown_by_two_rows_of_the_payload(complexity: int, index: int) -> None:
    skeleton = generate_skeleton(complexity, 11, index)
    legend = legend_for(skeleton.payload, load_domain("kiln"))
    told = reveal(skeleton, legend, skeleton.gold_answer).turning
    assert told is not None
    rows = {one.case_id: one for one in evidence_rows(skeleton.payload)}
    first, second = (rows[case] for case in told.cases)
    assert f"Rows {first.nth} and {second.nth} are alike but for" in told.sentence
    assert f"{first.present} of {first.trials} against {second.present} of {second.trials}" in told.sentence
    assert any(shows(skeleton, rule, first, second) for rule in skeleton.hidden_system.rules)


def shows(skeleton: BehaviorSkeleton, rule: HiddenRule, first: EvidenceRow, second: EvidenceRow) -> bool:
    """Say whether a rule counts in the first row and not in the second, and their ranges part in its direction."""
    cases = {case.id: case for case in skeleton.payload.support_cases}
    whole = skeleton.hidden_system
    rest = HiddenSystem(rules=tuple(other for other in whole.rules if other is not rule))

    def change(row: EvidenceRow) -> Fraction:
        with_it, without = (
            present_probability(Compiled(system).moves(case_attributes(cases[row.case_id]), row.events))
            for system in (whole, rest)
        )
        return with_it - without

    if not change(first) or change(second):
        return False
    return first.low > second.high if change(first) > 0 else first.high < second.low


def test_the_pair_is_the_most_alike_one_that_shows_the_rule(skeleton: BehaviorSkeleton) -> None:
    told = reveal(skeleton, legend_for(skeleton.payload, load_domain("kiln")), skeleton.gold_answer).turning
    assert told is not None
    rows = {one.case_id: one for one in evidence_rows(skeleton.payload)}
    pair = tuple(rows[case] for case in told.cases)
    named = [rule for rule in skeleton.hidden_system.rules if shows(skeleton, rule, *pair)]
    fewest = (
        min(
            differences(one, other).count
            for rule in named
            for one in rows.values()
            for other in rows.values()
            if shows(skeleton, rule, one, other)
        )
        if len(rows) < 40
        else differences(*pair).count
    )
    assert differences(*pair).count == fewest
