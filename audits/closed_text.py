"""F05: nothing is left over. A text says what its payload says, and not one thing more.

A rendering by the template must be the template's text of its payload and domain, byte for byte; so a hint in the
introduction, a doubled space or an invisible character that goes with the label has no place to be. Any text, whoever
wrote it, is also read by what remains once its names and numbers are taken out: those words must lie in the frame
vocabulary that was agreed on before the counts were known, in a bounded number of sentences.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from audits.legends import MOST_SENTENCES
from audits.mutants import Mark
from audits.telling import Telling
from audits.wordlists import CUES, forbidden, plain
from engine.errors import ClewError
from engine.hidden_systems.surface.template import JOINERS, RENDERER, render

CLAIM = "names and numbers taken out, only words agreed on beforehand remain; a template's text is exactly its own"
PUNCTUATION = frozenset(" \t'’-–—,.;:?()“”\"/&")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SENTENCE = re.compile(r"[.!?]+(?=\s|$)")
_BORDER = re.compile(r"(?<=[.!?])\s+")
"""Between two sentences."""
_EMPHASIS = re.compile(r"\b[A-Z]{3,}\b|[*_#`<>\[\]{}|~^=+@\\]")


def text_faults(one: Telling) -> Iterator[str]:
    """Yield a pointer to what a rendering should not hold."""
    if one.payload is None or one.named is None:
        yield "/legend"
        return
    if one.told.renderer == RENDERER:
        try:
            right = render(one.payload, one.told.domain).text
        except ClewError:
            yield "/domain"
            return
        if one.text != right:
            yield "/text"
    yield from residual_faults(one)


def residual_faults(one: Telling) -> Iterator[str]:
    """Yield what is left over in a text's blocks, whoever wrote them."""
    if one.named is None:
        yield "/legend"
        return
    allowed = one.named.frames | set(JOINERS)
    for nth, (block, found) in enumerate(zip(one.blocks, one.marked, strict=True)):
        kind = 0 if nth == 0 else 2 if nth == len(one.blocks) - 1 else 1
        rest = _rest(block, found)
        told = plain(rest)
        if not set(_WORD.findall(told)) <= allowed:
            yield f"/blocks/{nth}/words"
        if forbidden().search(told):
            yield f"/blocks/{nth}/forbidden"
        if CUES.search(told):
            yield f"/blocks/{nth}/cue"
        if _EMPHASIS.search(rest) or not all(letter.isalnum() or letter in PUNCTUATION for letter in set(block)):
            yield f"/blocks/{nth}/marks"
        if block != block.strip() or "  " in block:
            yield f"/blocks/{nth}/space"
        if len(_SENTENCE.findall(block)) > MOST_SENTENCES[kind]:
            yield f"/blocks/{nth}/sentences"
        if kind and _empty_sentence(block, found):
            yield f"/blocks/{nth}/empty_sentence"
        yield from _mention_faults(nth, kind, found)


def _rest(block: str, found: Sequence[Mark]) -> str:
    """Return a block without the names of the legend and without numbers."""
    parts, at = [], 0
    for mark in found:
        parts.append(block[at : mark.start])
        at = mark.end
    return " ".join((*parts, block[at:]))


def _empty_sentence(block: str, found: Sequence[Mark]) -> bool:
    """Tell whether a sentence of a block names nothing and counts nothing: it says what no record holds."""
    starts = [0, *(match.end() for match in _BORDER.finditer(block))]
    ends = [*starts[1:], len(block)]
    told = [mark.start for mark in found]
    return not all(any(low <= at < high for at in told) for low, high in zip(starts, ends, strict=True))


def _mention_faults(nth: int, kind: int, found: Sequence[Mark]) -> Iterator[str]:
    """Yield where an outcome or event is mentioned more often than its block has a place for."""
    outcomes = Counter(plain(mark.text) for mark in found if mark.kind == "outcome")
    if set(outcomes.values()) != {1} or len(outcomes) != 2:
        yield f"/blocks/{nth}/outcomes"
    if kind == 0:
        events = Counter(plain(mark.text) for mark in found if mark.kind == "event")
        if any(times > 1 for times in events.values()):
            yield "/blocks/0/events"
