"""The settings in force, where each comes from, and how to keep it; what is changed here lasts for this session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList

from tui.config import DEFAULT
from tui.screens.frame import Framed
from tui.shown import shown_cell
from tui.themes import OWN
from tui.widgets.menu import Menu
from tui.widgets.reading import Reading
from tui.widgets.saying import Saying

NAME_WIDTH = 30
HERE = "changed here"


class SettingsScreen(Framed):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", "back", key_display="esc", tooltip="close this screen"),
    ]

    def body(self) -> Iterable[Widget]:
        with Reading(id="settings"):
            yield Menu(id="choices")
            yield Saying(id="keeping")

    def on_mount(self) -> None:
        self.top.show("settings")
        self._fill(0)
        self.query_one("#choices").focus()

    def _fill(self, at: int) -> None:
        self.query_one(Menu).fill(list(self._lines()), at)
        self.query_one("#keeping", Saying).update(Content("\n").join(list(self._keeping())))

    @property
    def _theme(self) -> str:
        return self.app.theme

    @property
    def _collects(self) -> bool:
        """Whether this is a collection, which has no extras to switch."""
        return self.clew.session is not None and self.clew.session.mode == "collect"

    def _lines(self) -> Iterator[Content]:
        config = self.clew.config
        source = "NO_COLOR" if self.clew.no_color else config.source("theme")
        yield _line("theme", self._theme, source)
        if not self._collects:
            yield _line("daily, ladder, statistics", _switch(config.players), config.source("players"))
            yield _line("streak", _switch(config.streak), config.source("streak"))

    def _keeping(self) -> Iterator[Content]:
        config = self.clew.config
        yield Content.styled("What is changed here lasts until you quit. To keep it, put this into", "$muted")
        yield Content(shown_cell(config.file) or "(no settings file on this system)")
        yield Content("")
        yield Content(f'theme = "{shown_cell(self._theme)}"')
        if not self._collects:
            yield Content(f"players = {str(config.players).lower()}")
            yield Content(f"streak = {str(config.streak).lower()}")

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        (self._next_theme, self._switch_players, self._switch_streak)[event.option_index]()
        self._fill(event.option_index)

    def _next_theme(self) -> None:
        if self.clew.no_color:
            self.tell("NO_COLOR is set, so there is no colour; unset it to choose a theme")
            return
        names = [theme.name for theme in OWN]
        at = names.index(self._theme) if self._theme in names else len(names) - 1
        self.app.theme = names[(at + 1) % len(names)]
        self._said("theme")

    def _switch_players(self) -> None:
        self.clew.config = replace(self.clew.config, players=not self.clew.config.players)
        self._said("players")

    def _switch_streak(self) -> None:
        self.clew.config = replace(self.clew.config, streak=not self.clew.config.streak)
        self._said("streak")

    def _said(self, key: str) -> None:
        others = tuple(one for one in self.clew.config.sources if one[0] != key)
        self.clew.config = replace(self.clew.config, sources=(*others, (key, HERE)))


def _switch(on: bool) -> str:
    return "on" if on else "off"


def _line(name: str, value: str, source: str) -> Content:
    said = "" if source == DEFAULT else f"   ({shown_cell(source)})"
    return Content.assemble((f"{name:<{NAME_WIDTH}}", "bold"), shown_cell(value), (said, "$muted"))
