"""Every key of every screen: a line of help, an entry in the palette, a way for the mouse, a command of plain mode."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from driving import STILL, Script, drive, screen_text, until_shown
from fake_desk import FakeDesk
from textual.pilot import Pilot
from touring import Visit, desk_to_tour, desk_to_write, tour, tour_of_writing

from tui.app import ClewApp
from tui.keys import Key, keys_on
from tui.screens.frame import Framed
from tui.screens.help import help_text
from tui.widgets.keybar import KeyBar

PLAIN = Path(__file__).parent.parent.parent / "tui" / "plain"
MOVES = {
    "cursor_up", "cursor_down", "first", "last", "line", "word", "edge", "page_up", "page_down", "scroll_up",
    "scroll_down", "scroll_top", "scroll_bottom", "scroll_home", "scroll_end", "sentence", "page", "read", "row",
    "pane", "beside", "wide", "leave", "back", "stay", "turn", "next_match", "tip",
}  # fmt: skip
"""Actions that only move on the screen or between its layers; lines that follow one another have no such thing."""
TWINS = {
    "answer": "answer", "choose": "answer", "sure": "answer", "surer": "answer", "send": "answer send",
    "cannot_know": "answer", "compare": "compare", "highlight": "sort", "original": "sort", "sort": "sort",
    "filter": "rows", "find": "find", "hint": "hint", "mark": "mark", "notes": "note", "note": "note", "pin": "pin",
    "strike": "strike", "undo": "undo", "redo": "redo", "skip": "skip", "take": "skip", "stop": "quit",
    "pause": "pause", "go_on": "pause", "help": "help", "quit": "quit", "suspend_process": "quit", "copy": "story",
    "copy_here": "rows", "reveal": "reveal", "next": "next", "home": "home", "revise": "revise", "share": "share",
    "open": "history", "history": "history", "continue": "continue", "daily": "daily", "ladder": "ladder",
    "code": "code", "play": "code", "submit": "code", "statistics": "statistics", "introduction": "introduction",
    "settings": "settings", "select": "play write", "write": "edit", "underline": "underline mark", "tick": "tick",
    "erase": "erase", "flip": "conflict", "conflict": "conflict", "letter": "introduction",
}  # fmt: skip
"""By action, the commands of plain mode that do the same; one of them is enough."""


def action_of(key: Key) -> str:
    return key.binding.action.split("(")[0].split(".")[-1]


def toured(check: Visit) -> None:
    """Have every screen of a practice session checked, and count that keys were seen."""
    seen: set[tuple[str, str]] = set()

    def visit(app: ClewApp, name: str) -> None:
        seen.update((type(key.node).__name__, key.binding.action) for key in keys_on(app.screen))
        check(app, name)

    async def puzzles(pilot: Pilot[None], app: ClewApp) -> None:
        await tour(pilot, app, visit)

    async def writing(pilot: Pilot[None], app: ClewApp) -> None:
        await tour_of_writing(pilot, app, visit)

    _drive(desk_to_tour, puzzles)
    _drive(desk_to_write, writing)
    assert len(seen) > 100 and len({node for node, _ in seen}) > 20


def _drive(desk: Callable[[], FakeDesk], script: Script) -> None:
    drive(desk(), script, moments=STILL)


@pytest.mark.slow
def test_every_key_has_help_a_palette_entry_and_something_that_does_it() -> None:
    def check(app: ClewApp, name: str) -> None:
        commands = {command.title.casefold() for command in app.get_system_commands(app.screen)}
        keys = list(keys_on(app.screen))
        told = help_text(keys, app).plain
        for key in keys:
            binding, where = key.binding, f"{key.binding.key} on {name}"
            assert binding.tooltip and binding.tooltip in told, f"{where} has no line of help"
            assert binding.description.casefold() in commands, f"{where} has no palette entry"
            owners = (key.node, app)
            assert any(hasattr(one, f"action_{action_of(key)}") for one in owners), f"nothing does {where}"

    toured(check)


CLICKS = {
    "take": "skip: ", "stop": "stop here", "stay": "stay", "help": "? help", "go_on": "a click: go on",
}  # fmt: skip
"""What is clicked instead of a key where there is no key line: the app's own keys are for what lies below."""


