"""Pinned rows side by side: the axis says what the numbers say, and the words say what the rows say."""

from __future__ import annotations

import pytest
from fake_desk import legend, payload
from hypothesis import given
from hypothesis import strategies as st

from engine.hidden_systems.behavior import AttributeSetting, EvidenceRow, evidence_rows
from engine.statistics import wilson
from tui.comparing import axis, comparison
from tui.wording import Words

WORDS = Words(legend())
ROWS = evidence_rows(payload(6))


def row(events: tuple[str, ...], load: int = 2, hue: str = "V1", present: int = 0, trials: int = 48) -> EvidenceRow:
    low, high = wilson(present, trials)
    settings = (AttributeSetting(name="A1", value=load), AttributeSetting(name="A2", value=hue))
    return EvidenceRow(
        case_id="c",
        nth=1,
        events=events,
        attributes=settings,
        present=present,
        trials=trials,
        low=low,
        high=high,
        overlap=0,
    )


@given(
    st.integers(1, 64).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))), st.integers(5, 60)
)
def test_the_axis_shows_share_and_range_to_half_a_cell(counts: tuple[int, int], cells: int) -> None:
    shown = axis(row(("E1",), present=counts[0], trials=counts[1]), cells)
    assert len(shown) == cells + 2 and shown[0] == shown[-1] == "|"
    inside = shown[1:-1]
    low, high = wilson(*counts)
    filled = [index for index, sign in enumerate(inside) if sign in "-*"]
    assert inside.count("*") == 1 and set(inside) <= set("-*.")
    assert abs(inside.index("*") / (cells - 1) - counts[0] / counts[1]) <= 0.5 / (cells - 1) + 1e-9
    assert abs(filled[0] / (cells - 1) - low) <= 0.5 / (cells - 1) + 1e-9
    assert abs(filled[-1] / (cells - 1) - high) <= 0.5 / (cells - 1) + 1e-9
    assert filled == list(range(filled[0], filled[-1] + 1))


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([row(("E1",))], ()),
        ([row(("E1",)), row(("E1",))], ("same: load 2, hue red", "shared: prime")),
        (
            [row(("E1", "E2")), row(("E2", "E1"), 8)],
            ("same: hue red", "differs: load 2 / 8", "shared: prime, seal, in another order"),
        ),
        (
            [row(("E1",)), row(("E2",), 8), row(("E3",), 2, "V2")],
            ("differs: load 2 / 8 / 2, hue red / red / blue", "no shared event"),
        ),
        ([row(("E1", "E2", "E3")), row(("E3", "E2")), row(("E2",))], ("same: load 2, hue red", "shared: seal")),
    ],
)  # fmt: skip
def test_what_is_the_same_and_what_differs(rows: list[EvidenceRow], told: tuple[str, ...]) -> None:
    assert comparison(rows, WORDS) == told


@given(st.lists(st.sampled_from(ROWS), min_size=2, max_size=3, unique=True))
def test_every_setting_is_named_once_as_the_same_or_as_different(rows: list[EvidenceRow]) -> None:
    told = " ; ".join(comparison(rows, WORDS))
    assert told.count("load") == told.count("hue") == 1
