"""Rules about the source of whoever touches a database: no second engine, no conveniences that overwrite or guess."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
STORE = sorted((ROOT / "engine" / "store").glob("*.py"))
EVERYWHERE = sorted(path for folder in ("engine", "tui", "audits") for path in (ROOT / folder).rglob("*.py"))
FORBIDDEN_CALLS = {"upsert", "upsert_all", "transform", "executescript", "delete_where", "enable_wal", "disable_wal"}
OVERWRITING = {"ignore", "replace", "alter", "truncate", "recreate", "transform", "pk"}
WRITERS = {"insert", "insert_all", "create", "Database"}
HEAVY = {"numpy", "click", "textual", "yaml", "msgspec", "random", "sqlite3"}


def findings(source: str) -> Iterator[str]:
    """Yield what in a source may not be used on a database."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import) and any(alias.name == "sqlite3" for alias in node.names):
            yield "import sqlite3"
        if isinstance(node, ast.ImportFrom) and node.module == "sqlite3":
            yield "from sqlite3 import"
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in FORBIDDEN_CALLS:
                yield name
            if name in WRITERS:
                yield from (f"{name}({word.arg})" for word in node.keywords if word.arg in OVERWRITING)


@pytest.mark.parametrize("path", EVERYWHERE, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_source_uses_what_overwrites_or_guesses(path: Path) -> None:
    assert list(findings(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import sqlite3", "import sqlite3"),
        ("from sqlite3 import connect", "from sqlite3 import"),
        ("db['t'].upsert({})", "upsert"),
        ("db.table('t').insert({}, ignore=True)", "insert(ignore)"),
        ("db['t'].insert_all(rows, truncate=True)", "insert_all(truncate)"),
        ("Database('x', recreate=True)", "Database(recreate)"),
        ("connection.executescript('')", "executescript"),
    ],
)
def test_rule_finds_what_it_forbids(source: str, found: str) -> None:
    assert list(findings(source)) == [found]


@pytest.mark.parametrize("path", STORE, ids=lambda path: path.name)
def test_store_starts_light(path: Path) -> None:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
            assert not node.module.startswith(("engine.hidden_systems", "engine.public")), "the store lies below"
    assert names & HEAVY == set()


def test_sealed_file_is_never_attached() -> None:
    for path in STORE:
        strings = [
            node.value for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Constant)
        ]
        assert not any(isinstance(text, str) and text.lower().startswith("attach ") for text in strings)
