"""Without colour nothing but weight, underline and reverse is sent to the terminal; bad settings are one line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pty_session import Session

ALLOWED = {"", "0", "1", "2", "3", "4", "7", *map(str, range(22, 28)), "39", "49"}
SGR = re.compile(rb"\x1b\[([0-9;:]*)m")
WAY = (
    ("i", "vending machine"), ("n", "order matters"), ("q", "drafts are kept"), ("o", "What is changed here"),
    ("q", "drafts are kept"), ("s", "Nothing to count yet"), ("q", "drafts are kept"), ("c", "your answer"),
    ("t", "Tank number 1 is filled"), ("t", "filter none"), ("?", "write notes"), ("q", "your answer"),
    ("af7\r", "Brier"), ("r", "The rules behind it"),
)  # fmt: skip


def codes(output: bytes) -> set[str]:
    return {part for found in SGR.findall(output) for part in found.decode().replace(":", ";").split(";")}


def played(env: dict[str, str]) -> bytes:
    session = Session(env=env)
    session.read_until("drafts are kept", "0 answers")
    for keys, shown in WAY:
        session.press(keys)
        session.read_until(shown)
    session.press("\x11")
    assert session.wait() == 0
    return session.output


@pytest.mark.slow
@pytest.mark.parametrize(
    "env", [{"NO_COLOR": "1"}, {"CLEW_THEME": "clew-mono"}, {"NO_COLOR": "1", "CLEW_THEME": "nord"}]
)
def test_no_colour_is_sent(env: dict[str, str]) -> None:
    sent = codes(played(env))
    assert sent <= ALLOWED and {"1", "7"} <= sent, "weight and reverse stand in for colour"


def test_colour_is_sent_otherwise_and_an_empty_no_color_asks_nothing() -> None:
    session = Session(env={"NO_COLOR": "", "CLEW_THEME": "clew-contrast"})
    session.read_until("drafts are kept")
    session.press("\x11")
    assert session.wait() == 0 and "38" in codes(session.output)


@pytest.mark.parametrize(
    ("text", "said"), [("theme = 'clew-drak'\n", "theme is 'clew-drak'"), ("players = 3\n", "players is 3")]
)
def test_a_bad_settings_file_is_one_line_and_2(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    session = Session(env={"CLEW_CONFIG": str(file)})
    assert session.wait() == 2
    lines = session.after_the_end()
    assert said in " ".join(lines) and "\x1b[?1049h" not in session.output.decode()
    assert session.output.count(b"\n") == 1
