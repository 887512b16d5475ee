"""The table of reports names 29 of them, and every test that it names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
DOCUMENT = (ROOT / "docs" / "failures.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(?:tests/\w+/)?(test_\w+\.py)(?:::(\w+))?`", DOCUMENT)))


def test_every_report_has_its_row_and_its_test() -> None:
    rows = re.findall(r"^\| (\d+) \|.*\| (.*) \|$", DOCUMENT, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 30))
    assert all("test_" in tests for _, tests in rows)


@pytest.mark.parametrize(("file", "name"), NAMED, ids="::".join)
def test_a_test_that_is_named_exists(file: str, name: str) -> None:
    found = list((ROOT / "tests").rglob(file))
    assert found, f"{file} is in no folder of tests"
    assert not name or any(f"def {name}(" in path.read_text(encoding="utf-8") for path in found)
