"""One rendering as the F rules read it: text, payload and legend, each read once for all rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from audits.legends import Vocabulary, vocabulary_of
from audits.mutants import Mark, marks
from audits.view import PackView, Told
from engine.errors import ClewError, FidelityError
from engine.hidden_systems.behavior import PublicPayload, read_payload
from engine.hidden_systems.surface.parse_back import parse_back
from engine.hidden_systems.surface.template import BORDER, RENDERER
from engine.public import Legend


class Telling:
    """A stored text beside the payload that it should tell."""

    def __init__(self, told: Told, payload_json: str) -> None:
        self.told = told
        self.payload_json = payload_json

    @classmethod
    def made(cls, payload: PublicPayload, legend: Legend, text: str, vocabulary: Vocabulary) -> Telling:
        """Return a text that no pack holds, in the words of a known legend and vocabulary."""
        one = cls(Told(renderer=RENDERER, domain=legend.domain, text=text), "")
        one.__dict__.update(payload=payload, named=vocabulary, legend=legend)
        return one

    @property
    def text(self) -> str:
        return self.told.text

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        return tuple(self.told.text.split(BORDER))

    @cached_property
    def payload(self) -> PublicPayload | None:
        """None for a payload that cannot be read."""
        try:
            return read_payload(self.payload_json)
        except ClewError:
            return None

    @cached_property
    def named(self) -> Vocabulary | None:
        """Legend and frame vocabulary; None where the renderer left none that can be read."""
        if self.payload is None:
            return None
        try:
            return vocabulary_of(self.payload, self.told)
        except ClewError:
            return None

    @cached_property
    def legend(self) -> Legend | None:
        return None if self.named is None else self.named.legend

    @cached_property
    def marked(self) -> tuple[tuple[Mark, ...], ...]:
        """Names and numbers of each block in order of mention; none without a legend."""
        legend = self.legend
        return tuple(tuple(marks(block, legend)) if legend is not None else () for block in self.blocks)

    @cached_property
    def parsed(self) -> PublicPayload | None:
        """What the text reads back to; None if it tells no payload."""
        if self.legend is None:
            return None
        try:
            return parse_back(self.told.text, self.legend)
        except FidelityError:
            return None


def tellings(view: PackView) -> Iterator[tuple[str, int, Telling]]:
    """Yield every rendering of a pack with its puzzle's id and its place among that puzzle's renderings."""
    for puzzle in view.puzzles:
        for nth, told in enumerate(puzzle.tellings):
            yield puzzle.id, nth, Telling(told, puzzle.payload)
