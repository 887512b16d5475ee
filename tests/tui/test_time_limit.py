"""The end of an item's time is stored, however often that fails before, and what was unsent goes with it, once."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import closing

import pytest
from driving import drive, press, until, until_shown
from textual.pilot import Pilot

from engine.errors import StoreError
from engine.public import Draft, Receipt
from engine.store.collected import Collected, read_collected
from engine.study import marks
from engine.study.desk import StudyDesk
from tests.study.study_world import Lab, answer_to, says, walk
from tui import leading
from tui.app import ClewApp
from tui.moments import Moments
from tui.plain.item import ELSEWHERE
from tui.plain.run import play
from tui.screens.item import ItemScreen

FULL = "Not saved: the disk is full"


class Expiring:
    """A participant's desk at the first item, with a limit of five minutes, whose `expire` can be made to fail."""

    def __init__(self, lab: Lab) -> None:
        lab.freeze(systems=2, attention="0", repeats="0", hidden_systems="0", item_limit_s="300")
        lab.recruit("ada-lab")
        self._lab, self.tries, self.failures = lab, 0, 0
        self.desk: StudyDesk = lab.desk("ada-lab")
        self.desk.open()
        assert list(walk(self.desk, lab.time, says("PRESENT"), items=0))
        self.shown = self.desk.present(self.desk.stage().puzzle_id)
        self.desk.close()
        self._expire: Callable[[Draft], Receipt] = self.desk.expire
        self.desk.expire = self.expire  # type: ignore[method-assign]
        self.moments = Moments(monotonic=lab.time.monotonic, now=lambda: lab.time.now)

    def expire(self, draft: Draft) -> Receipt:
        self.tries += 1
        if self.tries <= self.failures:
            raise StoreError(FULL)
        return self._expire(draft)

    def stored(self) -> Collected:
        return read_collected(self._lab.answers("ada-lab"))

    def unsent(self) -> Draft:
        """Return what the only timeout holds of the unsent, having checked that there is one answer."""
        found = self.stored()
        (event,) = [event for event in found.events if event.kind == marks.TIMEOUT]
        assert [(row.puzzle_id, row.answer) for row in found.attempts] == [(self.shown.puzzle_id, "SKIP")]
        return Draft(**json.loads(event.data))


def test_a_limit_that_cannot_be_stored_is_tried_again_and_the_draft_is_kept_meanwhile(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leading, "LIMIT_S", 0.3)
    world = Expiring(lab)
    world.failures = 1_000_000

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "your answer")
        item = app.screen
        assert isinstance(item, ItemScreen)
        await press(pilot, "a left 8")
        lab.time.pass_by(300)
        await until_shown(pilot, "the disk is full")
        await until(pilot, lambda: world.tries >= 2)
        # What is changed between two tries is kept too.
        while not any('"confidence":90' in row.body for row in lab.desk_drafts("ada-lab")):
            await press(pilot, "9")
            lab.time.pass_by(3)
            app.keeper.flush()
            await pilot.pause()
        world.failures = 0
        await until(pilot, lambda: app.screen is not item)
        await until_shown(pilot, "item 2/2", "your answer")

    drive(world.desk, script, moments=world.moments)
    kept = world.unsent()
    assert kept.answer is not None and kept.confidence == 90


def test_an_item_that_another_window_answered_in_time_is_left_at_its_limit(lab: Lab) -> None:
    world = Expiring(lab)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "your answer")
        item = app.screen
        await press(pilot, "left 8")
        elsewhere(lab, world)
        lab.time.pass_by(300)
        await until(pilot, lambda: app.screen is not item)
        await until_shown(pilot, "item 2/2", "your answer")

    drive(world.desk, script, moments=world.moments)
    assert [row.answer for row in world.stored().attempts] == ["ABSENT"]


def elsewhere(lab: Lab, world: Expiring) -> None:
    """Answer the item in another window."""
    with closing(lab.desk("ada-lab")) as desk:
        desk.submit(answer_to(world.shown, "ABSENT"))


class Typed(io.BytesIO):
    """Lines, with something that happens before each."""

    def __init__(self, *typed: tuple[Callable[[], object], str]) -> None:
        super().__init__()
        self._typed = list(typed)

    def readline(self, limit: int | None = -1) -> bytes:
        if not self._typed:
            return b""
        happens, line = self._typed.pop(0)
        happens()
        return f"{line}\n".encode()


def test_the_line_mode_tries_again_with_the_next_line(lab: Lab) -> None:
    world = Expiring(lab)
    world.failures = 2
    out = io.StringIO()
    lines = Typed(
        (lambda: None, "note what I think"), (lambda: lab.time.pass_by(300), "help"), (lambda: None, "help"),
        (lambda: None, "help"), (lambda: None, "help"),
    )  # fmt: skip
    play(world.desk, source=lines, out=out, err=out, moments=world.moments)
    assert world.unsent().notes == "what I think" and out.getvalue().count("the disk is full") == 2
    assert "item 2/2" in out.getvalue().split("The time for this item is over", 1)[1]


def test_the_line_mode_leaves_an_item_that_another_window_answered(lab: Lab) -> None:
    world = Expiring(lab)
    out = io.StringIO()

    def late() -> None:
        elsewhere(lab, world)
        lab.time.pass_by(300)

    play(world.desk, source=Typed((late, "help"), (lambda: None, "help")), out=out, err=out, moments=world.moments)
    assert ELSEWHERE in out.getvalue() and "item 2/2" in out.getvalue().split(ELSEWHERE, 1)[1]
    assert [row.answer for row in world.stored().attempts] == ["ABSENT"]
