"""Hostile text in a writing task, of others and of one's own: shown as it is, never obeyed, stored unchanged."""

import json

import pytest
from driving import drive, open_task, press, screen_text, until_shown, write
from fake_desk import FakeDesk, task
from fake_talk import Talk
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from textual.pilot import Pilot

from engine.public import Draft
from tui.app import ClewApp
from tui.conflict import Conflict

STEERING = "[/][red]x[/red]\x1b[2J\x1b]0;t\x07\x1b]52;c;aGk=\x07a\u202eb\u2066c\u200bd\0\x7f\x9b@click=app.quit"
LONG = "[/]" * 333_333


def calm(app: ClewApp) -> bool:
    """Say whether nothing but newlines steers the terminal."""
    return screen_text(app).replace("\n", "").isprintable()


@pytest.mark.parametrize("text", [STEERING, LONG], ids=["steering", "a megabyte"])
@pytest.mark.parametrize("size", [(60, 18), (100, 40), (120, 40)], ids=str)
def test_a_single_turn_shows_hostile_text_and_stores_it_unchanged(text: str, size: tuple[int, int]) -> None:
    conflict = Conflict(seen=True, first=text[:200], second=text[:200], note=text[:2000])
    drafts = [Draft(puzzle_id="w3-1", text=text[:5000], conflict=conflict.text(), view=text[:100])]

    def spoiled(word: str) -> str:
        return word + text

    desk = FakeDesk(puzzles=[], tasks=[task(words=spoiled)], words=spoiled, drafts=drafts)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_task(pilot)
        assert calm(app)
        await press(pilot, "x escape l")
        await until_shown(pilot, "1 of 3 met", "Use 12")
        assert calm(app)
        await press(pilot, "j j b space right space")
        await until_shown(pilot, "[ ] Write")
        assert calm(app)
        await press(pilot, "f2")
        await until_shown(pilot, "saved, 1 of 1")
        assert calm(app)

    drive(desk, script, size=size)
    assert desk.answers[0].raw == text[:5000] + "x"
    (report,) = [json.loads(one.data) for one in desk.happenings if one.kind == "conflict"]
    assert report["note"] == text[:2000]


async def whole_talk(pilot: Pilot[None], app: ClewApp, text: str) -> None:
    """Go through a conversation, read an earlier turn, and look at the verdicts; on each screen nothing steers."""
    await open_task(pilot)
    for turn in (1, 2, 3):
        await until_shown(pilot, f"turn {turn}")
        app.screen.query_one("#text").insert(f"Dear {text}")  # type: ignore[attr-defined]
        await until_shown(pilot, "words")
        assert calm(app)
        await press(pilot, "escape t")
        await until_shown(pilot, ">")
        assert calm(app)
        if turn > 1:
            await press(pilot, "up enter")
            await until_shown(pilot, f"turn {turn - 1}, sent")
            assert calm(app)
        await press(pilot, "l")
        assert calm(app)
        await press(pilot, "c")
        await write(pilot, "R1")
        await press(pilot, "f2")
    await until_shown(pilot, "turns meet all that counts")
    assert calm(app)


@pytest.mark.parametrize("text", [STEERING, "[/]" * 20_000], ids=["steering", "long"])
def test_a_conversation_shows_hostile_text_and_stores_it_unchanged(text: str) -> None:
    desk = FakeDesk(puzzles=[], talks=[Talk(words=lambda word: word + text)])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await whole_talk(pilot, app, text)

    drive(desk, script)
    assert [one.raw for one in desk.answers] == [f"Dear {text}"] * 3


@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(st.text(st.sampled_from("[/]=@\x1b\x9b\u202e\ud800\u0301漢🙂a "), min_size=1, max_size=12))
def test_any_text_is_survived_in_a_conversation(text: str) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await whole_talk(pilot, app, "")

    drive(FakeDesk(puzzles=[], talks=[Talk(words=lambda word: word + text)]), script)
