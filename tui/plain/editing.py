"""Writing a text in the line mode: in the person's own editor, or line by line up to a line that holds a dot alone.

    edit        $EDITOR on the whole text; without one, or without a terminal, lines that take its place
    edit +      lines that are put at the end
    edit 3      lines that take the place of line 3; edit 3-5 of lines 3 to 5; none at all delete them

A line of two dots stands for one dot. Lines end in LF, and the last one has no end, unless an empty line follows.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.errors import UsageError, quoted
from tui.pasting import pasted
from tui.plain.ends import Ended
from tui.plain.lines import Lines
from tui.plain.voice import Voice

END, DOT = ".", ".."
KEPT_S = 0.5
"""While lines are typed, what is there so far is kept about so often."""
LONGEST_FILE = 1_000_000
"""Longest text that is read back from an editor, in bytes."""


class Editing:
    """Makes a new text of an old one; what was typed before an end from outside is kept too."""

    def __init__(self, voice: Voice, lines: Lines, *, monotonic: Callable[[], float]) -> None:
        self._voice, self._lines, self._monotonic = voice, lines, monotonic

    def edit(self, text: str, rest: str, keep: Callable[[str], None], *, by_lines: bool = False) -> None:
        """Edit a text; `keep` is given the new one, and now and then what there is of it.

        Args:
            by_lines: no editor of the person's own, into which anything could be pasted unseen.

        Raises:
            UsageError: `rest` names no lines of the text, or the editor cannot be started or leaves no text.
            Ended: the session ends; what was typed was given to `keep`.
        """
        command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
        if not by_lines and not rest and command and sys.stdin.isatty() and sys.stdout.isatty():
            keep(in_editor(command, text))
            return
        before, after, what = _parts(text, rest)
        self._voice.say(f"{what}; a line with a dot alone ends it")
        self._type(before, after, keep)

    def _type(self, before: Sequence[str], after: Sequence[str], keep: Callable[[str], None]) -> None:
        typed: list[str] = []
        kept_at = self._monotonic()
        try:
            while (line := self._lines.read(f"{len(before) + len(typed) + 1}| ")) != END:
                kept, dropped = pasted(END if line == DOT else line)
                typed.append(kept)
                if dropped:
                    self._voice.say(f"{dropped} characters of that line left out")
                if self._monotonic() - kept_at >= KEPT_S:
                    keep("\n".join([*before, *typed, *after]))
                    kept_at = self._monotonic()
        except Ended:
            if typed:
                keep("\n".join([*before, *typed, *after]))
            raise
        if typed or before or after:
            keep("\n".join([*before, *typed, *after]))


def _parts(text: str, rest: str) -> tuple[list[str], list[str], str]:
    """Return the lines that stay before and after what is typed, and what is about to happen."""
    lines = text.split("\n") if text else []
    if not rest:
        return [], [], "the text so far is replaced" if text else "write the text"
    if rest == "+":
        return lines, [], "more lines at the end"
    first, _, last = rest.partition("-")
    last = last or first
    if not all(part.isascii() and part.isdecimal() and 1 <= int(part[:9]) <= len(lines) for part in (first, last)):
        raise UsageError(f"edit {quoted(rest)}: + or lines such as 2 or 2-4 are right; the text has {len(lines)}")
    if int(first) > int(last):
        raise UsageError(f"edit {quoted(rest)}: the first line comes first")
    return lines[: int(first) - 1], lines[int(last) :], f"line {rest} is replaced"


def in_editor(command: str, text: str) -> str:
    """Return what a person makes of a text in an editor, in a private file that is deleted afterwards.

    Raises:
        UsageError: the editor cannot be started, fails, or leaves something that is no text in UTF-8.
    """
    with tempfile.TemporaryDirectory(prefix="clew-") as folder:
        path = Path(folder) / "text.txt"
        path.write_bytes(text.encode("utf-8", "replace"))
        path.chmod(0o600)
        try:
            words = shlex.split(command)
            code = subprocess.run([*words, str(path)], check=False).returncode
            data = path.read_bytes()
        except (OSError, ValueError) as error:
            raise UsageError(f"the editor {quoted(command)} cannot be used; set EDITOR to another one") from error
    if code:
        raise UsageError(f"the editor {quoted(command)} ended with code {code}; the text stays as it was")
    if len(data) > LONGEST_FILE:
        raise UsageError(f"the editor left {len(data)} bytes; {LONGEST_FILE} are the most")
    return _read_back(data, text)


def _read_back(data: bytes, before: str) -> str:
    try:
        found = data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise UsageError(f"the editor left no UTF-8 at byte {error.start + 1}; the text stays as it was") from error
    # Editors end the last line, which is no part of what was written, unless it was there before.
    return found.removesuffix("\n") if not before.endswith("\n") else found
