"""The bottom line: the keys that work right now, each of them also a thing to click."""

from __future__ import annotations

from collections.abc import Iterator

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

GAP = "  "


class KeyBar(Widget):
    """One line in one widget: a footer of a widget a key would cost a new layout on every change of focus."""

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self._actions: list[tuple[str, DOMNode]] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._on_bindings)

    def _on_bindings(self, screen: Screen[object]) -> None:
        self.refresh()

    def render(self) -> RenderResult:
        self._actions = []
        parts: list[Content] = []
        room = self.size.width - 1
        for key, description, action, node in self._entries():
            meta = Style.from_meta({"entry": len(self._actions)})
            entry = Content.assemble((key, "bold $footer-key-foreground"), " ", description).stylize(meta)
            if room < entry.cell_length:
                continue
            room -= entry.cell_length + len(GAP)
            parts.append(entry)
            self._actions.append((action, node))
        return Content.assemble(" ", Content(GAP).join(parts))

    def _entries(self) -> Iterator[tuple[str, str, str, DOMNode]]:
        seen: set[str] = set()
        actives = self.screen.active_bindings.values()
        for active in sorted(actives, key=lambda one: one.binding.action == "back"):
            binding, display = active.binding, self.app.get_key_display(active.binding)
            if binding.show and active.enabled and binding.action not in seen and not self._typed(binding.key, display):
                seen.add(binding.action)
                yield display, binding.description, binding.action, active.node

    def _typed(self, key: str, display: str) -> bool:
        """Say whether the key is a letter for the text field that has the focus."""
        focused = self.screen.focused
        return focused is not None and len(display) == 1 and focused.check_consume_key(key, display)

    async def on_click(self, event: events.Click) -> None:
        entry = event.style.meta.get("entry")
        if isinstance(entry, int) and entry < len(self._actions):
            action, node = self._actions[entry]
            await self.app.run_action(action, default_namespace=node)
