"""Foreign text made fit for the screen: total over every str, idempotent, for display only.

Foreign is everything that clew did not write as a literal: names, texts, notes, paths, messages of errors.
Stored bytes never pass through here; what is scored is never what is shown. This module imports nothing of clew.
"""

from __future__ import annotations

import re
from unicodedata import category

CELL_LIMIT = 200
"""Longest shown cell, in characters."""
MARK_LIMIT = 8
"""Most combining marks shown on one base character."""

INVISIBLE = "\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
"""Inside of a character class: bidi controls, zero-width characters, line separators and tags."""
_SPELLED = re.compile(f"[\x80-\x9f{INVISIBLE}\ud800-\udfff]")
_PICTURED = {code: 0x2400 + code for code in range(0x20)} | {0x7F: 0x2421}
_PICTURED_IN_BLOCKS = {code: picture for code, picture in _PICTURED.items() if chr(code) not in "\n\t"}
_CELL_SOURCE = 20 * CELL_LIMIT
"""More of a cell is never looked at, so that a cell of a megabyte costs no more than a short one."""


def shown_block(text: str) -> str:
    """Return `text` for a pane of several lines: only newline and tab stay of what steers a terminal."""
    return _safe(text.translate(_PICTURED_IN_BLOCKS))


def shown_cell(text: str) -> str:
    """Return `text` for one line: controls as pictures, `CELL_LIMIT` characters at most, an ellipsis where cut."""
    shown = _safe(text[:_CELL_SOURCE].translate(_PICTURED))
    if len(shown) > CELL_LIMIT or len(text) > _CELL_SOURCE:
        return shown[: CELL_LIMIT - 1] + "…"
    return shown


def _safe(text: str) -> str:
    return text if text.isascii() else _few_marks(_SPELLED.sub(_spelling, text))


def _spelling(match: re.Match[str]) -> str:
    return f"<U+{ord(match[0]):04X}>"


def _few_marks(text: str) -> str:
    """Drop the combining marks beyond `MARK_LIMIT` on each base character."""
    kept: list[str] = []
    marks = 0
    for character in text:
        marks = marks + 1 if character > "\u02ff" and category(character)[0] == "M" else 0
        if marks <= MARK_LIMIT:
            kept.append(character)
    return "".join(kept)
