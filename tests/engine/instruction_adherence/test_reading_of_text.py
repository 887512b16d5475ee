"""What is a word, a line, a sentence, a paragraph; what is removed; and where it stood in the raw response."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.instruction_adherence.text import Reading, is_word

TRICKY = st.text(
    st.sampled_from(list("aeE é'’ʼ-‐.?!\n\r\t \u00a0\u200b\u200d\u00ad\u0301\u0327\u1100\u1161\u11a8#*<>[]1-_\ud800"))
)


def words(text: str) -> list[str]:
    return list(Reading(text).words)


def sentences(text: str) -> list[str]:
    reading = Reading(text)
    return [reading.text[sentence.start : sentence.end] for sentence in reading.sentences]


def paragraphs(text: str) -> list[str]:
    reading = Reading(text)
    return [reading.paragraph_text(paragraph) for paragraph in reading.paragraphs]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Don't stop", ["don't", "stop"]),
        ("Don’t donʼt don＇t", ["don't"] * 3),
        ("well-known well‐known well‑known", ["well-known"] * 3),
        ("a--b c—d", ["a", "b", "c", "d"]),
        ("the dogs' 'tis", ["the", "dogs", "tis"]),
        ("dogsʼ", ["dogs"]),
        ("3rd B2B 1990's", ["rd", "b", "b", "s"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("cafe\u0301 café", ["café", "café"]),
        ("slow\u200bly so\u00adft", ["slowly", "soft"]),
        ("a\u200db", ["ab"]),
        ("naïve Ωmega", ["naïve", "ωmega"]),
        ("snake_case", ["snake", "case"]),
        ("a. first\nb) second", ["first", "second"]),
        ("A. Smith", ["a", "smith"]),
        ("# Head line\n<<My Title>>", ["head", "line", "my", "title"]),
        ("ⅷ ² ½ _", []),
    ],
)
def test_words(text: str, found: list[str]) -> None:
    assert words(text) == found


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("# x", "heading"), ("###### ", "heading"), ("####### x", "prose"), ("#x", "prose"), (" # x", "prose"),
        ("---", "rule"), ("*****  ", "rule"), ("___", "rule"), ("--", "prose"), ("-_-", "prose"), ("- - -", "item"),
        ("<<x>>", "title"), ("<< x >> ", "title"), ("<<<x>>>", "prose"), ("<<>>", "prose"), ("<< >>", "prose"),
        ("<<a>> <<b>>", "prose"), ("<<x>", "prose"), ("<<x>> y", "prose"), ("<<a > b>>", "title"), ("<<x>>>", "prose"),
        ("- x", "item"), ("* x", "item"), ("•\tx", "item"), ("  - x", "item"), ("1. x", "item"), ("999) x", "item"),
        ("a. x", "item"), ("z) x", "item"), ("1990. x", "prose"), ("1990 x", "prose"), ("-5 x", "prose"),
        ("**bold** x", "prose"), ("A. Smith", "prose"), ("ab. x", "prose"), ("1.x", "prose"), ("+ x", "prose"),
        ("é. x", "prose"), ("١. x", "prose"),
    ],
)  # fmt: skip
def test_line_kinds(line: str, kind: str) -> None:
    assert Reading(f"before\n{line}\nafter").lines[1].kind == kind


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Dr. Lee came. He sat!", ["Dr.", "Lee came.", "He sat!"]),
        ("Wait... what? Fine", ["Wait...", "what?", "Fine"]),
        ('He said "no." Then he left.', ['He said "no." Then he left.']),
        ("It is **done.** Now go.", ["It is **done.** Now go."]),
        ("So… yes. 5. 6.", ["So… yes."]),
        ("one\ntwo", ["one", "two"]),
        ("1. one. two\n- three", ["one.", "two", "three"]),
        ("# head. line\n---\n<<title>>\nbody.", ["body."]),
        ("A line\u2028is one. Two.", ["A line\u2028is one.", "Two."]),
        ("?! Really.", ["Really."]),
    ],
)
def test_sentences(text: str, found: list[str]) -> None:
    assert [text.removeprefix("?! ") for text in sentences(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("one\ntwo\n\nthree", ["one\ntwo", "three"]),
        ("one\n \u00a0\t\ntwo", ["one", "two"]),
        ("# head\none\n---\ntwo", ["one\ntwo"]),
        ("intro\n- item\noutro", ["intro\noutro"]),
        ("- item\n- item\n\none", ["one"]),
        ("123 !!\n\none", ["one"]),
        ("[1]\nbody\n\n[2]\n\nbody", ["[1]\nbody", "body"]),
        ("", []),
        ("\n\n  \n", []),
    ],
)
def test_paragraphs(text: str, found: list[str]) -> None:
    assert paragraphs(text) == found


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("[[START]]a[[END]]", "a"),
        ("  <<<\na\n>>>\n", "\na\n"),
        ("BEGIN RESPONSE a END RESPONSE", " a "),
        ("BEGIN RESPONSES a END RESPONSE", "BEGIN RESPONSES a END RESPONSE"),
        ("BEGIN RESPONSE a WEEKEND RESPONSE", "BEGIN RESPONSE a WEEKEND RESPONSE"),
        ("[[START]]a", "[[START]]a"),
        ("[[START]]", "[[START]]"),
        ("[[START]][[END]]", ""),
        ("<<<T>>", "<<<T>>"),
        ("a\nSELF-AUDIT\nR1: yes", "a\n"),
        ("a\n SELF-AUDIT: \n\nr12: NO\n\n", "a\n"),
        ("a\nSELF-AUDIT\nR1: yes\nbye", "a\nSELF-AUDIT\nR1: yes\nbye"),
        ("a\nSELF-AUDIT\nR1: maybe", "a\nSELF-AUDIT\nR1: maybe"),
        ("a\nself-audit\nR1: yes", "a\nself-audit\nR1: yes"),
        ("a SELF-AUDIT\nR1: yes", "a SELF-AUDIT\nR1: yes"),
        ("REQUIREMENTS:\nx\nEND REQUIREMENTS\na", "\na"),
        ("REQUIREMENTS: x\n  END REQUIREMENTS \na", "\na"),
        ("REQUIREMENTS: x END REQUIREMENTS\na", "REQUIREMENTS: x END REQUIREMENTS\na"),
        ("REQUIREMENTS:\nx\na", "REQUIREMENTS:\nx\na"),
        ("a\nREQUIREMENTS:\nx\nEND REQUIREMENTS", "a\nREQUIREMENTS:\nx\nEND REQUIREMENTS"),
        ("[[START]]\nREQUIREMENTS:\nx\nEND REQUIREMENTS\na\nSELF-AUDIT\nR1: yes\n[[END]]", "\na\n"),
        ("REQUIREMENTS:\nx\nEND REQUIREMENTS\n<<<a>>>\nSELF-AUDIT\nR1: no", "a"),
        ("[[START]]<<<a>>>[[END]]", "a"),
    ],
)
def test_removals(text: str, left: str) -> None:
    assert Reading(text).text == left


def test_the_blocks_are_kept_apart() -> None:
    reading = Reading("REQUIREMENTS:\nx\nEND REQUIREMENTS\na\nSELF-AUDIT\nR1: yes\nr2: No")
    assert reading.audit is not None and reading.restated is not None
    assert [(claim.label, claim.yes) for claim in reading.audit] == [("R1", True), ("R2", False)]
    assert [reading.clean[claim.start : claim.end] for claim in reading.audit] == ["R1: yes", "r2: No"]
    assert reading.clean[reading.restated.start : reading.restated.end] == "\nx\n"
    assert Reading("a").audit is None and Reading("a").restated is None


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("a\r\nb\rc", "a\nb\nc"),
        ("\ufeffa\u200b\u200c\u2060\u00ad", "a"),
        ("👨\u200d👩", "👨\u200d👩"),
        ("क्\u200dष", "क्ष"),
        ("a\u200b\u0301", "á"),
        ("a\u200d\u200bb", "ab"),
        ("1\u200d\u200b2", "1\u200d2"),
    ],
)
def test_cleaning(raw: str, clean: str) -> None:
    assert Reading(raw).clean == clean


@pytest.mark.parametrize(
    ("raw", "place", "part"),
    [
        ("[[START]]\r\nSo\u200bup e\u0301te\r\n[[END]]", 0, "So\u200bup"),
        ("[[START]]\r\nSo\u200bup e\u0301te\r\n[[END]]", 1, "e\u0301te"),
        ("\ufeffa\r\n\r\nbon jour", 2, "jour"),
        ("\u1100\u1161\u11a8 last", 1, "last"),
        ("\u1100\u1161\u11a8 last", 0, "\u1100\u1161\u11a8"),
    ],
)
def test_spans_lead_back_to_the_raw_response(raw: str, place: int, part: str) -> None:
    reading = Reading(raw)
    ((start, end),) = reading.spans([reading.word_places[place]])
    assert raw[start:end] == part


@settings(deadline=None)  # the first text outside ASCII imports the patterns for it
@given(TRICKY)
def test_every_word_is_found_again_in_the_raw_response(raw: str) -> None:
    reading = Reading(raw)
    for word, (start, end) in zip(reading.words, reading.spans(reading.word_places), strict=True):
        assert 0 <= start < end <= len(raw)
        # Marks without a base before the word share its place in the raw text, and are no part of it.
        assert list(Reading(raw[start:end]).words) == [word]


@settings(deadline=None)  # the first text outside ASCII imports the patterns for it
@given(TRICKY)
def test_parts_tile_the_text(raw: str) -> None:
    reading = Reading(raw)
    assert all(is_word(reading.text[start:end]) for start, end in reading.word_places)
    assert sum(last - first for first, last in reading.line_runs) == len(reading.words)
    in_sentences = [index for s in reading.sentences for index in range(s.first, s.last)]
    kinds = {"prose", "item"}
    in_lines = [
        index
        for line, run in zip(reading.lines, reading.line_runs, strict=True)
        for index in range(*run)
        if line.kind in kinds
    ]
    assert in_sentences == in_lines
    for index in range(len(reading.words)):
        home = reading.sentence_of(index)
        assert (home is not None) == (index in in_sentences)
        assert home is None or reading.sentences[home].first <= index < reading.sentences[home].last
    prose = [i for i in range(len(reading.words)) if reading.paragraph_of(i) is not None]
    assert len(prose) == sum(paragraph.size for paragraph in reading.paragraphs)


@settings(deadline=None)  # the first text outside ASCII imports the patterns for it
@given(st.text() | TRICKY)
def test_cleaning_twice_changes_nothing_more(raw: str) -> None:
    once = Reading(raw).clean
    assert unicodedata.is_normalized("NFC", once) and "\r" not in once
    assert Reading(once).text == Reading(raw).text


@pytest.mark.parametrize(
    ("text", "letter"),
    [("Été", "E"), ("[3] **bold**", "B"), ("3rd", "R"), ("ßa", None), ("Ωmega", None), ("- ﬁne", "F"), ("ñ", "N")],
)
def test_first_letter(text: str, letter: str | None) -> None:
    assert Reading(text).first_letter(0) == letter
