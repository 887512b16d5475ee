"""What an editor may leave behind, and what of it becomes the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import UsageError
from tui.plain.editing import in_editor
from tui.plain.writing import read_report


def editor(tmp_path: Path, script: str) -> str:
    path = tmp_path / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o700)
    return str(path)


def test_the_end_of_the_last_line_is_no_part_of_the_text_unless_it_was_there(tmp_path: Path) -> None:
    added = editor(tmp_path, 'echo >> "$1"')
    assert in_editor(added, "one\ntwo") == "one\ntwo"
    assert in_editor(added, "one\n") == "one\n\n"
    assert in_editor(editor(tmp_path, "true"), "e\u0301 \u202e\t ") == "e\u0301 \u202e\t "


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("exit 3", "ended with code 3"),
        (r'printf "a\377" > "$1"', "no UTF-8 at byte 2"),
        ('rm "$1"', "cannot be used"),
        ('head -c 1000001 /dev/zero > "$1"', "1000001 bytes"),
    ],
)
def test_what_is_no_text_is_refused_and_the_old_one_stays(tmp_path: Path, script: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        in_editor(editor(tmp_path, script), "old")


@pytest.mark.parametrize("command", ["/no/such/editor", "'unclosed"])
def test_an_editor_that_cannot_be_started_is_named(command: str) -> None:
    with pytest.raises(UsageError, match="cannot be used; set EDITOR"):
        in_editor(command, "old")


def test_a_report_takes_names_of_several_words_in_quotes() -> None:
    box = read_report('"no title" R4 the note goes on')
    assert (box.seen, box.first, box.second, box.note) == (True, "no title", "R4", "the note goes on")
    for bad in ("R1", '"R1 R2', ""):
        with pytest.raises(UsageError, match="two requirements are needed"):
            read_report(bad)
