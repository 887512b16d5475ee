"""The terminal that tests look at shows the same however the bytes come, and nothing that it does not know."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from pty_session import Emulator

SENT = (
    "\x1b[?1049h\x1b[>1u\x1b[?2026$p\x1b[2;3H\x1b[1mtank \u2022 \x1b[<u\x1b[=5;1u\x1b[0mfilled\x1b[?25l\x1b[?2048$p."
).encode()


@given(st.lists(st.integers(0, len(SENT)), max_size=8))
def test_bytes_in_any_pieces_show_the_same(cuts: list[int]) -> None:
    emulator = Emulator()
    for begin, end in pairwise([0, *sorted(cuts), len(SENT)]):
        emulator.feed(SENT[begin:end])
    assert emulator.text().strip() == "tank \u2022 filled."
