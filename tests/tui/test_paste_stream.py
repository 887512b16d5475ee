"""A paste comes through Textual's parser in one piece, whatever is in it and wherever the reads cut it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual._xterm_parser import XTermParser

from tui.pasting import PATIENCE_S, PasteStream, pasted

BEGIN, END = "\x1b[200~", "\x1b[201~"
PARTS = st.text(st.sampled_from("ab[20~1\x1b\x00\x07\x9b\n漢"), max_size=12)


def cut(text: str, places: Sequence[int]) -> list[str]:
    borders = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [text[start:end] for start, end in pairwise(borders)]


def parsed(chunks: Sequence[str], stream: PasteStream | None) -> list[object]:
    parser = XTermParser()
    found: list[object] = []
    for chunk in [*chunks, "z", "z"]:
        # Nothing at all would mean the end of the input.
        if ready := stream.feed(chunk) if stream is not None else chunk:
            found += parser.feed(ready)
    return found


@given(PARTS, PARTS, st.lists(st.integers(0, 60), max_size=5))
def test_whatever_is_pasted_is_one_paste_wherever_it_is_cut(first: str, second: str, places: list[int]) -> None:
    texts = [text.replace(END, "") for text in (first, second)]
    data = "".join(BEGIN + text + END for text in texts)
    pastes = [one.text for one in parsed(cut(data, places), PasteStream()) if isinstance(one, events.Paste)]
    assert [pasted(text) for text in pastes] == [pasted(text) for text in texts]


@given(PARTS.map(lambda text: text.replace(BEGIN, "")), st.lists(st.integers(0, 60), max_size=5))
def test_what_is_typed_goes_on_as_it_came(text: str, places: list[int]) -> None:
    stream = PasteStream()
    for chunk in cut(text, places):
        assert stream.feed(chunk) == chunk


def test_twenty_thousand_escapes_are_one_event() -> None:
    found = parsed([BEGIN + "\x1b" * 20_000 + END], PasteStream())
    assert [type(one) for one in found] == [events.Paste, events.Key, events.Key]


def test_without_it_an_escape_is_typed_and_leaves_its_place() -> None:
    """The positive control: Textual's parser alone breaks such a paste to pieces."""
    found = parsed([BEGIN + "ab\x1bcd" + END], None)
    assert not [one for one in found if isinstance(one, events.Paste) and "cd" in one.text]


@given(PARTS.map(lambda text: text.replace(END, "")), st.booleans())
def test_a_paste_without_its_end_is_over_after_a_while_and_keys_are_keys_again(text: str, late: bool) -> None:
    now = [0.0]
    stream, parser = PasteStream(lambda: now[0]), XTermParser()
    found = list(parser.feed(stream.feed(BEGIN + text)))
    now[0] += PATIENCE_S - 0.1
    assert stream.tick() == ""
    now[0] += 0.2
    found += parser.feed(stream.tick())
    assert stream.tick() == ""
    # Its end may come after all.
    found += parser.feed(stream.feed((END if late else "") + "q"))
    pastes = [one.text for one in found if isinstance(one, events.Paste)]
    assert [pasted(one) for one in pastes] == [pasted(text)]
    assert [one.key for one in found if isinstance(one, events.Key)] == ["q"]


@given(PARTS.map(lambda text: text.replace(END, "")), st.lists(st.integers(0, 60), max_size=5))
def test_a_slow_paste_is_one_paste_as_long_as_it_goes_on(text: str, places: list[int]) -> None:
    now = [0.0]
    stream, ready = PasteStream(lambda: now[0]), ""
    for chunk in cut(BEGIN + text + END, places):
        now[0] += PATIENCE_S - 0.1
        ready += stream.tick() + stream.feed(chunk)
    found = [one.text for one in XTermParser().feed(ready) if isinstance(one, events.Paste)]
    assert [pasted(one) for one in found] == [pasted(text)]
