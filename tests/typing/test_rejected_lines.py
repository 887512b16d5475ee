"""mypy rejects exactly the marked lines of `rejected.py`: a wall that stops nothing would show here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_name("rejected.py")
MARK = re.compile(r"# E: (?P<code>[a-z-]+)$")
ERROR = re.compile(r"rejected\.py:(?P<line>\d+): error: .*\[(?P<code>[a-z-]+)\]$")


@pytest.mark.slow
def test_mypy_rejects_exactly_the_marked_lines(pytestconfig: pytest.Config) -> None:
    expected = {
        (nth, mark["code"])
        for nth, line in enumerate(FILE.read_text(encoding="utf-8").splitlines(), start=1)
        if (mark := MARK.search(line))
    }
    cache = pytestconfig.cache.mkdir("mypy") if pytestconfig.cache else FILE.with_name("mypy")
    options = ["--strict", "--no-error-summary", "--no-color-output", "--config-file", str(ROOT / "pyproject.toml")]
    output, errors, _ = api.run([*options, "--cache-dir", str(cache), str(FILE)])
    found = {(int(error["line"]), error["code"]) for line in output.splitlines() if (error := ERROR.search(line))}
    assert errors == ""
    assert found == expected, output
    assert len(expected) > 20
