"""However the line mode ends, the draft is on disk, the exit code says why, and a terminal was never steered."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from pty_session import HERE, Session

from engine.public import Draft
from tui.plain.voice import CLEAR

LONGEST_S = 30.0
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parent.parent)])}


class Pipe:
    """The real command with pipes for its streams."""

    def __init__(self, *options: str, arguments: tuple[str, ...] = ("play", "--plain")) -> None:
        command = [sys.executable, str(HERE / "play_fake.py"), *options, "--", *arguments]
        self._run = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV
        )
        self.out = b""

    def type(self, *lines: str) -> None:
        assert self._run.stdin is not None
        self._run.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self._run.stdin.flush()

    def read_until(self, text: str) -> None:
        assert self._run.stdout is not None
        while text.encode() not in self.out:
            ready, *_ = select.select([self._run.stdout], [], [], LONGEST_S)
            assert ready, f"{text!r} never came; it said\n{self.out.decode()}"
            data = os.read(self._run.stdout.fileno(), 65_536)
            assert data, f"{text!r} never came; it said\n{self.out.decode()}"
            self.out += data

    def end(self, number: signal.Signals | None = None) -> tuple[int, str]:
        """Send a signal, or end the input; return exit code and what is on standard error."""
        assert self._run.stdin is not None and self._run.stderr is not None and self._run.stdout is not None
        if number is None:
            self._run.stdin.close()
        else:
            self._run.send_signal(number)
        code = self._run.wait(20)
        err = self._run.stderr.read().decode()
        for stream in (self._run.stdin, self._run.stdout, self._run.stderr):
            stream.close()
        return code, err


def drafts(path: Path) -> list[Draft]:
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [msgspec.json.decode(line[6:], type=Draft) for line in lines if line.startswith(b"draft ")]


@pytest.mark.usefixtures("hang_up_ends")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130), (None, 129)], ids=str
)
def test_an_end_from_outside_keeps_what_was_typed_even_within_edit(
    end: signal.Signals | None, code: int, tmp_path: Path
) -> None:
    record = tmp_path / "record"
    session = Pipe("--record", str(record), "--talk")
    session.read_until("home> ")
    session.type("write", "conflict R1 R2", "edit", "one", "two")
    session.read_until("3| ")
    assert session.end(end) == (code, "")
    assert drafts(record)[-1].text == "one\ntwo" and '"first":"R1"' in drafts(record)[-1].conflict


@pytest.mark.slow
def test_quit_leaves_with_0_and_says_nothing_on_standard_error(tmp_path: Path) -> None:
    record = tmp_path / "record"
    session = Pipe("--record", str(record))
    session.type("play short", "note one", "quit")
    assert session.end() == (0, "") and drafts(record)[-1].notes == "one"


@pytest.mark.slow
def test_a_signal_is_heard_while_an_answer_cannot_be_stored(tmp_path: Path) -> None:
    record = tmp_path / "record"
    session = Pipe("--record", str(record), "--stuck")
    session.type("play short", "note one", "answer filled 80")
    session.read_until("waiting: another program holds the file")
    code, err = session.end(signal.SIGTERM)
    assert code == 143
    assert err == "clew: the last save was not finished: another program holds the file\n"
    assert drafts(record)[-1].notes == "one"


@pytest.mark.slow
def test_without_a_terminal_the_line_mode_is_the_default_and_so_it_is_on_a_dumb_one() -> None:
    session = Pipe(arguments=("play",))
    session.type("help", "quit")
    assert session.end() == (0, "")
    dumb = Session("--", "play", env={"TERM": "dumb"})
    dumb.read_until("home>")
    dumb.press("quit\r")
    assert dumb.wait() == 0


@pytest.mark.slow
@pytest.mark.parametrize("family", ["--cases=20", "--talk"])
def test_in_a_terminal_no_escape_sequence_is_sent_whatever_is_shown(family: str) -> None:
    session = Session("--hostile", family, "--", "play", "--plain", env={"EDITOR": ""})
    opening, prompt = ("write", "writing>") if family == "--talk" else ("play medium", "puzzle>")
    session.press(f"{opening}\r")
    session.read_until(prompt)
    session.press("story\rrows\redit\r.\rlist\rreveal\rhelp\r")
    session.read_until("redo")
    session.press("quit\r")
    assert session.wait() == 0 and session.left_behind() == []
    assert not re.findall(rb"[\x00-\x07\x0b\x0c\x0e-\x1f\x7f]", session.output)
    assert not re.findall(r"[\x80-\x9f\u202a-\u202e]", session.output.decode())


@pytest.mark.slow
def test_a_pause_clears_a_terminal_and_a_pipe_is_told_that_it_cannot() -> None:
    session = Session("--", "play", "--plain", env={"TERM": "xterm-256color"})
    session.press("play\r")
    session.read_until("puzzle>")
    session.press("pause\r")
    session.read_until("enter goes on")
    before, cleared, after = session.output.partition(CLEAR.encode())
    assert cleared and b"Which is likelier" in before and b"Which is likelier" not in after
    assert b"stays where it is" not in after
    session.press("\rquit\r")
    assert session.wait() == 0
    pipe = Pipe()
    pipe.type("play", "pause", "", "quit")
    pipe.read_until("What was told stays where it is.")
    assert pipe.end() == (0, "") and b"\x1b" not in pipe.out


@pytest.mark.slow
def test_a_closed_output_ends_the_session_with_the_draft_kept(tmp_path: Path) -> None:
    record = tmp_path / "record"
    command = [sys.executable, str(HERE / "play_fake.py"), "--record", str(record), "--", "play", "--plain"]
    run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV)
    assert run.stdin is not None and run.stdout is not None and run.stderr is not None
    run.stdin.write(b"play short\nnote one\n")
    run.stdin.flush()
    while b"one\n" not in os.read(run.stdout.fileno(), 65_536):
        continue
    run.stdout.close()
    run.stdin.write(b"rows\nrows\n")
    run.stdin.flush()
    assert run.wait(20) == 129
    assert drafts(record)[-1].notes == "one" and run.stderr.read() == b""
    run.stdin.close()
    run.stderr.close()


@pytest.mark.slow
def test_an_editor_of_ones_own_is_used_in_a_terminal(tmp_path: Path) -> None:
    record, editor = tmp_path / "record", tmp_path / "my editor"
    editor.write_text('#!/bin/sh\ntest "$(stat -c %a "$1")" = 600 && printf "caf\\303\\251\\r\\nline\\n" > "$1"\n')
    editor.chmod(0o700)
    session = Session("--record", str(record), "--talk", "--", "play", "--plain", env={"EDITOR": f"'{editor}'"})
    session.press("write\redit\rtext\r")
    session.read_until("2 line")
    session.press("send\rquit\r")
    assert session.wait() == 0
    answers = [line for line in record.read_bytes().splitlines() if line.startswith(b"answer ")]
    assert b'"raw":"caf\xc3\xa9\\nline"' in answers[0]
