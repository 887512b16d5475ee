"""The editor's document holds a text byte for byte, whatever Unicode calls a line end."""

from hypothesis import given
from hypothesis import strategies as st
from textual.widgets.text_area import Document

from tui.places import Lines
from tui.widgets.text_field import LineFeedDocument

TEXTS = st.text(st.sampled_from("ab \t\n\r\x0b\x0c\x85\u2028\u2029\u202e\u200be\u0301漢🙂"), max_size=25)


@given(TEXTS)
def test_a_text_comes_back_as_it_was(text: str) -> None:
    assert LineFeedDocument(text).text == text


@given(TEXTS, st.integers(0, 25), st.integers(0, 25), TEXTS)
def test_replacing_a_range_is_replacing_a_slice_and_can_be_taken_back(
    text: str, start: int, end: int, new: str
) -> None:
    start, end = sorted((min(start, len(text)), min(end, len(text))))
    document, lines = LineFeedDocument(text), Lines(text)
    top = tuple(lines.place(start))
    result = document.replace_range(top, tuple(lines.place(end)), new)
    changed = text[:start] + new + text[end:]
    assert document.text == changed and result.replaced_text == text[start:end]
    assert result.end_location == tuple(Lines(changed).place(start + len(new)))
    document.replace_range(top, result.end_location, result.replaced_text)
    assert document.text == text


def test_deleting_the_last_line_may_reach_beyond_the_end() -> None:
    document = LineFeedDocument("a\nb")
    document.replace_range((1, 0), (2, 0), "")
    assert document.text == "a\n"


def test_the_stock_document_does_change_a_text() -> None:
    """The positive control: Textual's own document turns a line separator into a newline."""
    assert Document("a\u2028b").text == "a\nb"
