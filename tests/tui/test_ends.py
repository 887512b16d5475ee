"""However the app ends, the terminal is given back, the draft is on disk, and the exit code says why."""

import asyncio
import os
import pty
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import msgspec
import pytest
from driving import drive, open_puzzle, press, until
from fake_desk import FakeDesk
from pty_session import HERE, Session
from textual.app import App
from textual.pilot import Pilot

from engine.errors import StoreError
from engine.public import Draft
from tui.app import ClewApp

CANARY = "canary-4711"
ALLOWED = re.compile(
    rb"\x1b\[[0-9;]*m|\x1b\[[0-9;]*[HABCDJK]|\x1b\[\?(?:1049|1000|1003|1015|1006|25|1004|2004|2026|2048|7)[hl]"
    rb"|\x1b\[\?(?:2026|2048)\$p|\x1b\[[<>][0-9]*u|\x1b\]22;[a-z-]*\x07"
)
"""Colours and weights, cursor moves, modes, synchronised output, the keyboard protocol, the pointer's shape."""


def drafts(path: Path) -> list[Draft]:
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [msgspec.json.decode(line[6:], type=Draft) for line in lines if line.startswith(b"draft ")]


def started(record: Path, *arguments: str, ignore_hang_up: bool = False) -> Session:
    """Start, open a puzzle and choose an outcome, so that there is a draft to lose."""
    session = Session("--record", str(record), *arguments, ignore_hang_up=ignore_hang_up)
    session.read_until("0 of 3 answered")
    session.press("\r")
    session.read_until("13/48")
    session.press("af")
    session.read_until("[>filled<]")
    return session


@pytest.mark.usefixtures("hang_up_ends")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130), ("\x11\x11", 0)], ids=str
)
def test_a_signal_or_ctrl_q_saves_restores_and_says_why(end: signal.Signals | str, code: int, tmp_path: Path) -> None:
    record = tmp_path / "record"
    session = started(record)
    if isinstance(end, str):
        session.press(end)
    else:
        session.send(end)
    assert session.wait() == code
    assert session.left_behind() == []
    assert drafts(record)[-1].answer == "PRESENT"
    assert session.after_the_end() == []


@pytest.mark.slow
@pytest.mark.parametrize("ignored", [False, True], ids=["hang-up", "hang-up ignored"])
def test_a_lost_terminal_ends_the_app_with_the_draft_saved(ignored: bool, tmp_path: Path) -> None:
    record = tmp_path / "record"
    session = started(record, ignore_hang_up=ignored)
    before = session.cpu_so_far_s()
    session.hang_up()
    assert session.wait(5) == 129
    assert session.cpu_s - before < 1, "the end of the terminal was read over and over"
    assert drafts(record)[-1].answer == "PRESENT"


@pytest.mark.slow
def test_a_missing_pack_ends_with_one_line_and_its_code(tmp_path: Path) -> None:
    session = Session("--missing")
    assert session.wait() == 2
    assert session.after_the_end() == ["clew: no pack at 'nowhere.db'; a pack file is needed (clew generate)"]
    assert session.left_behind() == []


@pytest.mark.slow
def test_an_exception_restores_the_terminal_and_tells_no_value(tmp_path: Path) -> None:
    session = Session("--crash")
    assert session.wait() == 1
    said = session.after_the_end()
    assert said[0] == "clew: stopped: unexpected KeyError" and said[-1] == "clew: go on with: clew resume"
    assert session.left_behind() == []
    assert b"canary" not in session.output
    (crash,) = (tmp_path / "data" / "log").glob("crash-*")
    assert "canary" not in crash.read_text()


@pytest.mark.slow
def test_hostile_text_sends_only_sequences_of_our_own() -> None:
    session = Session("--hostile")
    session.read_until("0 of 1 answered")
    session.press("\r")
    session.read_until("13/48")
    session.press("t")
    session.read_until("Tank number 1")
    session.press("ta")
    session.read_until("enter: send")
    session.press("\x1b[C7\r")
    session.read_until("Brier")
    session.press("\x11")
    assert session.wait() == 0
    rest = ALLOWED.sub(b"", session.output).decode()
    assert not re.findall(r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e]", rest)


