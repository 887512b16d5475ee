"""A whole study by keys, by mouse alone and in lines leaves equal rows at the real desk."""

from __future__ import annotations

import pytest

from tests.study.study_world import Lab
from tests.tui.whole_study import by_keys, by_mouse, file_of, frozen, in_lines, rows


@pytest.mark.slow
def test_a_study_leaves_equal_rows_however_one_takes_part(lab: Lab) -> None:
    course = frozen(lab)
    assert {one.stage.kind for one in course} == {
        "consent", "intake", "instructions", "practice", "check", "item", "break",
    }  # fmt: skip
    assert len({one.shown.text_sha for one in course if one.shown is not None}) == 5
    by_keys(lab, "keys", course)
    by_mouse(lab, "mouse", course)
    in_lines(lab, "lines", course)
    left = {way: rows(file_of(lab, way)) for way in ("keys", "mouse", "lines")}
    counts = {table: len(found) for table, found in left["lines"].items()}
    assert (counts["session"], counts["attempt"], counts["turn"]) == (2, 6, 2) and counts["event"] > 30
    for table, found in left["lines"].items():
        assert left["keys"][table] == found, table
        assert left["mouse"][table] == found, table
