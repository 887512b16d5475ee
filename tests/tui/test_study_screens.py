"""A study in the app by keys alone: consent, questions, practice, items, breaks, leaving and coming back, the end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from driving import press, screen_text, until_shown
from textual.pilot import Pilot

from engine.store.collected import read_collected
from engine.study.compiling import compile_study
from tests.study.study_world import Lab
from tui.app import ClewApp

Script = Callable[[Pilot[None], ClewApp], Awaitable[None]]


def take_part(lab: Lab, code: str, script: Script) -> ClewApp:
    """Run the app on a bundle and let a script press its keys."""

    async def session() -> ClewApp:
        app = ClewApp(lab.desk(code))
        async with app.run_test(size=(80, 24)) as pilot:
            await script(pilot, app)
        return app

    app = asyncio.run(session())
    app.before_end()
    assert app.clerk.finish(20), "the clerk did not finish"
    return app


async def choose(pilot: Pilot[None], line: str) -> None:
    """Go to a line of the list and choose it."""
    menu = pilot.app.screen.query_one("#stage-menu")
    texts = [str(menu.get_option_at_index(nth).prompt) for nth in range(menu.option_count)]  # type: ignore[attr-defined]
    menu.highlighted = next(nth for nth, text in enumerate(texts) if line in text)  # type: ignore[attr-defined]
    await pilot.press("enter")


async def begin(pilot: Pilot[None], app: ClewApp) -> None:
    """Go through consent, intake and instructions to the practice."""
    await until_shown(pilot, "Before you begin", "I agree")
    await choose(pilot, "I agree")
    await until_shown(pilot, "Have you seen any")
    await choose(pilot, "no")
    menu = pilot.app.screen.query_one("#stage-menu")
    menu.highlighted = 5  # type: ignore[attr-defined]
    await pilot.press("enter", "n")
    await until_shown(pilot, "What you will do")
    await pilot.press("n")
    await until_shown(pilot, "Practice", "for practice")
    await pilot.press("n")


async def answer(pilot: Pilot[None]) -> None:
    await until_shown(pilot, "your answer")
    await press(pilot, "a left 8 enter")


async def check(pilot: Pilot[None]) -> None:
    await until_shown(pilot, "Is everything clear?")
    for line in ("the likelier outcome", "50", "my own head"):
        await choose(pilot, line)
    await pilot.press("n")


@pytest.mark.slow
def test_a_whole_study_by_keys(lab: Lab) -> None:
    lab.freeze(systems=4, attention="0", repeats="0", block_items="2")
    lab.recruit("ada-lab")
    seen: list[str] = []

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await begin(pilot, app)
        await answer(pilot)
        await until_shown(pilot, "Likelier is")
        assert "change the answer" not in screen_text(app)
        await pilot.press("enter")
        await check(pilot)
        for nth in range(1, 5):
            if nth == 3:
                await until_shown(pilot, "A break")
                await pilot.press("n")
            await answer(pilot)
            await until_shown(pilot, "Saved.")
            seen.append(screen_text(app))
            await pilot.press("enter")
        await until_shown(pilot, "The end", "leave")

    take_part(lab, "ada-lab", script)
    assert all(f"{nth} of 4" in text for nth, text in enumerate(seen, start=1))
    assert not any("Right" in text or "exactly" in text for text in seen)
    lab.merge("ada-lab")
    with lab.study() as study:
        data = compile_study(study.manifest, read_collected(study.answers), lambda solver: lambda a, b: ("scored", ""))
    (person,) = data.people
    assert person.ended == "finished" and person.counts().answered == 4
    assert all(trial.columns == 80 and trial.rows == 24 for trial in person.main)


@pytest.mark.slow
def test_the_aid_changes_with_the_block_where_a_study_varies_it_within_people(lab: Lab) -> None:
    lab.freeze(
        systems=4, attention="0", repeats="0", block_items="2", aids="[A0, A2]", aids_vary="within", hidden_systems="0"
    )
    lab.recruit("ada-lab")
    seen: list[str] = []

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "I agree")
        await choose(pilot, "I agree")
        await until_shown(pilot, "Have you seen any")
        await choose(pilot, "no")
        app.screen.query_one("#stage-menu").highlighted = 5  # type: ignore[attr-defined]
        await pilot.press("enter", "n")
        await until_shown(pilot, "What you will do")
        await pilot.press("n")
        await check(pilot)
        for nth in range(1, 5):
            if nth == 3:
                await until_shown(pilot, "A break", "something else stands beside the text")
                await pilot.press("n")
            await until_shown(pilot, "your answer")
            seen.append("A2" if "COLLECT A2" in screen_text(app) else "A0")
            assert bool(app.screen.query("#evidence")) == (seen[-1] == "A2")
            await press(pilot, "a left 8 enter")
            await until_shown(pilot, "Saved.")
            await pilot.press("enter")
        await until_shown(pilot, "The end", "leave")

    take_part(lab, "ada-lab", script)
    assert seen == ["A0", "A0", "A2", "A2"]
    lab.merge("ada-lab")
    with lab.study() as study:
        data = compile_study(study.manifest, read_collected(study.answers), lambda solver: lambda a, b: ("scored", ""))
    (person,) = data.people
    assert [trial.aid for trial in sorted(person.main, key=lambda one: one.position)] == seen
    assert all(trial.columns == 80 and trial.rows == 24 for trial in person.main)


@pytest.mark.slow
def test_leaving_an_item_keeps_it_and_declining_stores_nothing(lab: Lab) -> None:
    lab.freeze(systems=2, attention="0", repeats="0", hidden_systems="0")
    lab.recruit("ada-lab", "ben-lab")

    async def leave(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "I agree")
        await choose(pilot, "I agree")
        await until_shown(pilot, "Have you seen any")
        await choose(pilot, "no")
        pilot.app.screen.query_one("#stage-menu").highlighted = 5  # type: ignore[attr-defined]
        await pilot.press("enter", "n")
        await until_shown(pilot, "What you will do")
        await pilot.press("n")
        await check(pilot)
        await until_shown(pilot, "your answer")
        await press(pilot, "a left 8 escape escape")
        await until_shown(pilot, "waits for you")
        await pilot.press("n")
        await until_shown(pilot, "your answer", "80")

    take_part(lab, "ada-lab", leave)
    assert [row.puzzle_id != "" for row in lab.desk_drafts("ada-lab")] == [True]

    async def decline(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "I agree")
        await choose(pilot, "I do not agree")
        await until_shown(pilot, "really?")
        await pilot.press("enter")
        await until_shown(pilot, "nothing was stored")

    take_part(lab, "ben-lab", decline)
    assert read_collected(lab.answers("ben-lab")).solvers == ()
