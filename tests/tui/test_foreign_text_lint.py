"""No widget of the app is handed a text that is neither a literal nor Content nor Text, and so read as markup."""

import ast
from pathlib import Path

import pytest

import tui

SINKS = {
    "Static", "Label", "Button", "Checkbox", "RadioButton", "Option", "Collapsible", "Tab", "notify",
    "add_column", "add_columns", "add_option", "add_options", "set_options", "update", "Link", "Tree", "Markdown",
    "add_row", "add_rows", "update_cell", "update_cell_at", "replace_option_prompt", "replace_option_prompt_at_index",
}  # fmt: skip
BEFORE = {"update_cell": 2, "update_cell_at": 1, "replace_option_prompt": 1, "replace_option_prompt_at_index": 1}
"""How many arguments say where the text goes."""
TITLES = {"border_title", "border_subtitle", "tooltip"}
SAFE_CALLS = {
    "Content", "Text", "styled", "assemble", "join", "heading", "help_text", "_part", "stylize", "Option",
    "_line", "_cells", "row_cells",
}  # fmt: skip
"""What mypy knows to return Content, Text, or lists of them; an Option is a sink of its own."""
SAFE_NAMES = {"content", "lines", "cell", "option", "options"}
"""Local variables that mypy knows to be Content or Text, or options made of it."""


def flaws(source: str) -> list[str]:
    """Return the places where a text of unknown origin goes to a widget that reads markup."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and _name(node.func) in SINKS and node.args and not _plain(node):
            texts = node.args[BEFORE.get(_name(node.func), 0) :]
            texts = texts if _name(node.func) in ("add_row", "add_columns") else texts[:1]
            found += [] if texts and all(_safe(one) for one in texts) else [f"line {node.lineno}: {_name(node.func)}"]
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
    if isinstance(node, ast.Starred):
        return _safe(node.value)
    if isinstance(node, ast.List):
        return all(_safe(one) for one in node.elts)
    if isinstance(node, ast.ListComp):
        return _safe(node.elt)
    if isinstance(node, ast.Attribute):
        return _name(node.value) in SAFE_NAMES
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
        "table.add_row(Text(a), name)", "table.add_row(*names)", "table.add_rows(names)",
        "table.add_rows([[Text(a), b]])", "table.update_cell_at(Coordinate(0, 1), value=name)",
        "table.update_cell_at(Coordinate(0, 1), name)", "table.update_cell(row, column, f'{name}')",
        "menu.add_option(name)", "menu.add_options(names)", "menu.add_options([Option(Content(a)), name])",
        "menu.add_options([f'{name}' for name in names])", "menu.set_options([str(name) for name in names])",
        "menu.replace_option_prompt(id, name)", "menu.replace_option_prompt_at_index(0, f'{name}')",
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
