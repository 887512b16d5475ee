"""Streams depend on purpose and key alone, are uniform, and never change from version to version."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from engine.randomness import Stream, derive, uniform_words

FALSE_ALARM = 1e-6
KEYS = st.lists(st.integers(-(2**70), 2**70) | st.text(max_size=8), max_size=4)


def test_golden_draws() -> None:
    """Pins every way to draw; a change here changes every stored puzzle."""
    assert derive("purpose", 1, "a") == GOLDEN_DERIVED
    stream = Stream("golden", 7)
    assert [stream.below(1000) for _ in range(6)] == GOLDEN_BELOW
    assert "".join(stream.shuffled("abcdefgh")) == GOLDEN_SHUFFLE
    assert [int(word) for word in uniform_words(3, "golden", 7)] == GOLDEN_WORDS


GOLDEN_DERIVED = 42619468525459362303341024301990692702684620794907942507017312839141565863519
GOLDEN_BELOW = [245, 210, 145, 411, 696, 368]
GOLDEN_SHUFFLE = "fdcbegah"
GOLDEN_WORDS = [13524557239613115218, 11978005120085232867, 17179814196217903485]


@given(KEYS, KEYS)
def test_different_keys_derive_different_bits(one: list[int | str], other: list[int | str]) -> None:
    assert (derive("p", *one) == derive("p", *other)) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [(("p", 1, 2), ("p", 12)), (("p", 1), ("p", "1")), (("p", "a", "b"), ("p", "a,b")), (("p", 42, 1), ("p", 43, 0))],
)
def test_keys_that_look_alike_derive_different_bits(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert derive(*one) != derive(*other)
    assert list(uniform_words(4, *one)) != list(uniform_words(4, *other))


def test_purposes_never_share_a_stream() -> None:
    assert [Stream("a", 1).below(2**64) for _ in range(3)] != [Stream("b", 1).below(2**64) for _ in range(3)]


@given(st.integers(1, 10**12), st.integers(0, 10**6))
def test_below_stays_below(count: int, key: int) -> None:
    stream = Stream("range", key)
    assert all(0 <= stream.below(count) < count for _ in range(20))


@pytest.mark.parametrize("count", [0, -1])
def test_below_nothing_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Stream("range").below(count)


@given(st.integers(-100, 100), st.integers(0, 50), st.integers(0, 10**6))
def test_between_includes_both_ends(low: int, width: int, key: int) -> None:
    stream = Stream("between", key)
    assert all(low <= stream.between(low, low + width) <= low + width for _ in range(20))


@pytest.mark.parametrize("count", [2, 3, 7, 10])
def test_below_is_uniform(count: int) -> None:
    stream = Stream("uniform", count)
    seen = Counter(stream.below(count) for _ in range(20_000))
    assert chisquare([seen[value] for value in range(count)]).pvalue > FALSE_ALARM


def test_shuffles_are_uniform_over_orders() -> None:
    stream = Stream("shuffles", 1)
    seen = Counter("".join(stream.shuffled("abcd")) for _ in range(24_000))
    assert len(seen) == 24
    assert chisquare(list(seen.values())).pvalue > FALSE_ALARM


def test_chance_is_exact_at_its_ends() -> None:
    stream = Stream("chance", 1)
    assert not any(stream.chance(0, 9) for _ in range(500))
    assert all(stream.chance(9, 9) for _ in range(500))
    assert 400 < sum(stream.chance(1, 2) for _ in range(1000)) < 600


@given(st.lists(st.integers(), max_size=12), st.integers(0, 12), st.integers(0, 10**6))
def test_shuffled_and_sample_keep_the_items(items: list[int], count: int, key: int) -> None:
    before = list(items)
    assert sorted(Stream("items", key).shuffled(items)) == sorted(items)
    sample = Stream("items", key).sample(items, count)
    assert len(sample) == min(count, len(items)) and not Counter(sample) - Counter(items)
    assert items == before


def test_words_are_uniform_in_every_bit() -> None:
    words = uniform_words(20_000, "bits", 1)
    for bit in range(64):
        ones = int((words >> bit & 1).sum())
        assert chisquare([ones, 20_000 - ones]).pvalue > FALSE_ALARM / 64


def test_fewer_words_are_a_prefix_of_more() -> None:
    assert list(uniform_words(5, "prefix")) == list(uniform_words(50, "prefix"))[:5]
