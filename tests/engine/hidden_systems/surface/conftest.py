"""Payloads for the surface tests: a strategy over all valid ones, and a small one made by hand."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from engine.hidden_systems.behavior import (
    AttributeRange,
    AttributeSetting,
    AttributeValue,
    BehaviorCase,
    ObservationProtocol,
    PublicPayload,
)


def _settings(**values: AttributeValue) -> tuple[AttributeSetting, ...]:
    return tuple(AttributeSetting(name=name, value=values[name]) for name in sorted(values))


def _case(nth: int, events: str, trials: int, present: int, **values: AttributeValue) -> BehaviorCase:
    return BehaviorCase(
        id=f"c{nth:02d}",
        attributes=_settings(**values),
        events=tuple(events.split()),
        trials=trials,
        observed_present=present,
        observed_absent=trials - present,
    )


@st.composite
def _ranges(draw: st.DrawFn) -> tuple[AttributeRange, ...]:
    numeric = st.lists(st.integers(-20, 2_000_000), min_size=1, max_size=6, unique=True)
    categorical = st.integers(1, 6).flatmap(lambda count: st.permutations([f"V{nth}" for nth in range(1, count + 1)]))
    names = draw(st.integers(1, 4).flatmap(lambda count: st.permutations([f"A{nth}" for nth in range(1, count + 1)])))
    return tuple(AttributeRange(name=name, values=tuple(draw(numeric | categorical))) for name in names)


@st.composite
def _payloads(draw: st.DrawFn) -> PublicPayload:
    complexity = draw(st.integers(4, 10))
    codes = [f"E{nth}" for nth in range(1, complexity + 1)]
    ranges = draw(_ranges())
    trials = draw(st.sampled_from([48, 64]) | st.integers(1, 2000))
    settings = st.fixed_dictionaries({item.name: st.sampled_from(item.values) for item in ranges})
    events = st.lists(st.sampled_from(codes), min_size=1, max_size=5)
    cases = []
    for nth in range(1, draw(st.integers(0, 12)) + 1):
        present = draw(st.sampled_from([0, trials]) | st.integers(0, trials))
        cases.append(_case(nth, " ".join(draw(events)), trials, present, **draw(settings)))
    repeats = draw(st.lists(st.sampled_from(codes), max_size=2))
    return PublicPayload(
        complexity=complexity,
        event_vocabulary=tuple(draw(st.permutations(codes))),
        attribute_vocabulary=ranges,
        observation_protocol=ObservationProtocol(trials_per_case=trials),
        support_cases=tuple(cases),
        query_case=BehaviorCase(
            id="q",
            attributes=_settings(**draw(settings)),
            events=tuple(draw(st.permutations([*codes, *repeats]))),
            trials=None,
            observed_present=None,
            observed_absent=None,
        ),
    )


@pytest.fixture(scope="session")
def payloads() -> st.SearchStrategy[PublicPayload]:
    """All valid payloads: complexity 4 to 10, 1 to 4 attributes of both kinds, counts at both ends, repeated events."""
    return _payloads()


@pytest.fixture(scope="session")
def small() -> PublicPayload:
    """A payload whose blocks all differ, so that every edit of its text changes what it says."""
    return PublicPayload(
        complexity=4,
        event_vocabulary=("E3", "E1", "E4", "E2"),
        attribute_vocabulary=(
            AttributeRange(name="A1", values=(3, 5, 7, 9)),
            AttributeRange(name="A2", values=("V2", "V1", "V3")),
        ),
        observation_protocol=ObservationProtocol(trials_per_case=48),
        support_cases=(
            _case(1, "E1", 48, 12, A1=7, A2="V1"),
            _case(2, "E2 E3", 48, 0, A1=3, A2="V2"),
            _case(3, "E3 E2", 48, 48, A1=9, A2="V1"),
            _case(4, "E4 E4 E1", 48, 31, A1=3, A2="V3"),
        ),
        query_case=BehaviorCase(
            id="q",
            attributes=_settings(A1=5, A2="V3"),
            events=("E2", "E4", "E1", "E3"),
            trials=None,
            observed_present=None,
            observed_absent=None,
        ),
    )
