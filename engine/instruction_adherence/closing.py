"""Parameters that follow from a finished shape: ranges around its counts, its sentences, the place of a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.length import ParagraphWordRange, SentenceCount, WordRange
from engine.instruction_adherence.constraints.positional import NthSentenceContains
from engine.instruction_adherence.demands import Demands, Range, demands_of
from engine.instruction_adherence.document import document_of
from engine.instruction_adherence.drafts import OPEN, ConstraintType
from engine.instruction_adherence.layout import Layout
from engine.randomness import Stream

LATEST_NTH = 8
"""The last sentence that a word is asked for in, where an earlier one will do."""


def opened(constraints: Sequence[Constraint], types: Sequence[ConstraintType], paragraphs: int) -> Demands:
    """Return the demands of a draft, with usual ranges for what is still open."""
    demands = demands_of(constraints)
    sentences, paragraph_words, words = demands.sentences, demands.paragraph_words, demands.words
    if SentenceCount in types:
        fewest = max(demands.items + paragraphs, 6)
        sentences = _narrowed(sentences, fewest, max(20, fewest + 6))
    if ParagraphWordRange in types:
        paragraph_words = _narrowed(paragraph_words, 12, 75)
    if WordRange in types:
        words = _narrowed(words, 60, 330)
    return replace(
        demands, paragraphs=demands.paragraphs.meet(paragraphs, paragraphs), sentences=sentences,
        paragraph_words=paragraph_words, words=words,
    )  # fmt: skip


def _narrowed(bounds: Range, low: int, high: int) -> Range:
    """Return the usual part of a range; all of it if no part is usual."""
    found = bounds.meet(low, high)
    return found if found.low <= found.high else bounds


def close(
    constraints: Sequence[Constraint],
    types: Sequence[ConstraintType],
    layout: Layout,
    demands: Demands,
    stream: Stream,
) -> list[Constraint]:
    """Return the constraints with every open parameter of these types set so that the layout keeps to it."""
    placed = [
        _placed(c, layout, demands, stream) if isinstance(c, NthSentenceContains) and type(c) in types else c
        for c in constraints
    ]
    return [*placed, *(_from_layout(kind, layout, demands, stream) for kind in types if kind in OPEN)]


def close_object(
    constraints: Sequence[Constraint], types: Sequence[ConstraintType], stream: Stream
) -> list[Constraint]:
    """Return the constraints on a JSON object with their length set; its values can be of any length."""
    low = 10 * stream.between(4, 12)
    ranges = [WordRange(min=low, max=low + 10 * stream.between(3, 8)) for kind in types if kind is WordRange]
    return [*constraints, *ranges]


def _from_layout(kind: ConstraintType, layout: Layout, demands: Demands, stream: Stream) -> Constraint:
    if kind is SentenceCount:
        return SentenceCount(n=layout.sentences)
    if kind is ParagraphWordRange:
        low = max(1, 5 * ((min(layout.sizes) - stream.below(8)) // 5))
        high = 5 * -(-max(layout.sizes) // 5) + 5 * stream.below(3)
        return ParagraphWordRange(min=low, max=max(high, low + 5 * stream.between(3, 5)))
    total = sum(layout.sizes) + layout.listed_words + demands.heading_words + layout.title + layout.padding
    low = max(10, 10 * ((total - stream.below(25)) // 10))
    return WordRange(min=min(low, total), max=max(10 * -(-total // 10), low + 10 * stream.between(3, 8)))


def _placed(constraint: NthSentenceContains, layout: Layout, demands: Demands, stream: Stream) -> Constraint:
    """Return the constraint for a sentence of the layout that has room for an English word."""
    sentences = document_of(layout, demands, numbered=False).sentences()
    options = [n for n, s in enumerate(sentences, start=1) if not s.foreign and len(s.words) > 2 and n > 1]
    early = [n for n in options if n <= LATEST_NTH] or options[:1] or [2]
    return replace(constraint, nth=stream.choice(early))
