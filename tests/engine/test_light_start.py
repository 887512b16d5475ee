"""What is loaded late is loaded late: listing what a task asks needs no checker, and a command no list of packages."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata

from engine import installed
from engine.cli import ENTRY_POINTS
from engine.instruction_adherence.asking import asked
from engine.instruction_adherence.packing import sealed_turns
from engine.store.pack import Pack
from engine.store.sealed import Sealed
from tests.engine.test_writing_desk import pack
from tests.engine.world import World

CHECKERS = ("engine.instruction_adherence.text", "lemminflect", "py3langid", "numpy", "regex")
LIST = """
import sys
from engine.cli import OpenDoors
desk = OpenDoors().desk(pack=sys.argv[1], player="ada")
desk.open()
task = desk.next_task()
assert task.requirements
print("\\n".join(sys.modules))
desk.judge(task.puzzle_id, "A text.")
print("judged")
print("\\n".join(sys.modules))
"""

AT_ONCE = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
from engine.store.lean import load_sqlite_utils
sys.setswitchinterval(1e-6)
start = threading.Barrier(8)
def use(_):
    start.wait()
    load_sqlite_utils()
    from sqlite_utils import recipes
    start.wait()
    return recipes.parsedate("2 May 2024")
with ThreadPoolExecutor(8) as pool:
    print(*pool.map(use, range(8)))
"""

ASKED_EARLY = """
import sys
from types import ModuleType
from engine.store import lean
def load(name):
    if name == "sqlite_utils":
        from dateutil.parser import parse
        sys.modules[name] = ModuleType(name)
        print(parse("2 May 2024").date())
    return __import__(name, fromlist=["x"])
lean.import_module = load
lean.load_sqlite_utils()
import dateutil.parser
print(dateutil.parser.__spec__ is not None and "numpy" not in sys.modules)
"""


def modules(program: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


def test_a_task_is_listed_without_any_checker_and_judged_with_them(world: World) -> None:
    before, _, after = modules(LIST, str(pack(world))).partition("judged\n")
    loaded, later = set(before.split()), set(after.split())
    assert not loaded & set(CHECKERS), loaded & set(CHECKERS)
    assert "engine.instruction_adherence.text" in later


def test_what_is_listed_is_what_is_checked(world: World) -> None:
    both = world.folder / "both"
    made = ("generate", "instruction-adherence", "--mode", "both", "--count", "2", "--constraints", "8", "--seed", "3")
    assert world.clew(*made, "--out", both).code == 0
    with Pack.open(both / "pack.db") as opened, Sealed.open(both / "sealed.db") as sealed:
        tasks = [sealed.task(entry.id) for entry in opened.puzzles()]
    assert len(tasks) == 4
    for task in tasks:
        for nth, turn in enumerate(sealed_turns(task), start=1):
            listed = asked(task, nth)
            assert [(one.text, one.label, one.since_turn, one.family) for one in listed] == [
                (check.requirement, check.label, check.since_turn, check.constraint.family) for check in turn.checks
            ]
            for one, check in zip(listed, turn.checks, strict=True):
                wanted = check.expect and check.scored
                assert (one.state == "quoted") == check.quoted
                assert (one.state in ("active", "new")) == wanted
                assert (one.state == "new") == (wanted and check.since_turn == nth > 1)


def test_what_is_installed_is_what_importlib_says() -> None:
    assert installed.version() == metadata.version("clew")
    for point in metadata.entry_points(group=ENTRY_POINTS):
        assert installed.place_of_command(ENTRY_POINTS, point.name) == point.value
    assert installed.place_of_command(ENTRY_POINTS, "no-such-command") is None


def test_looking_up_a_command_lists_no_packages() -> None:
    program = "import sys; from engine.cli import cli; assert cli.get_command(None, 'resume'); print(*sys.modules)"
    assert "importlib.metadata" not in modules(program).split()


def test_what_sqlite_utils_was_kept_from_loading_loads_when_it_is_needed() -> None:
    program = (
        "import sys; from engine.store.lean import load_sqlite_utils; load_sqlite_utils();"
        "assert not {'numpy', 'dateutil.parser', 'email.message', 'importlib.metadata'} & set(sys.modules);"
        "from sqlite_utils import recipes; assert recipes.parsedate('2 May 2024') == '2024-05-02';"
        "from sqlite_utils.plugins import get_plugins; get_plugins(); import importlib.metadata;"
        "import dateutil.parser; assert dateutil.parser.__spec__ is not None;"
        "print(importlib.metadata.version('sqlite-utils'))"
    )
    assert modules(program).strip() == metadata.version("sqlite-utils")


def test_threads_that_load_it_and_use_what_was_left_out_at_once_all_get_the_whole_of_it() -> None:
    said = modules(AT_ONCE)
    assert said.split() == ["2024-05-02"] * 8


def test_what_was_left_out_is_there_for_who_asks_for_it_while_sqlite_utils_loads() -> None:
    """A later sqlite-utils may want at once what this one wants late: it costs time then, and must not hang."""
    assert modules(ASKED_EARLY).split() == ["2024-05-02", "True"]
