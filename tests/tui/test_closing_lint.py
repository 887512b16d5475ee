"""Own screens close in the one safe way, and own texts that change are laid out anew each time."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest
from scenes import screen_classes
from textual.screen import Screen

import tui
from tui.screens.covers import Closing
from tui.stack import Palette

FILES = sorted(Path(tui.__file__).parent.rglob("*.py"))
STACK = "stack.py"
"""The one file that takes away what lies on top, whatever it is."""


def test_every_screen_closes_itself_alone() -> None:
    modules = [importlib.import_module(f"tui.screens.{path.stem}") for path in FILES if path.parent.name == "screens"]
    own = {name: getattr(module, name) for module in modules for name in screen_classes() if hasattr(module, name)}
    assert set(own) == screen_classes()
    for kind in (*own.values(), Palette):
        assert issubclass(kind, Screen) and kind.dismiss is Closing.dismiss, kind


def test_nothing_else_takes_away_whatever_lies_on_top() -> None:
    taking = {path.name for path in FILES if "pop_screen(" in path.read_text(encoding="utf-8")}
    assert taking == {STACK}


def flaws(source: str) -> list[str]:
    """Return the places where a plain `Static` is, or may be, given another text that may have another height."""
    tree, found = ast.parse(source), []
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and "Static" in {_name(base) for base in node.bases}:
            found += [f"line {call.lineno}: {node.name}" for call in _updates(node) if _lays_out(call)]
        if isinstance(node, ast.Call) and _name(node.func) in ("query_one", "query", "query_exactly_one", "cast"):
            asked = any(_name(one) == "Static" or getattr(one, "value", "") == "Static" for one in node.args)
            found += [f"line {node.lineno}: a Static asked for"] if asked else []
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and isinstance(node.value, ast.Call):
            found += [f"line {node.lineno}: a Static kept"] if _name(node.value.func) == "Static" else []
    return found


def _updates(node: ast.ClassDef) -> list[ast.Call]:
    calls = [one for one in ast.walk(node) if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute)]
    return [one for one in calls if _name(one.func) == "update" and _name(one.func.value) == "self"]  # type: ignore[attr-defined]


def _lays_out(call: ast.Call) -> bool:
    return not any(
        word.arg == "layout" and isinstance(word.value, ast.Constant) and word.value.value is False
        for word in call.keywords
    )


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


@pytest.mark.parametrize("path", [one for one in FILES if one.name != "saying.py"], ids=lambda path: path.stem)
def test_a_text_that_changes_its_height_is_a_saying(path: Path) -> None:
    assert flaws(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "spoiled",
    [
        "self.query_one('#told', Static).update(lines)", "says = self.query_one('#says', Static)",
        "for one in self.query(Static): one.update(lines)", "says = Static('')", "self._says: Static = Static('')",
        "cast('Static', one).update(lines)",
        "class Line(Static):\n    def show(self):\n        self.update(content)",
        "class Line(Static):\n    def show(self):\n        self.update(content, layout=True)",
    ],
)  # fmt: skip
def test_the_lint_sees_a_static_that_changes(spoiled: str) -> None:
    assert flaws(spoiled)


@pytest.mark.parametrize(
    "fine",
    [
        "yield Static('')", "self.query_one('#told', Saying).update(lines)",
        "class Line(Static):\n    def show(self):\n        self.update(content, layout=False)",
        "class Line(Saying):\n    def show(self):\n        self.update(content)",
    ],
)  # fmt: skip
def test_the_lint_lets_a_saying_pass(fine: str) -> None:
    assert not flaws(fine)
