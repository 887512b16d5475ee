"""The built-in solvers: their recipes on payloads made by hand, and what they cannot see."""

from __future__ import annotations

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
)
from engine.models.baselines import BASELINES, baseline, largest_single, noisy_or_veto, pooled

TRIALS = 64


def payload(counts: dict[str, int], events: str = "abcd") -> PublicPayload:
    """Return a payload whose cases are words over the events, such as {"a": 40, "ab": 3}."""

    def case(name: str, word: str, present: int | None) -> BehaviorCase:
        value = 2 if present is None else 1
        return BehaviorCase(
            id=name,
            attributes=(AttributeSetting(name="A1", value=value),),
            events=tuple(word),
            trials=None if present is None else TRIALS,
            observed_present=present,
            observed_absent=None if present is None else TRIALS - present,
        )

    return PublicPayload(
        complexity=len(events),
        event_vocabulary=tuple(events),
        attribute_vocabulary=(AttributeRange(name="A1", values=(1, 2)),),
        observation_protocol=ObservationProtocol(trials_per_case=TRIALS),
        support_cases=tuple(case(f"c{n:02d}", word, count) for n, (word, count) in enumerate(counts.items(), start=1)),
        query_case=case("q", events, None),
    )


@pytest.mark.parametrize(("rate", "label"), [(33, "PRESENT"), (32, "ABSENT"), (0, "ABSENT"), (64, "PRESENT")])
def test_largest_single_asks_for_more_than_half(rate: int, label: str) -> None:
    assert largest_single(payload({"a": rate, "b": 0, "c": 10, "ab": 64})) == label


@pytest.mark.parametrize(("counts", "label"), [({"a": 64, "ab": 0}, "ABSENT"), ({"a": 64, "ab": 1}, "PRESENT")])
def test_pooled_asks_for_more_than_half_of_all_trials(counts: dict[str, int], label: str) -> None:
    assert pooled(payload(counts)) == label


def test_noisy_or_adds_up_what_no_single_event_reaches() -> None:
    weak = {"a": 26, "b": 26, "c": 26, "d": 26}
    assert largest_single(payload(weak)) == "ABSENT"
    assert noisy_or_veto(payload(weak)) == "PRESENT"


def test_noisy_or_counts_a_veto_seen_in_pairs() -> None:
    adder = {"a": 60, "b": 0, "c": 0, "d": 0}
    spared = {"ac": 60, "ad": 60, "bc": 0, "bd": 0, "cd": 0}
    assert noisy_or_veto(payload({**adder, "ab": 60, "ba": 60, **spared})) == "PRESENT"
    assert noisy_or_veto(payload({**adder, "ab": 4, "ba": 4, **spared})) == "ABSENT"


@given(st.lists(st.integers(0, TRIALS), min_size=20, max_size=20))
def test_every_recipe_answers_any_counts(counts: list[int]) -> None:
    words = list("abcd") + [a + b for a in "abcd" for b in "abcd" if a != b] + ["abc", "bcd", "abd", "acd"]
    made = payload(dict(zip(words, counts, strict=True)))
    assert {recipe(made) for recipe in BASELINES.values()} <= {"PRESENT", "ABSENT"}


def test_no_cases_at_all_is_absent() -> None:
    assert {recipe(payload({})) for recipe in BASELINES.values()} == {"ABSENT"}


def test_an_unknown_solver_is_named() -> None:
    with pytest.raises(UsageError, match="'baseline:best' is not known; known: baseline:largest-single"):
        baseline("baseline:best")
