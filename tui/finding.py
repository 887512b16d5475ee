"""Finding a text in another, letters of either case: its next place, going round at the end."""

from __future__ import annotations

import re
from typing import NamedTuple


class Place(NamedTuple):
    """One of the places where a text stands."""

    start: int
    end: int
    nth: int
    """From 1."""
    of: int


def next_place(within: str, wanted: str, since: int) -> Place | None:
    """Return the first place at or after `since`, else the first of all; None where there is none."""
    spans = [one.span() for one in re.finditer(re.escape(wanted), within, re.IGNORECASE)] if wanted else []
    if not spans:
        return None
    index = next((nth for nth, span in enumerate(spans) if span[0] >= since), 0)
    return Place(*spans[index], nth=index + 1, of=len(spans))
