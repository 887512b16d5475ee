"""Wrapped lines fit, and together they are the text."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui.wrapping import TAB, wrapped

TEXTS = st.text(st.sampled_from("ab  \n\t漢e\u0301🙂"), max_size=200)


@given(TEXTS, st.integers(2, 40))
def test_no_line_is_wider_than_the_pane(text: str, width: int) -> None:
    assert all(cell_len(line) <= width for line in wrapped(text, width))


@given(TEXTS, st.integers(2, 40))
def test_the_lines_hold_all_of_the_text_but_spaces_at_breaks(text: str, width: int) -> None:
    without = "".join(wrapped(text, width)).replace(" ", "")
    assert without == text.replace("\n", "").replace("\t", TAB).replace(" ", "")


def test_lines_break_between_words_and_long_words_inside() -> None:
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert wrapped("abcdefgh ij", 5) == ["abcde", "fgh", "ij"]
    assert wrapped("a\n\nb", 5) == ["a", "", "b"]


def test_a_line_of_a_megabyte_is_wrapped() -> None:
    lines = wrapped("x" * 1_000_000, 38)
    assert len(lines) == -(-1_000_000 // 38)
