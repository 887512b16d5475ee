"""Dictionaries and models are loaded by the first checker that needs them, and by nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
HEAVY = {"lemminflect", "py3langid", "regex"}
CHECK = """
from engine.instruction_adherence.constraints.registry import constraint_of
from engine.instruction_adherence.text import Reading
constraint_of({name!r}, {params!r}).check(Reading({text!r}))
"""


def heavy_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split()) & HEAVY


@pytest.mark.parametrize(
    "statement",
    [
        "import engine.cli, engine.desk, engine.commands.gold, engine.commands.generate, engine.commands.score",
        "from engine.cli import run; run(['check', '--help'])",
        "import engine.instruction_adherence.constraints.registry",
        CHECK.format(name="length.sentence_count", params={"n": 1}, text="One word."),
    ],
)
def test_nothing_heavy_is_loaded(statement: str) -> None:
    assert heavy_after(statement) == set()


@pytest.mark.parametrize(
    ("name", "params", "text", "loaded"),
    [
        ("lex.synonym_ban", {"words": ["show"]}, "A show.", {"lemminflect"}),
        ("lang.paragraph_language", {"paragraph": 1, "language": "French"}, "Le pain est bon.", {"py3langid"}),
        ("length.sentence_count", {"n": 1}, "Déjà vu.", {"regex"}),
    ],
)
def test_each_is_loaded_by_what_needs_it(name: str, params: dict[str, object], text: str, loaded: set[str]) -> None:
    assert heavy_after(CHECK.format(name=name, params=params, text=text)) == loaded
