"""The order in which the blocks of a text stand: title, headings, paragraphs, lists, separators."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from engine.instruction_adherence.demands import Demands
from engine.randomness import Stream

PartKind = Literal["title", "heading", "padding", "paragraph", "bullets", "numbered", "rule"]


class Part(NamedTuple):
    """A block."""

    kind: PartKind
    first: int = 0
    """Index of the heading or paragraph, or of the first bullet; the words of padding."""
    last: int = 0
    """Index after the last bullet; else unused."""


EXTRA_WORDS = 2
"""Words of a heading that is there for the sake of a section."""


def missing_blocks(demands: Demands, paragraphs: int, bullets: int) -> int:
    """Return how many blocks the sections lack."""
    others = paragraphs + (demands.numbered is not None) + len(demands.headers) + demands.titled
    return max(0, demands.sections - others - bullets)


def ordered_parts(
    demands: Demands, paragraphs: int, bullets: int, titled: bool, extra: Sequence[int], stream: Stream
) -> tuple[Part, ...]:
    """Return the blocks in order.

    Args:
        bullets: how many there are outside the numbered list.
        extra: words of each heading that nobody asked for.
    """
    body = [Part("paragraph", index) for index in range(paragraphs)]
    for part in _listed(demands, bullets, paragraphs, len(extra), stream):
        body.insert(_place(len(body), stream), part)
    headed = _with_headings(body, len(demands.headers), stream)
    for words in extra:
        headed.insert(stream.below(len(headed)), Part("padding", words))
    if titled:
        headed.insert(0, Part("title"))
    return _with_rules(headed, demands.sections - 1, stream)


def _listed(demands: Demands, bullets: int, paragraphs: int, extra: int, stream: Stream) -> list[Part]:
    """Return the list blocks; bullets are split over several where sections would else lack a block."""
    parts = [Part("numbered")] if demands.numbered is not None else []
    others = paragraphs + len(parts) + len(demands.headers) + demands.titled + extra
    pieces = min(bullets, max(1, demands.sections - others)) if bullets else 0
    cuts = sorted(stream.sample(range(1, bullets), pieces - 1)) if pieces > 1 else []
    edges = [0, *cuts, bullets] if pieces else []
    return parts + [Part("bullets", start, end) for start, end in pairwise(edges)]


def _place(size: int, stream: Stream) -> int:
    """Lists mostly follow the first paragraph or a later one, and now and then they end the text."""
    if size == 1 or stream.chance(1, 8):
        return size
    return stream.between(1, size - 1)


def _with_headings(body: list[Part], count: int, stream: Stream) -> list[Part]:
    """Put headings ahead of blocks, the first of them mostly at the top."""
    places = stream.sample(range(len(body)), min(count, len(body)))
    places += [stream.below(len(body)) for _ in range(count - len(places))]
    if places and 0 not in places and stream.chance(2, 3):
        places[0] = 0
    places.sort()
    result: list[Part] = []
    nth = 0
    for index, part in enumerate(body):
        for _ in range(places.count(index)):
            result.append(Part("heading", nth))
            nth += 1
        result.append(part)
    return result


def _with_rules(parts: list[Part], count: int, stream: Stream) -> tuple[Part, ...]:
    """Put separators between blocks, where they can ahead of paragraphs or their headings."""
    gaps = range(1, len(parts))
    good = [gap for gap in gaps if parts[gap].kind != "bullets" and parts[gap - 1].kind not in ("heading", "title")]
    chosen = stream.sample(good, count) if count <= len(good) else stream.sample(gaps, count)
    result: list[Part] = []
    for index, part in enumerate(parts):
        if index in chosen:
            result.append(Part("rule"))
        result.append(part)
    return tuple(result)
