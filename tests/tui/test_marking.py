"""Laying out a text with tick boxes loses no word and overruns no line; marks stay whole, ordered and apart."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui.marking import BOXES, Mark, fitting, lay_out, mark_at, ticked, underlined, without, word_spans
from tui.shown import shown_block

TEXTS = st.text(st.sampled_from("abc  \t\n漢🙂\u0301\u202e\x1b[/]\x85\u2028\ud800"), max_size=60)
PLACES = st.tuples(st.integers(0, 60), st.integers(0, 60))


def marks_in(text: str, places: list[tuple[int, int]]) -> tuple[Mark, ...]:
    """Return underlines from word to word, as a person can make them."""
    words, marks = word_spans(text), ()
    for first, last in places:
        if words:
            first, last = sorted((first % len(words), last % len(words)))
            marks = underlined(marks, (words[first][0], words[last][1]))
    return marks


@given(TEXTS, st.lists(PLACES, max_size=4), st.integers(1, 30))
def test_every_word_is_shown_once_in_order_within_the_width(
    text: str, places: list[tuple[int, int]], width: int
) -> None:
    marks = marks_in(text, places)
    lines = lay_out(text, marks, width)
    room = max(width, len(BOXES[True]) + 2)
    shown: dict[int, str] = {}
    for line in lines:
        assert sum(cell_len(piece.text) for piece in line) <= room
        assert "\n" not in "".join(piece.text for piece in line)
        for piece in line:
            if piece.kind == "word":
                shown[piece.word] = shown.get(piece.word, "") + piece.text
    assert list(shown) == sorted(shown)
    assert [shown[word] for word in sorted(shown)] == [shown_block(text[start:end]) for start, end in word_spans(text)]
    assert sum(piece.kind == "box" for line in lines for piece in line) == len(marks)


@given(TEXTS, st.lists(PLACES, max_size=6))
def test_marks_never_touch_and_cover_what_was_underlined(text: str, places: list[tuple[int, int]]) -> None:
    words, marks = word_spans(text), marks_in(text, places)
    assert all(one.end < other.start for one, other in pairwise(marks))
    if words:
        for first, last in places:
            for word in range(*sorted((first % len(words), last % len(words)))):
                assert mark_at(marks, words[word][0]) is not None
    assert fitting(marks, text) == marks


def test_a_new_underline_takes_in_those_it_touches_and_is_not_ticked() -> None:
    marks = (Mark(start=0, end=3, ticked=True), Mark(start=10, end=12, ticked=True))
    assert underlined(marks, (2, 6)) == (Mark(start=0, end=6), Mark(start=10, end=12, ticked=True))
    assert ticked(marks, 1)[1] == Mark(start=10, end=12) and without(marks, 0) == marks[1:]


def test_a_stored_mark_that_fits_nothing_is_left_out() -> None:
    stored = (
        Mark(start=-1, end=2),
        Mark(start=0, end=2),
        Mark(start=1, end=3),
        Mark(start=3, end=3),
        Mark(start=3, end=9),
    )
    assert fitting(stored, "abcde") == (Mark(start=0, end=2),)


def test_a_megabyte_in_one_word_or_in_many_is_laid_out_whole() -> None:
    assert len(lay_out("[/]" * 333_333, (), 40)) == 25_000
    assert len(lay_out("[/] " * 250_000, (), 40)) == 25_000
