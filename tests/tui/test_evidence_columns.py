"""The table's columns fit the room, its cells their columns, and its orders are total."""

import pytest
from fake_desk import legend, payload
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from ten_events import ten_legend, ten_payload

from engine.hidden_systems.behavior import PublicPayload, evidence_rows
from tui.columns import SORTS, Column, Look, heading, next_sort, ordered, plan, read_sort, row_cells, sorts_at
from tui.wording import Words, bar, beginnings, share_text

PAYLOAD = payload(6)
ROWS = evidence_rows(PAYLOAD)
WORDS = Words(legend())


def planned(room: int, words: Words = WORDS) -> tuple[Column, ...]:
    return plan(words, ROWS, PAYLOAD.attribute_vocabulary, "A3", room)


def lines(columns: tuple[Column, ...], made: PublicPayload, look: Look = Look()) -> list[str]:  # noqa: B008
    heads = "".join(heading(column).plain for column in columns)
    return [heads, *("".join(cell.plain for cell in row_cells(row, columns, look)) for row in evidence_rows(made))]


@given(st.integers(46, 200))
def test_columns_fit_the_room_and_cells_their_columns(room: int) -> None:
    columns = planned(room)
    assert sum(column.width for column in columns) <= room
    assert len(columns) <= 8
    for row in ROWS:
        assert [cell_len(cell.plain) for cell in row_cells(row, columns, Look())] == [c.width for c in columns]
    assert [cell_len(heading(column).plain) for column in columns] == [column.width for column in columns]


@pytest.mark.parametrize("room", [*range(49, 120, 5), 59, 79, 199])
def test_ten_events_and_four_attributes_are_never_cut(room: int) -> None:
    made, words = ten_payload(), Words(ten_legend())
    columns = plan(words, evidence_rows(made), made.attribute_vocabulary, "A3", room)
    shown = lines(columns, made)
    assert not [line for line in shown if "…" in line], shown[:4]
    assert {cell_len(line) for line in shown} == {sum(column.width for column in columns)}
    assert cell_len(shown[0]) <= room


def test_at_80_columns_names_and_ranges_are_whole() -> None:
    made, words = ten_payload(), Words(ten_legend())
    head, *rows = lines(plan(words, evidence_rows(made), made.attribute_vocabulary, "A3", 79), made)
    assert all(name in head for name in ("steps in order", "flour", "cloth", "jam", "hearth", "share", "range", "ov"))
    assert any("whisk" in row for row in rows) and any("chestnut" in row for row in rows)


@given(st.integers(1, 200), st.text(max_size=30))
def test_any_words_in_any_room_give_cells_of_the_right_width(room: int, word: str) -> None:
    columns = planned(room, Words(legend(lambda name: name + word)))
    for row in ROWS[:3]:
        assert [cell_len(cell.plain) for cell in row_cells(row, columns, Look())] == [c.width for c in columns]


@pytest.mark.parametrize(
    ("room", "kinds"),
    [
        (90, ["number", "steps", "settings", "count", "share", "range", "overlap"]),
        (54, ["number", "steps", "settings", "count", "share", "overlap"]),
        (45, ["number", "steps", "settings", "count", "share", "overlap"]),
        (30, ["number", "steps", "settings", "count", "share"]),
    ],
)
def test_the_range_leaves_first_in_a_narrow_window_and_the_overlap_last(room: int, kinds: list[str]) -> None:
    assert [column.kind for column in planned(room)] == kinds


def test_settings_stand_one_below_the_other() -> None:
    made, words = ten_payload(), Words(ten_legend())
    columns = plan(words, evidence_rows(made), made.attribute_vocabulary, "A3", 79)
    settings = next(column for column in columns if column.kind == "settings")
    cells = {settings.cell(row) for row in evidence_rows(made)}
    assert {cell_len(cell) for cell in cells} == {cell_len(settings.title)}
    assert any(cell.split() == ["rye", "2", "4", "3"] for cell in cells)


@pytest.mark.parametrize(
    ("aid", "kinds"),
    [
        ("A1", {"number", "steps", "settings", "count"}),
        ("A2", {"number", "steps", "settings", "count", "share", "range"}),
        ("A3", {"number", "steps", "settings", "count", "share", "range", "overlap"}),
    ],
)
def test_each_aid_level_has_its_columns(aid: str, kinds: set[str]) -> None:
    columns = plan(WORDS, ROWS, PAYLOAD.attribute_vocabulary, aid, 120)  # type: ignore[arg-type]
    assert {column.kind for column in columns} == kinds


def test_pins_strikes_and_the_part_in_query_order_are_signs_not_only_colours() -> None:
    columns = planned(79)
    row = ROWS[8]
    plain = [cell.plain for cell in row_cells(row, columns, Look())]
    pinned = row_cells(row, columns, Look(pinned=True))
    struck = row_cells(row, columns, Look(struck=True))
    part = row_cells(row, columns, Look(part=range(1, 2)))
    assert pinned[0].plain.strip() == f"{row.nth}*" and struck[0].plain.strip() == f"{row.nth}x"
    assert [cell.plain for cell in pinned[1:]] == [cell.plain for cell in struck[1:]] == plain[1:]
    assert all("strike" in str(cell.spans) for cell in struck)
    (span,) = part[1].spans
    assert part[1].plain[span.start : span.end] == WORDS.event(row.events[1]) and "underline" in str(span.style)


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


@pytest.mark.parametrize("aid", ["A1", "A2", "A3"])
def test_the_sort_key_comes_round_the_orders_of_the_aid_level(aid: str) -> None:
    offered = sorts_at(aid)  # type: ignore[arg-type]
    seen = [read_sort("unknown")]
    for _ in offered:
        seen.append(next_sort(seen[-1], aid))  # type: ignore[arg-type]
    assert seen[0] == seen[-1] == "" and set(seen) == set(offered)
    assert ("overlap" in offered) == (aid == "A3")
    assert next_sort("overlap", "A1") == "", "a draft of another aid level finds its way back"


@given(st.floats(0, 1), st.integers(1, 40))
def test_bars_are_as_long_as_their_share(share: float, width: int) -> None:
    text = bar(share, width)
    assert len(text) == width and set(text) <= {"#", "."}
    assert abs(text.count("#") - share * width) <= 0.5


@pytest.mark.parametrize(("share", "text"), [(0.0, ".00"), (0.074, ".07"), (0.999, "1.0"), (1.0, "1.0"), (0.5, ".50")])
def test_shares_are_short(share: float, text: str) -> None:
    assert share_text(share) == text


@given(st.lists(st.text("abc", min_size=1, max_size=6), unique=True, max_size=8), st.integers(1, 4))
def test_a_beginning_is_that_of_one_name_alone(names: list[str], least: int) -> None:
    short = beginnings(names, least)
    for name, begun in zip(names, short, strict=True):
        assert name.startswith(begun)
        assert begun == name or not [other for other in names if other != name and other.startswith(begun)]
    assert len(set(short)) == len(names) or any(
        name.startswith(other) for name in names for other in names if name != other
    )
