"""What foreign text looks like on the screen: safe, total, idempotent, and honest about what it hides."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from textual.color import Color

from tui.gate import Gate
from tui.shown import CELL_LIMIT, MARK_LIMIT, shown_block, shown_cell

NASTY = st.text(
    st.one_of(
        st.sampled_from("[/]@=\x1b\x07\x9b\u202e\u2066\u200b\ufeff\u2028\U000e0041\ud800\u0301\t\n\r\0a"),
        st.characters(codec=None),
    )
)
STEERING = frozenset(
    [*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), *"\u200e\u200f\u061c\u200b\u2060\ufeff\u2028\u2029"]
    + [
        chr(code)
        for low, high in ((0x202A, 0x202E), (0x2066, 0x2069), (0xE0000, 0xE007F))
        for code in range(low, high + 1)
    ]
)


@given(NASTY)
def test_nothing_that_steers_a_terminal_is_left(text: str) -> None:
    assert not STEERING & set(shown_cell(text))
    assert STEERING & set(shown_block(text)) <= {"\n", "\t"}
    (shown_block(text) + shown_cell(text)).encode("utf-8")


def test_each_steering_character_is_told_apart_from_the_text() -> None:
    for one in STEERING:
        assert one not in shown_cell(f"a{one}b"), f"U+{ord(one):04X}"
        assert one not in shown_block(f"a{one}b") or one in "\n\t", f"U+{ord(one):04X}"
        assert one not in Gate().apply([Segment(f"a{one}b")], Color.parse("black"))[0].text, f"U+{ord(one):04X}"


@given(NASTY)
def test_showing_twice_shows_the_same(text: str) -> None:
    assert shown_block(shown_block(text)) == shown_block(text)
    assert shown_cell(shown_cell(text)) == shown_cell(text)


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert shown_block(text) == text
    assert shown_cell(text[:CELL_LIMIT]) == text[:CELL_LIMIT]


@given(NASTY.filter(lambda text: not any(unicodedata.category(one)[0] == "M" for one in text)))
def test_a_block_hides_nothing(text: str) -> None:
    """Every character is there, as itself, as a picture, or spelled out."""
    shown = shown_block(text)
    for one in set(text):
        code = ord(one)
        forms = (one, f"<U+{code:04X}>", chr(0x2400 + code) if code < 0x20 else "\u2421")
        assert any(form in shown for form in forms), f"U+{code:04X} has vanished"


@pytest.mark.parametrize("text", ["e" + "\u0301" * 50, "\u0301" * 50])
def test_a_pile_of_marks_is_cut(text: str) -> None:
    assert shown_block(text).count("\u0301") == MARK_LIMIT


@pytest.mark.parametrize("text", ["x" * (CELL_LIMIT + 1), "\x1b" * 1_000_000, "\u0301" * 1_000_000, "\u202e" * 5000])
def test_a_long_cell_ends_in_an_ellipsis(text: str) -> None:
    assert len(shown_cell(text)) <= CELL_LIMIT and shown_cell(text).endswith("…")


@given(NASTY)
def test_the_gate_lets_nothing_through_and_keeps_the_width(text: str) -> None:
    segment = Segment(text)
    (out,) = Gate().apply([segment], Color.parse("black"))
    assert not STEERING & set(out.text)
    assert out.cell_length == segment.cell_length
    out.text.encode("utf-8")


def test_the_gate_leaves_clean_lines_alone() -> None:
    segments = [Segment("a plain line ├ ok [/]"), Segment("wörter 漢字")]
    assert Gate().apply(segments, Color.parse("black")) == segments
