"""Commitments: keyed leaves, one root whatever the order, and paths that open one leaf only."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.store.commitment import leaf, merkle_path, merkle_root, root_from_path

LEAVES = st.dictionaries(st.text("abcdef0123456789", min_size=1, max_size=4), st.text("01", max_size=3), max_size=20)


def test_leaf_is_keyed_and_follows_the_standard() -> None:
    assert leaf(b"k" * 16, "é") == hmac.new(b"k" * 16, "é".encode(), hashlib.sha256).hexdigest()
    assert leaf(b"k" * 16, "ABSENT") != leaf(b"l" * 16, "ABSENT")
    assert leaf(b"k" * 16, "ABSENT") != hashlib.sha256(b"ABSENT").hexdigest()


def test_short_salts_are_refused() -> None:
    with pytest.raises(ValueError, match="a salt of 15 bytes"):
        leaf(b"k" * 15, "x")


@given(LEAVES, st.randoms(use_true_random=False))
def test_root_is_independent_of_order(leaves: dict[str, str], shuffler: st.DataObject) -> None:
    pairs = list(leaves.items())
    shuffled = list(pairs)
    shuffler.shuffle(shuffled)  # type: ignore[attr-defined]
    assert merkle_root(shuffled) == merkle_root(pairs)


@given(LEAVES)
def test_every_leaf_opens_by_its_path_and_no_other_does(leaves: dict[str, str]) -> None:
    pairs = list(leaves.items())
    root = merkle_root(pairs)
    for puzzle, commitment in pairs:
        path = merkle_path(pairs, puzzle)
        assert root_from_path(puzzle, commitment, path) == root
        assert root_from_path(puzzle, commitment + "x", path) != root
        assert root_from_path(puzzle + "x", commitment, path) != root


@given(LEAVES, LEAVES)
def test_equal_roots_mean_equal_leaves(one: dict[str, str], other: dict[str, str]) -> None:
    assert (merkle_root(list(one.items())) == merkle_root(list(other.items()))) == (one == other)


def test_node_cannot_be_passed_off_as_a_leaf() -> None:
    pairs = [("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")]
    left, right = merkle_root(pairs[:2]), merkle_root(pairs[2:])
    assert merkle_root([(left, right)]) != merkle_root(pairs)
    assert merkle_root([]) != merkle_root([("", "")])


def test_repeated_puzzles_and_unknown_ones_are_refused() -> None:
    with pytest.raises(ValueError, match="'a' stands twice"):
        merkle_root([("a", "1"), ("a", "2")])
    with pytest.raises(KeyError):
        merkle_path([("a", "1")], "b")


def test_root_is_pinned() -> None:
    assert merkle_root([("b", "2"), ("a", "1"), ("c", "3")]) == PINNED


PINNED = "a4935b2abe6333488628c0a9a1ab3296c7858bd2b6c7cf9874e55a2fad54756e"
