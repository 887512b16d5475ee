"""Bytes from a terminal that are no text do not stop the input: pastes full of escapes, mice of old terminals."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from pty_session import Session

from engine.public import Draft


def last_text(path: Path) -> str:
    drafts = [line for line in path.read_bytes().splitlines() if line.startswith(b"draft ")]
    return msgspec.json.decode(drafts[-1][6:], type=Draft).text


@pytest.mark.slow
def test_a_paste_of_escapes_stays_in_one_piece_and_old_mouse_reports_are_survived(tmp_path: Path) -> None:
    record = tmp_path / "record"
    session = Session("--record", str(record), "--talk")
    session.read_until("drafts are kept")
    session.press("c")
    session.read_until("Write a short note")
    os.write(session.fd, b"\x1b[M\xa0\xff\xfe\x80\xc3")
    session.press("\x1b[200~" + "a\x1bb\x1b[31mc\x00" * 2000 + "\x1b[201~")
    session.read_until("of the paste left out")
    session.press(" and on")
    session.read_until("and on")
    session.press("\x11\x11")
    assert session.wait() == 0 and session.left_behind() == []
    assert last_text(record).endswith("ab[31mcab[31mc and on") and "ab[31mc" * 2000 in last_text(record)
