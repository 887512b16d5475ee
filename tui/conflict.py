"""The conflict box: that the writer sees two requirements contradict each other, which two, and a note of their own.

It is stored and never scored, and it computes nothing: what stands in it is what the person wrote.
"""

from __future__ import annotations

import msgspec

WHICH_LIMIT, NOTE_LIMIT = 200, 2_000
"""Longest name of a requirement, and longest note, in characters."""


class Conflict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the box holds."""

    seen: bool = False
    """Whether the box is ticked."""
    first: str = ""
    second: str = ""
    """The two requirements, in the person's own words, such as `R3`."""
    note: str = ""

    def text(self) -> str:
        """Return the form in which a draft keeps it; empty for an untouched box."""
        return msgspec.json.encode(self).decode() if self != Conflict() else ""

    def report(self, turn: int) -> str:
        """Return the report that goes with a turn that is sent; empty when the box is not ticked."""
        told = {"turn": turn, "first": self.first, "second": self.second, "note": self.note}
        return msgspec.json.encode(told).decode() if self.seen else ""


def read_conflict(text: str) -> Conflict:
    """Return what a draft keeps; an untouched box for anything else."""
    try:
        found = msgspec.json.decode(text or "{}", type=Conflict)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return Conflict()
    return Conflict(
        seen=found.seen, first=found.first[:WHICH_LIMIT], second=found.second[:WHICH_LIMIT],
        note=found.note[:NOTE_LIMIT],
    )  # fmt: skip
