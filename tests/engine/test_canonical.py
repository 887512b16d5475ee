"""Canonical JSON: one text a value, no floats, nothing read twice."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.canonical import Json, canonical_text, digest, read_json, text_digest
from engine.errors import UsageError, quoted

KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | KEYS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_text_reads_back_and_is_stable(value: Json) -> None:
    text = canonical_text(value)
    assert read_json(text, where="test") == value
    assert canonical_text(read_json(text, where="test")) == text


@given(st.dictionaries(KEYS, st.integers(), min_size=2), st.randoms())
def test_order_of_keys_does_not_matter(value: dict[str, int], random: Any) -> None:
    items = list(value.items())
    random.shuffle(items)
    assert digest(dict(items)) == digest(value)


@given(VALUES, VALUES)
def test_different_values_have_different_texts(one: Json, other: Json) -> None:
    assert (canonical_text(one) == canonical_text(other)) == (
        json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    )


def test_golden_text_and_digest() -> None:
    value = {"b": [1, True, None, "é\n"], "a": {"z": -3, "ß": "\u2028"}}
    assert canonical_text(value) == '{"a":{"z":-3,"ß":"\u2028"},"b":[1,true,null,"é\\n"]}'
    assert digest(value) == hashlib.sha256(canonical_text(value).encode("utf-8")).hexdigest()
    assert text_digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize("value", [1.0, float("nan"), {"a": [0.5]}, [{"b": float("inf")}]])
def test_floats_are_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="no floats"):
        canonical_text(value)


REFUSED = {
    "float": ("[1.5]", "'1.5'"),
    "exponent": ("[1e3]", "'1e3'"),
    "NaN": ("[NaN]", "NaN"),
    "Infinity": ("[-Infinity]", "-Infinity"),
    "duplicate key": ('{"a": 1, "b": 2, "a": 1}', "key 'a' occurs twice"),
    "duplicate key within": ('[{"x": {"k": 1, "k": 2}}]', "key 'k' occurs twice"),
    "not JSON": ("{a: 1}", "character 2, before 'a: 1}'"),
    "cut off": ('{"a": [1, 2', "not JSON"),
    "empty": ("", "not JSON"),
    "two values": ("1 2", "character 3"),
    "too deep": ("[" * 100_000, "nested too deeply"),
    "too many digits": ("1" * 10_000, "too many digits"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_text_is_refused_in_one_short_line(name: str) -> None:
    text, part = REFUSED[name]
    with pytest.raises(UsageError) as caught:
        read_json(text, where="here")
    line = caught.value.line()
    assert line.startswith("here: ") and part in line
    assert len(line) < 400 and "\n" not in line


def test_decimals_can_be_read_by_whoever_asks() -> None:
    assert read_json("[0.10, 2]", where="here", read_decimal=Decimal) == [Decimal("0.10"), 2]  # type: ignore[arg-type]


@given(st.text() | st.binary() | st.lists(st.text(), max_size=50))
def test_quotes_are_one_short_printable_line(value: Any) -> None:
    text = quoted(value)
    assert len(text) <= 200 and text.isprintable()


def test_quotes_keep_both_ends_of_a_long_value() -> None:
    assert quoted("short") == "'short'"
    assert quoted("a" * 1_000_000 + "z").startswith("'aaa") and quoted("a" * 1_000_000 + "z").endswith("az'")
