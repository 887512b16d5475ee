"""What only a terminal can show: suspending, hiding, odd bytes, an interrupt while it starts, what stays behind."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import stat
from pathlib import Path

import msgspec
import pytest
from driving import drive, open_puzzle
from fake_desk import FakeDesk
from pty_session import MODES, Session
from textual.pilot import Pilot

from engine.errors import StoreError
from engine.public import Draft, Happening
from tui import crash
from tui.app import ClewApp

WORDS = ("tank", "seal", "prime", "purge", "load", "filled", "empty", "13/48")


def recorded(record: Path) -> tuple[list[Draft], list[Happening]]:
    lines = record.read_bytes().splitlines() if record.exists() else []
    drafts = [msgspec.json.decode(line[6:], type=Draft) for line in lines if line.startswith(b"draft ")]
    return drafts, [msgspec.json.decode(line[6:], type=Happening) for line in lines if line.startswith(b"event ")]


def started(record: Path, *arguments: str) -> Session:
    session = Session("--record", str(record), *arguments)
    session.read_until("0 of 3 answered")
    session.press("c")
    session.read_until("13/48")
    return session


@pytest.mark.slow
@pytest.mark.parametrize("by", ["the key", "the signal"])
def test_suspending_saves_gives_the_terminal_back_and_goes_on_where_it_was(by: str, tmp_path: Path) -> None:
    session = started(tmp_path / "record")
    session.press("jaf")
    session.read_until("[>filled<]", "> 2", "esc back  ^p all keys")
    before = session.screen()
    if by == "the key":
        session.press("\x1b")
        session.read_until("esc home  ^p all keys")
        before = session.screen()
        session.press("\x1a")
    else:
        session.send(signal.SIGTSTP)
    session.until_stopped()
    assert session.left_behind() == []
    drafts, happened = recorded(tmp_path / "record")
    assert drafts[-1].answer == "PRESENT" and "suspend" in {one.kind for one in happened}
    session.wipe()
    session.send(signal.SIGCONT)
    session.read_until(*before.split("\n")[1:])
    session.press("\x11\x11")
    assert session.wait() == 0
    _, happened = recorded(tmp_path / "record")
    assert [one.data for one in happened if one.kind == "back"] == ["suspend"]


@pytest.mark.slow
def test_the_pause_leaves_nothing_on_screen_in_the_title_or_above(tmp_path: Path) -> None:
    session = started(tmp_path / "record")
    session.press("p")
    session.read_until("Paused.")
    session.read_until_gone(*WORDS)
    assert not re.search(rb"\x1b\][012];", session.output), "no title was ever set"
    assert b"\x1b[?1049l" not in session.output, "the main screen, with its scrollback, was never written to"
    painted = len(session.output)
    session.press("xyz\x10")
    session.read_until("Search for commands")
    assert not [word for word in WORDS if word.encode() in session.output[painted:]]
    session.press("\x1b")
    # What lies below can still be in sight while the palette opens, and esc with a letter after it is another key.
    session.read_until_gone("Search for commands")
    session.read_until("Paused.")
    session.press("p")
    session.read_until("13/48")
    session.press("\x11")
    assert session.wait() == 0


@pytest.mark.slow
def test_odd_bytes_are_survived(tmp_path: Path) -> None:
    session = started(tmp_path / "record")
    for odd in (b"\x1b[M\xff\xfe\xfd", b"\xc3(", b"\x1b[201~", b"\x80\x9b\xff"):
        os.write(session.fd, odd)
    session.press("jj")
    session.read_until("> 3")
    session.press("\x11\x11")
    assert session.wait() == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "module",
    [
        "engine.cli",
        "click",
        "engine.installed",
        "tui.cli",
        "tui.run",
        "textual.app",
        "tui.screens.puzzle",
        "tui.terminal",
    ],
)
def test_an_interrupt_while_it_starts_ends_it_without_a_traceback(module: str, tmp_path: Path) -> None:
    data = tmp_path / "data"
    session = Session(module, "play", program="interrupted.py", env={"CLEW_DATA_DIR": str(data)})
    assert session.wait(20) in (-signal.SIGINT, 130)
    assert b"Traceback" not in session.output and b"KeyboardInterrupt" not in session.output
    assert session.left_behind() == []
    assert not list(data.glob("log/crash-*"))


def test_a_crash_file_does_not_grow_with_what_a_variable_held(tmp_path: Path) -> None:
    def breaks() -> None:
        heavy = "canary-4711" * 1_000_000
        raise KeyError(heavy)

    try:
        breaks()
    except KeyError as error:
        path = crash.write_crash(error, mode="practice", now=ClewApp(FakeDesk()).moments.now(), folder=tmp_path)
    assert path.stat().st_size < 5000 and "canary" not in path.read_text()


def test_an_end_while_saving_fails_says_so_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = FakeDesk(failures={"close": [KeyError("canary-4711")], "keep": [StoreError("the disk is full")] * 3})

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        app.end(143)

    app = drive(desk, script)
    app.finish(10)
    assert app.return_code == 143 and len(app.last_words()) <= 3
    assert not [one for one in (*app.last_words(), *capsys.readouterr()) if "canary" in one or "Traceback" in one]


def test_a_fault_file_stays_only_if_there_is_something_in_it(tmp_path: Path) -> None:
    with crash.faults_kept(tmp_path):
        (path,) = tmp_path.glob("fault-*.txt")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not path.exists()
    with crash.faults_kept(tmp_path):
        import faulthandler

        with path.open("a") as file:
            faulthandler.dump_traceback(file)
    assert "test_a_fault_file" in path.read_text()


def test_without_a_folder_for_faults_the_app_runs_anyway(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("a file where the folder should be")
    ran = []
    with crash.faults_kept(tmp_path / "log"):
        ran.append("the app")
    assert ran and (tmp_path / "log").is_file()


@pytest.mark.slow
def test_what_the_terminal_needs_is_written_even_at_exit() -> None:
    session = Session(program="never_leaves.py")
    assert session.wait() == 0
    assert all(f"\x1b[?{mode}h".encode() in session.output for mode in MODES)
    assert session.left_behind() == []


def test_an_interrupt_from_before_the_app_listened_ends_it() -> None:
    async def session() -> ClewApp:
        app = ClewApp(FakeDesk())
        app._listens = True
        app.interrupt.came = True
        async with app.run_test() as pilot:
            for _ in range(50):
                if app.return_code is not None:
                    break
                await pilot.pause()
        return app

    app = asyncio.run(session())
    assert app.return_code == 130 and app.clerk.finish(10)
