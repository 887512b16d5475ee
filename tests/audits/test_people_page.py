"""The pages: every text is data, figures are well-formed and inside their frame, nothing comes from elsewhere."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from math import nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audits.people.figures import Figure, round_ticks
from audits.people.page import html_page, markdown_page
from audits.people.sections import Section, Table
from audits.people.svg import Row, Series, lines_figure, rows_figure

HOSTILE = "</style><script>alert(1)</script> & \" ' <img src=http://x> ]]> | `code` *bold* [a](http://x)\n# title"


def section(text: str) -> Section:
    table = Table(caption=text, header=(text, "b"), rows=((text, text),), flagged=frozenset({0}))
    figure = Figure(caption=text, svg=rows_figure([Row(name=text, value=0.5)], title=text, axis=text, second=text))
    return Section(title=text, text=(text,), tables=(table,), figures=(figure,))


def test_hostile_texts_stay_texts() -> None:
    page = html_page(HOSTILE, [section(HOSTILE)])
    body = page.partition("</head>")[2]
    assert "<script" not in page and "<img" not in page and "</style><" not in page.replace("</style></head>", "")
    assert body.count("&lt;script&gt;") >= 6
    assert "default-src 'none'" in page and "http-equiv" in page
    told = markdown_page(HOSTILE, [section(HOSTILE)])
    assert "<script" not in told.replace("\\<", "") and "\n# title" not in told
    assert all(line.count("|") - line.count("\\|") == 3 for line in told.splitlines() if line.startswith("|"))


names = st.text(max_size=60)
shares = st.none() | st.floats(min_value=-2, max_value=2) | st.just(nan)


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.builds(Row, name=names, value=shares, low=shares, high=shares, second=shares), max_size=6))
def test_a_row_figure_is_xml_with_all_marks_inside(rows: list[Row]) -> None:
    text = rows_figure([_clean(row) for row in rows], title="t", axis="a", second="s", zero=0.5)
    drawn = ET.fromstring(text)
    _, _, width, height = map(float, drawn.attrib["viewBox"].split())
    for mark in drawn.iter("circle"):
        assert 0 <= float(mark.attrib["cx"]) <= width and 0 <= float(mark.attrib["cy"]) <= height
    assert text == rows_figure([_clean(row) for row in rows], title="t", axis="a", second="s", zero=0.5)


def _clean(row: Row) -> Row:
    """Return a row as the figures make it: names that XML can hold, bounds that are numbers or both missing."""
    name = "".join(letter for letter in row.name if letter.isprintable())
    ok = row.low is not None and row.high is not None and row.low == row.low and row.high == row.high
    return Row(
        name=name, value=row.value, low=row.low if ok else None, high=row.high if ok else None, second=row.second
    )


def test_what_was_not_computed_says_so() -> None:
    assert "not computed" in rows_figure([Row(name="x", value=None)], title="t", axis="a")
    assert "not computed" in rows_figure([Row(name="x", value=nan)], title="t", axis="a")


@pytest.mark.parametrize("count", [1, 2, 7])
def test_a_line_figure_has_its_points_spans_and_titles(count: int) -> None:
    points = tuple((nth / 10, nth / 20) for nth in range(count))
    series = Series(name="p", points=points, spans=tuple((0.0, 1.0) for _ in points), sizes=tuple(range(count)))
    drawn = ET.fromstring(
        lines_figure([series], title="t", axis="a", upright="u", x=(0, 1), ticks_x=(0, 1), diagonal=True)
    )
    dots = list(drawn.iter("circle"))
    assert len(dots) == count and dots[0][0].text == "p: 0, 0.000, n = 0"
    assert len([mark for mark in drawn.iter("line") if "span" in mark.attrib["class"]]) == count


@given(top=st.floats(min_value=1e-3, max_value=1e6))
def test_ticks_are_round_and_reach_the_top(top: float) -> None:
    ticks = round_ticks(top)
    step = ticks[1]
    assert ticks[0] == 0 and ticks[-1] >= top * (1 - 1e-6)
    assert ticks[-2] < top or len(ticks) == 4
    assert 4 <= len(ticks) <= 8 and f"{step:e}"[0] in "125"


def test_a_figure_of_differences_shows_their_sign() -> None:
    rows = [Row(name="more", value=0.25), Row(name="less", value=-0.25)]
    told = rows_figure(rows, title="t", axis="a", low=-1.0)
    assert "+0.250" in told and "-0.250" in told
    assert "+0.250" not in rows_figure(rows[:1], title="t", axis="a")
