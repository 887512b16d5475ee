"""Who may import whom: the contracts of pyproject.toml, the keys to the private layer, and what a fresh start loads."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = "engine.hidden_systems.program"
SEALED = "engine.store.sealed"
TASKS = "engine.store.sealed_tasks"
WRITER = "engine.instruction_adherence.generate"
PRIVATE = (PROGRAM, SEALED, TASKS, WRITER)
KEYS = {
    "engine.calibrating",
    "engine.coded_packs",
    "engine.commands.export",
    "engine.commands.generate",
    "engine.commands.report",
    "engine.commands.score",
    "engine.commands.score_response",
    "engine.commands.seal",
    "engine.commands.verify",
    "engine.datasets",
    "engine.feedback",
    "engine.hidden_systems.gold",
    "engine.hidden_systems.packing",
    "engine.hidden_systems.revealing",
    "engine.hidden_systems.selection",
    "engine.hidden_systems.unsealing",
    "engine.instruction_adherence.asking",
    "engine.instruction_adherence.judging",
    "engine.instruction_adherence.packing",
    "engine.packs",
    "engine.practice",
    "engine.redrawing",
    "engine.references",
    "engine.reveals",
    "engine.rollouts",
    "engine.scoring",
    "engine.study.practising",
    "engine.study.proof",
    "engine.study.verdicts",
    "engine.system_recipes",
    "engine.writing_outcomes",
    "engine.writing_recipes",
}
"""Modules that may import private code directly, beside the private layer itself and the audits."""
TUI_MAY_IMPORT = {"engine.errors", "engine.hidden_systems.behavior", "engine.public"}


@cache
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("engine", "tui", "audits", cache_dir=None)


def importers(target: str) -> set[str]:
    modules = {target} | graph().find_descendants(target)
    return {source for module in modules for source in graph().find_modules_that_directly_import(module)} - modules


def test_contracts_hold() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("private", PRIVATE)
def test_only_keyholders_import_private_code(private: str) -> None:
    strangers = {name for name in importers(private) - KEYS - {SEALED} if not name.startswith("audits")}
    assert strangers == set()


def test_no_key_is_left_lying_about() -> None:
    assert set().union(*map(importers, PRIVATE)) >= KEYS


def test_the_app_imports_three_modules_of_the_engine() -> None:
    tui = {"tui"} | graph().find_descendants("tui")
    seen = {module for name in tui for module in graph().find_modules_directly_imported_by(name)}
    assert {module for module in seen if module.startswith("engine")} <= TUI_MAY_IMPORT


def loaded_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "import tui.app",
        "import engine.public",
        "import engine.models.runner",
        "import engine.study.desk",
        "import engine.hidden_systems.presenting",
    ],
)
def test_a_fresh_interpreter_loads_nothing_private(statement: str) -> None:
    loaded = loaded_after(statement)
    assert {name for name in loaded if name.startswith(PROGRAM) or name == SEALED} == set()


def test_the_version_is_told_without_loading_anything_heavy() -> None:
    loaded = loaded_after("from engine.cli import run; run(['--version'])")
    assert loaded.isdisjoint({"numpy", "sqlite_utils", "textual", "yaml", "sklearn", "scipy"})


def test_the_desk_of_the_app_is_handed_over_before_anything_heavy_is_loaded() -> None:
    loaded = loaded_after("from engine.cli import OpenDoors; OpenDoors().desk(pack=None, player=None)")
    assert loaded.isdisjoint({"numpy", "sqlite_utils", "yaml", "engine.desk", "engine.store.pack"})


def test_the_open_desk_of_the_app_does_without_numpy() -> None:
    statement = "from engine.cli import OpenDoors; OpenDoors().desk(pack=None, player='nobody').close()"
    loaded = loaded_after(statement)
    assert "sqlite_utils" in loaded and "numpy" not in loaded


def test_the_engine_names_no_package_above_it() -> None:
    for path in (ROOT / "engine").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "import tui" not in text and "from tui" not in text, path
        assert "import audits" not in text and "from audits" not in text, path


def test_engine_packages_are_empty() -> None:
    assert [path for path in (ROOT / "engine").rglob("__init__.py") if path.read_text(encoding="utf-8").strip()] == []
