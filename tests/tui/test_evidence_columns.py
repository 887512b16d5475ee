"""The table's columns fit the room, its cells their columns, and its orders are total."""

import pytest
from fake_desk import legend, payload
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from engine.hidden_systems.behavior import evidence_rows
from tui.columns import SORTS, Column, heading, next_sort, ordered, plan, read_sort, row_cells
from tui.wording import Words, bar, share_text

PAYLOAD = payload(6)
ROWS = evidence_rows(PAYLOAD)
WORDS = Words(legend())


def planned(room: int, words: Words = WORDS) -> tuple[Column, ...]:
    return plan(words, ROWS, PAYLOAD.attribute_vocabulary, "A3", room)


@given(st.integers(50, 200))
def test_columns_fit_the_room_and_cells_their_columns(room: int) -> None:
    columns = planned(room)
    assert sum(column.width for column in columns) <= room
    assert len(columns) <= 8
    for row in ROWS:
        assert [cell_len(cell.plain) for cell in row_cells(row, columns)] == [column.width for column in columns]
    assert [cell_len(heading(column).plain) for column in columns] == [column.width for column in columns]


@given(st.integers(1, 200), st.text(max_size=30))
def test_any_words_in_any_room_give_cells_of_the_right_width(room: int, word: str) -> None:
    columns = planned(room, Words(legend(lambda name: name + word)))
    for row in ROWS[:3]:
        assert [cell_len(cell.plain) for cell in row_cells(row, columns)] == [column.width for column in columns]


@pytest.mark.parametrize(
    ("room", "titles"),
    [
        (79, ["#", "steps in order", "load", "hue", "filled", "share", "range", "ov"]),
        (52, ["#", "steps in order", "load", "hue", "filled", "share", "ov"]),
        (44, ["#", "steps in order", "load", "hue", "filled", "share"]),
    ],
)
def test_the_range_leaves_first_then_the_overlap(room: int, titles: list[str]) -> None:
    assert [column.title for column in planned(room)] == titles


def test_more_than_two_attributes_share_a_column() -> None:
    attributes = PAYLOAD.attribute_vocabulary * 2
    assert "settings" in [column.title for column in plan(WORDS, ROWS, attributes, "A3", 120)]


@pytest.mark.parametrize("aid", ["A0", "A1"])
def test_bars_and_ranges_need_their_aid(aid: str) -> None:
    columns = plan(WORDS, ROWS, PAYLOAD.attribute_vocabulary, "A1", 120)
    assert not {"share", "range", "ov"} & {column.title for column in columns}


@pytest.mark.parametrize("sort", SORTS)
def test_every_order_keeps_all_rows_and_breaks_ties_by_payload_order(sort: str) -> None:
    rows = ordered(list(reversed(ROWS)), read_sort(sort))
    assert sorted(row.nth for row in rows) == [row.nth for row in ROWS]
    key = {
        "": lambda row: row.nth,
        "share": lambda row: -row.present / row.trials,
        "length": lambda row: len(row.events),
        "overlap": lambda row: -row.overlap,
    }[sort]
    assert rows == sorted(ROWS, key=key)


def test_the_sort_key_comes_round() -> None:
    seen = [read_sort("unknown")]
    for _ in SORTS:
        seen.append(next_sort(seen[-1]))
    assert seen[0] == seen[-1] == "" and set(seen) == set(SORTS)


@given(st.floats(0, 1), st.integers(1, 40))
def test_bars_are_as_long_as_their_share(share: float, width: int) -> None:
    text = bar(share, width)
    assert len(text) == width and set(text) <= {"#", "."}
    assert abs(text.count("#") - share * width) <= 0.5


@pytest.mark.parametrize(("share", "text"), [(0.0, ".00"), (0.074, ".07"), (0.999, "1.0"), (1.0, "1.0"), (0.5, ".50")])
def test_shares_are_short(share: float, text: str) -> None:
    assert share_text(share) == text