def ways_of_the_mouse(app: ClewApp, key: Key) -> set[str]:
    """Return how a screen lets one click what a key does: the key line, the top line, the palette, or a place in it."""
    screen, shown = app.screen, screen_text(app)
    if not isinstance(screen, Framed):
        text = CLICKS.get(action_of(key), "")
        return {"place"} if text and text in shown else set()
    line, ways = screen.query_one(KeyBar), set[str]()
    entries = {entry.action for entry in line._entries if f"{entry.key} {entry.name}" in str(line.render())}
    runs = {command.title.casefold() for command in app.get_system_commands(screen)}
    ways |= {"key line"} if key.binding.action in entries else set()
    ways |= {"top line"} if any(link.action.endswith(action_of(key)) for link in screen.LINKS) else set()
    ways |= {"palette"} if key.binding.description.casefold() in runs and "app.command_palette" in entries else set()
    return ways


def test_every_key_has_a_way_for_the_mouse() -> None:
    used: set[str] = set()

    def check(app: ClewApp, name: str) -> None:
        if name in ("too small", "palette"):
            return
        for key in keys_on(app.screen):
            if isinstance(app.screen, Framed) or not isinstance(key.node, ClewApp):
                ways = ways_of_the_mouse(app, key)
                assert ways, f"{key.binding.key} on {name} has nothing to click"
                used.update(ways)

    toured(check)
    assert used == {"key line", "top line", "palette", "place"}


def plain_commands() -> set[str]:
    """Return the names of all commands of plain mode, as its source lists them."""
    calls = [
        node
        for path in PLAIN.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Command"
    ]
    named = [keyword.value for call in calls for keyword in call.keywords if keyword.arg == "name"]
    return {node.value for node in named if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_every_key_has_a_twin_in_plain_mode_or_only_moves() -> None:
    known, used = plain_commands(), set[str]()
    assert len(known) > 25

    def check(app: ClewApp, name: str) -> None:
        for key in keys_on(app.screen):
            action = action_of(key)
            if action not in MOVES:
                assert action in TWINS, f"{key.binding.key} on {name} names no twin for {action!r}"
                assert set(TWINS[action].split()) & known, f"{action}: plain mode has none of {TWINS[action]!r}"
                used.add(action)

    toured(check)
    assert len(used) > 35


def test_keys_that_some_terminals_never_send_are_no_only_way() -> None:
    """Function keys, alt, and shift or ctrl with enter and the like get lost; the palette entry is the other way."""
    lost = re.compile(r"^(f\d+|alt\+.*|(ctrl|shift)\+(enter|tab|[mijabsq]))$")

    def check(app: ClewApp, name: str) -> None:
        for key in keys_on(app.screen):
            others = {one.binding.key for one in keys_on(app.screen) if one.binding.action == key.binding.action}
            keys = {part for binding in others for part in binding.split(",")}
            sure = {part for part in keys if not lost.match(part)}
            commands = {command.title.casefold() for command in app.get_system_commands(app.screen)}
            assert sure or key.binding.description.casefold() in commands, f"{key.binding.key} on {name}"

    toured(check)


@pytest.mark.parametrize("action", ["daily", "app.quit", "turn(1)"])
def test_what_is_not_offered_is_neither_help_nor_palette(action: str) -> None:
    desk = FakeDesk(collects=True)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "0 of 6 answered")
        offered = {key.binding.action for key in keys_on(app.screen)}
        assert (action in offered) == (action == "app.quit")
        assert "daily" not in screen_text(app)

    drive(desk, script)
