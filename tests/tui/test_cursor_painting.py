"""Panes draw only the lines that change, and what they show is what drawing all of them anew would show."""

from __future__ import annotations

import pytest
from driving import drive, open_puzzle, press, until, write
from fake_desk import FakeDesk, task
from textual.dom import DOMNode
from textual.geometry import Region
from textual.pilot import Pilot
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import TextArea

from engine.randomness import Stream
from tui.app import ClewApp
from tui.widgets.evidence import EvidenceTable
from tui.widgets.story import StoryPane

ROWS = ("down", "up", "pagedown", "pageup", "home", "end", "s", "number_sign")
MOVES = ("left", "right", "up", "down", "home", "end", "shift+left", "shift+right", "shift+up", "shift+down")
EDITS = ("a", "space", "enter", "backspace", "delete", "ctrl+z", "ctrl+y", "ctrl+k", "ctrl+u", "ctrl+w")
TEXT = "one line (with brackets) that is long enough to be wrapped in every window\n\nfew\n\tand [one] more, 漢字 🙂\n"


def field_of(app: ClewApp) -> TextArea:
    return app.screen.query_one(TextArea)


def lines(field: TextArea) -> list[Strip]:
    """Return what the field would be painted as now: lines from before wherever nothing called for new ones."""
    return field.render_lines(field.outer_size.region)


async def compare(pilot: Pilot[None], app: ClewApp, seed: int) -> None:
    field, stream = field_of(app), Stream("test/cursor", seed)
    field.cursor_blink = False
    field.load_text(TEXT)
    for _ in range(6):
        keys = [stream.choice(MOVES if stream.chance(2, 3) else EDITS) for _ in range(5)]
        await press(pilot, " ".join(keys))
        shown = lines(field)
        field.refresh()
        assert lines(field) == shown, f"after {keys} of seed {seed}"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_editor_shows_what_it_would_show_drawn_anew(seed: int, size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until(pilot, lambda: app.session is not None)
        await press(pilot, "c")
        await until(pilot, lambda: bool(app.screen.query(TextArea)))
        await compare(pilot, app, seed)

    drive(FakeDesk(puzzles=[], tasks=[task(1)]), script, size=size)


@pytest.mark.parametrize("seed", range(3))
def test_the_notes_show_what_they_would_show_drawn_anew(seed: int) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "n")
        await until(pilot, lambda: bool(app.screen.query(TextArea)))
        await compare(pilot, app, seed)

    drive(FakeDesk(), script)


def drawn_by_textual(pane: StoryPane, region: Region) -> list[Strip]:
    """Return a region of the story as Textual draws it from single lines, with nothing kept from before."""
    pane._drawn.clear()
    pane.refresh()
    return [strip.simplify() for strip in ScrollView.render_lines(pane, region)]


def told(pane: StoryPane) -> list[str]:
    """Return the lines in sight: a mark and a line of the text, padded to the pane."""
    top, (width, height) = int(pane.scroll_offset.y), pane.outer_size
    marks = ["> " if block == pane.marked else "  " for block in pane._block_of]
    lines = [f"{mark}{line}" if line else "" for mark, line in zip(marks, pane._lines, strict=True)]
    return [line.ljust(width) for line in [*lines, *[""] * height][top : top + height]]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_story_shows_what_it_would_show_drawn_anew(seed: int, size: tuple[int, int]) -> None:
    tops = set()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        stream = Stream("test/story", seed)
        story, table = app.screen.query_one(StoryPane), app.screen.query_one(EvidenceTable)
        for _ in range(6):
            keys = [stream.choice(ROWS) for _ in range(3)]
            await press(pilot, " ".join([*keys, "t"]))
            whole, row = story.outer_size.region, table.current()
            assert row is not None and story.marked == row.nth, f"after {keys} of seed {seed}"
            assert [strip.text for strip in story.render_lines(whole)] == told(story)
            for region in (whole, Region(3, 1, whole.width - 5, whole.height - 2)):
                shown = [strip.simplify() for strip in story.render_lines(region)]
                assert shown == drawn_by_textual(story, region), f"after {keys} of seed {seed}"
            tops.add(int(story.scroll_offset.y))
            await press(pilot, "t")

    drive(FakeDesk(), script, size=size, mono=seed % 2 == 1)
    assert len(tops) > 1


def test_the_sentence_follows_rows_that_come_under_a_cursor_that_stays() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        story, table = app.screen.query_one(StoryPane), app.screen.query_one(EvidenceTable)
        before = table.current()
        assert before is not None and table.cursor_row == 0 and story.marked == before.nth
        await press(pilot, "slash")
        await write(pilot, "vent")
        await press(pilot, "enter")
        await until(pilot, lambda: table.current() not in (None, before))
        row = table.current()
        assert row is not None and table.cursor_row == 0
        await until(pilot, lambda: story.marked == row.nth)

    drive(FakeDesk(), script, size=(120, 40))


def test_nothing_that_steers_a_terminal_leaves_the_story() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        story = app.screen.query_one(StoryPane)
        # Past all that makes text readable, to see that the gate alone would hold.
        story._lines[0] = "red \x1b[31m and \u202eback"
        story._drawn.clear()
        first = story.render_lines(story.outer_size.region)[0].text
        assert "red [31m and back" in first

    drive(FakeDesk(), script, size=(120, 40))


def test_the_table_has_the_style_that_its_surroundings_give_it() -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        table = app.screen.query_one(EvidenceTable)
        seen = [table.rich_style.bgcolor]
        for app.theme in ("clew-light", "clew-contrast"):
            await until(pilot, lambda: table.rich_style.bgcolor not in seen)
            seen.append(table.rich_style.bgcolor)
            anew = DOMNode.rich_style.fget(table)  # type: ignore[attr-defined]  # the getter of a property
            assert (table.rich_style.color, table.rich_style.bgcolor) == (anew.color, anew.bgcolor)

    drive(FakeDesk(), script)
