"""A shape for a text: how many paragraphs, lines, sentences and words, which list items, what stands where.

A shape is drawn at random among those that keep to the demands; one call is one try, and a try that ends in a dead end
says None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.instruction_adherence.arithmetic import fits
from engine.instruction_adherence.blocks import EXTRA_WORDS, Part, missing_blocks, ordered_parts
from engine.instruction_adherence.demands import Demands, Range
from engine.instruction_adherence.grid import Foreign, ForeignDraw, Grid, Literals
from engine.randomness import Stream

FEWEST_WORDS = 30
"""A text is at least this long if it may be: shorter ones score nothing."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The shape of a text."""

    paragraphs: tuple[tuple[tuple[int, ...], ...], ...]
    """Paragraph, line, sentence: words."""
    foreign: Foreign | None
    bullets: tuple[int, ...]
    numbered: tuple[int, ...]
    nested: tuple[int, ...]
    """Entries under one numbered item; `nested_bullets` says whether their marker is a hyphen."""
    nested_bullets: bool
    title: int
    """Words; 0 for none."""
    padding: int
    """Words of extra headings: for sections that lack a block, and for words that few short sentences cannot hold."""
    parts: tuple[Part, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The words of each paragraph."""
        return tuple(sum(map(sum, lines)) for lines in self.paragraphs)

    @property
    def sentences(self) -> int:
        listed = len(self.bullets) + len(self.numbered) + len(self.nested)
        return listed + sum(len(line) for lines in self.paragraphs for line in lines)

    @property
    def listed_words(self) -> int:
        return sum((*self.bullets, *self.numbered, *self.nested))


class _Lists(NamedTuple):
    bullets: list[int]
    numbered: list[int]
    nested: list[int]
    nested_bullets: bool

    def rows(self) -> tuple[list[int], ...]:
        return self.bullets, self.numbered, self.nested

    @property
    def size(self) -> int:
        return sum(map(len, self.rows()))

    @property
    def words(self) -> int:
        return sum(map(sum, self.rows()))


def draw_layout(demands: Demands, room: Literals, stream: Stream, draw_foreign: ForeignDraw) -> Layout | None:
    """Return a shape that keeps to the demands; None if this try ends in a dead end."""
    count = _paragraph_count(demands, stream)
    if count is None:
        return None
    lists = _lists(demands, stream, count)
    headings = [EXTRA_WORDS] * missing_blocks(demands, count, len(lists.bullets))
    title = stream.between(1, 3) if demands.titled else 0
    if room.outside and (demands.titled or demands.headers):
        title = max(title, room.outside)
    elif room.outside:
        headings.append(room.outside)
    if (headings and demands.headers) or (demands.lines and (headings or title)):
        return None
    elsewhere = lists.words + demands.heading_words + title + sum(headings)
    words = demands.words.meet(FEWEST_WORDS if demands.words.high >= FEWEST_WORDS else 1)
    prose = Range(max(words.low - elsewhere, 1), words.high - elsewhere)
    sentences = Range(max(demands.sentences.low - lists.size, 1), demands.sentences.high - lists.size)
    grid = Grid.draw(demands, count, sentences, stream)
    if grid is None:
        return None
    foreign = grid.settle_foreign(draw_foreign)
    if demands.foreign and foreign is None:
        return None
    sizes = grid.sizes(prose, max(room.words - elsewhere // 2, 0))
    if sizes is None:
        return None
    short = prose.low - sum(sizes)
    title, padding = _padded(demands, lists, title, short) if short > 0 else (title, 0)
    if title < 0:
        return None
    paragraphs = grid.cut(sizes, room)
    if paragraphs is None:
        return None
    extra = [padding] * (padding > 0) + headings
    parts = ordered_parts(demands, len(paragraphs), len(lists.bullets), title > 0, extra, stream)
    return Layout(
        paragraphs=paragraphs, foreign=foreign, bullets=tuple(lists.bullets), numbered=tuple(lists.numbered),
        nested=tuple(lists.nested), nested_bullets=lists.nested_bullets, title=title, padding=sum(extra), parts=parts,
    )  # fmt: skip


def _paragraph_count(demands: Demands, stream: Stream) -> int | None:
    """Prefer few paragraphs, yet one for each section."""
    low, high = demands.paragraphs
    blocks = (demands.bullets > 0) + (demands.numbered is not None)
    listed = demands.items * 2 + demands.heading_words
    by_size = -(-max(demands.words.low - listed, 1) // max(demands.paragraph_words.high - 2, 1))
    wanted = max(low, min(high, max(demands.sections - blocks, by_size)))
    if wanted == 1 and demands.paragraphs.high > 1:
        wanted = stream.between(1, 3)
    for count in (wanted + stream.below(3), wanted + stream.below(2), wanted, low):
        if fits(demands, count):
            return count
    return None


def _lists(demands: Demands, stream: Stream, paragraphs: int) -> _Lists:
    """Draw the words of list items, few where the text must be short."""
    tight = demands.words.high < 60 + 20 * paragraphs
    most = min(1 if tight and stream.chance(1, 2) else 2 if tight else 3, demands.sentence_words.high)
    numbered = nested = 0
    nested_bullets = False
    if demands.numbered is not None:
        numbered, nested = demands.numbered.items, demands.numbered.min_entries
        spare = demands.sentences.high - paragraphs - numbered - demands.bullets
        nested_bullets = demands.bullets >= nested and spare < nested + paragraphs
    bullets = demands.bullets - nested if nested_bullets else demands.bullets
    least = min(2, most)
    drawn = [[stream.between(least, most) for _ in range(size)] for size in (bullets, numbered, nested)]
    return _Lists(drawn[0], drawn[1], drawn[2], nested_bullets)


def _padded(demands: Demands, lists: _Lists, title: int, short: int) -> tuple[int, int]:
    """Put words that the prose cannot hold into list items, the title or an extra heading; a title of -1 is failure."""
    for row in lists.rows():
        for index, size in enumerate(row):
            more = min(short, demands.sentence_words.high - size)
            row[index] += more
            short -= more
    if short <= 0:
        return title, 0
    if demands.lines:
        return -1, 0
    return (title + short, 0) if title or demands.headers else (0, short)
