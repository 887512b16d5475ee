"""What the line mode says: plain lines, made fit to show, and nothing that moves a cursor or sets a colour."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TextIO

from rich.cells import cell_len, set_cell_size

from tui.plain.ends import HUNG_UP, Ended
from tui.shown import shown_block, shown_cell

GAP = "  "
CLEAR = "\x1b[3J\x1b[H\x1b[2J"
"""The one sequence of the line mode: a pause hides what was told. No text of others is in it."""


class Voice:
    """Writes lines to one stream; a reader that has gone ends the session as a terminal that hangs up does."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def say(self, text: str = "") -> None:
        """Say a text of one or several lines."""
        self._write(shown_block(text) + "\n")

    def clear(self) -> bool:
        """Clear a terminal, what was scrolled out of it too; return False where there is none that can be cleared."""
        if not self._out.isatty() or os.environ.get("TERM", "dumb") == "dumb":
            return False
        self._write(CLEAR)
        return True

    def ask(self, prompt: str) -> None:
        """Say a prompt, after which the answer is typed in the same line."""
        self._write(shown_cell(prompt))

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """Say rows whose cells stand below each other; the last cell of a row is as long as it is."""
        cells = [[shown_cell(cell) for cell in row] for row in rows]
        widths = [
            max((cell_len(row[column]) for row in cells if column < len(row) - 1), default=0)
            for column in range(max((len(row) for row in cells), default=0))
        ]
        for row in cells:
            padded = [set_cell_size(cell, width) for cell, width in zip(row[:-1], widths, strict=False)]
            self._write(GAP.join([*padded, *row[-1:]]).rstrip() + "\n")

    def _write(self, text: str) -> None:
        try:
            # What was stored may hold halves of surrogate pairs, which no stream takes: `shown` has spelled them out.
            self._out.write(text)
            self._out.flush()
        except OSError as error:
            raise Ended(HUNG_UP) from error
