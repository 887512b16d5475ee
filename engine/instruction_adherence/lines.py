"""Lines of a response and their kinds: heading, rule, title, list item, prose (readings 4 to 6)."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

LineKind = Literal["heading", "rule", "title", "item", "prose"]
_LINE = re.compile(
    r"""(?x)
      (?P<heading> [#]{1,6}[ ] )
    | (?P<rule> (?:-{3,}|\*{3,}|_{3,}) \s* \Z )
    | (?P<title> \s* << (?!<|\s*>>) (?:(?!<<|>>).)+ >> \s* \Z )
    | (?P<item> (?P<indent>\s*) (?P<marker> [-*•] | (?:[0-9]{1,3}|[a-z])[.)] ) \s+ )
    """
)
"""Line kinds by their start (readings 5 and 6); what matches nothing is prose."""


class Line(NamedTuple):
    """A non-empty line."""

    kind: LineKind
    start: int
    end: int
    content: int
    """Where the text begins: after the marker of a list item, else at the start of the line."""
    indent: str
    marker: str
    """The marker of a list item such as `-` or `12.`; empty for other kinds."""
    block: int
    """Lines with no blank line between them share a block."""


def read_lines(text: str) -> list[Line]:
    """Return the lines that are not blank; a line of whitespace alone is blank and ends a block."""
    lines: list[Line] = []
    block = start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if line and not line.isspace():
            lines.append(_read_line(line, start, end, block))
        else:
            block += 1
        start = end + 1
    return lines


def _read_line(line: str, start: int, end: int, block: int) -> Line:
    match = None if line[0].isupper() else _LINE.match(line)  # most lines of prose begin with a capital
    if match is None:
        return Line("prose", start, end, start, "", "", block)
    if match["item"] is not None:
        return Line("item", start, end, start + match.end(), match["indent"], match["marker"], block)
    kind: LineKind = "heading" if match["heading"] else "rule" if match["rule"] else "title"
    return Line(kind, start, end, start, "", "", block)
