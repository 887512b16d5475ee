"""Any text gets a verdict, the same one everywhere: no exception, no randomness, no matter which line ends."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.instruction_adherence.constraint import Verdict
from engine.instruction_adherence.constraints.registry import ALL
from engine.instruction_adherence.text import Reading
from engine.randomness import Stream

CONSTRAINTS = [kind.sample(Stream("totality", kind.id, index)) for kind in ALL for index in range(2)]
ROOT = Path(__file__).parents[3]
PIECES = [
    "The bread is baked. ", "However, you went! ", "Why? ", "don’t ", "\n", "\n\n", "\r\n", "- ", "1. ", "   - ", "# H",
    "---\n", "<<T>>\n", "**", "__", "<b>", "[1] ", "[[START]]", "[[END]]", "REQUIREMENTS:\n", "\nEND REQUIREMENTS\n",
    "\nSELF-AUDIT\n", "R1: yes\n", '{"a": ', "}", "2028-02-29", "e\u0301", "\u200b", "\u200d", "\ufeff", "\u00a0", "ß",
    "İ", "ﬁ", "\ud800", "\u0000", "क्ष", "\u1100\u1161", "𝐀", "👨\u200d👩", ",", "，", "Le pain est très bon ici. ",
]  # fmt: skip
ANY_TEXT = st.text() | st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
ODD = {
    "empty": "", "blank": " \t\n\u00a0\n", "marks": "?!.,;:", "one word": "word",
    "surrogates": "\ud800 a\udfff. \ud83d",
    "zero width": "\u200b\u200d\ufeff", "wrapper alone": "<<<>>>", "audit alone": "SELF-AUDIT\nR1: yes",
    "blocks alone": "REQUIREMENTS:\nEND REQUIREMENTS", "nul": "\x00" * 50, "marks without letters": "\u0301" * 300,
}  # fmt: skip
LONG = {
    "one line": "word. " * 17_000, "one word": "a" * 100_000, "commas": ",é" * 50_000, "lines": "- a\n" * 25_000,
    "paragraphs": "So.\n\n" * 20_000, "stars": "**a " * 25_000, "rules": "***\n" * 25_000,
    "underscores": "__a " * 25_000,
    "joiners": "a\u200d" * 50_000,
    "joiner run": "a" + "\u200d" * 100_000 + "b", "accents": "e\u0301" * 50_000,
    "marks": "\u0301" * 100_000,
    "spaces": "x" + " " * 100_000 + "x", "newlines": "\n" * 100_000, "brackets": "[" * 100_000, "tags": "<b " * 33_000,
    "angles": "<<" * 50_000, "claims": "SELF-AUDIT\n" + "R1: yes\n" * 12_000, "dots": "." * 100_000,
    "apostrophes": "a'" * 50_000, "phrases": "for what it is worthy " * 4_500, "digits": "1" * 100_000,
}  # fmt: skip


def verdicts(text: str) -> list[Verdict]:
    reading = Reading(text)
    return [constraint.check(reading) for constraint in CONSTRAINTS]


def assert_sound(text: str) -> None:
    for constraint, verdict in zip(CONSTRAINTS, verdicts(text), strict=True):
        assert type(verdict.passed) is bool and verdict.seen, constraint
        assert verdict.seen.isprintable() and len(verdict.seen) < 3000, (constraint, verdict.seen)
        assert not (verdict.passed and verdict.spans), constraint
        assert all(0 <= start <= end <= len(text) for start, end in verdict.spans), constraint


@settings(max_examples=150, deadline=None)
@given(ANY_TEXT)
def test_any_text_gets_a_verdict(text: str) -> None:
    assert_sound(text)


@pytest.mark.parametrize("name", ODD)
def test_odd_texts(name: str) -> None:
    assert_sound(ODD[name])


@pytest.mark.parametrize("name", LONG)
def test_long_texts(name: str) -> None:
    assert_sound(LONG[name])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([piece for piece in PIECES if "\r" not in piece]), max_size=30).map("".join))
def test_line_ends_blank_lines_and_normal_forms_change_no_verdict(text: str) -> None:
    passed = [verdict.passed for verdict in verdicts(text)]
    for other in (
        text.replace("\n", "\r\n"),
        text.replace("\n", "\r"),
        text + "\n\n \n",
        unicodedata.normalize("NFC", text),
        unicodedata.normalize("NFD", text),
    ):
        assert [verdict.passed for verdict in verdicts(other)] == passed


SAMPLE_TEXTS = [
    "".join(stream.choice(PIECES) for _ in range(stream.between(0, 25)))
    for stream in (Stream("totality texts", index) for index in range(40))
]


def fingerprint() -> str:
    """Return a digest of all verdicts on the sample texts."""
    return hashlib.sha256(repr([verdicts(text) for text in SAMPLE_TEXTS]).encode("utf-8", "replace")).hexdigest()


def test_verdicts_are_the_same_under_every_hash_seed() -> None:
    code = "from tests.engine.instruction_adherence.test_checkers_are_total import fingerprint; print(fingerprint())"
    prints = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert prints == {fingerprint()}


def test_verdicts_are_the_same_in_threads() -> None:
    expected = [verdicts(text) for text in SAMPLE_TEXTS]
    shared = [Reading(text) for text in SAMPLE_TEXTS]

    def judge(_: int) -> list[list[Verdict]]:
        return [[constraint.check(reading) for constraint in CONSTRAINTS] for reading in shared]

    with ThreadPoolExecutor(8) as pool:
        assert all(found == expected for found in pool.map(judge, range(8)))


def test_checking_changes_neither_constraint_nor_text() -> None:
    stored = [constraint.stored() for constraint in CONSTRAINTS]
    text = SAMPLE_TEXTS[-1]
    assert verdicts(text) == verdicts(text)
    assert [constraint.stored() for constraint in CONSTRAINTS] == stored
