"""The page of all constraints says what the code says."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.registry import ALL
from engine.instruction_adherence.table import COLUMNS, table

PAGE = Path(__file__).parents[3] / "docs" / "constraints.md"
COMMAND = "python -m engine.instruction_adherence.table > docs/constraints.md"


def test_the_page_is_the_table() -> None:
    assert PAGE.read_text(encoding="utf-8") == table(), f"out of date; run: {COMMAND}"


def test_the_page_names_the_command_that_makes_it() -> None:
    assert COMMAND in table()


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_every_type_has_one_row_of_all_columns(kind: type[Constraint]) -> None:
    rows = [row for row in table().splitlines() if row.startswith(f"| `{kind.id}` |")]
    assert len(rows) == 1
    cells = [cell.strip() for cell in rows[0].strip("|").split(" | ")]
    assert len(cells) == len(COLUMNS)
    assert cells[1:5] == [
        kind.family, str(kind.difficulty), "**yes**" if kind.eval_only else "no", kind.hard_family or "",
    ]  # fmt: skip
