"""The only source of randomness: streams derived from a hash of a purpose and a key.

Different purposes never share a stream, and an index is part of the key, never added to a seed.
`Stream` draws through `getrandbits` alone and `uniform_words` returns raw PCG64 output, so the
same key gives the same draws in every version of Python and NumPy (golden tests pin both).
"""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Item = TypeVar("Item")


def derive(purpose: str, *key: int | str) -> int:
    """Return 256 bits that depend on purpose and key only."""
    text = json.dumps([purpose, *key], ensure_ascii=True, separators=(",", ":"))
    return int.from_bytes(hashlib.sha256(text.encode("ascii")).digest(), "big")


class Stream:
    """A sequence of draws for one purpose and key."""

    def __init__(self, purpose: str, *key: int | str) -> None:
        self._bits = random.Random(derive(purpose, *key)).getrandbits

    def below(self, count: int) -> int:
        """Return an integer in 0..count-1, each equally likely; count >= 1."""
        if count < 1:
            raise ValueError(f"below({count!r}): count must be at least 1")
        width = (count - 1).bit_length() or 1
        while (draw := self._bits(width)) >= count:
            pass
        return draw

    def between(self, low: int, high: int) -> int:
        """Return an integer in low..high, both included."""
        return low + self.below(high - low + 1)

    def chance(self, numerator: int, denominator: int) -> bool:
        """Return True with probability numerator/denominator."""
        return self.below(denominator) < numerator

    def choice(self, items: Sequence[Item]) -> Item:
        """Return one of `items`, each equally likely."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return `items` in a uniformly random order."""
        result, bits = list(items), self._bits
        for last in range(len(result) - 1, 0, -1):
            width = last.bit_length()
            while (other := bits(width)) > last:  # `below(last + 1)`, written out: a puzzle shuffles a hundred times
                pass
            result[last], result[other] = result[other], result[last]
        return result

    def sample(self, items: Sequence[Item], count: int) -> list[Item]:
        """Return `count` different members of `items` in random order."""
        return self.shuffled(items)[:count]


def uniform_words(count: int, purpose: str, *key: int | str) -> NDArray[np.uint64]:
    """Return `count` independent uniform 64-bit words for purpose and key."""
    # NumPy takes a tenth of a second to import, and the app must paint before that: load it where arrays are drawn.
    import numpy as np

    return np.random.PCG64(derive(purpose, *key)).random_raw(count)


def secret_bits(count: int) -> int:
    """Return bits from the system's own source: for study seeds and salts, never for anything reproducible."""
    return int.from_bytes(os.urandom((count + 7) // 8), "big") >> (-count % 8)
