"""The style of a text: how long, how cut, in which words, whatever its numbers say.

Numbers are masked first, so that counts, which may differ by label, do not come in by the door of length.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np

from engine.hidden_systems.counts import Floats, Ints
from engine.hidden_systems.surface.template import BORDER

BUCKETS = 256
"""Words are counted by hash; two words share a bucket now and then."""
MEASURES = ("characters", "words", "sentences", "blocks", "capitals", "marks")
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_SENTENCE = re.compile(r"[.!?](?:\s|$)")
_MARK = re.compile(r"[^\w\s]")


@dataclass(frozen=True, kw_only=True, repr=False)
class Style:
    """The style of N texts."""

    measures: Floats
    """N x `MEASURES`."""
    words: Floats
    """N x `BUCKETS`: words by hash."""
    domains: tuple[str, ...]
    renderers: tuple[str, ...]


def style_row(text: str, domain: str, renderer: str) -> Style:
    """Return the style of one text."""
    masked = _NUMBER.sub("#", text)
    words = _WORD.findall(masked)
    measures = (
        len(masked), len(words), len(_SENTENCE.findall(masked)), masked.count(BORDER) + 1,
        sum(map(str.isupper, masked)), len(_MARK.findall(masked)),
    )  # fmt: skip
    buckets: Ints = np.bincount([_bucket(word) for word in words], minlength=BUCKETS)
    return Style(
        measures=np.array([measures], dtype=np.float64),
        words=buckets[None, :].astype(np.float64),
        domains=(domain,),
        renderers=(renderer,),
    )


@lru_cache(maxsize=1 << 14)
def _bucket(word: str) -> int:
    return crc32(word.lower().encode()) % BUCKETS


def styles(rows: Sequence[Style]) -> Style:
    """Put rows under one another."""
    return Style(
        measures=np.vstack([row.measures for row in rows]) if rows else np.zeros((0, len(MEASURES))),
        words=np.vstack([row.words for row in rows]) if rows else np.zeros((0, BUCKETS)),
        domains=tuple(domain for row in rows for domain in row.domains),
        renderers=tuple(renderer for row in rows for renderer in row.renderers),
    )


def style_features(style: Style) -> Floats:
    """Return N x features: measures, words, and which domain and renderer the text has."""
    named = [_one_hot(names) for names in (style.domains, style.renderers)]
    return np.hstack([style.measures, style.words, *named])


def _one_hot(names: Sequence[str]) -> Floats:
    """Return a column for each name that occurs, in order of the names."""
    known = sorted(set(names))
    result = np.zeros((len(names), len(known)))
    result[np.arange(len(names)), [known.index(name) for name in names]] = 1.0
    return result
