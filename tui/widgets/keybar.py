"""The bottom line: the keys that work right now, each of them also a thing to click."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

GAP = "  "
LAST = ("back", "leave")
"""Actions that lead out of what one is in."""


class Entry(NamedTuple):
    """One key, and what it does."""

    key: str
    name: str
    action: str
    node: DOMNode

    def content(self, place: int) -> Content:
        text = Content.assemble((self.key, "bold $footer-key-foreground"), " ", self.name)
        return text.stylize(Style.from_meta({"entry": place}))


class KeyBar(Widget):
    """One line in one widget: a footer of a widget a key would cost a new layout on every change of focus.

    What does not fit is left out whole, from the end; the way back and the palette, which has everything, always stay.
    """

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[Entry] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._on_bindings)

    def _on_bindings(self, screen: Screen[object]) -> None:
        self.refresh()

    def render(self) -> RenderResult:
        self._entries = list(self._fitting(self.size.width - 1))
        return Content.assemble(
            " ", Content(GAP).join([entry.content(place) for place, entry in enumerate(self._entries)])
        )

    def _fitting(self, room: int) -> Iterator[Entry]:
        entries = list(self._live())
        back = [entry for entry in entries if entry.action in LAST]
        last = [*back, Entry("^p", "all keys", "app.command_palette", self.app)]
        room -= sum(entry.content(0).cell_length + len(GAP) for entry in last)
        for entry in entries:
            if entry not in back and (room := room - entry.content(0).cell_length - len(GAP)) >= -len(GAP):
                yield entry
        yield from last

    def _live(self) -> Iterator[Entry]:
        """Yield the keys that work, those of the focused pane first, without what the top line offers."""
        linked = {link.action for link in getattr(self.screen, "LINKS", ())}
        seen: set[str] = set()
        for active in self.screen.active_bindings.values():
            binding, display = active.binding, self.app.get_key_display(active.binding)
            offered = binding.action in linked or f"app.{binding.action}" in linked
            if not binding.show or not active.enabled or offered or self._typed(binding.key, display):
                continue
            if not {binding.action, display} & seen:
                yield Entry(display, binding.description, binding.action, active.node)
            seen |= {binding.action, display}

    def _typed(self, key: str, display: str) -> bool:
        """Say whether the key is a letter for the text field that has the focus."""
        focused = self.screen.focused
        return focused is not None and len(display) == 1 and focused.check_consume_key(key, display)

    async def on_click(self, event: events.Click) -> None:
        place = event.style.meta.get("entry")
        if isinstance(place, int) and place < len(self._entries):
            entry = self._entries[place]
            await self.app.run_action(entry.action, default_namespace=entry.node)
