"""Code point ranges become lines and columns and back, and follow the text when it is changed."""

from hypothesis import given
from hypothesis import strategies as st

from tui.places import Lines, Place, moved

TEXTS = st.text(st.sampled_from("ab\n\r\u2028\u0301漢"), max_size=30)
SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=4)


def shared(one: str, other: str) -> int:
    """Return how many characters two texts share at their beginning."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


@given(TEXTS, st.integers(0, 30))
def test_a_place_is_as_many_line_feeds_down_as_stand_before_it(text: str, offset: int) -> None:
    offset = min(offset, len(text))
    place = Lines(text).place(offset)
    before = text[:offset].split("\n")
    assert place == Place(len(before) - 1, len(before[-1]))


def test_a_place_outside_of_the_text_is_taken_to_its_nearer_end() -> None:
    lines = Lines("ab\nc")
    assert lines.place(-5) == Place(0, 0) and lines.place(99) == Place(1, 1)


@given(TEXTS, SPANS)
def test_the_parts_of_spans_cover_exactly_their_characters(text: str, spans: list[tuple[int, int]]) -> None:
    parts = Lines(text).parts(spans)
    starts = [index for index in range(len(text) + 1) if index == 0 or text[index - 1] == "\n"]
    ranges = [(starts[line] + begin, starts[line] + end) for line, those in parts.items() for begin, end in those]
    covered = {at for begin, end in ranges for at in range(begin, end)}
    assert covered == {at for start, end in spans for at in range(start, min(end, len(text))) if text[at] != "\n"}


@given(TEXTS, st.integers(0, 30), st.integers(0, 30), TEXTS, SPANS)
def test_a_span_that_is_kept_holds_the_same_characters(
    before: str, start: int, end: int, new: str, spans: list[tuple[int, int]]
) -> None:
    start, end = sorted((min(start, len(before)), min(end, len(before))))
    after = before[:start] + new + before[end:]
    spans = [(a, b) for a, b in spans if a <= b <= len(before)]
    kept = moved(spans, before, after)
    texts = [before[a:b] for a, b in spans]
    assert all(after[a:b] in texts and 0 <= a <= b <= len(after) for a, b in kept)
    # Which of several equal letters was put in cannot be told from the texts; what both ends share stays in any case.
    head = shared(before, after)
    tail = min(shared(before[::-1], after[::-1]), min(len(before), len(after)) - head)
    assert len(kept) >= sum(b <= head or a >= len(before) - tail for a, b in spans if a < b)


def test_a_span_that_the_change_touches_is_dropped() -> None:
    assert moved([(0, 2), (3, 6), (8, 9)], "ab cde fg", "ab cXde fg") == ((0, 2), (9, 10))
