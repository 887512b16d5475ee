"""The last gate before the terminal: no control or bidi character leaves in a line, wherever it came from.

Text is made readable earlier, by `tui.shown`; fields that show stored text as it is (editors) rely on this gate.
What it removes has no width in Textual's own count, so columns stay aligned.
"""

from __future__ import annotations

import re

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from tui.shown import INVISIBLE

_REMOVED = re.compile(f"[\x00-\x1f\x7f-\x9f{INVISIBLE}]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Gate(LineFilter):
    """Removes what steers a terminal; a lone surrogate, which cannot be encoded, becomes U+FFFD."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment if segment.control or (segment.text.isascii() and segment.text.isprintable()) else _cleaned(segment)
            for segment in segments
        ]


def _cleaned(segment: Segment) -> Segment:
    text = _SURROGATE.sub("\ufffd", _REMOVED.sub("", segment.text))
    return segment if text == segment.text else Segment(text, segment.style)
