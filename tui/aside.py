"""The ways off the pack: introduction, guided items, daily puzzle, ladder, codes, statistics, settings.

Screens are loaded when they are first needed, to keep the first paint early.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tui.attempt import Opened
from tui.errands import Told, ToldTask
from tui.screens.frame import Framed
from tui.writing import OpenedTask

if TYPE_CHECKING:
    from tui.app import ClewApp
    from tui.pastime import Find, Record
    from tui.widgets.guide import Guide

Found = Opened | OpenedTask | Told | ToldTask | None


class Aside:
    """Opens what is not of the pack; the app decides how an item is shown."""

    def __init__(self, app: ClewApp) -> None:
        self._app = app
        self._guide: Guide | None = None
        self.introduced = False
        """Whether the introduction was left or finished in this session."""
        self.climbing = False
        """Whether the puzzle at hand is of the ladder, so that the next one is too."""

    @property
    def open_to_players(self) -> bool:
        """Whether daily puzzle, ladder, codes and statistics are offered: in practice, unless switched off."""
        session = self._app.session
        return session is not None and session.mode == "practice" and self._app.config.players

    def daily(self) -> None:
        self._find("puzzle of today", lambda players: players.daily())

    def ladder(self) -> None:
        self.climbing = True
        self._find("puzzle of the ladder", lambda players: players.ladder())

    def code(self, code: str) -> None:
        self._find("puzzle of this code", lambda players: players.by_code(code))

    def _find(self, of: str, find: Find) -> None:
        if self.open_to_players:
            from tui.pastime import fetch_found

            self._app.fetch(partial(fetch_found, find=find), partial(self._app.show_found, of))
        else:
            self._say(f"no {of} here: it is for practice, with the extras switched on")

    def enter_code(self) -> None:
        """Ask for a code."""
        if self.open_to_players:
            from tui.screens.code import CodeScreen

            self._app.push_screen(CodeScreen())

    def share(self, puzzle_id: str) -> None:
        """Copy the code of a puzzle, and say it."""
        if self.open_to_players:
            self._app.fetch(lambda desk: desk.players().code(puzzle_id), self._show_code)

    def _show_code(self, code: str) -> None:
        if code:
            self._app.copy(code, f"code {code}")
        else:
            self._say("this one has no code: it is of a pack of your own")

    def _say(self, text: str) -> None:
        for screen in self._app.screen_stack:
            if isinstance(screen, Framed):
                screen.tell(text)

    def statistics(self) -> None:
        if self.open_to_players:
            from tui.pastime import fetch_record

            self._app.fetch(fetch_record, self._show_record)

    def _show_record(self, record: Record) -> None:
        from tui.screens.statistics import StatisticsScreen

        self._app.push_screen(StatisticsScreen(record.told, record.standing, streak=self._app.config.streak))

    def settings(self) -> None:
        from tui.screens.settings import SettingsScreen

        self._app.push_screen(SettingsScreen())

    def introduction(self) -> None:
        session = self._app.session
        if session is not None:
            from tui.screens.introduction import IntroductionScreen

            collects = session.mode == "collect"
            asks = collects and not session.study
            self._app.push_screen(IntroductionScreen(collects=collects, asks=asks, families=self._app.families()))

    def guided(self, family: str) -> None:
        """Open an easy item of a family, with hints."""
        from tui.guiding import fetch_guided

        self._app.fetch(partial(fetch_guided, family=family), partial(self._show_guided, family))

    def _show_guided(self, family: str, found: Opened | OpenedTask | None) -> None:
        from tui.guiding import TIPS
        from tui.widgets.guide import Guide

        self._app.show_found(f"{family} of this pack", found)
        if found is not None:
            self._guide = Guide(TIPS[family])
            screen = self._app.screen
            # The screen was pushed just now, and its own parts come first.
            screen.call_after_refresh(screen.mount, self._guide, after="Banner")

    @property
    def guides(self) -> bool:
        """Whether the screen in sight has hints of a guided item."""
        return self._guide is not None and self._guide.is_attached and self._guide.screen is self._app.screen

    def tip(self) -> None:
        """Show the next hint."""
        if self._guide is not None:
            self._guide.turn()
