"""Commitments to sealed records: published before collection, opened one record at a time afterwards.

A bare digest of PRESENT or ABSENT is inverted by trying both, so every leaf is keyed by a secret salt. Leaves and
nodes of the tree are hashed with different prefixes, so that a node can never be passed off as a leaf.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.canonical import canonical_text

MIN_SALT_BYTES = 16
EMPTY, LEAF, NODE = b"\x02", b"\x00", b"\x01"


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of a path from a leaf to the root."""

    sibling: str
    """Hash of the neighbour, 64 hex digits."""
    left: bool
    """The neighbour stands on the left."""


def leaf(salt: bytes, record_text: str) -> str:
    """Return the commitment to a record: HMAC-SHA256 of its canonical text under `salt`, 64 hex digits.

    Raises:
        ValueError: the salt has fewer than 128 bits.
    """
    if len(salt) < MIN_SALT_BYTES:
        raise ValueError(f"a salt of {len(salt)} bytes; at least {MIN_SALT_BYTES} hide a record")
    return hmac.new(salt, record_text.encode("utf-8"), hashlib.sha256).hexdigest()


def merkle_root(leaves: Sequence[tuple[str, str]]) -> str:
    """Return the root over (puzzle id, commitment) pairs, in whatever order they come."""
    level = [_leaf_hash(puzzle, commitment) for puzzle, commitment in _sorted(leaves)]
    if not level:
        return hashlib.sha256(EMPTY).hexdigest()
    while len(level) > 1:
        level = _parents(level)
    return level[0].hex()


def merkle_path(leaves: Sequence[tuple[str, str]], puzzle_id: str) -> tuple[Step, ...]:
    """Return the neighbours that lead from one puzzle's leaf to the root.

    Raises:
        KeyError: the puzzle is not among the leaves.
    """
    ordered = _sorted(leaves)
    places = {puzzle: place for place, (puzzle, _) in enumerate(ordered)}
    place = places[puzzle_id]
    level = [_leaf_hash(puzzle, commitment) for puzzle, commitment in ordered]
    steps: list[Step] = []
    while len(level) > 1:
        neighbour = place ^ 1
        if neighbour < len(level):
            steps.append(Step(sibling=level[neighbour].hex(), left=neighbour < place))
        level, place = _parents(level), place // 2
    return tuple(steps)


def merkle_paths(leaves: Sequence[tuple[str, str]]) -> dict[str, tuple[Step, ...]]:
    """Return the path of every puzzle; the tree is hashed once, which tells for thousands of them."""
    ordered = _sorted(leaves)
    levels = [[_leaf_hash(puzzle, commitment) for puzzle, commitment in ordered]]
    while len(levels[-1]) > 1:
        levels.append(_parents(levels[-1]))
    return {puzzle: tuple(_climbed(levels, place)) for place, (puzzle, _) in enumerate(ordered)}


def _climbed(levels: Sequence[Sequence[bytes]], place: int) -> Iterator[Step]:
    for level in levels[:-1]:
        neighbour = place ^ 1
        if neighbour < len(level):
            yield Step(sibling=level[neighbour].hex(), left=neighbour < place)
        place //= 2


def root_from_path(puzzle_id: str, commitment: str, path: Sequence[Step]) -> str:
    """Return the root that a leaf and its path lead to; equal to the published one if the leaf was in the pack."""
    here = _leaf_hash(puzzle_id, commitment)
    for step in path:
        sibling = bytes.fromhex(step.sibling)
        here = _node_hash(sibling, here) if step.left else _node_hash(here, sibling)
    return here.hex()


def _sorted(leaves: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    ordered = sorted(leaves)
    for (before, _), (after, _) in pairwise(ordered):
        if before == after:
            raise ValueError(f"puzzle {before!r} stands twice among the leaves; once is right")
    return ordered


def _parents(level: list[bytes]) -> list[bytes]:
    """Hash neighbours in pairs; an odd last one moves up as it is."""
    paired = [_node_hash(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
    return paired + level[len(level) - len(level) % 2 :]


def _leaf_hash(puzzle_id: str, commitment: str) -> bytes:
    return hashlib.sha256(LEAF + canonical_text([puzzle_id, commitment]).encode("utf-8")).digest()


def _node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(NODE + left + right).digest()
