"""The first paint needs neither the desk nor anything heavy."""

import subprocess
import sys
from pathlib import Path

from driving import drive, until, until_shown
from fake_desk import FakeDesk
from textual.pilot import Pilot

from tui.app import ClewApp

HERE = Path(__file__).parent
ALLOWED_ENGINE = {
    "engine", "engine.public", "engine.errors", "engine.canonical", "engine.statistics",
    "engine.hidden_systems", "engine.hidden_systems.behavior",
}  # fmt: skip
ALLOWED_BESIDES = {"tui", "gc", "faulthandler", "hashlib", "_hashlib", "_blake2", "json", "_json", "msgspec"}
"""What clew loads more than a plain Textual app of the same widgets, by its first name."""
HEAVY = ("numpy", "sqlite_utils", "sqlite3", "yaml", "openai", "scipy", "textual.widgets._text_area")
PROBE = """
import asyncio, sys
from engine.public import Desk
from tui.app import ClewApp

class Unasked:
    def __getattr__(self, name):
        raise AssertionError(f"the desk was asked for {name} before the first paint")

class Probe(ClewApp):
    def refresh_home(self):
        print("\\n".join(sorted(sys.modules)))
        self.exit()

Probe(Unasked()).run(headless=True)
"""
PLAIN = """
import sys
from textual.app import App
from textual.widgets import DataTable, Footer, Header, OptionList

class Plain(App):
    def compose(self):
        yield from (Header(), DataTable(), OptionList("one"), Footer())
    def on_ready(self):
        print("\\n".join(sorted(sys.modules)))
        self.exit()

Plain().run(headless=True)
"""


def modules_loaded(program: str) -> set[str]:
    """Return what a fresh interpreter has loaded when a program prints it."""
    root = HERE.parent.parent
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=root, check=True, timeout=60
    )
    return set(done.stdout.split())


def test_the_first_paint_loads_nothing_private_and_nothing_heavy() -> None:
    loaded = modules_loaded(PROBE)
    assert "tui.app" in loaded and "textual.app" in loaded
    engine = {name for name in loaded if name.split(".")[0] == "engine"}
    assert engine <= ALLOWED_ENGINE, engine - ALLOWED_ENGINE
    assert not [name for name in HEAVY if name in loaded]
    besides = {name.split(".")[0] for name in loaded - modules_loaded(PLAIN)} - {"engine"}
    assert besides <= ALLOWED_BESIDES, besides - ALLOWED_BESIDES


def test_home_is_painted_before_the_desk_is_opened() -> None:
    desk = FakeDesk()
    desk.lock.clear()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "opening the pack", "quit", "In a puzzle")
        await until(pilot, lambda: desk.called == ["open"])
        desk.lock.set()
        await until_shown(pilot, "0 of 3 answered")

    drive(desk, script)
