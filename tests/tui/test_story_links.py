"""The story and the evidence are two readings of one payload: a row leads to its sentence, a sentence to its row."""

from __future__ import annotations

import pytest
from driving import LARGE, SMALL, click, drive, open_puzzle, press, screen_text, until, until_shown, write
from fake_desk import FakeDesk, puzzle
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from tui.app import ClewApp
from tui.widgets.evidence import EvidenceTable
from tui.widgets.story import StoryPane, _line_starts
from tui.wrapping import wrapped


@given(st.text("ab  漢", max_size=60), st.integers(2, 20))
def test_every_line_is_found_where_it_stands_in_its_paragraph(paragraph: str, width: int) -> None:
    lines = wrapped(paragraph, width)
    starts = _line_starts(paragraph, lines, 0)
    assert len(starts) == len(lines) and starts == sorted(starts)
    assert all(paragraph[start : start + len(line)] == line for start, line in zip(starts, lines, strict=True))


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_enter_leads_from_the_row_to_its_sentence_and_back(size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "j j enter")
        await until_shown(pilot, "> With a load of 2 the steps were")
        assert app.focused is app.screen.query_one(StoryPane) and app.screen.query_one(StoryPane).marked == 3
        await press(pilot, "right_curly_bracket right_curly_bracket left_curly_bracket enter")
        table = app.screen.query_one(EvidenceTable)
        await until(pilot, lambda: app.focused is table)
        row = table.current()
        assert row is not None and row.nth == 4

    drive(FakeDesk(), script, size=size)


def test_a_click_on_a_sentence_takes_the_cursor_to_its_row() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await until_shown(pilot, "vent. Of 48 tanks 26 ended up")
        await click(pilot, "vent. Of 48 tanks 26 ended up")
        await until_shown(pilot, "> 3   vent", "> vent. Of 48 tanks 26 ended up")

    drive(FakeDesk(), script, size=LARGE)


def test_a_sentence_whose_row_is_filtered_out_says_so() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "slash")
        await write(pilot, "vent")
        await press(pilot, "enter t g left_curly_bracket")
        await until_shown(pilot, "row 2 is not among the rows that the filter keeps")

    drive(FakeDesk(), script)


def test_find_goes_from_place_to_place_and_round() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "t slash")
        await write(pilot, "PURGE.")
        await until_shown(pilot, "1 of 5; enter goes on")
        for shown in ("2 of 5", "3 of 5", "4 of 5", "5 of 5", "1 of 5"):
            await press(pilot, "enter")
            await until_shown(pilot, shown)
        strips = app.screen._compositor.render_strips()
        found = [one.text for strip in strips for one in strip if one.style is not None and one.style.reverse]
        assert "purge." in found
        await write(pilot, "zzz")
        await until_shown(pilot, "not in the story")
        await press(pilot, "escape")
        await until(pilot, lambda: not app.screen.query("#find-bar"))
        assert app.focused is app.screen.query_one(StoryPane)

    drive(desk, script)


def test_the_text_in_the_pane_is_the_text_that_is_hashed() -> None:
    """What is shown, unwrapped, is the exact text; nothing is added to it but the mark in the margin."""
    one = puzzle(1)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        story = app.screen.query_one(StoryPane)
        await until(pilot, lambda: bool(story._lines))
        assert " ".join(" ".join(story._lines).split()) == " ".join(one.text.split())
        assert "Question" in screen_text(app)

    drive(FakeDesk(puzzles=[one]), script, size=LARGE)
