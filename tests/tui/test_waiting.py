"""Tests of the app wait for conditions; none of them sleeps: too long is slow, and too short is wrong."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def sleeps(source: str) -> list[int]:
    """Return the lines on which something sleeps, or the app is given a length of time."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute | ast.Name)
        and (
            (name := node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id) == "sleep"
            or (name == "pause" and bool(node.args))
        )
    ]


@pytest.mark.parametrize("path", sorted(HERE.glob("*.py")), ids=lambda path: path.stem)
def test_no_test_of_the_app_sleeps(path: Path) -> None:
    assert sleeps(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("line", ["time.sleep(1)", "sleep(0.1)", "await asyncio.sleep(0)", "await pilot.pause(0.5)"])
def test_a_sleep_would_be_seen(line: str) -> None:
    assert sleeps(f"async def f():\n    {line}") == [2]
