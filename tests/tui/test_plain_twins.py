"""Every key of the app has its twin in the line mode, and every twin can be typed there."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil

from textual.binding import Binding
from textual.dom import DOMNode

import tui
import tui.plain
from tui.plain.twins import NOT_NEEDED, TWINS, twin


def all_keys() -> list[tuple[str, str]]:
    """Return class and action of each binding that the app declares."""
    found = set()
    for module in pkgutil.walk_packages(tui.__path__, "tui."):
        for kind in vars(importlib.import_module(module.name)).values():
            if isinstance(kind, type) and issubclass(kind, DOMNode) and kind.__module__ == module.name:
                declared = kind.__dict__.get("BINDINGS", ())
                found |= {(kind.__name__, one.action) for one in declared if isinstance(one, Binding)}
    return sorted(found)


def commands() -> set[str]:
    """Return the names of all commands, as the line mode's source declares them."""
    names = set()
    for module in pkgutil.walk_packages(tui.plain.__path__, "tui.plain."):
        tree = ast.parse(inspect.getsource(importlib.import_module(module.name)))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Command":
                named = [word.value for word in node.keywords if word.arg == "name"]
                names |= {value.value for value in named if isinstance(value, ast.Constant)}
    return names


def test_every_key_has_a_twin() -> None:
    keys = all_keys()
    assert len(keys) > 80
    assert [key for key in keys if twin(*key) is None] == []


def test_every_twin_is_a_command_and_every_command_a_twin_of_something() -> None:
    named = {value.split()[0] for value in TWINS.values() if value not in NOT_NEEDED}
    assert named <= commands()
    # Of their own are what reads aloud what a screen always shows, and what a menu offers there.
    assert commands() - named == {"question", "text", "write", "guided", "play", "underline", "choose"} - named


def test_no_twin_is_left_over() -> None:
    actions = {action.partition("(")[0] for _, action in all_keys()}
    kinds = {kind for kind, _ in all_keys()}
    for name in TWINS:
        kind, _, action = name.rpartition(".")
        assert action in actions or name in actions, name
        assert kind in ("", "app") or kind in kinds, name
