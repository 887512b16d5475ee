"""No widget of the app is handed a text that is neither a literal nor Content nor Text, and so read as markup."""

import ast
from pathlib import Path

import pytest

import tui

SINKS = {
    "Static", "Label", "Button", "Checkbox", "RadioButton", "Option", "Collapsible", "Tab", "notify",
    "add_column", "add_columns", "add_option", "update", "Link", "Tree", "Markdown",
}  # fmt: skip
TITLES = {"border_title", "border_subtitle", "tooltip"}
SAFE_CALLS = {"Content", "Text", "styled", "assemble", "join", "heading", "help_text", "_part", "stylize"}
SAFE_NAMES = {"content", "lines"}
"""Local variables that mypy knows to be Content."""


def flaws(source: str) -> list[str]:
    """Return the places where a text of unknown origin goes to a widget that reads markup."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and _name(node.func) in SINKS and node.args and not _plain(node):
            found += [] if _safe(node.args[0]) else [f"line {node.lineno}: {_name(node.func)}"]
        if isinstance(node, ast.Assign) and any(_name(target) in TITLES for target in node.targets):
            found += [] if _safe(node.value) else [f"line {node.lineno}: title"]
    return found


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _plain(call: ast.Call) -> bool:
    """Say whether a call switches markup off itself."""
    return any(
        word.arg == "markup" and isinstance(word.value, ast.Constant) and word.value.value is False
        for word in call.keywords
    )


def _safe(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.IfExp):
        return _safe(node.body) and _safe(node.orelse)
    if isinstance(node, ast.Call):
        return _name(node.func) in SAFE_CALLS
    return isinstance(node, ast.Name) and (node.id in SAFE_NAMES or node.id.isupper())


FILES = sorted(Path(tui.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_foreign_text_goes_only_where_markup_is_off(path: Path) -> None:
    assert flaws(path.read_text(encoding="utf-8")) == []


def test_markup_helpers_and_widgets_that_always_read_markup_are_not_used() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        assert "from_markup" not in text and "rich.markup" not in text and "Markdown" not in text, path


@pytest.mark.parametrize(
    "spoiled",
    [
        "Static(name)", "Static(f'{name}')", "Label('a' + name)", "app.notify(text)", "widget.update(str(error))",
        "table.add_column(title)", "Option(f'{x}', id='a')", "self.border_title = name", "Static(escape(name))",
        "pane.border_subtitle = f'{count} left'", "Static(name, markup=True)",
    ],
)  # fmt: skip
def test_the_lint_sees_a_spoiled_line(spoiled: str) -> None:
    assert flaws(spoiled)


@pytest.mark.parametrize(
    "fine",
    [
        "Static('literal')",
        "Static(Content(name))",
        "Static(name, markup=False)",
        "x.border_title = 'notes'",
        "update()",
    ],
)
def test_the_lint_lets_a_clean_line_pass(fine: str) -> None:
    assert not flaws(fine)
