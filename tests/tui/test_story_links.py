"""The story and the evidence are two readings of one payload: a row leads to its sentence, a sentence to its row."""

from __future__ import annotations

import re

import pytest
from driving import LARGE, SMALL, click, drive, open_puzzle, press, screen_text, until, until_shown, write
from fake_desk import FakeDesk, puzzle
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from tui.app import ClewApp
from tui.finding import next_place
from tui.widgets.brief import BriefPane
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


def reversed_words(app: ClewApp) -> list[str]:
    """Return what stands out in the story."""
    story = app.screen.query_one("#story")
    lines = (story.render_line(y) for y in range(story.size.height))
    return [one.text for line in lines for one in line if one.style is not None and one.style.reverse]


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
        assert "purge." in reversed_words(app)
        await write(pilot, "zzz")
        await until_shown(pilot, "not in the story")
        await press(pilot, "escape")
        await until(pilot, lambda: not app.screen.query("#find-bar"))
        assert app.focused is app.screen.query_one(StoryPane)

    drive(desk, script)


def test_find_where_the_story_stands_alone_moves_the_cursor_there() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await until_shown(pilot, "/ find")
        await press(pilot, "slash")
        await write(pilot, "PURGE.")
        await until_shown(pilot, "1 of 5; enter goes on")
        for shown in ("2 of 5", "3 of 5", "4 of 5", "5 of 5", "1 of 5", "2 of 5"):
            await press(pilot, "enter")
            await until_shown(pilot, shown)
        assert reversed_words(app) == ["purge."]
        await write(pilot, "zzz")
        await until_shown(pilot, "not in the story")
        assert reversed_words(app) == []
        await press(pilot, "escape")
        await until(pilot, lambda: not app.screen.query("#find-bar"))
        assert app.focused is app.screen.query_one(BriefPane) and reversed_words(app) == ["purge."]
        await press(pilot, "space space")
        await until_shown(pilot, "[ ] purge.")

    drive(FakeDesk(aid="A0"), script)


def test_find_by_mouse_where_the_story_stands_alone() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await click(pilot, "/ find")
        await write(pilot, "vent")
        await until_shown(pilot, "1 of 8; enter goes on")

    drive(FakeDesk(aid="A0"), script)


@given(text=st.text("ab \n", max_size=30), wanted=st.text("ab", min_size=1, max_size=2), since=st.integers(0, 31))
def test_going_on_visits_every_place_in_turn_and_round(text: str, wanted: str, since: int) -> None:
    places = [one.start() for one in re.finditer(wanted, text)]
    first = next_place(text, wanted.upper(), since)
    if first is None:
        assert not places
        return
    assert first.of == len(places) and text[first.start : first.end] == wanted
    assert first.start == next((place for place in places if place >= since), places[0])
    seen, here = [first.nth], first
    for _ in places:
        here = next_place(text, wanted, here.start + 1) or here
        seen.append(here.nth)
    assert sorted(seen[:-1]) == list(range(1, len(places) + 1)) and seen[-1] == first.nth


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
