"""What of a paste goes into a text field, and how many characters there are that nobody can see."""

from __future__ import annotations

import re

from tui.shown import INVISIBLE

PASTE_LIMIT = 20_000
"""Longest paste, in characters: an editor slows down on more."""
_DROPPED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_INVISIBLE = re.compile(f"[{INVISIBLE}]")


def pasted(text: str) -> tuple[str, int]:
    """Return what of a paste is kept, its line ends as LF, and how many characters are left out.

    Left out are controls other than newline and tab, halves of surrogate pairs, and all beyond the limit.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = _DROPPED.sub("", lines)[:PASTE_LIMIT]
    return kept, len(lines) - len(kept)


def invisible_count(text: str) -> int:
    return 0 if text.isascii() else len(_INVISIBLE.findall(text))