@pytest.mark.slow
def test_a_signal_while_writing_keeps_the_text_and_hostile_text_steers_nothing(tmp_path: Path) -> None:
    record = tmp_path / "record"
    session = Session("--record", str(record), "--writing", "--hostile")
    session.read_until("0 of 3 answered")
    session.press("\x1b[B\x1b[B\r")
    session.read_until("Write a short note")
    session.press("\x1b[200~Dear z [/]\u202e\u200b\x07\x9b2J\n\x1b[201~")
    session.read_until("1 of 3 met", "2 invisible")
    session.press("x")
    session.read_until("ln 2 col 2")
    session.send(signal.SIGTERM)
    assert session.wait() == 143
    assert session.left_behind() == []
    assert drafts(record)[-1].text == "Dear z [/]\u202e\u200b2J\nx"
    rest = ALLOWED.sub(b"", session.output).decode()
    assert not re.findall(r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e]", rest)


def test_the_allow_list_would_notice() -> None:
    for raw in (b"\x1b]52;c;aGk=\x07", b"\x1b[2Jx\x1bc", b"\x1bP1$r\x1b\\", b"\x1b[5n"):
        assert b"\x1b" in ALLOWED.sub(b"", raw)


def test_with_a_terminal_to_write_to_but_none_to_read_from_there_is_one_line_and_code_2() -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parent.parent)]), "TERM": "xterm"}
    terminal, end = pty.openpty()
    done = subprocess.run(
        [sys.executable, str(HERE / "play_fake.py")],
        stdin=subprocess.DEVNULL,
        stdout=end,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
        timeout=60,
    )
    os.close(terminal)
    os.close(end)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "clew: the app needs a terminal: standard input is not one; clew play --plain reads and writes lines"
    ]


class Boom(ClewApp):
    """Breaks with a canary in a local of the failing frame."""

    def action_help(self) -> None:
        secret = CANARY * 2
        raise KeyError(secret)


def test_our_handler_prints_no_local_and_takes_the_code_of_our_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f")
        app.call_later(Boom.action_help, app)
        await until(pilot, lambda: app.return_code is not None)

    app = ClewApp(desk)

    async def session() -> None:
        with pytest.raises(KeyError):
            async with app.run_test() as pilot:
                await script(pilot, app)

    asyncio.run(session())
    assert app.clerk.finish(10)
    printed = "".join(capsys.readouterr())
    (crash,) = (tmp_path / "data" / "log").glob("crash-*")
    assert CANARY not in printed + crash.read_text() + "".join(app.last_words())
    assert "action_help" in crash.read_text() and len(app.last_words()) <= 3
    assert app.return_code == 1 and desk.drafts[-1].answer == "PRESENT"


def test_the_stock_handler_does_print_locals() -> None:
    """The positive control: without our handler the canary is on standard error."""
    program = textwrap.dedent(
        f"""
        from textual.app import App

        class Stock(App):
            def on_mount(self):
                secret = "{CANARY}"
                raise KeyError("boom")

        Stock().run(headless=True)
        """
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert CANARY in done.stderr


def test_an_error_of_our_own_keeps_its_code_and_words() -> None:
    app = ClewApp(FakeDesk())
    assert isinstance(app, App)
    app._handle_exception(StoreError("the pack is damaged"))
    assert app.return_code == 2 and app.last_words()[0] == "stopped: the pack is damaged"


def test_what_was_not_saved_in_time_is_said() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        desk.lock.clear()
        app.end(143)
        app.finish(0.01)
        desk.lock.set()

    app = drive(desk, script)
    assert app.return_code == 143
    assert app.last_words() == ["the last save was not finished: another program holds the file"]
