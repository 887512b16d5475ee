"""The way through a study: asks the desk for the stage at hand and shows it, until the end.

The desk decides what comes; nothing here knows how many stages there are, or what an answer is worth.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from engine.errors import ConflictError
from engine.public import Desk, Draft, Guide, Receipt, Stage, StageAnswer
from tui.attempt import Opened
from tui.errands import fetch_puzzle
from tui.screens.item import ItemScreen
from tui.terms import Terms
from tui.writing import OpenedTask

if TYPE_CHECKING:
    from tui.app import ClewApp

LIMIT_S = 1.0
ITEMS = ("item", "practice")


def fetch_stage(desk: Desk) -> Stage:
    return cast("Guide", desk).stage()


def take(desk: Desk, answer: StageAnswer) -> Stage:
    return cast("Guide", desk).take(answer)


def expire(desk: Desk, draft: Draft) -> Receipt:
    return cast("Guide", desk).expire(draft)


class Leading:
    """Leads a participant; does nothing in a session that is no study."""

    def __init__(self, app: ClewApp) -> None:
        self._app = app
        self._stage: Stage | None = None
        self._watched = False

    @property
    def leads(self) -> bool:
        """Whether this session is a study."""
        return self._app.session is not None and bool(self._app.session.study)

    def lead(self) -> None:
        """Show the stage at hand; an item is opened at once."""
        self._app.fetch(fetch_stage, self._show)

    def rest(self) -> None:
        """Show the stage at hand, an item as one that waits."""
        self._app.fetch(fetch_stage, partial(self._show, waits=True))

    def say(self, answer: StageAnswer) -> None:
        """Have what the participant said committed, and show the stage that is at hand then."""
        self._app.fetch(partial(take, answer=answer), self._show)

    def open_item(self, puzzle_id: str) -> None:
        work = partial(fetch_puzzle, complexity=None, puzzle_id=puzzle_id)
        self._app.fetch(work, self._show_item)

    def _show_item(self, opened: Opened | OpenedTask | None) -> None:
        if opened is not None and self._stage is not None:
            opened = replace(opened, terms=Terms.of(self._stage))
        self._app.show_found("item of this study", opened)

    def _show(self, stage: Stage, *, waits: bool = False) -> None:
        self._stage = stage
        if stage.limit_s and not self._watched:
            self._watched = True
            self._app.set_interval(LIMIT_S, self._watch_limit)
        if stage.kind in ITEMS and not waits and not stage.text:
            self.open_item(stage.puzzle_id)
            return
        # Screens are loaded when they are first needed, to keep the first paint early.
        from tui.screens.study import StageScreen

        self._app.above_home(StageScreen(stage, self._app.session.study if self._app.session else ""))

    def _watch_limit(self) -> None:
        """Send an item off whose time is over; what is unsent goes with it."""
        screen, stage = self._app.screen, self._stage
        if stage is None or not stage.limit_s or not isinstance(screen, ItemScreen) or screen.sending:
            return
        attempt = screen.attempt
        if attempt.puzzle_id == stage.puzzle_id and attempt.clock.visible_ms() >= stage.limit_s * 1000:
            screen.sending = True
            self._app.keeper.flush()
            failed = partial(self._not_expired, screen)
            self._app.clerk.ask(partial(expire, draft=attempt.draft()), self._expired, failed)

    def _expired(self, _: Receipt | None) -> None:
        self._app.keeper.end(answered=True)
        self.lead()

    def _not_expired(self, screen: ItemScreen, error: Exception) -> None:
        """Go on where another window was first; else the next look at the clock tries again."""
        if isinstance(error, ConflictError):
            self._expired(None)
        else:
            screen.sending = False
            self._app.not_possible(error)
